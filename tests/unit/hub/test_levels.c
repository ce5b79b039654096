/* What a level of the computer is worth: which matches are counted, and what is said of them. */
#include "book/desk.h"
#include "book/levels.h"
#include "rated_stage.h"
#include "seek_stage.h"
#include "site.h"
#include "suites.h"
#include <hub/kernel.h>
#include <inttypes.h>
#include <string.h>

enum { TURNS = 6, LONG_MS = 1000000, STEPS = 14 };

static int ana;
static struct table solo;

static void set_up(void)
{
    stage_seek();
    ana = stage_guest("Ana", "ana");
}

/* Ana is rated so, in that class. */
static void rate(const char *class, uint32_t strength, uint32_t deviation)
{
    const struct standing standing = {.account = site_session(&home, ana),
                                      .class = (uint8_t)rating_class_find(class),
                                      .rating = {strength, deviation},
                                      .matches = 20,
                                      .last_ms = home.now_ms,
                                      .n = 1};
    ck_assert_int_eq(ledger_put(&desk_of(home.hub)->ledger, &standing), 0);
}

/* ... and that is kept. */
static void keep_rating(const char *class)
{
    rate(class, 1500000, 60000);
    const unsigned number = rating_class_find(class);
    const struct standing *standing =
        ledger_find(&desk_of(home.hub)->ledger, site_session(&home, ana), number);
    const struct rating_row row = rating_row_of(standing, "ana");
    ck_assert_int_eq(kernel_reserve(home.hub, 1, 0), 0);
    kernel_put_row(home.hub, &rating_table, &row);
    world_settle(&home);
}

/* Some turns against computers of such levels. `options`: of `create`. */
static void play_some(const char *options, const int *levels)
{
    int turns = 0;
    json_t *create = json_loads(options, 0, NULL);
    json_t *ok = world_ok(&home, ana, "create", "{s:o}", "options", create);
    solo = (struct table){.tabs = {ana}, .players = 1};
    (void)snprintf(solo.room, sizeof solo.room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&home, ana, "join", "{s:s}", "room", solo.room);
    for (int seat = 1; levels[seat - 1]; seat++)
        world_do(&home, ana, "bot", "{s:s,s:i,s:i}", "room", solo.room, "seat", seat, "level",
                 levels[seat - 1]);
    world_begin(&home, &solo);
    while (turns < 2 * TURNS) {
        if (world_move(&home, &solo) >= 0)
            turns++;
        else
            world_pass(&home, 3000);
    }
}

/* ... until she gives up. */
static void play(const char *options, const int *levels)
{
    play_some(options, levels);
    world_do(&home, ana, "resign", "{s:s}", "room", solo.room);
    world_pass(&home, LONG_MS); /* computers play on */
}

enum { BEGINNER = 1, SIMPLE = 2 };
static const int one[] = {SIMPLE, 0}, two[] = {SIMPLE, SIMPLE, 0}, mixed[] = {SIMPLE, BEGINNER, 0},
                 three[] = {SIMPLE, SIMPLE, SIMPLE, 0};

static const struct level_row *only_row(void)
{
    ck_assert_uint_eq(model_rows(&home.store, &level_table), 1);
    return model_nth(&home.store, &level_table, 0);
}

START_TEST(a_match_is_counted)
{
    char body[2048];
    rate("taluva.duel.live", 1519999, 60000);
    play("{\"players\":2}", one);
    const struct level_row *row = only_row();
    ck_assert_uint_eq(row->class, rating_class_find("taluva.duel.live"));
    ck_assert_str_eq(row->level, "simple");
    ck_assert_uint_eq(row->strength, 1500000);
    ck_assert_uint_eq(row->sides, 2);
    ck_assert_uint_eq(row->inside, 2);
    ck_assert_uint_eq(row->trials, 1);
    ck_assert_uint_eq(row->won, 0);
    ck_assert_uint_eq(model_rows(&home.store, &book_table), 0);
    ck_assert_int_eq(rated_get("/api/levels/taluva.duel.live", body), 200);
    ck_assert_str_eq(body, ""); /* one is too few */
    ck_assert_int_eq(rated_get("/api/yardstick/taluva.duel.live", body), 200);
    ck_assert_str_eq(body, "{\"level\":\"simple\",\"sides\":2,\"inside\":2,\"strength\":1500000,"
                           "\"trials\":1,\"won\":0}\n");
}
END_TEST

static const struct {
    const char *class, *options;
    const int *levels;
    unsigned sides, inside, rows;
} kinds[] = {
    {"taluva.table.live", "{\"players\":3}", two, 3, 3, 1},
    {"taluva.team.live", "{\"players\":4,\"teams\":true}", three, 2, 2, 1},
    {"taluva.ranking.live", "{\"players\":3,\"ranking\":true}", two, 3, 3, 2},
};

START_TEST(all_classes_are_counted)
{
    rate(kinds[_i].class, 1500000, 60000);
    play(kinds[_i].options, kinds[_i].levels);
    ck_assert_uint_eq(model_rows(&home.store, &level_table), kinds[_i].rows);
    for (unsigned at = 0; at < kinds[_i].rows; at++) {
        const struct level_row *row = model_nth(&home.store, &level_table, at);
        ck_assert_uint_eq(row->class, rating_class_find(kinds[_i].class));
        ck_assert_uint_eq(row->sides, kinds[_i].sides);
        ck_assert_uint_le(row->inside, kinds[_i].inside);
        ck_assert_uint_eq(row->won, 0);
    }
}
END_TEST

static const struct {
    const char *options;
    const int *levels;
    uint32_t deviation;
} others[] = {
    {"{\"players\":2,\"tiles\":24}", one, 60000},
    {"{\"players\":3}", mixed, 60000},
    {"{\"players\":2}", one, 110001},
};

START_TEST(what_is_not_counted)
{
    rate("taluva.duel.live", 1500000, others[_i].deviation);
    rate("taluva.table.live", 1500000, others[_i].deviation);
    play(others[_i].options, others[_i].levels);
    ck_assert_uint_eq(model_rows(&home.store, &level_table), 0);
}
END_TEST

/* Wherever the server dies between the end of the match and the count. */
START_TEST(each_match_is_counted_once)
{
    bool more = true;
    keep_rating("taluva.duel.live");
    play_some("{\"players\":2}", one);
    rated_steps_begin();
    (void)world_post(&home, ana, "resign", "{s:s}", "room", solo.room);
    for (int step = 0; step < _i && more; step++)
        more = rated_step();
    rated_steps_end();
    world_restart(&home);
    world_pass(&home, 2000);
    ck_assert_uint_eq(model_rows(&home.store, &level_table), _i > 1); /* the end was stored */
    if (_i > 1)
        ck_assert_uint_eq(only_row()->trials, 1);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    ck_assert(_i < STEPS - 1 || !more); /* that was all */
}
END_TEST

/* ---- at the desk */

static void send_trial(const char *more)
{
    char text[128];
    (void)snprintf(text, sizeof text, "%016" PRIx64 " %s", site_session(&home, ana), more);
    rated_send_letter(LETTER_TO_DESK, level_letter, text);
}

START_TEST(what_a_level_is_worth)
{
    char body[2048];
    rate("taluva.duel.live", 1500000, 60000);
    for (int match = 0; match < YARDSTICK_MATCHES_MIN; match++) {
        ck_assert_int_eq(rated_get("/api/levels/taluva.duel.live", body), 200);
        ck_assert_str_eq(body, "");
        send_trial(match % 2 ? "taluva.duel.live skilled 2 2:840"
                             : "taluva.duel.live skilled 2 2:0");
    }
    ck_assert_int_eq(rated_get("/api/levels/taluva.duel.live", body), 200);
    ck_assert_str_eq(body, ""); /* it was made a moment ago */
    world_restart(&home);
    ck_assert_int_eq(rated_get("/api/levels/taluva.duel.live", body), 200);
    ck_assert_str_eq(body,
                     "{\"level\":\"skilled\",\"rating\":1510,\"deviation\":49,\"matches\":50}\n");
    ck_assert_int_eq(rated_get("/api/levels/taluva.duel.slow", body), 200);
    ck_assert_str_eq(body, "");
    ck_assert_int_eq(rated_get("/api/levels/taluva", body), 404);
    ck_assert_int_eq(rated_get("/api/yardstick/taluva", body), 404);
}
END_TEST

/* What could not be stored is not counted, and what can be is counted once. */
START_TEST(a_count_that_cannot_be_stored)
{
    char text[128];
    rate("taluva.duel.live", 1500000, 60000);
    (void)snprintf(text, sizeof text, "%016" PRIx64 " taluva.duel.live skilled 2 2:840",
                   site_session(&home, ana));
    const struct kernel_letter letter = {
        .addressee = LETTER_TO_DESK, .kind = level_letter, .text = text, .text_len = strlen(text)};
    home.held = true;
    ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
    world_settle(&home);
    world_commit(&home, STORE_OK);
    world_settle(&home);
    world_commit(&home, STORE_FAILED);
    ck_assert_uint_eq(model_rows(&home.store, &level_table), 0);
    home.held = false;
    world_pass(&home, 5000);
    ck_assert_uint_eq(only_row()->trials, 1);
    ck_assert_uint_eq(only_row()->won, 840);
}
END_TEST

START_TEST(letters_that_make_no_sense)
{
    static const char *const texts[] = {
        "taluva.duel skilled 2 2:840",      "taluva.duel.live skilled 3 2:840",
        "taluva.duel.live skilled 2",       "taluva.duel.live skilled 2 3:840",
        "taluva.duel.live skilled 2 1:840", "taluva.duel.live skilled 2 2:841",
        "taluva.duel.live S 2 2:840",       "taluva.duel.live skilled 2 2:840 x"};
    rate("taluva.duel.live", 1500000, 60000);
    for (size_t at = 0; at < sizeof texts / sizeof texts[0]; at++) {
        send_trial(texts[at]);
        ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), at + 1);
    }
    ck_assert_uint_eq(model_rows(&home.store, &level_table), 0);
}
END_TEST

Suite *levels_suite(void)
{
    Suite *suite = suite_create("levels");
    TCase *worth = tcase_create("worth");
    tcase_add_checked_fixture(worth, set_up, stage_seek_ended);
    tcase_add_test(worth, a_match_is_counted);
    tcase_add_loop_test(worth, all_classes_are_counted, 0, sizeof kinds / sizeof kinds[0]);
    tcase_add_loop_test(worth, what_is_not_counted, 0, sizeof others / sizeof others[0]);
    tcase_add_loop_test(worth, each_match_is_counted_once, 0, STEPS);
    tcase_add_test(worth, what_a_level_is_worth);
    tcase_add_test(worth, a_count_that_cannot_be_stored);
    tcase_add_test(worth, letters_that_make_no_sense);
    suite_add_tcase(suite, worth);
    return suite;
}
