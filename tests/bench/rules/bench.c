/*
 * How fast the rules are, on one core.
 *
 *   perft       legal sequences of four turns (deck JC LS RR JJ, two players), counted
 *   placements  all legal placements of the tile in hand
 *   dead ends   the same, each with whether it leaves nothing to build
 *   check       one placement of those checked
 *   build list  all legal builds after a placement
 *
 * All but perft in every four-player game of the vectors as it stands at its 40th turn, the tile
 * drawn: the mean over the games and the slowest game, each timed several times and the fastest
 * taken.
 *
 * usage: bench-rules [--json] GAMES.JSONL
 */
#include "replay_parts.h"
#include <base/program.h>
#include <inttypes.h>
#include <rules/notation.h>
#include <rules/taluva.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sysexits.h>
#include <time.h>

enum { TURN = 40, POSITIONS_MAX = 256, RUNS = 5, ROUNDS = 8, TRIES = 25 };

struct positions {
    size_t n;
    struct taluva games[POSITIONS_MAX];
};

/* Time on the processor, so that a neighbour on a shared machine counts for less. */
static double now_ns(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool play(struct taluva *game, const json_t *turn, const taluva_tile *deck, size_t *drawn)
{
    const char *place = text_of(turn, "place"), *build = text_of(turn, "build");
    struct taluva_placement placement;
    struct taluva_build built;
    if (!taluva_placement_parse(place, strlen(place), &placement, NULL))
        return false;
    if (!taluva_tile_is_two_hex(placement.tile))
        (void)taluva_draw(game, game->seat, deck[(*drawn)++], NULL);
    if (taluva_place(game, game->seat, &placement, true, NULL) != TALUVA_OK)
        return false;
    return strcmp(build, "none") == 0 ||
           (taluva_build_parse(build, strlen(build), &built, NULL) &&
            taluva_build(game, game->seat, &built, NULL) == TALUVA_OK);
}

static void collect(struct positions *positions, const json_t *line)
{
    struct replay replay = {.out = stderr, .where = "games"};
    struct taluva game;
    taluva_tile deck[TALUVA_TILES_MAX];
    const json_t *turns = json_object_get(line, "turns");
    size_t deck_count, drawn = 0;
    if (!taluva_read_game(&replay, line, &game, deck, &deck_count) || game.options.seats != 4 ||
        positions->n == POSITIONS_MAX || json_array_size(turns) < TURN)
        return;
    for (size_t i = 0; i + 1 < TURN; i++) {
        if (!play(&game, json_array_get(turns, i), deck, &drawn))
            return;
    }
    if (taluva_draw(&game, game.seat, deck[drawn], NULL) == TALUVA_OK)
        positions->games[positions->n++] = game;
}

static bool read_positions(struct positions *positions, const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (!file) {
        perror(path);
        return false;
    }
    for (ssize_t len; (len = getline(&text, &room, file)) > 0;) {
        json_t *line = json_loadb(text, (size_t)len, 0, NULL);
        collect(positions, line);
        json_decref(line);
    }
    free(text);
    (void)fclose(file);
    return positions->n > 0;
}

/* One question about one position; how many things it asked. */
typedef size_t question(const struct taluva *game);

static struct taluva_placement placements[TALUVA_PLACEMENTS_MAX];
static struct taluva_build builds[TALUVA_BUILDS_MAX];
static bool dead_ends[TALUVA_PLACEMENTS_MAX];

static size_t ask_placements(const struct taluva *game)
{
    (void)taluva_list_placements(game, game->tile, placements, NULL);
    return 1;
}

static size_t ask_dead_ends(const struct taluva *game)
{
    (void)taluva_list_placements(game, game->tile, placements, dead_ends);
    return 1;
}

/* Legal ones, and beside each one that is not: the next direction of the same hex. */
static size_t ask_checks(const struct taluva *game)
{
    static const struct taluva *listed;
    static size_t n;
    if (listed != game) {
        n = taluva_list_placements(game, game->tile, placements, NULL);
        listed = game;
    }
    unsigned refused = 0;
    for (size_t i = 0; i < n; i++) {
        struct taluva_placement other = placements[i];
        other.k = (uint8_t)((other.k + 1) % 6);
        refused += taluva_check_place(game, game->seat, &placements[i], false, NULL) != TALUVA_OK;
        refused += taluva_check_place(game, game->seat, &other, false, NULL) != TALUVA_OK;
    }
    return refused <= 2 * n ? 2 * n : 0;
}

static size_t ask_builds(const struct taluva *game)
{
    (void)taluva_list_builds(game, builds);
    return 1;
}

static double fastest_ns(question *ask, const struct taluva *game)
{
    double best = 1e18;
    for (int run = 0; run < TRIES; run++) {
        const double start = now_ns();
        size_t asked = 0;
        for (int round = 0; round < ROUNDS; round++)
            asked += ask(game);
        const double each = (now_ns() - start) / (double)asked;
        best = each < best ? each : best;
    }
    return best;
}

static void measure(const struct positions *positions, const char *name, question *ask,
                    double target_ns, bool json)
{
    double sum = 0, worst = 0;
    for (size_t i = 0; i < positions->n; i++) {
        const double ns = fastest_ns(ask, &positions->games[i]);
        sum += ns;
        worst = ns > worst ? ns : worst;
    }
    const double mean = sum / (double)positions->n;
    (void)printf(json ? ",\n  \"%s\": {\"mean_ns\": %.1f, \"worst_ns\": %.1f, \"target_ns\": %.0f}"
                      : "%-12s mean %9.1f ns   slowest %9.1f ns   target %7.0f ns\n",
                 name, mean, worst, target_ns);
}

static void measure_perft(bool json)
{
    static const char *const names[] = {"JC", "LS", "RR", "JJ"};
    const struct taluva_options options = {.seats = 2, .tiles = 4};
    struct taluva game;
    taluva_tile deck[4];
    for (int i = 0; i < 4; i++)
        (void)taluva_tile_parse(names[i], 2, &deck[i]);
    (void)taluva_init(&game, &options);
    double best = 1e18;
    uint64_t count = 0;
    for (int run = 0; run < RUNS; run++) {
        const double start = now_ns();
        count = taluva_perft(&game, deck, 4, 4);
        const double ns = now_ns() - start;
        best = ns < best ? ns : best;
    }
    const double rate = (double)count / best * 1e3;
    (void)printf(json ? "  \"perft\": {\"count\": %" PRIu64
                        ", \"seconds\": %.3f, \"million_per_s\": %.1f, \"target\": 30}"
                      : "perft        %" PRIu64
                        " in %.3f s, %.1f million/s   target 30 million/s\n",
                 count, best / 1e9, rate);
}

static int run_all(int argc, char **argv)
{
    static struct positions positions;
    const bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    if (argc != 2 + json || !read_positions(&positions, argv[1 + json])) {
        (void)fprintf(stderr, "usage: bench-rules [--json] GAMES.JSONL\n");
        return EX_USAGE;
    }
    (void)printf(json ? "{\n" : "");
    measure_perft(json);
    measure(&positions, "placements", ask_placements, 15000, json);
    measure(&positions, "dead_ends", ask_dead_ends, 50000, json);
    measure(&positions, "check", ask_checks, 150, json);
    measure(&positions, "builds", ask_builds, 0, json);
    (void)printf(json ? ",\n  \"positions\": %zu\n}\n" : "positions    %zu\n", positions.n);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    program_begin();
    return program_end("bench-rules", run_all(argc, argv));
}
