/*
 * Ratings: what of a match is rated, the book that it comes into, and that it does so exactly once
 * wherever the server dies.
 */
#include "book/outcome.h"
#include "rated_stage.h"
#include "rows/state.h"
#include "suites.h"
#include <hub/kernel.h>
#include <string.h>

/* ---- what is rated */

static struct room_result result_of(const char *rated, const char *game, unsigned seats)
{
    struct room_result result = {.room_id = "k3m9x0aq",
                                 .game = game,
                                 .decided = true,
                                 .ended_ms = 1000,
                                 .rated = rated,
                                 .seats = seats};
    for (unsigned i = 0; i < seats; i++)
        result.seat[i] = (struct room_result_seat){
            .session = 101 + i, .won = i == 0, .rank = (uint8_t)(i + 1), .in_play = true};
    return result;
}

START_TEST(what_is_not_rated)
{
    struct book_match match;
    struct room_result result = result_of("", "taluva", 2);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_NOT_MEANT);
    result.rated = "taluva.duel.live";
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_RATED);
    result.early_out = true;
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_ABORTED);
    result.decided = false;
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_NOT_DECIDED);
    result = result_of("taluva.duel.live", "taluva", 3);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.duel.live", "totem", 2);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.other.live", "taluva", 2);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.duel.live", "taluva", 2);
    result.seat[1].session = 0; /* a computer */
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.table.live", "taluva", 9);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.team.live", "taluva", 2);
    result.teams = 2;
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
}
END_TEST

/* Who wins, who left (a computer stood in), and what is made of it. */
static const struct {
    const char *rated;
    unsigned seats, teams;
    uint32_t won, left; /* seats */
    uint8_t rank[5];
    uint32_t winners, still; /* sides */
    uint8_t place[5];
} endings[] = {
    {"taluva.duel.live", 2, 0, 1, 0, {1, 2}, 1, 0, {0}},
    {"taluva.duel.slow", 2, 0, 2, 0, {2, 1}, 2, 0, {0}},
    {"taluva.table.live", 3, 0, 5, 0, {1, 3, 1}, 5, 0, {0}},
    {"taluva.table.live", 3, 0, 1, 2, {1, 2, 3}, 1, 0, {0}},
    {"taluva.table.live", 3, 0, 3, 2, {1, 1, 3}, 1, 0, {0}},
    {"taluva.table.live", 3, 0, 1, 1, {1, 2, 3}, 0, 6, {0}},
    {"taluva.table.live", 4, 0, 1, 9, {1, 2, 3, 4}, 0, 6, {0}},
    {"taluva.team.live", 4, 2, 5, 0, {0}, 1, 0, {0}},
    {"taluva.team.live", 4, 2, 5, 2, {0}, 1, 0, {0}},
    {"taluva.team.live", 4, 2, 5, 4, {0}, 0, 2, {0}},
    {"taluva.ranking.live", 4, 0, 4, 0, {2, 2, 1, 4}, 0, 0, {2, 2, 1, 4}},
    {"taluva.ranking.live", 4, 0, 4, 4, {2, 2, 1, 4}, 0, 0, {1, 1, 4, 3}},
    {"taluva.ranking.live", 4, 0, 4, 12, {3, 2, 1, 4}, 0, 0, {2, 1, 3, 3}},
};

START_TEST(what_comes_of_an_ending)
{
    struct book_match match;
    struct room_result result = result_of(endings[_i].rated, "taluva", endings[_i].seats);
    result.teams = endings[_i].teams;
    for (unsigned i = 0; i < result.seats; i++) {
        result.seat[i].won = endings[_i].won >> i & 1;
        result.seat[i].stood_in_for = endings[_i].left >> i & 1;
        result.seat[i].rank = endings[_i].rank[i];
        result.seat[i].team = (uint8_t)(result.teams ? i % result.teams : 0);
    }
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_RATED);
    ck_assert_str_eq(rating_class_at(match.class)->name, endings[_i].rated);
    ck_assert_str_eq(match.room, "k3m9x0aq");
    ck_assert_int_eq(match.ended_ms, 1000);
    ck_assert_uint_eq(match.sides, result.teams ? 2 : result.seats);
    ck_assert_uint_eq(match.winners, endings[_i].winners);
    ck_assert_uint_eq(match.still, endings[_i].still);
    for (unsigned i = 0; i < result.seats; i++) {
        ck_assert_uint_eq(match.seat[i].account, 101 + i);
        ck_assert_uint_eq(match.seat[i].side, result.teams ? i % 2 : i);
        ck_assert_uint_eq(match.place[i], endings[_i].place[i]);
    }
}
END_TEST

/* ---- a rated match */

static void is_told(int tab, json_int_t before, json_int_t after)
{
    json_t *push = world_push(&home, tab, "rated");
    ck_assert_ptr_nonnull(push);
    ck_assert_str_eq(str(push, "room"), rated_table.room);
    ck_assert_str_eq(str(push, "class"), "taluva.duel.live");
    ck_assert_int_eq(num(push, "before"), before);
    ck_assert_int_eq(num(push, "after"), after);
    ck_assert(json_is_true(json_object_get(push, "provisional")));
    json_decref(push);
}

START_TEST(a_match_is_rated)
{
    rated_play(2, "taluva.duel.live");
    ck_assert_uint_eq(rated_lines(), 2);
    ck_assert_uint_eq(model_rows(&home.store, &rating_table), 2);
    ck_assert_uint_eq(model_rows(&home.store, &rating_step_table), 2);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    is_told(rated_table.tabs[0], 1500, 1662);
    is_told(rated_table.tabs[1], 1500, 1338);
    rated_book_is_sound(2);
    ck_assert_double_eq(world_figure(&home, "book_lines"), 2);
    rated_play(2, "taluva.duel.live");
    ck_assert_uint_eq(rated_lines(), 3);
    is_told(rated_table.tabs[0], 1662, 1720);
    rated_book_is_sound(3);
    static const char favourites[] = "rated_favourites_total{class=\"taluva.duel.live\"}";
    ck_assert_double_eq(world_figure(&home, favourites), 1); /* the first match had none */
}
END_TEST

START_TEST(an_unrated_match_is_not)
{
    rated_play(2, NULL);
    ck_assert_uint_eq(rated_lines(), 0);
    rated_begin(2, "taluva.duel.live");
    rated_end(); /* before anybody has played */
    world_settle(&home);
    ck_assert_uint_eq(rated_lines(), 0);
    ck_assert_ptr_null(world_push(&home, rated_table.tabs[0], "rated"));
    rated_book_is_sound(0);
}
END_TEST

START_TEST(the_book_goes_on_after_a_restart)
{
    rated_play(3, "taluva.table.live");
    rated_restart();
    rated_play(2, "taluva.duel.live");
    ck_assert_uint_eq(rated_lines(), 3);
    rated_book_is_sound(3);
}
END_TEST

/* ---- wherever it dies */

START_TEST(each_match_is_in_the_book_once)
{
    bool more = true;
    rated_begin(2, "taluva.duel.live");
    rated_play_some();
    rated_steps_begin();
    rated_end();
    for (int step = 0; step < _i && more; step++)
        more = rated_step();
    rated_steps_end();
    rated_restart();
    world_pass(&home, 2000);
    const bool ended = rated_lines() > 0;
    ck_assert_int_eq(ended, _i > 1); /* the last event was stored */
    rated_book_is_sound(ended ? 2 : 0);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    if (!more)
        return;
    rated_play(2, "taluva.duel.live");
    rated_book_is_sound(ended ? 3 : 2);
}
END_TEST

/* A store that fails takes back what a letter has made of the book, also of two at once. */
START_TEST(what_is_not_stored_is_taken_back)
{
    rated_play(2, "taluva.duel.live");
    json_decref(world_push(&home, rated_table.tabs[0], "rated"));
    rated_begin(2, "taluva.duel.live");
    rated_play_some();
    rated_steps_begin();
    rated_end();
    rated_until_entering(2);
    home.held = false;
    world_commit(&home, STORE_FAILED);
    ck_assert_uint_eq(rated_lines(), 2);
    world_pass(&home, home.config.store_retry_max_ms + 1000);
    ck_assert_uint_eq(rated_lines(), 3);
    rated_book_is_sound(3);
}
END_TEST

/* ---- letters that nobody has sent */

START_TEST(what_makes_no_sense_is_set_aside)
{
    static const char *const wrong[] = {"",
                                        "ana\nbo\n",
                                        "ana\n{}",
                                        "\n{}",
                                        "{\"n\":0,\"at\":0,\"kind\":\"system\",\"version\":1}",
                                        "a234567890123456789012345678901\n{}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        rated_send_letter(LETTER_TO_DESK, "ratings.match", wrong[i]);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), sizeof wrong / sizeof wrong[0]);
    ck_assert_uint_eq(rated_lines(), 0);
    const int tab = world_guest(&home, "Ana");
    rated_send_letter(site_session(&home, tab), "ratings.told", "{\"push\":\"other\",\"x\":1}");
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table),
                      sizeof wrong / sizeof wrong[0] + 1);
    rated_send_letter(12345, "ratings.told", "{\"push\":\"rated\",\"room\":\"k3m9x0aq\"}");
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table),
                      sizeof wrong / sizeof wrong[0] + 1);
}
END_TEST

/* ---- an account that is erased */

static void erase(const char *session)
{
    rated_send_letter(LETTER_TO_DESK, "ratings.erased", session);
}

/* Its ratings end, and the book says so, once; what others have of the match stays. */
START_TEST(an_account_that_is_erased)
{
    rated_play(2, "taluva.duel.live");
    erase(home.tabs[rated_table.tabs[1]].session);
    ck_assert_uint_eq(model_rows(&home.store, &rating_table), 1);
    const struct rating_row *left = model_nth(&home.store, &rating_table, 0);
    ck_assert_uint_eq(left->account, rated_ids[0]);
    rated_book_is_sound(3);
    erase(home.tabs[rated_table.tabs[1]].session);
    erase("00000000000003e7"); /* was never rated */
    erase("3e7");
    erase("00000000000003ex");
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 2); /* set aside */
    ck_assert_uint_eq(rated_lines(), 3);
    rated_restart();
    rated_play(2, "taluva.duel.live");
    rated_book_is_sound(4);
}
END_TEST

/* In one batch with their last match, or with their only one, which is not stored: they are as they
 * were before both. */
START_TEST(an_account_that_is_not_erased_yet)
{
    const struct ledger *ledger = &desk_of(home.hub)->ledger;
    const unsigned class = rating_class_find("taluva.duel.live");
    if (_i == 1)
        rated_play(2, "taluva.duel.live");
    const size_t lines = rated_lines(), more = lines ? 2 : 3;
    rated_begin(2, "taluva.duel.live");
    rated_play_some();
    rated_steps_begin();
    rated_end();
    const char *session = home.tabs[rated_table.tabs[1]].session;
    const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                         .kind = "ratings.erased",
                                         .text = session,
                                         .text_len = strlen(session)};
    ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
    while (!(home.out && ledger->n == lines + more && rated_lines() == lines))
        ck_assert(rated_step());
    ck_assert_ptr_null(ledger_find(ledger, rated_ids[1], class));
    home.held = false;
    world_commit(&home, STORE_FAILED);
    for (unsigned seat = 0; seat < 2; seat++) {
        const struct standing *now = ledger_find(ledger, rated_ids[seat], class);
        ck_assert_uint_eq(now ? now->n : 0, lines);
    }
    world_pass(&home, home.config.store_retry_max_ms + 1000);
    ck_assert_uint_eq(rated_lines(), lines + more);
    rated_book_is_sound(lines + more);
    ck_assert_uint_eq(model_rows(&home.store, &rating_table), 1);
}
END_TEST

/* ---- pages */

START_TEST(pages)
{
    char body[2048], path[64];
    rated_play(2, "taluva.duel.live");
    (void)snprintf(path, sizeof path, "/api/ratings/%s", home.tabs[rated_table.tabs[0]].session);
    ck_assert_int_eq(rated_get(path, body), 200);
    ck_assert_ptr_nonnull(strstr(body, "{\"class\":\"taluva.duel.live\",\"rating\":1662,"
                                       "\"deviation\":290,\"provisional\":true,\"matches\":1,"));
    (void)snprintf(path, sizeof path, "/api/curves/%s/taluva.duel.live",
                   home.tabs[rated_table.tabs[1]].session);
    ck_assert_int_eq(rated_get(path, body), 200);
    ck_assert_ptr_nonnull(strstr(body, "\"before\":1500,\"rating\":1338,\"deviation\":290}\n"));
    ck_assert_int_eq(rated_get("/api/leaders/taluva.duel.live", body), 200);
    ck_assert_str_eq(body, ""); /* nobody is known well enough */
    ck_assert_int_eq(rated_get("/api/book/1", body), 200);
    ck_assert_ptr_nonnull(strstr(body, "\"entry\":{\"n\":2,"));
    ck_assert_ptr_null(strstr(body, "\"n\":1,"));
    ck_assert_int_eq(rated_get("/.well-known/taluva-book.json", body), 200);
    ck_assert_int_eq(strncmp(body, "{\"n\":2,\"hash\":\"", 15), 0);
    static const char *const none[] = {"/api/leaders/taluva",
                                       "/api/leaders/",
                                       "/api/ratings/12",
                                       "/api/ratings/0123456789abcdeg",
                                       "/api/ratings/0123456789abcdef/",
                                       "/api/curves/0123456789abcdef",
                                       "/api/curves/0123456789abcdef/x",
                                       "/api/book/x",
                                       "/api/book/-1",
                                       "/api/book/1x",
                                       "/api/book/12345678901234567"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        ck_assert_msg(rated_get(none[i], body) == 404, "%s", none[i]);
}
END_TEST

static size_t lines_of(const char *body)
{
    size_t lines = 0;
    for (; *body; body++)
        lines += *body == '\n';
    return lines;
}

START_TEST(who_has_a_place_in_lists)
{
    char body[2048];
    for (int match = 0; match < 30; match++) {
        rated_play(2, "taluva.duel.live");
        for (int seat = 0; seat < 2; seat++)
            world_forget(&home, rated_table.tabs[seat]);
        const int swapped = rated_table.tabs[0]; /* they win in turn */
        rated_table.tabs[0] = rated_table.tabs[1];
        rated_table.tabs[1] = swapped;
    }
    rated_book_is_sound(31);
    ck_assert_int_eq(rated_get("/api/leaders/taluva.duel.live", body), 200);
    const struct rating_row *row = model_nth(&home.store, &rating_table, 0);
    ck_assert_uint_eq(row->listed, row->deviation <= RATING_LISTED_DEVIATION ? row->strength : 0);
    ck_assert_ptr_nonnull(strstr(body, "\"matches\":30"));
    ck_assert_ptr_nonnull(strstr(body, "\"handle\":\"deleted\"")); /* as here nobody has one */
    const size_t both = lines_of(body);
    erase(home.tabs[rated_table.tabs[0]].session);
    ck_assert_int_eq(rated_get("/api/leaders/taluva.duel.live", body), 200);
    ck_assert_uint_eq(lines_of(body), both - 1);
    home.now_ms += INT64_C(46) * 86400000;
    ck_assert_int_eq(rated_get("/api/leaders/taluva.duel.live", body), 200);
    ck_assert_str_eq(body, "");
    const struct standing new_one = {.account = 1, .rating = {1500000, 90000}, .matches = 9};
    ck_assert_uint_eq(rating_row_of(&new_one, "ana").listed, 0);
    const struct standing unsure = {.account = 1, .rating = {1500000, 90001}, .matches = 10};
    ck_assert_uint_eq(rating_row_of(&unsure, "ana").listed, 0);
    const struct standing known = {.account = 1, .rating = {1500000, 90000}, .matches = 10};
    ck_assert_uint_eq(rating_row_of(&known, "ana").listed, 1500000);
}
END_TEST

Suite *ratings_suite(void)
{
    Suite *suite = suite_create("ratings");
    TCase *tests = tcase_create("ratings");
    tcase_add_checked_fixture(tests, rated_setup, rated_teardown);
    tcase_add_test(tests, what_is_not_rated);
    tcase_add_loop_test(tests, what_comes_of_an_ending, 0, sizeof endings / sizeof endings[0]);
    tcase_add_test(tests, a_match_is_rated);
    tcase_add_test(tests, an_unrated_match_is_not);
    tcase_add_test(tests, the_book_goes_on_after_a_restart);
    tcase_add_loop_test(tests, each_match_is_in_the_book_once, 0, 14);
    tcase_add_test(tests, what_is_not_stored_is_taken_back);
    tcase_add_test(tests, what_makes_no_sense_is_set_aside);
    tcase_add_test(tests, an_account_that_is_erased);
    tcase_add_loop_test(tests, an_account_that_is_not_erased_yet, 0, 2);
    tcase_add_test(tests, pages);
    tcase_add_test(tests, who_has_a_place_in_lists);
    suite_add_tcase(suite, tests);
    return suite;
}
