/* Hints: the best turns of the player of computer/, with what each seat can hope for after them. */
#include "taluva_match.h"
#include <assert.h>
#include <rules/notation.h>
#include <string.h>

enum { PER_MILLE = 1000 };

static void add_move(struct game_hint_turn *turn, const char *move, size_t len)
{
    assert(turn->count < GAME_HINT_MOVES && len <= PROTOCOL_MOVE_BYTES);
    memcpy(turn->moves[turn->count], move, len);
    turn->moves[turn->count++][len] = '\0';
}

static void write_turn(const struct computer_turn *best, unsigned seats,
                       struct game_hint_turn *turn)
{
    struct game_thinking after = {.next_len = 0};
    char move[PROTOCOL_MOVE_BYTES];
    memset(turn, 0, sizeof *turn);
    add_move(turn, move, taluva_turn_write(best, &after, move));
    if (after.next_len > 0)
        add_move(turn, after.next, after.next_len);
    for (unsigned i = 0; i < seats; i++)
        turn->chances[i] = (uint16_t)((best->chances[i] * PER_MILLE + COMPUTER_CHANCE_ONE / 2) /
                                      COMPUTER_CHANCE_ONE);
}

/*
 * After the best turn, which the search has looked at most, come those that promise no more than
 * the one before: more was seen too seldom to be believed.
 */
static bool may_follow(const struct game_hint_turn *before, const struct game_hint_turn *turn,
                       unsigned seat)
{
    return turn->chances[seat] <= before->chances[seat];
}

size_t taluva_hint(const void *known, unsigned seat, struct game_thinking *thinking,
                   struct game_hint_turn turns[GAME_HINT_TURNS])
{
    const struct taluva_match *match = known;
    struct computer_answer answer;
    assert(match->game.seat == seat);
    taluva_think(match, TALUVA_HINT_SIMULATIONS, 0, thinking, &answer);
    size_t count = 0;
    for (unsigned i = 0; i < answer.n && count < GAME_HINT_TURNS; i++) {
        if (i > 0 && answer.turns[i].parts == COMPUTER_PART_PLACE)
            continue; /* its player is out then */
        write_turn(&answer.turns[i], match->options.seats, &turns[count]);
        if (i == 0 || may_follow(&turns[count - 1], &turns[count], seat))
            count++;
    }
    return answer.cancelled ? 0 : count;
}
