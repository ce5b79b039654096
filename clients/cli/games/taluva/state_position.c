#include "state_position.h"

#include <cli/state.h>
#include <cli/text.h>
#include <rules/notation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options */

static bool is_true(const json_t *state, const char *path)
{
    return json_is_true(state_at(state, path));
}

static void add_two_hex(struct text *text, unsigned set)
{
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        char tile[TALUVA_TILE_TEXT];
        taluva_tile_format((taluva_tile)(TALUVA_TILE_TWO_HEX + i), tile);
        if ((set >> i & 1) != 0)
            text_add(text, "%s", tile);
    }
}

static void add_options(struct text *text, const json_t *state, const struct known *known)
{
    static const char *const flags[] = {"teams", "ranking", "boats"};
    const char *const zone = state_text(state, "options.zone");
    text_add(text, "%d/%d/%d", state_players(state), known->first,
             state_number(state, "options.tiles"));
    if (strcmp(state_text(state, "options.huts"), "anywhere") == 0)
        text_add(text, "/anywhere");
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        char path[32];
        snprintf(path, sizeof path, "options.%s", flags[i]);
        if (is_true(state, path))
            text_add(text, "/%s", flags[i]);
    }
    if (*zone && strcmp(zone, "none") != 0)
        text_add(text, "/%s", zone);
    if (is_true(state, "options.two_hex")) {
        text_add(text, "/");
        add_two_hex(text, known->two_hex);
    }
}

/* ---- hexes and boats: members of an object, in the order of their hexes */

struct member {
    struct taluva_hex hex;
    const char *key;
    const json_t *value;
};

static int compare(const void *left, const void *right)
{
    const struct taluva_hex a = ((const struct member *)left)->hex;
    const struct taluva_hex b = ((const struct member *)right)->hex;
    return a.q != b.q ? a.q - b.q : a.r - b.r;
}

static size_t sort_members(struct text *text, json_t *object, struct member *members)
{
    const char *key;
    json_t *value;
    size_t count = 0;
    json_object_foreach(object, key, value)
    {
        struct taluva_hex hex;
        if (count == TALUVA_HEXES_MAX || !taluva_hex_parse(key, strlen(key), &hex, NULL)) {
            text->failed = true;
            return 0;
        }
        members[count++] = (struct member){hex, key, value};
    }
    qsort(members, count, sizeof members[0], compare);
    return count;
}

static void add_island(struct text *text, const json_t *state)
{
    struct member members[TALUVA_HEXES_MAX];
    const size_t count = sort_members(text, state_at(state, "table.hexes"), members);
    text_add(text, count == 0 ? " -" : " ");
    for (size_t i = 0; i < count; i++) {
        const char *const cell = json_string_value(members[i].value);
        text_add(text, "%s%s=%s", i == 0 ? "" : "/", members[i].key, cell ? cell : "?");
    }
}

static void add_boats(struct text *text, const json_t *state)
{
    struct member members[TALUVA_HEXES_MAX];
    const size_t count = sort_members(text, state_at(state, "table.boats"), members);
    text_add(text, count == 0 ? " -" : " ");
    for (size_t i = 0; i < count; i++)
        text_add(text, "%s%s:%d", i == 0 ? "" : "/", members[i].key,
                 json_is_integer(members[i].value) ? (int)json_integer_value(members[i].value)
                                                   : -1);
}

/* ---- seats and the turn */

static void add_seat(struct text *text, const json_t *state, int seat)
{
    const json_t *const player = state_of_seat(state, "table.players", seat);
    const int done = state_number(player, "done"), out = state_number(player, "out");
    text_add(text, "%sh%dw%dt%d", seat == 0 ? " " : "/", state_number(player, "huts"),
             state_number(player, "towers"), state_number(player, "temples"));
    if (is_true(state, "options.boats"))
        text_add(text, "b%d", state_number(player, "boats"));
    if (is_true(state, "options.two_hex"))
        text_add(text, "u%d", (int)json_integer_value(state_of_seat(state, "table.took", seat)));
    if (done > 0)
        text_add(text, "f%d", done);
    else if (out > 0)
        text_add(text, "e%d", out);
}

static void add_offer(struct text *text, const json_t *state)
{
    const unsigned left = known_two_hex(state_at(state, "table.two_hex"));
    text_add(text, left == 0 ? " -" : " ");
    add_two_hex(text, left);
}

static void add_turn(struct text *text, const json_t *state)
{
    const char *const step = state_text(state, "table.turn.step");
    text_add(text, " %d %s:%d", state_number(state, "table.stack"), step,
             state_number(state, "table.turn.seat"));
    if (strcmp(step, "place") == 0)
        text_add(text, ":%s", state_text(state, "table.turn.tile"));
}

bool state_position(struct taluva *game, const json_t *state, const struct known *known)
{
    char bytes[TALUVA_POSITION_TEXT];
    struct text text = {.bytes = bytes, .size = sizeof bytes};
    if (!state_at(state, "table.turn"))
        return false;
    add_options(&text, state, known);
    add_island(&text, state);
    for (int seat = 0; seat < state_players(state) && seat < TALUVA_SEATS_MAX; seat++)
        add_seat(&text, state, seat);
    add_boats(&text, state);
    add_offer(&text, state);
    add_turn(&text, state);
    return !text.failed && taluva_position_parse(text.bytes, text.len, game, NULL);
}
