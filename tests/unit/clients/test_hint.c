/*
 * What is listed below the map: the page of a hint, with what each player can hope for, and legal
 * moves, as they are typed.
 */
#include "legal_page.h"
#include "play_hint.h"
#include "suites.h"
#include "wrap.h"
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(test_page)
{
    json_t *state = json_loads("{\"game\":\"taluva\",\"seats\":{\"0\":{\"name\":\"Ana\"},"
                               "\"1\":{\"name\":\"Bo\"}}}",
                               0, NULL);
    json_t *turns = json_loads("[{\"moves\":[\"JC@2,-1:0\",\"hut@1,0\"],\"chances\":[612,388]},"
                               "{\"moves\":[\"draw\"],\"chances\":[5,995]}]",
                               0, NULL);
    const struct game_room room = {.state = state, .seat = 0};
    char *page = NULL;
    size_t len;
    FILE *out = open_memstream(&page, &len);
    ck_assert(state && turns && out);
    hint_print(&game_taluva, &room, turns, out);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(page, "The best turns, and the chances after them:\n"
                           "\n"
                           "1. JC@2,-1:0, then hut 1,0\n"
                           "   A Ana 61.2 %, B Bo 38.8 %\n"
                           "2. draw\n"
                           "   A Ana 0.5 %, B Bo 99.5 %\n");
    free(page);
    json_decref(state);
    json_decref(turns);
}
END_TEST

/* ---- what a turn would do */

#define ROOM(options, more, table)                                                                 \
    "{\"game\":\"taluva\",\"seats\":{\"0\":{\"name\":\"Ana\"},\"1\":{\"name\":\"Bo\"}},"           \
    "\"options\":{\"players\":2,\"tiles\":48,\"huts\":\"isolated\"" options "},"                   \
    "\"table\":{\"hexes\":{\"0,0\":\"1J:1h1\",\"1,0\":\"1J:1h1\",\"2,0\":\"1J:1h1\","              \
    "\"3,0\":\"1C\",\"4,0\":\"1S\",\"5,0\":\"1J\",\"0,1\":\"1V0\",\"1,1\":\"1V0\","                \
    "\"2,1\":\"1V0\"" more "},"                                                                    \
    "\"players\":{\"0\":{\"huts\":20,\"towers\":2,\"temples\":3},"                                 \
    "\"1\":{\"huts\":17,\"towers\":2,\"temples\":3}},\"stack\":44,"                                \
    "\"turn\":{\"step\":\"place\",\"seat\":0,\"tile\":\"JC\"}" table "}}"

static const struct {
    const char *state, *moves, *words;
} DOES[] = {
    {ROOM("", "", ""), "[\"JC@2,1:4\",\"hut@4,0\"]",
     "covers 1 hut of B Bo; keeps B Bo from temple@3,0"},
    {ROOM("", "", ""), "[\"JC@6,-2:0\",\"hut@5,0\"]", ""},
    {ROOM("", "", ""), "[\"hut@4,0\"]", ""},
    {ROOM("", "", ""), "[\"draw\"]", ""},
    {ROOM("", "", ""), "[\"JC@2,1:4\",\"JC@2,1:4\"]", ""},
    {ROOM("", "", ""), "[\"JC@2,1:4\",\"hut@4,0\",\"hut@5,0\"]", ""},
    {ROOM("", "", ""), "[\"hut@4,0\",\"JC@2,1:4\"]", ""},
    {ROOM("", "", ""), "[\"draw\",\"JC@2,1:4\",\"hut@4,0\"]",
     "covers 1 hut of B Bo; keeps B Bo from temple@3,0"},
    {ROOM("", "", ""), "[7]", ""},
    {ROOM("", "", ""), "[]", ""},
    {ROOM(",\"two_hex\":true", ",\"0,2\":\"1J\",\"1,2\":\"1J\"",
          ",\"two_hex\":{\"2VL\":1},\"took\":{\"0\":1}"),
     "[\"JC@2,1:4\",\"hut@4,0\"]", "covers 1 hut of B Bo; keeps B Bo from temple@3,0"},
    {"{\"game\":\"taluva\",\"table\":{\"turn\":{\"step\":\"place\"}}}",
     "[\"JC@2,1:4\",\"hut@4,0\"]", ""},
};

START_TEST(a_turn_of_a_hint_has_words)
{
    json_t *const state = json_loads(DOES[_i].state, 0, NULL);
    json_t *const moves = json_loads(DOES[_i].moves, 0, NULL);
    const struct game_room room = {.state = state, .seat = 0};
    char words[512];
    ck_assert(state && moves);
    game_taluva.turn_words(words, sizeof words, &room, moves);
    ck_assert_str_eq(words, DOES[_i].words);
    json_decref(state);
    json_decref(moves);
}
END_TEST

START_TEST(words_stand_below_the_chances)
{
    json_t *const state = json_loads(DOES[0].state, 0, NULL);
    json_t *const turns = json_pack("[{s:o, s:[i, i]}]", "moves",
                                    json_loads(DOES[0].moves, 0, NULL), "chances", 612, 388);
    const struct game_room room = {.state = state, .seat = 0};
    char *page = NULL;
    size_t len;
    FILE *out = open_memstream(&page, &len);
    ck_assert(state && turns && out);
    hint_print(&game_taluva, &room, turns, out);
    ck_assert_int_eq(fclose(out), 0);
    const char *const below = strstr(page, "B Bo 38.8 %\n");
    ck_assert_msg(below && strstr(below, "\n   covers 1 hut of B Bo; keeps"), "%s", page);
    free(page);
    json_decref(state);
    json_decref(turns);
}
END_TEST

/* ---- legal moves */

static const char LEGAL[] =
    "{\"moves\":[\"JC@1,0:0\",\"JC@-1,0:4\",\"JC@11,0:1\",\"JC@1,0:4\",\"JC@0,1:4\",7],"
    "\"eliminating\":[\"JC@0,1:4\"]}";

static const struct {
    const char *filter;
    size_t skip;
    int columns, rows;
    const char *printed;
} PAGES[] = {
    {"", 0, 80, 3, "1,0:0 ^    -1,0:4     11,0:1     1,0:4 ^    0,1:4 (!)\n^ erupts.\n"},
    {"1,0", 0, 80, 3, "1,0:0 ^  1,0:4 ^\n^ erupts.\n"}, /* not -1,0 and not 11,0 */
    {"-1,0", 0, 80, 3, "-1,0:4\n"},
    {":4", 0, 80, 3, "-1,0:4     1,0:4 ^    0,1:4 (!)\n^ erupts.\n"},
    {"^", 0, 80, 3, "1,0:0 ^  1,0:4 ^\n^ erupts.\n"},
    {"(!)", 0, 80, 3, "0,1:4 (!)\n"},
    {"2,0", 0, 80, 3, "None.\n"},
    {"", 0, 24, 1, "1,0:0 ^    -1,0:4\n3 more: `moves more`; some: `moves 1,0`. ^ erupts.\n"},
    {"", 2, 24, 1, "11,0:1     1,0:4 ^\n1 more: `moves more`; some: `moves 1,0`. ^ erupts.\n"},
    {"", 4, 24, 1, "0,1:4 (!)\n"},
    {"", 0, 5, 2, "1,0:0 ^\n-1,0:4\n3 more: `moves more`; some: `moves 1,0`. ^ erupts.\n"},
};

START_TEST(legal_moves_are_listed)
{
    json_t *state = json_loads("{\"game\":\"taluva\",\"table\":{\"turn\":{\"tile\":\"JC\"},"
                               "\"hexes\":{\"1,0\":\"1V0\",\"2,0\":\"1J\"}}}",
                               0, NULL);
    json_t *legal = json_loads(LEGAL, 0, NULL);
    ck_assert(state && legal);
    const struct game_room room = {.state = state, .legal = legal, .seat = 0};
    const struct legal_page page = {.game = &game_taluva,
                                    .room = &room,
                                    .legal = legal,
                                    .filter = PAGES[_i].filter,
                                    .skip = PAGES[_i].skip,
                                    .columns = PAGES[_i].columns,
                                    .rows = PAGES[_i].rows};
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    legal_page_print(&page, out);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, PAGES[_i].printed);
    free(text);
    json_decref(state);
    json_decref(legal);
}
END_TEST

/* All that can be typed at the table, and each sign of the map, is in the help. */
START_TEST(the_map_is_explained)
{
    static const char *const signs[] = {"[ ]",      "*",   "+",   ":2",   ". . .",
                                        "J jungle", "V>0", "0 E", "~~~~", "^more"};
    const struct game_page *page = game_taluva.pages;
    while (page->name && strcmp(page->name, "map") != 0)
        page++;
    ck_assert_ptr_nonnull(page->name);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        ck_assert_msg(strstr(page->text, signs[i]), "%s", signs[i]);
    ck_assert_ptr_nonnull(strstr(game_taluva.legend, "help map"));
}
END_TEST

static const struct {
    const struct game *game;
    const char *page, *says[6];
} EXPLAINED[] = {
    {&game_taluva, "rules", {"erupts", "hut ", "temple ", "tower ", "expand ", "boat "}},
    {&game_taluva, "ends", {"two kinds", "more towers", "called off"}},
    {&game_totem, "rules", {"eight phases", "dies out", "loses a piece"}},
    {&game_totem,
     "phases",
     {"1 settle", "4 catch", "5 meal", "6 illness", "7 growing", "8 totems"}},
    {&game_totem, "ties", {"Two places build", "gets a bird", "totem B"}},
    {&game_totem, "ends", {"6 pieces", "no rounds", "Where the best are equal"}},
};

START_TEST(the_game_is_explained)
{
    const struct game_page *page = game_find_page(EXPLAINED[_i].game, EXPLAINED[_i].page);
    ck_assert_ptr_nonnull(page);
    for (size_t i = 0; i < 6 && EXPLAINED[_i].says[i]; i++)
        ck_assert_msg(strstr(page->text, EXPLAINED[_i].says[i]), "%s", EXPLAINED[_i].says[i]);
}
END_TEST

/* Beside the players in 80 columns, and in a line of the panel. */
START_TEST(what_is_explained_has_room)
{
    const struct game *const games[] = {&game_taluva, &game_totem};
    for (const struct game_page *page = games[_i]->pages; page->name; page++) {
        for (const char *line = page->text; *line; line = strchr(line, '\n') + 1)
            ck_assert_msg(strcspn(line, "\n") <= 52, "%s: %.60s", page->name, line);
    }
    for (const struct game_end *end = games[_i]->ends; end->why; end++)
        ck_assert_msg(strlen(end->words) <= 19, "%s", end->words);
}
END_TEST

/* Every word that the schema of a game has for its end is one of people. */
START_TEST(ends_have_words)
{
    static const char *const paths[] = {"protocol/schemas/taluva.json",
                                        "protocol/schemas/totem.json"};
    const struct game *const games[] = {&game_taluva, &game_totem};
    size_t len, i;
    char *text = read_source_file(paths[_i], &len);
    json_t *schema = json_loads(text, 0, NULL), *why;
    json_t *all = json_object_get(json_object_get(json_object_get(schema, "$defs"), "why"), "enum");
    ck_assert_uint_ge(json_array_size(all), 3);
    json_array_foreach(all, i, why)
    {
        const char *word = json_string_value(why), *words = game_end_words(games[_i], word);
        ck_assert_msg(strcmp(word, words) != 0 || !strchr(word, '-'), "%s", word);
        ck_assert_msg(strcmp(word, "totem") != 0 || strchr(words, ' '), "%s", words);
    }
    ck_assert_str_eq(game_end_words(games[_i], "called-off"), "called off");
    ck_assert_str_eq(game_end_words(games[_i], "unheard-of"), "unheard-of");
    json_decref(schema);
    free(text);
}
END_TEST

static const struct {
    const char *text, *wrapped;
    int rows;
} WRAPPED[] = {
    {"", "", 0},
    {"one two\n\nthree\n", "one two\n\nthree\n", 3},
    {"one two six\n", "one two\n  six\n", 2},
    {"  a bcdefgh\n", "  a\n    bcdefg\n    h\n", 3},
    {"123456789012 4", "1234567890\n  12 4\n", 2},
    {"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\n",
     "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\n", 1},
};

START_TEST(pages_are_wrapped)
{
    char *text;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(wrap_text(WRAPPED[_i].text, 10, out), WRAPPED[_i].rows);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, WRAPPED[_i].wrapped);
    free(text);
}
END_TEST

Suite *hint_suite(void)
{
    Suite *suite = suite_create("hint");
    TCase *tcase = tcase_create("hint");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, test_page);
    tcase_add_test(tcase, words_stand_below_the_chances);
    tcase_add_loop_test(tcase, a_turn_of_a_hint_has_words, 0, sizeof DOES / sizeof DOES[0]);
    tcase_add_loop_test(tcase, legal_moves_are_listed, 0, sizeof PAGES / sizeof PAGES[0]);
    tcase_add_test(tcase, the_map_is_explained);
    tcase_add_loop_test(tcase, pages_are_wrapped, 0, sizeof WRAPPED / sizeof WRAPPED[0]);
    tcase_add_loop_test(tcase, the_game_is_explained, 0, sizeof EXPLAINED / sizeof EXPLAINED[0]);
    tcase_add_loop_test(tcase, what_is_explained_has_room, 0, 2);
    tcase_add_loop_test(tcase, ends_have_words, 0, 2);
    return suite;
}
