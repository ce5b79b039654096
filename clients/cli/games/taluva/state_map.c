#include "state_map.h"

#include "preview.h"
#include <cli/canvas.h>
#include <cli/state.h>
#include <stdlib.h>
#include <string.h>

static int zone_steps(const json_t *state)
{
    static const struct {
        const char *name;
        int steps;
    } zones[] = {{"beginner", 6}, {"player", 5}, {"expert", 4}};
    const char *zone = state_text(state, "options.zone");
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        if (strcmp(zones[i].name, zone) == 0)
            return zones[i].steps;
    }
    return 0;
}

static uint8_t colour_tint(const char *word)
{
    static const char *const words[] = {"red", "white", "yellow", "brown", "black"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i], word) == 0)
            return (uint8_t)(TINT_RED + i);
    }
    return TINT_NONE;
}

static bool whole_at(const char *text, struct map_at *at)
{
    const char *end = map_at_parse(text, at);
    return end && *end == '\0';
}

static void fill_map(struct map *map, const json_t *state)
{
    const char *key, *seat;
    json_t *value;
    struct map_at at;
    json_object_foreach(state_at(state, "table.hexes"), key, value)
    {
        struct map_hex *hex = whole_at(key, &at) ? map_hex(map, at) : NULL;
        if (hex && json_is_string(value) && !map_hex_parse(hex, json_string_value(value)))
            *hex = (struct map_hex){.owner = MAP_NOBODY, .points = hex->points};
    }
    json_object_foreach(state_at(state, "table.boats"), key, value)
    {
        struct map_hex *hex = whole_at(key, &at) ? map_hex(map, at) : NULL;
        if (hex && hex->level == 0 && json_is_integer(value))
            hex->owner = (uint8_t)json_integer_value(value);
    }
    json_object_foreach(state_at(state, "seats"), seat, value)
    {
        int number = state_seat_of_key(seat);
        if (number >= 0 && number < MAP_SEATS)
            map->tint[number] = colour_tint(state_text(value, "colour"));
    }
}

/* ---- the latest turn */

/*
 * Who placed or built last, as far as a state shows: the seat to move if its tile lies and waits
 * for the build, else the nearest one before it that is still in the game. -1: nobody.
 */
static int latest_seat(const json_t *state)
{
    int players = state_number(state, "options.players");
    int seat = state_number(state, "table.turn.seat");
    if (strcmp(state_text(state, "table.turn.step"), "build") == 0)
        return seat;
    if (!state_at(state, "table.turn") || players < 1 || players > MAP_SEATS)
        return -1;
    for (int back = 1; back <= players; back++) {
        int before = (seat + players - back) % players;
        char last[32], out[48];
        snprintf(last, sizeof last, "table.last.%d", before);
        snprintf(out, sizeof out, "table.players.%d.out", before);
        if (*state_text(state, last) && !state_at(state, out))
            return before;
    }
    return -1;
}

static void mark_hex(struct map *map, struct map_at at, uint8_t bit, struct map_at *focus)
{
    struct map_hex *hex = map_hex(map, at);
    if (!hex)
        return;
    hex->marks |= bit;
    if (focus)
        *focus = at;
}

/* "JC@2,-1:4" */
static void mark_placement(struct map *map, const char *text, struct map_at *focus)
{
    struct map_at at;
    const char *where = strchr(text, '@');
    const char *k = where ? map_at_parse(where + 1, &at) : NULL;
    if (!k || *k != ':' || k[1] < '0' || k[1] > '5')
        return;
    if (*text != '2')
        mark_hex(map, map_step(at, (k[1] - '0' + 1) % 6), MAP_PLACED, NULL);
    mark_hex(map, map_step(at, k[1] - '0'), MAP_PLACED, NULL);
    mark_hex(map, at, MAP_PLACED, focus);
}

/* "hut@1,0"; the state does not have which huts an expansion set. */
static void mark_build(struct map *map, const char *text)
{
    struct map_at at;
    const char *where = strchr(text, '@');
    if (where && strncmp(text, "expand", 6) != 0 && map_at_parse(where + 1, &at))
        mark_hex(map, at, MAP_BUILT, NULL);
}

void state_mark_turn(struct map *map, const char *turn, struct map_at *focus)
{
    const char *build = strchr(turn, ' ');
    mark_placement(map, turn, focus);
    if (build)
        mark_build(map, build + 1);
}

static void mark_latest(struct map *map, const json_t *state, struct map_at *focus)
{
    char path[32];
    snprintf(path, sizeof path, "table.last.%d", latest_seat(state));
    state_mark_turn(map, state_text(state, path), focus);
}

void state_mark_hexes(struct map *map, json_t *hexes, enum map_mark bit)
{
    const char *key;
    json_t *value;
    struct map_at at;
    json_object_foreach(hexes, key, value)
    {
        if (whole_at(key, &at))
            mark_hex(map, at, (uint8_t)bit, NULL);
    }
}

bool state_map(struct map *map, const json_t *state, bool marks, struct map_at *focus)
{
    const struct cursor none = {0};
    return state_map_around(map, state, marks, focus, &none);
}

bool state_map_around(struct map *map, const json_t *state, bool marks, struct map_at *focus,
                      const struct cursor *cursor)
{
    struct map_bounds bounds = {0};
    struct map_at at;
    const char *key;
    json_t *value;
    json_object_foreach(state_at(state, "table.hexes"), key, value)
    {
        if (whole_at(key, &at))
            map_bounds_add(&bounds, at);
    }
    preview_bounds(&bounds, cursor);
    if (!map_init(map, &bounds, zone_steps(state)))
        return false;
    if (focus)
        *focus = (struct map_at){0, 0};
    fill_map(map, state);
    if (marks)
        mark_latest(map, state, focus);
    return map_finish(map);
}

void state_mark_spots(struct map *map, const json_t *moves, int k)
{
    size_t i;
    json_t *move;
    json_array_foreach(moves, i, move)
    {
        const char *text = json_string_value(move), *where = text ? strchr(text, '@') : NULL;
        struct map_at at;
        const char *end = where ? map_at_parse(where + 1, &at) : NULL;
        if (end && end[0] == ':' && end[1] == '0' + k)
            mark_hex(map, at, MAP_SPOT, NULL);
    }
}
