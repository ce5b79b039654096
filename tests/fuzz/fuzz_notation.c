/*
 * Any text, to every reader of the rules' notation. What is read must be written back the same, and
 * a position that is read must bear being played on: whoever wrote it may be hostile.
 */
#include <string.h>

#include <rules/notation.h>

#include "../unit/rules/invariants.h"
#include "fuzz.h"

static void hold_same(const char *text, size_t len, const char *written, size_t written_len)
{
    HOLD(written_len == len && memcmp(text, written, len) == 0);
}

static void read_small_things(const char *text, size_t len)
{
    char out[TALUVA_PLACEMENT_TEXT];
    taluva_tile tile;
    struct taluva_hex hex;
    struct taluva_placement placement;
    struct taluva_build build;
    struct taluva_cell cell = {.owner = TALUVA_NO_SEAT};
    if (taluva_tile_parse(text, len, &tile)) {
        hold_same(text, len, out, taluva_tile_format(tile, out));
    }
    if (taluva_hex_parse(text, len, &hex, NULL)) {
        hold_same(text, len, out, taluva_hex_format(hex, out));
    }
    if (taluva_placement_parse(text, len, &placement, NULL)) {
        hold_same(text, len, out, taluva_placement_format(&placement, out));
    }
    if (taluva_build_parse(text, len, &build, NULL)) {
        hold_same(text, len, out, taluva_build_format(&build, out));
    }
    if (taluva_cell_parse(text, len, &cell, NULL)) {
        hold_same(text, len, out, taluva_cell_format(&cell, out));
    }
}

/* A choice that depends on the text alone. */
static size_t choose(uint32_t *state, size_t n)
{
    *state = *state * 1664525u + 1013904223u;
    return (size_t)((uint64_t)(*state >> 8) * n >> 24);
}

static void place(struct taluva *game, taluva_tile tile, uint32_t *state)
{
    static struct taluva_placement all[TALUVA_PLACEMENTS_MAX];
    static bool dead_end[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(game, tile, all, dead_end);
    HOLD(n > 0 && n <= TALUVA_PLACEMENTS_MAX);
    const size_t i = choose(state, n);
    struct taluva_effects effects;
    HOLD(taluva_place(game, game->seat, &all[i], true, &effects) == TALUVA_OK);
    HOLD((effects.eliminated != 0) == dead_end[i]);
}

static void take(struct taluva *game, uint32_t *state)
{
    const unsigned may_take = taluva_may_take(game);
    if ((may_take & TALUVA_TAKE_DRAW) != 0) {
        const taluva_tile tile = (taluva_tile)choose(state, TALUVA_TILE_TWO_HEX);
        HOLD(taluva_draw(game, game->seat, tile, NULL) == TALUVA_OK);
        return;
    }
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if ((may_take >> i & 1) != 0) {
            place(game, (taluva_tile)(TALUVA_TILE_TWO_HEX + i), state);
            return;
        }
    }
    HOLD(!"nothing to take");
}

static void build(struct taluva *game, uint32_t *state)
{
    static struct taluva_build all[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(game, all);
    HOLD(n > 0 && n <= TALUVA_BUILDS_MAX);
    HOLD(taluva_build(game, game->seat, &all[choose(state, n)], NULL) == TALUVA_OK);
}

static void play_on(struct taluva *game, uint32_t state)
{
    while (game->step != TALUVA_STEP_OVER) {
        if (game->step == TALUVA_STEP_DRAW) {
            take(game, &state);
        } else if (game->step == TALUVA_STEP_PLACE) {
            place(game, game->tile, &state);
        } else {
            build(game, &state);
        }
    }
    hold_invariants(game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct taluva game;
    struct taluva_notation_error error;
    const char *const text = (const char *)data;
    uint32_t state = 1;
    read_small_things(text, size);
    if (!taluva_position_parse(text, size, &game, &error)) {
        invariant_about(NULL);
        HOLD(error.status != TALUVA_NOTATION_OK && error.what != NULL && error.offset <= size);
        return 0;
    }
    invariant_about(&game);
    char out[TALUVA_POSITION_TEXT];
    hold_same(text, size, out, taluva_position_format(&game, out));
    hold_invariants(&game);
    hold_round_trip(&game);
    for (size_t i = 0; i < size; i++) {
        state = state * 31 + data[i];
    }
    play_on(&game, state);
    return 0;
}
