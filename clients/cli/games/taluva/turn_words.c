/* What a turn that a hint shows would do, in words: from the room's state alone. */
#include "explain_words.h"
#include "parts.h"
#include "state_position.h"
#include <cli/state.h>

/*
 * Who began, and which 2-Hex tiles were taken, a state does not tell, and what can be built does
 * not depend on it: any will do that could be.
 */
static void assume(struct known *known, const json_t *state)
{
    unsigned set = known_two_hex(state_at(state, "table.two_hex"));
    *known = (struct known){.first = 0};
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if (__builtin_popcount(set) < state_players(state))
            set |= 1U << i;
    }
    known->two_hex = (uint8_t)set;
}

/* The moves of a hint with blanks between. */
static void join_moves(struct text *out, const json_t *moves)
{
    size_t i;
    const json_t *move;
    json_array_foreach(moves, i, move)
    {
        const char *const text = json_string_value(move);
        text_add(out, "%s%s", i > 0 ? " " : "", text ? text : "?");
    }
}

static void add_name(struct text *out, unsigned seat, const void *user)
{
    char label[STATE_LABEL];
    text_add(out, "%s", state_seat_label(label, user, (int)seat));
}

void taluva_turn_words(char *text, size_t size, const struct game_room *room, const json_t *moves)
{
    struct text out = {.bytes = text, .size = size};
    char turn[2 * (PROTOCOL_MOVE_BYTES + 1)] = "";
    struct text joined = {.bytes = turn, .size = sizeof turn};
    const struct explain_names names = {.add = add_name, .user = room->state};
    struct known known;
    struct taluva game;
    struct explain explain;
    text[0] = '\0';
    join_moves(&joined, moves);
    assume(&known, room->state);
    if (!joined.failed && state_position(&game, room->state, &known) &&
        explain_written(&game, turn, &explain))
        explain_words(&explain, game.seat, &names, &out);
}
