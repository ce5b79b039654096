#include "parts.h"
#include <rules/notation.h>
#include <stdio.h>
#include <string.h>

static const json_t *member_at(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

static bool is_true(const json_t *options, const char *key)
{
    return json_is_true(member_at(options, key));
}

static bool draw_tile(struct taluva *game, const char *text, size_t len)
{
    taluva_tile tile;
    return taluva_tile_parse(text, len, &tile) &&
           taluva_draw(game, game->seat, tile, NULL) == TALUVA_OK;
}

/* Step draw without a choice is drawn by the server at once: the copy follows what `turn` shows. */
static bool follow_draw(struct taluva *game, const json_t *table)
{
    const char *tile = json_string_value(member_at(member_at(table, "turn"), "tile"));
    return game->step != TALUVA_STEP_DRAW || !tile || draw_tile(game, tile, strlen(tile));
}

bool taluva_copy_begin(struct taluva *game, const json_t *state)
{
    const json_t *options = member_at(state, "options");
    const json_t *table = member_at(state, "table");
    struct taluva_options own = {
        .seats = (uint8_t)json_integer_value(member_at(options, "players")),
        .first = (uint8_t)json_integer_value(member_at(member_at(table, "turn"), "seat")),
        .tiles = (uint8_t)json_integer_value(member_at(options, "tiles")),
        .teams = is_true(options, "teams"),
        .ranking = is_true(options, "ranking"),
        .boats = is_true(options, "boats"),
    };
    const char *huts = json_string_value(member_at(options, "huts"));
    const char *zone_name = json_string_value(member_at(options, "zone"));
    enum taluva_zone zone = TALUVA_ZONE_NONE;
    own.huts_anywhere = huts && strcmp(huts, "anywhere") == 0;
    if (zone_name && !taluva_zone_find(zone_name, &zone))
        return false;
    own.zone = (uint8_t)zone;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)member_at(table, "two_hex"), name, value)
    {
        taluva_tile tile;
        if (!taluva_tile_parse(name, strlen(name), &tile) || !taluva_tile_is_two_hex(tile))
            return false;
        own.two_hex |= (uint8_t)(1U << (tile - TALUVA_TILE_TWO_HEX));
    }
    return taluva_init(game, &own) == TALUVA_OK && follow_draw(game, table);
}

/* A move that is no `draw`. */
static bool place_or_build(struct taluva *game, const char *move, bool confirm)
{
    const size_t len = strlen(move);
    struct taluva_placement placement;
    struct taluva_build build;
    if (taluva_placement_parse(move, len, &placement, NULL))
        return taluva_place(game, game->seat, &placement, confirm, NULL) == TALUVA_OK;
    return taluva_build_parse(move, len, &build, NULL) &&
           taluva_build(game, game->seat, &build, NULL) == TALUVA_OK;
}

bool taluva_copy_play(struct taluva *game, const char *move, bool confirm, const json_t *state)
{
    const json_t *table = member_at(state, "table");
    if (strcmp(move, "draw") == 0)
        return follow_draw(game, table) && game->step == TALUVA_STEP_PLACE;
    return place_or_build(game, move, confirm) &&
           (game->step == TALUVA_STEP_OVER || follow_draw(game, table));
}

/* A patch names the tile in hand only if it is another than before, "" for none. */
static bool follow_patched_draw(struct taluva *game, const char *before, struct scan push)
{
    const char *tile = before;
    size_t len = strlen(before);
    if (game->step != TALUVA_STEP_DRAW)
        return true;
    if (scan_to(&push, "\"tile\":") &&
        (!scan_text(&push, "\"") || !scan_string(&push, &tile, &len)))
        return true; /* null */
    return len == 0 || draw_tile(game, tile, len);
}

bool taluva_copy_follow(struct taluva *game, const struct load_move *move, struct scan push)
{
    char before[TALUVA_TILE_TEXT] = "";
    if (!scan_text(&push, move->text) || !scan_text(&push, "\""))
        return false;
    if (game->step == TALUVA_STEP_PLACE)
        taluva_tile_format(game->tile, before);
    if (strcmp(move->text, "draw") == 0)
        return follow_patched_draw(game, before, push) && game->step == TALUVA_STEP_PLACE;
    return place_or_build(game, move->text, move->confirm) &&
           follow_patched_draw(game, before, push);
}

static bool has_number(const json_t *object, const char *key, int64_t wanted)
{
    const json_t *value = member_at(object, key);
    return json_is_integer(value) && json_integer_value(value) == wanted;
}

static bool has_word(const json_t *object, const char *key, const char *wanted)
{
    const char *value = json_string_value(member_at(object, key));
    return value && strcmp(value, wanted) == 0;
}

static const char *turn_difference(const struct taluva *game, const json_t *state)
{
    const json_t *turn = member_at(member_at(state, "table"), "turn");
    if (game->step == TALUVA_STEP_OVER) {
        const json_t *result = member_at(state, "result");
        return !turn && has_word(result, "why", taluva_end_name(game->end)) ? NULL : "the end";
    }
    char tile[TALUVA_TILE_TEXT] = "";
    if (game->step == TALUVA_STEP_PLACE) {
        taluva_tile_format(game->tile, tile);
        if (!has_word(turn, "tile", tile))
            return "the tile in hand";
    }
    if (!has_number(turn, "seat", game->seat))
        return "whose turn it is";
    return has_word(turn, "step", taluva_step_name(game->step)) ? NULL : "the step";
}

static const char *hexes_difference(const struct taluva *game, const json_t *hexes)
{
    for (unsigned i = 0; i < game->n_cells; i++) {
        char name[TALUVA_HEX_TEXT];
        char cell[TALUVA_CELL_TEXT];
        taluva_hex_format(game->cells[i].hex, name);
        taluva_cell_format(&game->cells[i], cell);
        if (!has_word(hexes, name, cell))
            return "a hex";
    }
    return NULL;
}

static const char *reserves_difference(const struct taluva *game, const json_t *players)
{
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        const uint8_t *reserve = game->reserve[seat];
        char name[2] = {(char)('0' + seat), '\0'};
        const json_t *player = member_at(players, name);
        if (!has_number(player, "huts", reserve[TALUVA_HUT]) ||
            !has_number(player, "towers", reserve[TALUVA_TOWER]) ||
            !has_number(player, "temples", reserve[TALUVA_TEMPLE]) ||
            (game->options.boats && !has_number(player, "boats", reserve[TALUVA_BOAT])))
            return "a reserve";
        if ((game->state[seat] == TALUVA_SEAT_ELIMINATED) != (member_at(player, "out") != NULL))
            return "who is out";
    }
    return NULL;
}

const char *taluva_copy_difference(const struct taluva *game, const json_t *state, bool whole)
{
    const json_t *table = member_at(state, "table");
    const json_t *hexes = member_at(table, "hexes");
    const char *difference = turn_difference(game, state);
    if (!difference && !has_number(table, "stack", game->stack))
        difference = "the stack";
    if (!difference && json_object_size(hexes) != game->n_cells)
        difference = "the number of hexes";
    if (!difference && whole)
        difference = hexes_difference(game, hexes);
    if (!difference && whole)
        difference = reserves_difference(game, member_at(table, "players"));
    return difference;
}
