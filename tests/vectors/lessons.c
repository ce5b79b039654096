/*
 * The lessons of the browser's tutorial by the rules core: plays the games of a file and prints
 * what is legal at each lesson, and why the rest is not. The browser's tests hold the tutorial's
 * own data against it, and make them from it.
 *
 * usage: lessons FILE
 *
 *   game SEATS FIRST TILES        a game begins
 *   PLACEMENT BUILD               a turn of it
 *   lesson ID TILE                the seat to move has drawn this tile and is to place it
 *   lesson ID PLACEMENT           and, when it lies there, is to build
 *
 * Lessons do not change the game. Anything that is illegal ends the program with 1.
 */
#include <rules/notation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { LINE_MAX_BYTES = 200, AROUND = 3 };

static unsigned line_number;

static void fail(const char *why)
{
    fprintf(stderr, "line %u: %s\n", line_number, why);
    exit(1);
}

static void expect(enum taluva_status status)
{
    if (status != TALUVA_OK)
        fail(taluva_status_code(status));
}

static void draw_and_place(struct taluva *game, const char *text)
{
    struct taluva_placement placement;
    if (!taluva_placement_parse(text, strlen(text), &placement, NULL))
        fail("not a placement");
    expect(taluva_draw(game, game->seat, placement.tile, NULL));
    expect(taluva_place(game, game->seat, &placement, true, NULL));
}

static void play_turn(struct taluva *game, const char *place, const char *build_text)
{
    struct taluva_build build;
    draw_and_place(game, place);
    if (strcmp(build_text, "none") == 0)
        return;
    if (!taluva_build_parse(build_text, strlen(build_text), &build, NULL))
        fail("not a build");
    expect(taluva_build(game, game->seat, &build, NULL));
}

static void print_hex(struct taluva_hex hex)
{
    printf("%d,%d", hex.q, hex.r);
}

/* The hexes around the island, itself included: what a tile may touch. */
struct span {
    int q0, q1, r0, r1;
};

static struct span span_of(const struct taluva *game)
{
    struct span span = {0, 0, 0, 0};
    for (unsigned i = 0; i < game->n_cells; i++) {
        const struct taluva_hex hex = game->cells[i].hex;
        span.q0 = hex.q < span.q0 ? hex.q : span.q0;
        span.q1 = hex.q > span.q1 ? hex.q : span.q1;
        span.r0 = hex.r < span.r0 ? hex.r : span.r0;
        span.r1 = hex.r > span.r1 ? hex.r : span.r1;
    }
    return (struct span){span.q0 - AROUND, span.q1 + AROUND, span.r0 - AROUND, span.r1 + AROUND};
}

/* The answers to the tile's first hex there, in all six directions. */
static void print_answers(const struct taluva *game, int q, int r)
{
    printf("at %d,%d", q, r);
    for (uint8_t k = 0; k < 6; k++) {
        const struct taluva_placement placement = {
            .at = {(int16_t)q, (int16_t)r}, .k = k, .tile = game->tile};
        const enum taluva_status status =
            taluva_check_place(game, game->seat, &placement, false, NULL);
        printf(" %s", taluva_status_code(status));
    }
    printf("\n");
}

static void print_placements(const struct taluva *game)
{
    const struct span span = span_of(game);
    for (int q = span.q0; q <= span.q1; q++) {
        for (int r = span.r0; r <= span.r1; r++)
            print_answers(game, q, r);
    }
}

/* What may be built after each placement that leaves something. */
static void print_after(const struct taluva *game)
{
    static struct taluva_placement placements[TALUVA_PLACEMENTS_MAX];
    static struct taluva_build builds[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_placements(game, game->tile, placements, NULL);
    for (size_t i = 0; i < n; i++) {
        char text[TALUVA_BUILD_TEXT];
        struct taluva after = *game;
        taluva_placement_format(&placements[i], text);
        expect(taluva_place(&after, after.seat, &placements[i], true, NULL));
        printf("after %s", text);
        const size_t n_builds =
            after.step == TALUVA_STEP_BUILD ? taluva_list_builds(&after, builds) : 0;
        for (size_t b = 0; b < n_builds; b++) {
            taluva_build_format(&builds[b], text);
            printf(" %s", text);
        }
        printf("\n");
    }
}

/* For each hex the answer to a hut, a tower and a temple there. */
static void print_reasons(const struct taluva *game)
{
    static const enum taluva_verb verbs[] = {TALUVA_BUILD_HUT, TALUVA_BUILD_TOWER,
                                             TALUVA_BUILD_TEMPLE};
    for (unsigned i = 0; i < game->n_cells; i++) {
        printf("on ");
        print_hex(game->cells[i].hex);
        for (unsigned v = 0; v < sizeof verbs / sizeof *verbs; v++) {
            const struct taluva_build build = {.at = game->cells[i].hex, .verb = (uint8_t)verbs[v]};
            const enum taluva_status status = taluva_check_build(game, game->seat, &build, NULL);
            printf(" %s", taluva_status_code(status));
        }
        printf("\n");
    }
}

static void print_builds(const struct taluva *game)
{
    static struct taluva_build builds[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(game, builds);
    for (size_t i = 0; i < n; i++) {
        char text[TALUVA_BUILD_TEXT];
        struct taluva_build_plan plan;
        struct taluva after = *game;
        expect(taluva_plan_build(game, game->seat, &builds[i], &plan));
        expect(taluva_build(&after, after.seat, &builds[i], NULL));
        taluva_build_format(&builds[i], text);
        printf("build %s %s", text, taluva_end_name((enum taluva_end)after.end));
        for (unsigned h = 0; h < plan.n_hexes; h++) {
            printf(" ");
            print_hex(plan.hexes[h]);
        }
        printf("\n");
    }
}

static void print_lesson(const struct taluva *now, const char *id, const char *hand)
{
    struct taluva game = *now;
    char text[TALUVA_POSITION_TEXT];
    taluva_tile tile;
    if (taluva_tile_parse(hand, strlen(hand), &tile))
        expect(taluva_draw(&game, game.seat, tile, NULL));
    else
        draw_and_place(&game, hand);
    taluva_position_format(&game, text);
    printf("lesson %s\nposition %s\n", id, text);
    if (game.step == TALUVA_STEP_PLACE) {
        print_placements(&game);
        print_after(&game);
    } else {
        print_builds(&game);
        print_reasons(&game);
    }
}

static void begin(struct taluva *game, const char *seats, const char *first, const char *tiles)
{
    const struct taluva_options options = {
        .seats = (uint8_t)atoi(seats),
        .first = (uint8_t)atoi(first),
        .tiles = (uint8_t)atoi(tiles),
    };
    expect(taluva_init(game, &options));
}

/* One line: its words are separated by single spaces. */
static void obey(struct taluva *game, char *line)
{
    char *words[4] = {NULL};
    unsigned n = 0;
    for (char *word = strtok(line, " \n"); word && n < 4; word = strtok(NULL, " \n"))
        words[n++] = word;
    if (n == 0)
        return;
    if (n == 4 && strcmp(words[0], "game") == 0)
        begin(game, words[1], words[2], words[3]);
    else if (n == 3 && strcmp(words[0], "lesson") == 0)
        print_lesson(game, words[1], words[2]);
    else if (n == 2)
        play_turn(game, words[0], words[1]);
    else
        fail("not understood");
}

int main(int argc, char **argv)
{
    static struct taluva game;
    char line[LINE_MAX_BYTES];
    FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!in) {
        fprintf(stderr, "usage: lessons FILE\n");
        return EX_USAGE;
    }
    while (fgets(line, sizeof line, in)) {
        line_number++;
        obey(&game, line);
    }
    fclose(in);
    return 0;
}
