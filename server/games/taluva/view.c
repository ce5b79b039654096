/*
 * The table of Taluva on the wire: protocol/README.md, section 4.1. Everything here is public; of
 * the stack only its size is ever looked at.
 */
#include "taluva_match.h"
#include <assert.h>
#include <rules/notation.h>
#include <string.h>

/* ---- the table */

static bool same_hex(struct taluva_hex a, struct taluva_hex b)
{
    return a.q == b.q && a.r == b.r;
}

static_assert(sizeof(struct taluva_cell) == sizeof(struct taluva_hex) + 6, "without padding");

static bool same_cell(const struct taluva_cell *a, const struct taluva_cell *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Cells keep their number; what is taken back is the last ones. */
static bool is_unchanged(const struct taluva *before, size_t i, const struct taluva_cell *cell)
{
    if (!before || i >= before->n_cells)
        return false;
    if (same_cell(&before->cells[i], cell))
        return true;
    assert(same_hex(before->cells[i].hex, cell->hex));
    return false;
}

/* How many cells from `i` on are as they were, by blocks: of many cells a move changes few. */
static size_t unchanged_blocks(const struct taluva *before, const struct taluva *after, size_t i)
{
    enum { BLOCK = 8 };
    size_t end = i;
    while (before && end % BLOCK == 0 && end + BLOCK <= before->n_cells &&
           end + BLOCK <= after->n_cells &&
           memcmp(&before->cells[end], &after->cells[end], BLOCK * sizeof after->cells[0]) == 0)
        end += BLOCK;
    return end - i;
}

static void write_cell(const struct taluva_cell *cell, struct patch *patch)
{
    char key[TALUVA_HEX_TEXT], token[TALUVA_CELL_TEXT];
    const size_t key_len = taluva_hex_format(cell->hex, key);
    const size_t len = taluva_cell_format(cell, token);
    patch_text_n(patch, key, key_len, token, len);
}

static void write_hexes(const struct taluva *before, const struct taluva *after,
                        struct patch *patch)
{
    patch_begin(patch, "hexes");
    if (!before)
        patch_force(patch);
    for (size_t i = 0; i < after->n_cells; i++) {
        i += unchanged_blocks(before, after, i);
        if (i < after->n_cells && !is_unchanged(before, i, &after->cells[i]))
            write_cell(&after->cells[i], patch);
    }
    for (size_t i = after->n_cells; before && i < before->n_cells; i++) {
        char key[TALUVA_HEX_TEXT];
        taluva_hex_format(before->cells[i].hex, key);
        patch_gone(patch, key);
    }
    patch_end(patch);
}

/* 1 for the first in the list; 0 if the seat is not in it. */
static int64_t rank_in(const uint8_t *seats, unsigned count, unsigned seat)
{
    for (unsigned i = 0; i < count; i++) {
        if (seats[i] == seat)
            return i + 1;
    }
    return 0;
}

/* A number that is absent when it is 0. */
static void patch_count(struct patch *patch, const char *key, int64_t before, int64_t after)
{
    if (after == 0 && before != 0)
        patch_gone(patch, key);
    else if (after != before)
        patch_int(patch, key, NULL, after);
}

static const char *const kind_keys[TALUVA_KINDS] = {"huts", "towers", "temples", "boats"};

static void write_player(const struct taluva *before, const struct taluva *after, unsigned seat,
                         struct patch *patch)
{
    unsigned kinds = after->options.boats ? TALUVA_KINDS : TALUVA_BOAT;
    for (unsigned i = 0; i < kinds; i++)
        patch_int(patch, kind_keys[i], before ? &(int64_t){before->reserve[seat][i]} : NULL,
                  after->reserve[seat][i]);
    patch_count(patch, "out", before ? rank_in(before->eliminated, before->n_eliminated, seat) : 0,
                rank_in(after->eliminated, after->n_eliminated, seat));
    patch_count(patch, "done", before ? rank_in(before->finished, before->n_finished, seat) : 0,
                rank_in(after->finished, after->n_finished, seat));
}

static void write_players(const struct taluva *before, const struct taluva *after,
                          struct patch *patch)
{
    patch_begin(patch, "players");
    for (unsigned i = 0; i < after->options.seats; i++) {
        patch_begin(patch, patch_number(i));
        write_player(before, after, i, patch);
        patch_end(patch);
    }
    patch_end(patch);
}

static const char *tile_text(taluva_tile tile, char text[TALUVA_TILE_TEXT])
{
    if (tile == TALUVA_TILE_NONE)
        return NULL;
    taluva_tile_format(tile, text);
    return text;
}

static void write_turn(const struct taluva_match *before, const struct taluva_match *after,
                       struct patch *patch)
{
    bool was = before && before->game.end == TALUVA_END_NONE;
    if (after->game.end != TALUVA_END_NONE) {
        if (was)
            patch_gone(patch, "turn");
        return;
    }
    char tile_was[TALUVA_TILE_TEXT], tile_is[TALUVA_TILE_TEXT];
    patch_begin(patch, "turn");
    patch_int(patch, "number", was ? &(int64_t){before->turn} : NULL, after->turn);
    patch_int(patch, "seat", was ? &(int64_t){before->game.seat} : NULL, after->game.seat);
    patch_string(patch, "step", was ? taluva_step_name((enum taluva_step)before->game.step) : NULL,
                 taluva_step_name((enum taluva_step)after->game.step));
    patch_string(patch, "tile", was ? tile_text(before->game.tile, tile_was) : NULL,
                 tile_text(after->game.tile, tile_is));
    patch_end(patch);
}

enum { LAST_TEXT = TALUVA_PLACEMENT_TEXT + TALUVA_BUILD_TEXT };

static const char *last_text(const struct taluva_last *last, char text[LAST_TEXT])
{
    if (!last->placed)
        return NULL;
    size_t len = taluva_placement_format(&last->placement, text);
    if (last->built || last->ended)
        text[len++] = ' ';
    if (last->built)
        taluva_build_format(&last->build, text + len);
    else if (last->ended)
        memcpy(text + len, "none", sizeof "none");
    return text;
}

static bool same_last(const struct taluva_last *a, const struct taluva_last *b)
{
    return a->placed == b->placed && a->ended == b->ended && a->built == b->built &&
           same_hex(a->placement.at, b->placement.at) && a->placement.k == b->placement.k &&
           a->placement.tile == b->placement.tile && same_hex(a->build.at, b->build.at) &&
           a->build.verb == b->build.verb && a->build.terrain == b->build.terrain;
}

static void write_last(const struct taluva_match *before, const struct taluva_match *after,
                       struct patch *patch)
{
    char was[LAST_TEXT], is[LAST_TEXT];
    patch_begin(patch, "last");
    if (!before)
        patch_force(patch);
    for (unsigned i = 0; i < after->options.seats; i++) {
        const struct taluva_last *old = before ? &before->last[i] : NULL, *new = &after->last[i];
        if (!old || !same_last(old, new)) /* what is the same need not be put into words */
            patch_string(patch, patch_number(i), old ? last_text(old, was) : NULL,
                         last_text(new, is));
    }
    patch_end(patch);
}

static void write_two_hex(const struct taluva *before, const struct taluva *after,
                          struct patch *patch)
{
    char text[TALUVA_TILE_TEXT];
    unsigned was = before ? before->two_hex : 0;
    patch_begin(patch, "two_hex");
    if (!before)
        patch_force(patch);
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++)
        patch_flag(patch, tile_text((taluva_tile)(TALUVA_TILE_TWO_HEX + i), text), (was >> i) & 1,
                   (after->two_hex >> i) & 1);
    patch_end(patch);
    patch_begin(patch, "took");
    if (!before)
        patch_force(patch);
    for (unsigned i = 0; i < after->options.seats; i++)
        patch_count(patch, patch_number(i), before ? before->two_hex_used[i] : 0,
                    after->two_hex_used[i]);
    patch_end(patch);
}

static bool has_boat(const struct taluva *game, struct taluva_hex lagoon)
{
    for (unsigned i = 0; game && i < game->n_boats; i++) {
        if (same_hex(game->boats[i].lagoon, lagoon))
            return true;
    }
    return false;
}

/* A boat that lies once lies for ever: a build is not taken back. */
static void write_boats(const struct taluva *before, const struct taluva *after,
                        struct patch *patch)
{
    patch_begin(patch, "boats");
    if (!before)
        patch_force(patch);
    for (unsigned i = 0; i < after->n_boats; i++) {
        char key[TALUVA_HEX_TEXT];
        taluva_hex_format(after->boats[i].lagoon, key);
        if (!has_boat(before, after->boats[i].lagoon))
            writer_int(patch_value(patch, key), after->boats[i].seat);
    }
    patch_end(patch);
}

static void write_table(const void *before_value, const void *after_value, unsigned viewer,
                        struct patch *patch)
{
    const struct taluva_match *before = before_value, *after = after_value;
    const struct taluva *was = before ? &before->game : NULL;
    (void)viewer; /* nothing on this table is hidden from anybody */
    write_hexes(was, &after->game, patch);
    write_players(was, &after->game, patch);
    write_turn(before, after, patch);
    patch_int(patch, "stack", was ? &(int64_t){was->stack} : NULL, after->game.stack);
    write_last(before, after, patch);
    if (after->two_hex)
        write_two_hex(was, &after->game, patch);
    if (after->options.boats)
        write_boats(was, &after->game, patch);
}

/* ---- events and the result */

static void write_move(const void *before_value, const void *after_value, unsigned seat,
                       const char *move, size_t len, unsigned viewer, struct writer *writer)
{
    const struct taluva_match *before = before_value, *after = after_value;
    (void)viewer;
    writer_key(writer, "move");
    writer_string_n(writer, move, len);
    if (before->game.state[seat] != TALUVA_SEAT_ELIMINATED &&
        after->game.state[seat] == TALUVA_SEAT_ELIMINATED)
        writer_key_bool(writer, "eliminated", true);
}

static void write_totals(const struct taluva_match *match, const struct taluva_outcome *outcome,
                         struct writer *writer)
{
    unsigned kinds = match->options.boats ? TALUVA_KINDS : TALUVA_BOAT;
    writer_key_object(writer, "totals");
    for (unsigned team = 0; team < 2; team++) {
        writer_key_object(writer, patch_number(team));
        for (unsigned kind = 0; kind < kinds; kind++)
            writer_key_int(writer, kind_keys[kind], outcome->totals[team][kind]);
        writer_end(writer);
    }
    writer_end(writer);
}

static void write_result(const void *value, struct writer *writer)
{
    const struct taluva_match *match = value;
    struct taluva_outcome outcome;
    taluva_outcome(&match->game, &outcome);
    if (match->options.teams)
        write_totals(match, &outcome, writer);
}

/* ---- legal moves */

/* Every placement that the seat to move may make, in one list. */
struct placements {
    size_t count;
    struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
    bool dead_end[TALUVA_PLACEMENTS_MAX];
};

static void write_placements(const struct placements *placements, bool dead_ends_only,
                             struct writer *writer)
{
    for (size_t i = 0; i < placements->count; i++) {
        if (dead_ends_only && !placements->dead_end[i])
            continue;
        char text[TALUVA_PLACEMENT_TEXT];
        size_t len = taluva_placement_format(&placements->list[i], text);
        writer_string_n(writer, text, len);
    }
}

static void list_tile(const struct taluva *game, taluva_tile tile, struct placements *placements)
{
    placements->count = taluva_list_placements(game, tile, placements->list, placements->dead_end);
}

/* Which tiles may be placed now: the one in hand, or the 2-Hex tiles that may be taken. */
static unsigned find_placeable(const struct taluva *game, taluva_tile tiles[TALUVA_TWO_HEX_MAX])
{
    unsigned count = 0, may_take = taluva_may_take(game);
    if (game->step == TALUVA_STEP_PLACE)
        tiles[count++] = game->tile;
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        if ((may_take >> i) & 1)
            tiles[count++] = (taluva_tile)(TALUVA_TILE_TWO_HEX + i);
    }
    return count;
}

static void write_tile_moves(const struct taluva *game, struct writer *writer)
{
    taluva_tile tiles[TALUVA_TWO_HEX_MAX];
    unsigned count = find_placeable(game, tiles);
    struct placements placements;
    writer_key_array(writer, "moves");
    if (taluva_may_take(game) & TALUVA_TAKE_DRAW)
        writer_string(writer, TALUVA_DRAW_TEXT);
    for (unsigned i = 0; i < count; i++) {
        list_tile(game, tiles[i], &placements);
        write_placements(&placements, false, writer);
    }
    writer_end(writer);
    writer_key_array(writer, "eliminating");
    for (unsigned i = 0; i < count; i++) {
        if (count > 1)
            list_tile(game, tiles[i], &placements);
        write_placements(&placements, true, writer);
    }
    writer_end(writer);
}

static void write_huts(const struct taluva *game, const struct taluva_build *build,
                       struct writer *writer)
{
    struct taluva_build_plan plan;
    char text[TALUVA_BUILD_TEXT];
    bool hut = build->verb == TALUVA_BUILD_HUT || build->verb == TALUVA_BUILD_EXPAND;
    if (!hut || taluva_plan_build(game, game->seat, build, &plan) != TALUVA_OK)
        return;
    taluva_build_format(build, text);
    writer_key_object(writer, text);
    for (unsigned i = 0; i < plan.n_hexes; i++) {
        char key[TALUVA_HEX_TEXT];
        taluva_hex_format(plan.hexes[i], key);
        writer_key_int(writer, key, taluva_cell_at(game, plan.hexes[i])->level);
    }
    writer_end(writer);
}

static void write_build_moves(const struct taluva *game, struct writer *writer)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    size_t count = taluva_list_builds(game, builds);
    writer_key_array(writer, "moves");
    for (size_t i = 0; i < count; i++) {
        char text[TALUVA_BUILD_TEXT];
        size_t len = taluva_build_format(&builds[i], text);
        writer_string_n(writer, text, len);
    }
    writer_end(writer);
    writer_key_object(writer, "huts");
    for (size_t i = 0; i < count; i++)
        write_huts(game, &builds[i], writer);
    writer_end(writer);
}

static void write_moves(const void *value, unsigned seat, struct writer *writer)
{
    const struct taluva_match *match = value;
    assert(match->game.seat == seat);
    writer_key_string(writer, "step", taluva_step_name((enum taluva_step)match->game.step));
    if (match->game.step == TALUVA_STEP_BUILD)
        write_build_moves(&match->game, writer);
    else
        write_tile_moves(&match->game, writer);
}

const struct game_views taluva_views = {
    .table = write_table,
    .move = write_move,
    .result = write_result,
    .moves = write_moves,
};
