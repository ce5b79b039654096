/*
 * A game of Taluva as one JSON object: every choice, count and checksum, and the result
 * (tests/vectors/README.md has the form).
 */
#include "move_list.h"
#include "parts.h"
#include "replay_parts.h"
#include <string.h>

void taluva_replay_position(struct replay *replay, const struct taluva *game)
{
    char text[TALUVA_POSITION_TEXT];
    if (!replay->positions)
        return;
    taluva_position_format(game, text);
    fprintf(replay->out, "%s\n", text);
}

/* ---- options and deck */

static bool read_tile(const json_t *value, taluva_tile *tile)
{
    const char *text = json_string_value(value);
    return text && taluva_tile_parse(text, strlen(text), tile);
}

static bool read_two_hex(const json_t *names, uint8_t *set)
{
    size_t i;
    json_t *name;
    json_array_foreach(names, i, name)
    {
        taluva_tile tile;
        if (!read_tile(name, &tile) || !taluva_tile_is_two_hex(tile))
            return false;
        *set = (uint8_t)(*set | 1 << (tile - TALUVA_TILE_TWO_HEX));
    }
    return true;
}

static bool read_options(const json_t *from, struct taluva_options *options)
{
    const char *huts = json_string_value(json_object_get(from, "huts"));
    const char *zone_name = json_string_value(json_object_get(from, "zone"));
    enum taluva_zone zone = TALUVA_ZONE_NONE;
    json_int_t seats = json_integer_value(json_object_get(from, "seats"));
    if (!huts || seats < 2 || seats > TALUVA_SEATS_MAX)
        return false;
    if (zone_name && !taluva_zone_find(zone_name, &zone))
        return false;
    *options = (struct taluva_options){
        .seats = (uint8_t)seats,
        .zone = (uint8_t)zone,
        .huts_anywhere = strcmp(huts, "anywhere") == 0,
        .teams = json_is_true(json_object_get(from, "teams")),
        .ranking = json_is_true(json_object_get(from, "ranking")),
        .boats = json_is_true(json_object_get(from, "boats")),
    };
    return read_two_hex(json_object_get(from, "two_hex"), &options->two_hex);
}

bool taluva_read_game(struct replay *replay, const json_t *line, struct taluva *game,
                      taluva_tile deck[TALUVA_TILES_MAX], size_t *deck_count)
{
    struct taluva_options options;
    const json_t *tiles = json_object_get(line, "deck");
    *deck_count = json_array_size(tiles);
    if (!read_options(json_object_get(line, "options"), &options)) {
        replay_differs(replay, "these options cannot be read");
        return false;
    }
    if (*deck_count < 1 || *deck_count > TALUVA_TILES_MAX) {
        replay_differs(replay, "a deck of %zu tiles", *deck_count);
        return false;
    }
    for (size_t i = 0; i < *deck_count; i++) {
        taluva_tile tile;
        if (!read_tile(json_array_get(tiles, i), &tile) || taluva_tile_is_two_hex(tile)) {
            replay_differs(replay, "tile %zu of the deck cannot be read", i + 1);
            return false;
        }
        deck[i] = tile;
    }
    options.tiles = (uint8_t)*deck_count;
    enum taluva_status status = taluva_init(game, &options);
    if (status != TALUVA_OK)
        replay_differs(replay, "%s", taluva_status_text(status));
    return status == TALUVA_OK;
}

/* ---- one turn */

struct walk {
    struct replay *replay;
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    size_t deck_count, drawn;
};

static void compare_take(struct walk *walk, const json_t *expected)
{
    uint8_t may = taluva_may_take(&walk->game);
    size_t at = 0;
    bool same = true;
    if (may & TALUVA_TAKE_DRAW) {
        const char *first = json_string_value(json_array_get(expected, at++));
        same = first && strcmp(first, "draw") == 0;
    }
    for (int number = TALUVA_TILE_TWO_HEX; number < TALUVA_TILES; number++) {
        taluva_tile named, tile = (taluva_tile)number;
        if (may & 1 << (tile - TALUVA_TILE_TWO_HEX))
            same = read_tile(json_array_get(expected, at++), &named) && named == tile && same;
    }
    if (!same || json_array_size(expected) != at)
        replay_differs(walk->replay, "what may be taken differs (set %#x)", may);
}

static void compare_list(struct walk *walk, struct move_list *list, const json_t *turn,
                         const char *what, const char *crc_key)
{
    const char *expected_crc = json_string_value(json_object_get(turn, crc_key));
    json_int_t expected = json_integer_value(json_object_get(turn, what));
    char crc[9];
    if ((json_int_t)list->count != expected)
        replay_differs(walk->replay, "%s: %zu, expected %d", what, list->count, (int)expected);
    snprintf(crc, sizeof crc, "%08x", move_list_crc(list));
    if (!expected_crc || strcmp(crc, expected_crc) != 0)
        replay_differs(walk->replay, "%s: CRC %s, expected %s", what, crc,
                       expected_crc ? expected_crc : "one");
}

/* Draws if the tile is not a 2-Hex tile. False if the game cannot go on. */
static bool take_tile(struct walk *walk, taluva_tile tile)
{
    if (taluva_tile_is_two_hex(tile))
        return true;
    if (walk->drawn >= walk->deck_count || walk->deck[walk->drawn] != tile) {
        replay_differs(walk->replay, "this is not the tile that lies on the stack");
        return false;
    }
    enum taluva_status status = taluva_draw(&walk->game, walk->game.seat, tile, NULL);
    if (status != TALUVA_OK)
        replay_differs(walk->replay, "draw: %s", taluva_status_text(status));
    walk->drawn++;
    return status == TALUVA_OK;
}

static bool is_text(const json_t *object, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value && strcmp(value, text) == 0;
}

/* A placement must ask for its player's consent exactly if it leaves nothing to build. */
static bool set_down(struct walk *walk, const char *text, const struct taluva_placement *placement,
                     bool eliminates)
{
    struct taluva *game = &walk->game;
    enum taluva_status status = taluva_place(game, game->seat, placement, false, NULL);
    if (eliminates && status == TALUVA_OK) {
        replay_differs(walk->replay, "%s: it should eliminate its player", text);
        return false;
    }
    if (eliminates && status == TALUVA_ELIMINATES_YOU)
        status = taluva_place(game, game->seat, placement, true, NULL);
    if (status != TALUVA_OK)
        replay_differs(walk->replay, "%s: %s", text, taluva_status_text(status));
    return status == TALUVA_OK;
}

static bool play_place(struct walk *walk, const json_t *turn)
{
    const char *text = json_string_value(json_object_get(turn, "place"));
    struct taluva_placement placement;
    struct move_list list;
    if (!text || !taluva_placement_parse(text, strlen(text), &placement, NULL)) {
        replay_differs(walk->replay, "the placement cannot be read");
        return false;
    }
    if (!take_tile(walk, placement.tile))
        return false;
    if (!move_list_placements(&list, &walk->game, placement.tile))
        return false;
    compare_list(walk, &list, turn, "placements", "placements_crc");
    move_list_release(&list);
    return set_down(walk, text, &placement, is_text(turn, "build", "none"));
}

/* `seat` is whoever placed: after a placement that eliminates the turn has passed on already. */
static bool play_build(struct walk *walk, const json_t *turn, uint8_t seat)
{
    const char *text = json_string_value(json_object_get(turn, "build"));
    struct move_list list = {0};
    struct taluva_build build;
    bool can = walk->game.step == TALUVA_STEP_BUILD;
    if (can && !move_list_builds(&list, &walk->game))
        return false;
    compare_list(walk, &list, turn, "builds", "builds_crc");
    move_list_release(&list);
    if (!can)
        return true;
    if (!text || !taluva_build_parse(text, strlen(text), &build, NULL)) {
        replay_differs(walk->replay, "the build cannot be read");
        return false;
    }
    enum taluva_status status = taluva_build(&walk->game, seat, &build, NULL);
    if (status != TALUVA_OK)
        replay_differs(walk->replay, "%s: %s", text, taluva_status_text(status));
    return status == TALUVA_OK;
}

static bool play_turn(struct walk *walk, const json_t *turn)
{
    const struct taluva *game = &walk->game;
    uint8_t seat = game->seat;
    if (game->step != TALUVA_STEP_DRAW) {
        replay_differs(walk->replay, "the game is over already");
        return false;
    }
    if (json_integer_value(json_object_get(turn, "seat")) != seat) {
        replay_differs(walk->replay, "seat %d is to move", seat);
        return false;
    }
    compare_take(walk, json_object_get(turn, "take"));
    return play_place(walk, turn) && play_build(walk, turn, seat);
}

/* ---- the result */

static uint8_t seat_set(const json_t *seats)
{
    unsigned set = 0;
    size_t i;
    json_t *seat;
    json_array_foreach(seats, i, seat)
    {
        json_int_t number = json_integer_value(seat);
        if (number >= 0 && number < TALUVA_SEATS_MAX)
            set |= 1U << number;
    }
    return (uint8_t)set;
}

static void compare_ranks(struct walk *walk, const struct taluva_outcome *outcome,
                          const json_t *expected)
{
    if (json_array_size(expected) != outcome->n_ranks) {
        replay_differs(walk->replay, "result: %d ranks, expected %zu", outcome->n_ranks,
                       json_array_size(expected));
        return;
    }
    for (size_t i = 0; i < outcome->n_ranks; i++) {
        if (outcome->ranks[i] != seat_set(json_array_get(expected, i)))
            replay_differs(walk->replay, "result: rank %zu differs", i + 1);
    }
}

static bool same_numbers(const json_t *expected, const uint8_t *pieces, bool boats)
{
    static const enum taluva_kind order[TALUVA_KINDS] = {TALUVA_TEMPLE, TALUVA_TOWER, TALUVA_BOAT,
                                                         TALUVA_HUT};
    size_t at = 0;
    for (size_t i = 0; i < TALUVA_KINDS; i++) {
        if (order[i] == TALUVA_BOAT && !boats)
            continue;
        if (json_integer_value(json_array_get(expected, at++)) != pieces[order[i]])
            return false;
    }
    return json_array_size(expected) == at;
}

static void compare_totals(struct walk *walk, const struct taluva_outcome *outcome,
                           const json_t *expected)
{
    for (size_t team = 0; team < 2; team++) {
        if (!same_numbers(json_array_get(expected, team), outcome->totals[team],
                          walk->game.options.boats))
            replay_differs(walk->replay, "result: the totals of team %zu differ", team);
    }
}

static void compare_built(struct walk *walk, const json_t *expected)
{
    size_t kinds = walk->game.options.boats ? TALUVA_KINDS : TALUVA_KINDS - 1;
    for (uint8_t seat = 0; seat < walk->game.options.seats; seat++) {
        const json_t *pieces = json_array_get(expected, seat);
        bool same = json_object_size(pieces) == kinds;
        for (size_t i = 0; i < kinds; i++) {
            enum taluva_kind kind = (enum taluva_kind)i;
            const json_t *number = json_object_get(pieces, taluva_kind_name(kind));
            if (json_integer_value(number) != taluva_built(&walk->game, seat, kind))
                same = false;
        }
        if (!same)
            replay_differs(walk->replay, "result: what seat %d built differs", seat);
    }
}

static void compare_result(struct walk *walk, const json_t *expected)
{
    struct taluva_outcome outcome;
    taluva_outcome(&walk->game, &outcome);
    const char *why = json_string_value(json_object_get(expected, "why"));
    const char *end = taluva_end_name((enum taluva_end)outcome.end);
    const json_t *winners = json_object_get(expected, "winners");
    if (!why || strcmp(why, end) != 0)
        replay_differs(walk->replay, "result: %s, expected %s", end, why ? why : "something");
    if (outcome.winners != seat_set(winners))
        replay_differs(walk->replay, "result: the winners differ (set %#x)", outcome.winners);
    if (walk->game.options.teams)
        compare_totals(walk, &outcome, json_object_get(expected, "totals"));
    else
        compare_ranks(walk, &outcome, json_object_get(expected, "ranks"));
    if (!walk->game.options.teams && json_array_size(json_object_get(expected, "totals")) != 0)
        replay_differs(walk->replay, "result: totals, but there are no teams");
    compare_built(walk, json_object_get(expected, "built"));
}

void taluva_replay_object(struct replay *replay, const json_t *object)
{
    struct walk walk = {.replay = replay};
    size_t i;
    json_t *turn;
    if (!taluva_read_game(replay, object, &walk.game, walk.deck, &walk.deck_count))
        return;
    json_array_foreach(json_object_get(object, "turns"), i, turn)
    {
        replay->turns++;
        replay->turn = (unsigned)i + 1;
        if (!play_turn(&walk, turn))
            return;
    }
    replay->turn = 0;
    if (walk.game.step != TALUVA_STEP_OVER)
        replay_differs(replay, "the turns end, but the game is not over");
    compare_result(&walk, json_object_get(object, "result"));
    taluva_replay_position(replay, &walk.game);
}
