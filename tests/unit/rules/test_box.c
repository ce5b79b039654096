#include "suites.h"
#include <rules/box.h>
#include <rules/notation.h>
#include <string.h>

static unsigned count_of(const taluva_tile *tiles, size_t n, const char *name)
{
    unsigned copies = 0;
    taluva_tile wanted;
    ck_assert(taluva_tile_parse(name, strlen(name), &wanted));
    for (size_t i = 0; i < n; i++)
        copies += tiles[i] == wanted;
    return copies;
}

/* As it stands in protocol/notation.md. */
START_TEST(test_base_order)
{
    static const char expected[] = "JJ JC JC JC JC JC JS JS JS JS JR JR JL CJ CJ CJ CJ CJ CJ CC CS "
                                   "CS CR CR CL SJ SJ SJ SJ SC SC SS SR SL RJ RJ RC RC RS RS RR RL "
                                   "LJ LJ LC LS LR LL ";
    taluva_tile box[TALUVA_TILES_MAX];
    char text[256] = "";
    ck_assert_uint_eq(taluva_box(false, box), TALUVA_BOX_TILES);
    for (size_t i = 0; i < TALUVA_BOX_TILES; i++) {
        char name[TALUVA_TILE_TEXT];
        taluva_tile_format(box[i], name);
        strcat(strcat(text, name), " ");
    }
    ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(test_fields_of_the_box)
{
    static const unsigned expected[] = {28, 23, 19, 15, 11};
    taluva_tile box[TALUVA_TILES_MAX];
    unsigned fields[5] = {0};
    const size_t n = taluva_box(false, box);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(taluva_tile_terrain(box[i], 0), TALUVA_VOLCANO);
        fields[taluva_tile_terrain(box[i], 1)]++;
        fields[taluva_tile_terrain(box[i], 2)]++;
    }
    ck_assert_mem_eq(fields, expected, sizeof expected);
}
END_TEST

START_TEST(test_fifth_players_box)
{
    static const struct {
        const char *name;
        unsigned more;
    } added[] = {{"CJ", 1}, {"JC", 2}, {"SJ", 2}, {"JS", 2}, {"LJ", 2}, {"RC", 2}, {"CR", 1}};
    taluva_tile four[TALUVA_TILES_MAX], five[TALUVA_TILES_MAX];
    const size_t n4 = taluva_box(false, four), n5 = taluva_box(true, five);
    ck_assert_uint_eq(n5, TALUVA_BOX_TILES_FIVE);
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++)
        ck_assert_uint_eq(count_of(five, n5, added[i].name),
                          count_of(four, n4, added[i].name) + added[i].more);
    for (size_t i = 1; i < n5; i++)
        ck_assert_uint_le(five[i - 1], five[i]);
}
END_TEST

/* How many tiles are dealt to two, three, four and five players. */
START_TEST(test_tiles_of_presets)
{
    static const struct {
        const char *name;
        unsigned tiles[4];
    } rows[] = {
        {"ferti-2014", {48, 48, 48, 60}},
        {"ferti-2013", {24, 36, 48, 60}},
        {"original-2006", {48, 48, 48, 60}},
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const struct taluva_preset *preset = taluva_preset_find(rows[row].name);
        for (unsigned seats = 2; seats <= 5; seats++)
            ck_assert_uint_eq(preset->tiles[seats], rows[row].tiles[seats - 2]);
    }
}
END_TEST

START_TEST(test_presets)
{
    const struct taluva_preset *ferti = taluva_preset_at(0);
    ck_assert_str_eq(ferti->name, "ferti-2014");
    ck_assert(!ferti->huts_anywhere);
    ck_assert(taluva_preset_allows(ferti, 2, 24, false) &&
              taluva_preset_allows(ferti, 2, 36, false));
    ck_assert(taluva_preset_allows(ferti, 3, 36, false) &&
              !taluva_preset_allows(ferti, 3, 24, false));
    ck_assert(taluva_preset_allows(ferti, 4, 48, false) &&
              !taluva_preset_allows(ferti, 4, 36, false));
    ck_assert(!taluva_preset_allows(ferti, 5, 60, false) &&
              !taluva_preset_allows(ferti, 4, 60, false));
    ck_assert(!taluva_preset_allows(ferti, 6, 48, false) &&
              !taluva_preset_allows(ferti, 1, 48, false));
    const struct taluva_preset *older = taluva_preset_find("ferti-2013");
    ck_assert(taluva_preset_allows(older, 2, 48, false) &&
              !taluva_preset_allows(older, 2, 36, false));
    const struct taluva_preset *first = taluva_preset_find("original-2006");
    ck_assert(first->huts_anywhere);
    ck_assert(taluva_preset_allows(first, 2, 48, true) &&
              !taluva_preset_allows(first, 2, 24, true));
    ck_assert(!taluva_preset_allows(ferti, 2, 48, true));
    ck_assert(!taluva_preset_allows(first, 2, 48, false) &&
              !taluva_preset_allows(first, 5, 60, true));
    ck_assert_ptr_null(taluva_preset_find("ferti"));
    ck_assert_ptr_null(taluva_preset_find("ferti-20144"));
    ck_assert_ptr_null(taluva_preset_at(3));
}
END_TEST

START_TEST(test_tile_counts)
{
    for (unsigned tiles = 0; tiles <= 61; tiles++) {
        const bool quarter = tiles == 24 || tiles == 36 || tiles == 48;
        ck_assert(taluva_tiles_allowed(2, tiles) == quarter);
        ck_assert(taluva_tiles_allowed(5, tiles) == (quarter || tiles == 60));
    }
}
END_TEST

/* Answers from a script, and remembers what it was asked. */
struct script {
    const uint32_t *answers;
    uint32_t asked[80];
    size_t n;
};

static uint32_t scripted(void *ctx, uint32_t n)
{
    struct script *const script = ctx;
    ck_assert_uint_ge(n, 2);
    ck_assert_uint_lt(script->n, 80);
    script->asked[script->n] = n;
    const uint32_t answer = script->answers ? script->answers[script->n] : 0;
    script->n++;
    return answer % n;
}

START_TEST(test_order_of_draws)
{
    struct script script = {NULL, {0}, 0};
    struct taluva_options options = {.seats = 5, .tiles = 60};
    taluva_tile deck[TALUVA_TILES_MAX], box[TALUVA_TILES_MAX];
    const struct taluva_deal deal = {.draw_first = true, .draw_two_hex = true};
    ck_assert_int_eq(taluva_deal(&options, deal, scripted, &script, deck), TALUVA_OK);
    /* Seats; 2-Hex tiles 5 4 3 2, the last goes unasked; tiles 60 59 ... 2. */
    ck_assert_uint_eq(script.n, 1 + 4 + 59);
    ck_assert_uint_eq(script.asked[0], 5);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(script.asked[1 + i], 5 - i);
    for (uint32_t i = 0; i < 59; i++)
        ck_assert_uint_eq(script.asked[5 + i], 60 - i);
    /* All zeros leave the box in order. */
    taluva_box(true, box);
    ck_assert_mem_eq(deck, box, 60);
    ck_assert_uint_eq(options.two_hex, 31);
    ck_assert_uint_eq(options.first, 0);
}
END_TEST

START_TEST(test_a_part_of_the_box)
{
    /* First seat 2; 2-Hex tiles: swap 0 and 4, then 1 and 3, then 2 and 2; tiles: the last, then
     * the one that went to the end's place before it. */
    static const uint32_t answers[80] = {2, 4, 2, 0, 47, 46};
    struct script script = {answers, {0}, 0};
    struct taluva_options options = {.seats = 3, .tiles = 24};
    taluva_tile deck[TALUVA_TILES_MAX], box[TALUVA_TILES_MAX];
    const struct taluva_deal deal = {.draw_first = true, .draw_two_hex = true};
    ck_assert_int_eq(taluva_deal(&options, deal, scripted, &script, deck), TALUVA_OK);
    taluva_box(false, box);
    ck_assert_uint_eq(script.n, 1 + 3 + 24);
    ck_assert_uint_eq(options.first, 2);
    ck_assert_uint_eq(options.two_hex, 1u << 4 | 1u << 3 | 1u << 2);
    ck_assert_uint_eq(deck[0], box[47]);
    ck_assert_uint_eq(deck[1], box[0]);
    ck_assert_uint_eq(deck[2], box[2]);
}
END_TEST

START_TEST(test_what_is_set_is_not_drawn)
{
    struct script script = {NULL, {0}, 0};
    struct taluva_options options = {.seats = 2, .first = 1, .tiles = 48, .two_hex = 3};
    taluva_tile deck[TALUVA_TILES_MAX];
    const struct taluva_deal deal = {false, false};
    ck_assert_int_eq(taluva_deal(&options, deal, scripted, &script, deck), TALUVA_OK);
    ck_assert_uint_eq(script.n, 47);
    ck_assert_uint_eq(options.first, 1);
    ck_assert_uint_eq(options.two_hex, 3);
}
END_TEST

START_TEST(test_a_deal_that_cannot_be)
{
    struct script script = {NULL, {0}, 0};
    struct taluva_options options = {.seats = 4, .tiles = 60};
    taluva_tile deck[TALUVA_TILES_MAX] = {7};
    const struct taluva_deal deal = {true, true};
    ck_assert_int_eq(taluva_deal(&options, deal, scripted, &script, deck), TALUVA_BAD_TILES);
    options.seats = 7;
    ck_assert_int_eq(taluva_deal(&options, deal, scripted, &script, deck), TALUVA_BAD_SEATS);
    ck_assert_uint_eq(script.n, 0);
    ck_assert_uint_eq(deck[0], 7);
}
END_TEST

START_TEST(test_options)
{
    static const struct {
        struct taluva_options options;
        enum taluva_status status;
    } rows[] = {
        {{.seats = 2, .tiles = 48}, TALUVA_OK},
        {{.seats = 4, .tiles = 48, .teams = true}, TALUVA_OK},
        {{.seats = 5, .tiles = 60, .ranking = true, .boats = true, .two_hex = 31, .zone = 3},
         TALUVA_OK},
        {{.seats = 1, .tiles = 48}, TALUVA_BAD_SEATS},
        {{.seats = 6, .tiles = 48}, TALUVA_BAD_SEATS},
        {{.seats = 3, .first = 3, .tiles = 48}, TALUVA_BAD_FIRST},
        {{.seats = 3, .tiles = 0}, TALUVA_BAD_TILES},
        {{.seats = 3, .tiles = 61}, TALUVA_BAD_TILES},
        {{.seats = 3, .tiles = 48, .two_hex = 3}, TALUVA_BAD_TWO_HEX},
        {{.seats = 3, .tiles = 48, .two_hex = 32 + 3}, TALUVA_BAD_TWO_HEX},
        {{.seats = 3, .tiles = 48, .zone = 4}, TALUVA_BAD_ZONE},
        {{.seats = 3, .tiles = 48, .teams = true}, TALUVA_TEAMS_NEED_FOUR},
        {{.seats = 4, .tiles = 48, .teams = true, .ranking = true}, TALUVA_TEAMS_WITH_RANKING},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct taluva game, before;
        memset(&game, 0x5a, sizeof game);
        before = game;
        ck_assert_int_eq(taluva_check_options(&rows[i].options), rows[i].status);
        ck_assert_int_eq(taluva_init(&game, &rows[i].options), rows[i].status);
        ck_assert(rows[i].status == TALUVA_OK || memcmp(&game, &before, sizeof game) == 0);
    }
}
END_TEST

START_TEST(test_every_status_speaks)
{
    for (unsigned status = 0; status < TALUVA_STATUSES; status++) {
        const char *code = taluva_status_code((enum taluva_status)status);
        const char *text = taluva_status_text((enum taluva_status)status);
        ck_assert(strlen(code) > 0 &&
                  strspn(code, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(code));
        ck_assert(strlen(text) > 10 && text[strlen(text) - 1] == '.');
        for (unsigned other = 0; other < status; other++) {
            ck_assert_str_ne(code, taluva_status_code((enum taluva_status)other));
            ck_assert_str_ne(text, taluva_status_text((enum taluva_status)other));
        }
    }
    ck_assert_ptr_null(taluva_status_code((enum taluva_status)TALUVA_STATUSES));
    ck_assert_ptr_null(taluva_status_text((enum taluva_status)TALUVA_STATUSES));
}
END_TEST

Suite *box_suite(void)
{
    Suite *suite = suite_create("box");
    TCase *tests = tcase_create("box");
    tcase_add_test(tests, test_base_order);
    tcase_add_test(tests, test_fields_of_the_box);
    tcase_add_test(tests, test_fifth_players_box);
    tcase_add_test(tests, test_presets);
    tcase_add_test(tests, test_tiles_of_presets);
    tcase_add_test(tests, test_tile_counts);
    tcase_add_test(tests, test_order_of_draws);
    tcase_add_test(tests, test_a_part_of_the_box);
    tcase_add_test(tests, test_what_is_set_is_not_drawn);
    tcase_add_test(tests, test_a_deal_that_cannot_be);
    tcase_add_test(tests, test_options);
    tcase_add_test(tests, test_every_status_speaks);
    suite_add_tcase(suite, tests);
    return suite;
}
