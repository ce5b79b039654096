/*
 * What the computer answers in fixed positions, with all options: golden/answers.txt. Another net
 * or another search answers otherwise; after such a change, run with TALUVA_UPDATE_GOLDEN=1. If
 * nothing of that was meant to change, a difference is a fault, even where play is legal.
 */
#include "../../support/long_tests.h"
#include "../../support/source_file.h"
#include "suites.h"
#include "survey.h"
#include "table.h"
#include "traits.h"
#include <computer/levels.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEALS = 24, LAST_DEALS = 4, SIMULATIONS = 24, MEMORY = 1 << 18 };

/* FNV-1a */
static void add(uint64_t *hash, int64_t value)
{
    *hash = (*hash ^ (uint64_t)value) * UINT64_C(1099511628211);
}

static void add_turn(uint64_t *hash, const struct computer_turn *turn)
{
    const struct taluva_placement *placement = &turn->placement;
    const struct taluva_build *build = &turn->build;
    add(hash, turn->parts);
    if (turn->parts & COMPUTER_PART_PLACE) {
        add(hash, placement->at.q);
        add(hash, placement->at.r);
        add(hash, placement->k);
    }
    if (turn->parts & COMPUTER_PART_BUILD) {
        add(hash, build->at.q);
        add(hash, build->at.r);
        add(hash, build->verb);
        add(hash, build->terrain);
    }
    add(hash, turn->visits);
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
        add(hash, turn->chances[seat]);
}

static void print_turn(FILE *out, const struct computer_turn *turn)
{
    if (turn->parts & COMPUTER_PART_PLACE)
        fprintf(out, " %d,%d:%d", turn->placement.at.q, turn->placement.at.r, turn->placement.k);
    if (turn->parts & COMPUTER_PART_BUILD)
        fprintf(out, " %d@%d,%d", (int)turn->build.verb, turn->build.at.q, turn->build.at.r);
}

/* The best turn with the chances after it, and all turns as one number. */
static void print_answer(FILE *out, const struct table *table, uint32_t simulations)
{
    static max_align_t memory[MEMORY / sizeof(max_align_t)];
    struct computer_question question = table_question(table);
    struct computer_answer answer;
    uint64_t hash = UINT64_C(14695981039346656037);
    question.simulations = simulations;
    question.memory = memory;
    question.memory_bytes = sizeof memory;
    computer_think(&question, &answer);
    for (unsigned i = 0; i < answer.n; i++)
        add_turn(&hash, &answer.turns[i]);
    fprintf(out, "  %u turns, %u simulations, %llu rated:", answer.n, answer.simulations,
            (unsigned long long)answer.rated);
    print_turn(out, &answer.turns[0]);
    for (unsigned seat = 0; seat < table->game.options.seats; seat++)
        fprintf(out, "%s%d", seat == 0 ? " chances " : "/", answer.turns[0].chances[seat]);
    fprintf(out, ", all %016llx\n", (unsigned long long)hash);
}

/* What each level plays, with no more simulations than are quick. */
static void print_levels(FILE *out, const struct table *table)
{
    static max_align_t memory[MEMORY / sizeof(max_align_t)];
    struct computer_question question = table_question(table);
    question.simulations = SIMULATIONS;
    question.memory = memory;
    question.memory_bytes = sizeof memory;
    fputs("  levels:", out);
    for (unsigned level = 1; level <= COMPUTER_LEVELS; level++) {
        struct computer_turn turn;
        uint64_t hash = UINT64_C(14695981039346656037);
        const uint32_t done = computer_play(&question, (enum computer_level)level, &turn);
        add_turn(&hash, &turn);
        fprintf(out, " %u/%08x", done, (unsigned)(hash >> 32));
    }
    fputc('\n', out);
}

static void print_position(FILE *out, const struct table *table, uint64_t seed, unsigned turn)
{
    const struct taluva_options *const options = &table->game.options;
    const struct {
        bool is;
        const char *word;
    } variants[] = {{options->huts_anywhere, "huts anywhere"},
                    {options->teams, "teams"},
                    {options->ranking, "ranking"},
                    {options->boats, "boats"},
                    {options->two_hex, "2-Hex"},
                    {options->zone, "zone"}};
    fprintf(out, "deal %llu, turn %u: %u players, %u tiles", (unsigned long long)seed, turn,
            options->seats, options->tiles);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        if (variants[i].is)
            fprintf(out, ", %s", variants[i].word);
    }
    fputc('\n', out);
    print_answer(out, table, 0);
    print_answer(out, table, SIMULATIONS);
    print_levels(out, table);
}

/* What is told of the position to the net, before the turn's tile is laid. */
static void add_sight(uint64_t *hash, const struct taluva *game)
{
    struct board board;
    struct survey survey;
    int8_t traits[TALUVA_SEATS_MAX][TRAITS];
    const uint8_t *const bytes = (const uint8_t *)&survey; /* has no padding */
    memset(&survey, 0, sizeof survey);
    memset(traits, 0, sizeof traits);
    board_init(&board, game);
    survey_init(&survey, &board);
    traits_init(&board, &survey, traits);
    for (size_t i = 0; i < sizeof survey; i++)
        add(hash, bytes[i]);
    for (size_t i = 0; i < sizeof traits; i++)
        add(hash, traits[i / TRAITS][i % TRAITS]);
}

/* The last tiles of a stack, all of which are known by then, beside 2-Hex tiles that nobody has
 * taken. */
static void print_last_tiles(FILE *out, uint64_t seed)
{
    enum { LAST = 4 };
    static const struct computer_turn draws = {.parts = COMPUTER_PART_DRAW};
    struct table table;
    table_deal_options(
        &table, seed,
        (struct taluva_options){.seats = 5, .tiles = 60, .boats = true, .two_hex = 31});
    while (table.game.step != TALUVA_STEP_OVER) {
        const bool chooses = table.game.step == TALUVA_STEP_DRAW && table.game.stack > 0;
        if (chooses && table.game.stack <= LAST) {
            fprintf(out, "deal %llu, %u tiles left\n", (unsigned long long)seed, table.game.stack);
            print_answer(out, &table, SIMULATIONS);
        }
        if (chooses)
            table_play_turn(&table, &draws);
        else
            table_play_random(&table);
    }
}

/* Well played between the positions that are looked at. */
START_TEST(test_answers)
{
    char *text;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    for (uint64_t seed = 1; seed <= DEALS; seed++) {
        struct table table;
        uint64_t sight = UINT64_C(14695981039346656037);
        table_deal_any(&table, seed);
        for (unsigned turn = 0; turn < 60 && table.game.step != TALUVA_STEP_OVER; turn++) {
            if (turn % 9 == seed % 9)
                print_position(out, &table, seed, turn);
            add_sight(&sight, &table.game);
            const struct computer_turn next = table_look(&table);
            table_play_turn(&table, &next);
        }
        fprintf(out, "deal %llu: all positions as the net sees them %016llx\n",
                (unsigned long long)seed, (unsigned long long)sight);
    }
    for (uint64_t seed = 1; seed <= LAST_DEALS; seed++)
        print_last_tiles(out, seed);
    ck_assert_int_eq(fclose(out), 0);
    check_golden("tests/unit/computer/golden/answers.txt", text, len);
    free(text);
}
END_TEST

Suite *answers_suite(void)
{
    Suite *suite = suite_create("answers");
    TCase *tcase = tcase_create("answers");
    tcase_set_tags(tcase, SAME_NUMBERS);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_answers);
    suite_add_tcase(suite, tcase);
    return suite;
}
