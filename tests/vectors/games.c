/*
 * Replays finished games (games.jsonl, see README.md) through the rules and holds every count,
 * checksum and result against them. Says what differs and where.
 *
 * usage: vectors-games FILE...
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/notation.h>
#include <rules/taluva.h>

#include "vector.h"

struct replay {
    const char *id;
    size_t turn;
    unsigned long games, turns, differences;
};

__attribute__((format(printf, 2, 3))) static void differ(struct replay *replay, const char *format,
                                                         ...)
{
    va_list args;
    va_start(args, format);
    (void)printf("%s, turn %zu: ", replay->id, replay->turn + 1);
    (void)vprintf(format, args);
    (void)putchar('\n');
    va_end(args);
    replay->differences++;
}

static uint32_t crc32_of(const char *bytes, size_t n)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < n; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        }
    }
    return ~crc;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The checksum of lines of `stride` bytes each: sorted, joined with newlines. */
static void checksum(char *lines, size_t n, size_t stride, char out[9])
{
    static char joined[TALUVA_PLACEMENTS_MAX * TALUVA_PLACEMENT_TEXT];
    size_t len = 0;
    qsort(lines, n, stride, by_bytes);
    for (size_t i = 0; i < n; i++) {
        const size_t line = strlen(lines + i * stride);
        memcpy(joined + len, lines + i * stride, line);
        len += line;
        joined[len++] = '\n';
    }
    (void)snprintf(out, 9, "%08x", (unsigned)crc32_of(joined, len > 0 ? len - 1 : 0));
}

/* "draw 2JJ 2VL", as the turn's list has it. */
static void hold_take(struct replay *replay, const struct taluva *game, const json_t *turn)
{
    char ours[64] = "", theirs[64] = "";
    const unsigned take = taluva_may_take(game);
    if (take & TALUVA_TAKE_DRAW) {
        strcat(ours, "draw ");
    }
    for (unsigned i = 0; i < TALUVA_TWO_HEX_MAX; i++) {
        char name[TALUVA_TILE_TEXT];
        if (take >> i & 1) {
            taluva_tile_format((taluva_tile)(TALUVA_TILE_TWO_HEX + i), name);
            strcat(strcat(ours, name), " ");
        }
    }
    size_t i;
    json_t *name;
    json_array_foreach(json_object_get(turn, "take"), i, name)
    {
        const size_t len = strlen(theirs);
        (void)snprintf(theirs + len, sizeof theirs - len, "%s ", json_string_value(name));
    }
    if (strcmp(ours, theirs) != 0) {
        differ(replay, "may take %s, not %s", ours, theirs);
    }
}

static void hold_list(struct replay *replay, const json_t *turn, const char *what, size_t n,
                      char *lines, size_t stride)
{
    char crc[9], key[32];
    (void)snprintf(key, sizeof key, "%s_crc", what);
    checksum(lines, n, stride, crc);
    if (vector_number(turn, what) != (long)n) {
        differ(replay, "%zu %s, not %ld", n, what, vector_number(turn, what));
    } else if (strcmp(crc, vector_text(turn, key)) != 0) {
        differ(replay, "%s %s, not %s", key, crc, vector_text(turn, key));
    }
}

static void hold_placements(struct replay *replay, const struct taluva *game, taluva_tile tile,
                            const json_t *turn)
{
    static struct taluva_placement placements[TALUVA_PLACEMENTS_MAX];
    static char lines[TALUVA_PLACEMENTS_MAX][TALUVA_PLACEMENT_TEXT];
    const size_t n = taluva_list_placements(game, tile, placements, NULL);
    for (size_t i = 0; i < n; i++) {
        taluva_placement_format(&placements[i], lines[i]);
    }
    hold_list(replay, turn, "placements", n, lines[0], sizeof lines[0]);
}

static void hold_builds(struct replay *replay, const struct taluva *game, bool any,
                        const json_t *turn)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    static char lines[TALUVA_BUILDS_MAX][TALUVA_BUILD_TEXT];
    const size_t n = any ? taluva_list_builds(game, builds) : 0;
    for (size_t i = 0; i < n; i++) {
        taluva_build_format(&builds[i], lines[i]);
    }
    hold_list(replay, turn, "builds", n, lines[0], sizeof lines[0]);
}

static bool play_build(struct replay *replay, struct taluva *game, uint8_t seat, const char *text)
{
    struct taluva_build build;
    if (!taluva_build_parse(text, strlen(text), &build, NULL)) {
        differ(replay, "cannot read %s", text);
        return false;
    }
    const enum taluva_status status = taluva_build(game, seat, &build, NULL);
    if (status != TALUVA_OK) {
        differ(replay, "%s refused: %s", text, taluva_status_code(status));
    }
    return status == TALUVA_OK;
}

static bool play_place(struct replay *replay, struct taluva *game, uint8_t seat,
                       const struct taluva_placement *placement, bool out)
{
    enum taluva_status status = taluva_place(game, seat, placement, false, NULL);
    if (out && status == TALUVA_ELIMINATES_YOU) {
        status = taluva_place(game, seat, placement, true, NULL);
    } else if (out) {
        differ(replay, "placement should eliminate: %s", taluva_status_code(status));
        return false;
    }
    if (status != TALUVA_OK) {
        differ(replay, "placement refused: %s", taluva_status_code(status));
    }
    return status == TALUVA_OK;
}

static bool play_turn(struct replay *replay, struct taluva *game, const json_t *turn,
                      const taluva_tile *deck, size_t *drawn)
{
    const uint8_t seat = (uint8_t)vector_number(turn, "seat");
    const char *place = vector_text(turn, "place"), *build = vector_text(turn, "build");
    struct taluva_placement placement;
    if (!taluva_placement_parse(place, strlen(place), &placement, NULL)) {
        differ(replay, "cannot read %s", place);
        return false;
    }
    if (game->seat != seat) {
        differ(replay, "seat %u to move, not %u", game->seat, seat);
        return false;
    }
    hold_take(replay, game, turn);
    if (!taluva_tile_is_two_hex(placement.tile) && *drawn < game->options.tiles) {
        const enum taluva_status status = taluva_draw(game, seat, deck[(*drawn)++], NULL);
        if (status != TALUVA_OK) {
            differ(replay, "draw refused: %s", taluva_status_code(status));
            return false;
        }
    }
    hold_placements(replay, game, placement.tile, turn);
    const bool out = strcmp(build, "none") == 0;
    if (!play_place(replay, game, seat, &placement, out)) {
        return false;
    }
    hold_builds(replay, game, !out, turn);
    return out || play_build(replay, game, seat, build);
}

static unsigned set_of(const json_t *seats)
{
    unsigned set = 0;
    size_t i;
    json_t *seat;
    json_array_foreach(seats, i, seat)
    {
        set |= 1u << json_integer_value(seat);
    }
    return set;
}

static void hold_ranks(struct replay *replay, const struct taluva_outcome *outcome,
                       const json_t *ranks)
{
    if (json_array_size(ranks) != outcome->n_ranks) {
        differ(replay, "%u ranks, not %zu", outcome->n_ranks, json_array_size(ranks));
        return;
    }
    for (size_t i = 0; i < outcome->n_ranks; i++) {
        if (outcome->ranks[i] != set_of(json_array_get(ranks, i))) {
            differ(replay, "rank %zu differs", i);
        }
    }
}

static void hold_totals(struct replay *replay, const struct taluva *game,
                        const struct taluva_outcome *outcome, const json_t *totals)
{
    static const enum taluva_kind order[] = {TALUVA_TEMPLE, TALUVA_TOWER, TALUVA_BOAT, TALUVA_HUT};
    if (json_array_size(totals) != (game->options.teams ? 2 : 0)) {
        differ(replay, "%zu totals", json_array_size(totals));
        return;
    }
    for (unsigned team = 0; team < json_array_size(totals); team++) {
        size_t at = 0;
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
            if (order[i] == TALUVA_BOAT && !game->options.boats) {
                continue;
            }
            const json_t *total = json_array_get(json_array_get(totals, team), at++);
            if (outcome->totals[team][order[i]] != json_integer_value(total)) {
                differ(replay, "total of team %u, %s", team, taluva_kind_name(order[i]));
            }
        }
    }
}

static void hold_built(struct replay *replay, const struct taluva *game, const json_t *built)
{
    for (uint8_t seat = 0; seat < game->options.seats; seat++) {
        for (unsigned kind = 0; kind < TALUVA_KINDS; kind++) {
            const char *name = taluva_kind_name((enum taluva_kind)kind);
            if (vector_number(json_array_get(built, seat), name) !=
                taluva_built(game, seat, (enum taluva_kind)kind)) {
                differ(replay, "%s built by %u", name, seat);
            }
        }
    }
}

static void hold_result(struct replay *replay, const struct taluva *game, const json_t *result)
{
    struct taluva_outcome outcome;
    taluva_outcome(game, &outcome);
    const char *why = taluva_end_name((enum taluva_end)outcome.end);
    if (strcmp(why, vector_text(result, "why")) != 0) {
        differ(replay, "ended by %s, not %s", why, vector_text(result, "why"));
    }
    if (outcome.winners != set_of(json_object_get(result, "winners"))) {
        differ(replay, "winners differ");
    }
    hold_ranks(replay, &outcome, json_object_get(result, "ranks"));
    hold_totals(replay, game, &outcome, json_object_get(result, "totals"));
    hold_built(replay, game, json_object_get(result, "built"));
}

static void replay_game(void *ctx, const json_t *line)
{
    struct replay *const replay = ctx;
    struct taluva_options options;
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    replay->id = vector_text(line, "id");
    replay->turn = 0;
    replay->games++;
    if (vector_setup(line, &options, deck) == 0 || taluva_init(&game, &options) != TALUVA_OK) {
        differ(replay, "cannot be set up");
        return;
    }
    const json_t *turns = json_object_get(line, "turns");
    size_t drawn = 0;
    json_t *turn;
    json_array_foreach(turns, replay->turn, turn)
    {
        if (!play_turn(replay, &game, turn, deck, &drawn)) {
            return;
        }
        replay->turns++;
    }
    hold_result(replay, &game, json_object_get(line, "result"));
}

int main(int argc, char **argv)
{
    struct replay replay = {0};
    bool ok = argc > 1;
    for (int i = 1; i < argc; i++) {
        ok &= vector_each(argv[i], replay_game, &replay);
    }
    (void)printf("%lu games, %lu turns, %lu differences\n", replay.games, replay.turns,
                 replay.differences);
    return ok && replay.games > 0 && replay.differences == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
