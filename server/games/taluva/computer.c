/*
 * The computer player of a room: what it may know of a match, and its levels. How they think is in
 * the folder computer.
 */
#include "taluva_match.h"
#include <assert.h>
#include <computer/levels.h>
#include <string.h>

/* Only the stack is hidden, from everybody; which tiles have been drawn from it all have seen. */
static void copy_known(const void *value, unsigned seat, void *known)
{
    struct taluva_match *copy = known;
    (void)seat;
    memcpy(copy, value, sizeof *copy);
    size_t drawn = (size_t)(copy->options.tiles - copy->game.stack);
    memset(copy->deck + drawn, 0, sizeof copy->deck - drawn);
}

static size_t choose_move(const void *known, unsigned seat, unsigned level, uint64_t seed,
                          struct game_thinking *thinking, char move[PROTOCOL_MOVE_BYTES])
{
    const struct taluva_match *match = known;
    const struct computer_question question = taluva_question(match, seed, thinking);
    struct computer_turn turn = {.parts = COMPUTER_PART_DRAW};
    uint32_t simulations = 0;
    assert(match->game.seat == seat);
    (void)seat;
    if (taluva_may_take(&match->game) != TALUVA_TAKE_DRAW)
        simulations = computer_play(&question, (enum computer_level)level, &turn);
    if (thinking)
        thinking->simulations = simulations;
    return taluva_turn_write(&turn, thinking, move);
}

static size_t thinking_bytes(unsigned level)
{
    return computer_level_bytes((enum computer_level)level);
}

/* Neither a reward for leaving nor a burden for the others of its team. */
static size_t stand_in(const void *known, unsigned seat, uint64_t seed,
                       char move[PROTOCOL_MOVE_BYTES])
{
    return choose_move(known, seat, COMPUTER_REGULAR, seed, NULL, move);
}

const struct game_computer taluva_computer = {
    .levels = computer_level_words,
    .level_default = COMPUTER_SIMPLE, /* a newcomer can beat it soon */
    .level_unnamed = COMPUTER_SIMPLE,
    .know = copy_known,
    .choose = choose_move,
    .thinking_bytes = thinking_bytes,
    .stand_in = stand_in,
    .hint = taluva_hint,
    .hint_bytes = TALUVA_HINT_BYTES,
};
