/* Totem's options, from `create` to the record, and what chance decides. */
#include "suites.h"
#include "table.h"
#include <protocol/record.h>
#include <stdio.h>
#include <string.h>
#include <totem/game.h>
#include <totem_match.h>

static const struct game_type *const games[] = {&game_type_totem, NULL};

static struct table table;

#define OPTIONS(players, first, rounds, village, spells, meals, a, b)                              \
    "{\"players\":" players ",\"first\":\"" first "\",\"rounds\":" rounds ",\"village\":" village  \
    ",\"spells\":\"" spells "\",\"meals\":\"" meals "\",\"totem_a\":" a ",\"totem_b\":" b "}"

static const struct {
    const char *asked, *options, *recorded;
} option_rows[] = {
    {"", OPTIONS("4", "drawn", "24", "false", "turns", "owner", "false", "false"),
     "4 drawn 24 no turns owner no no"},
    {"\"first\":\"drawn\",\"village\":false,\"spells\":\"turns\",\"meals\":\"owner\"",
     OPTIONS("4", "drawn", "24", "false", "turns", "owner", "false", "false"),
     "4 drawn 24 no turns owner no no"},
    {"\"players\":2,\"first\":\"Y\",\"rounds\":1,\"village\":true,\"spells\":\"A\",\"meals\":\"B\"",
     OPTIONS("2", "Y", "1", "true", "A", "B", "false", "false"), "2 Y 1 yes A B no no"},
    {"\"players\":3,\"first\":\"B\",\"rounds\":99,\"spells\":\"B\",\"meals\":\"A\",\"totem_a\":"
     "true",
     OPTIONS("3", "B", "99", "false", "B", "A", "true", "false"), "3 B 99 no B A yes no"},
    {"\"players\":4,\"first\":\"R\",\"totem_b\":true",
     OPTIONS("4", "R", "24", "false", "turns", "owner", "false", "true"),
     "4 R 24 no turns owner no yes"},
};

START_TEST(test_options)
{
    char create[256], recorded[128] = "";
    struct game_pairs pairs = {.count = 0};
    json_error_t error;
    (void)snprintf(create, sizeof create, "\"game\":\"totem\",\"options\":{%s}",
                   option_rows[_i].asked);
    table_open_game(&table, games, create);
    ck_assert_ptr_nonnull(table.room);
    json_t *want = json_loads(option_rows[_i].options, 0, &error);
    ck_assert(want && json_equal(table_look(&table, "options"), want));
    json_decref(want);
    totem_record.options(match_game_of(table.room->match), &pairs);
    for (size_t i = 0; i < pairs.count; i++) {
        strcat(recorded, i > 0 ? " " : "");
        strcat(recorded, pairs.pairs[i].value);
    }
    ck_assert_str_eq(recorded, option_rows[_i].recorded);
    ck_assert_ptr_nonnull(record_find(pairs.pairs, pairs.count, "totem_b"));
    table_close(&table);
}
END_TEST

static const struct {
    const char *asked, *field;
} refused_rows[] = {
    {"\"players\":1", "options.players"},
    {"\"players\":5", "options.players"},
    {"\"players\":\"4\"", "options.players"},
    {"\"players\":2.0", "options.players"},
    {"\"first\":\"Q\"", "options.first"},
    {"\"first\":\"\"", "options.first"},
    {"\"first\":\"RG\"", "options.first"},
    {"\"first\":0", "options.first"},
    {"\"players\":3,\"first\":\"Y\"", "options.first"},
    {"\"rounds\":0", "options.rounds"},
    {"\"rounds\":100", "options.rounds"},
    {"\"village\":1", "options.village"},
    {"\"spells\":\"C\"", "options.spells"},
    {"\"spells\":0", "options.spells"},
    {"\"meals\":\"a\"", "options.meals"},
    {"\"totem_a\":\"true\"", "options.totem_a"},
    {"\"totem_b\":0", "options.totem_b"},
    {"\"x\":0", "options"},
    {"\"players\":4,\"x\":0", "options"},
};

START_TEST(test_bad_options)
{
    char create[128];
    (void)snprintf(create, sizeof create, "\"game\":\"totem\",\"options\":{%s}",
                   refused_rows[_i].asked);
    table_open_game(&table, games, create);
    ck_assert_ptr_null(table.room);
    ck_assert_int_eq(table.refusal.error, PROTOCOL_BAD_OPTIONS);
    ck_assert_str_eq(table.refusal.field, refused_rows[_i].field);
}
END_TEST

/* The example of totem.md, section 8; of the last round as another program reckons it. */
START_TEST(test_chance)
{
    static const uint16_t words[2][TOTEM_HUTS_ALL] = {
        {0x059, 0x0df, 0x325, 0x06e, 0x061, 0x11d, 0x08b, 0x2f1, 0x31e, 0x2c1, 0x3d7, 0x125},
        {0x281, 0x1f4, 0x0d2, 0x2cd, 0x330, 0x3ef, 0x188, 0x238, 0x3df, 0x295, 0x32d, 0x1c9},
    };
    struct totem_match match = {.options = {.players = 4, .rounds = 24}, .first_drawn = true};
    struct totem_births births;
    struct deal_stream stream;
    uint8_t key[DEAL_KEY_BYTES];
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)i;
    deal_stream_init(&stream, key);
    totem_rules.deal(&match, &stream);
    ck_assert_uint_eq(match.game.first, 1);
    ck_assert_uint_eq(match.game.round, 1);
    totem_match_births(&match, &births);
    ck_assert_mem_eq(births.words, words[0], sizeof words[0]);
    match.game.round = 24;
    totem_match_births(&match, &births);
    ck_assert_mem_eq(births.words, words[1], sizeof words[1]);
    totem_rules.reset(&match);
    match.first_drawn = false;
    match.options.first = 3;
    deal_stream_init(&stream, key);
    totem_rules.deal(&match, &stream);
    ck_assert_uint_eq(match.game.first, 3);
    match.game.round = 24;
    totem_match_births(&match, &births);
    ck_assert_mem_eq(births.words, words[1], sizeof words[1]);
}
END_TEST

/* Before the deal a match is its options alone. */
START_TEST(test_reset)
{
    static struct totem_match match, fresh;
    struct deal_stream stream;
    const uint8_t key[DEAL_KEY_BYTES] = {1};
    match.options = (struct totem_options){.players = 3, .rounds = 24, .village = true};
    match.first_drawn = true;
    fresh = match;
    deal_stream_init(&stream, key);
    totem_rules.deal(&match, &stream);
    ck_assert_mem_ne(&match, &fresh, sizeof match);
    totem_rules.reset(&match);
    ck_assert_mem_eq(&match, &fresh, sizeof match);
}
END_TEST

Suite *totem_options_suite(void)
{
    Suite *suite = suite_create("Totem's options");
    TCase *tcase = tcase_create("options");
    tcase_add_loop_test(tcase, test_options, 0, sizeof option_rows / sizeof *option_rows);
    tcase_add_loop_test(tcase, test_bad_options, 0, sizeof refused_rows / sizeof *refused_rows);
    tcase_add_test(tcase, test_chance);
    tcase_add_test(tcase, test_reset);
    suite_add_tcase(suite, tcase);
    return suite;
}
