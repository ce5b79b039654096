/*
 * Any text, to every reader of the rules' notation. What is read must be written back the same, and
 * a position that is read must bear being played on: whoever wrote it may be hostile.
 */
#include "../unit/rules/invariants.h"
#include "fuzz.h"
#include "play.h"
#include <rules/notation.h>
#include <string.h>

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
    if (taluva_tile_parse(text, len, &tile))
        hold_same(text, len, out, taluva_tile_format(tile, out));
    if (taluva_hex_parse(text, len, &hex, NULL))
        hold_same(text, len, out, taluva_hex_format(hex, out));
    if (taluva_placement_parse(text, len, &placement, NULL))
        hold_same(text, len, out, taluva_placement_format(&placement, out));
    if (taluva_build_parse(text, len, &build, NULL))
        hold_same(text, len, out, taluva_build_format(&build, out));
    if (taluva_cell_parse(text, len, &cell, NULL))
        hold_same(text, len, out, taluva_cell_format(&cell, out));
}

static void play_on(struct taluva *game, uint32_t state)
{
    while (game->step != TALUVA_STEP_OVER)
        play_something(game, &state);
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
        HOLD(error.status != TALUVA_NOTATION_OK && error.what && error.offset <= size);
        return 0;
    }
    invariant_about(&game);
    char out[TALUVA_POSITION_TEXT];
    hold_same(text, size, out, taluva_position_format(&game, out));
    hold_invariants(&game);
    hold_round_trip(&game);
    for (size_t i = 0; i < size; i++)
        state = state * 31 + data[i];
    play_on(&game, state);
    return 0;
}
