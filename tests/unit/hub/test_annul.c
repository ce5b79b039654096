/* A rated match that does not count, by the operator, while the server runs. */
#include "operator.h"
#include "rated_stage.h"
#include "suites.h"
#include <hub/kernel.h>
#include <inttypes.h>
#include <ratings/ratings.h>
#include <string.h>

#define ANNUL(match, reason)                                                                       \
    "{\"id\":1,\"op\":\"annul\",\"match\":" match ",\"reason\":\"" reason "\"}"
enum { BOOK_PAGES_MATCHES = STORE_QUERY_ROWS_MAX + 2 }; /* more than are asked for at once */

static const struct rating_row *rating_of(unsigned seat)
{
    for (size_t row = 0; row < model_rows(&home.store, &rating_table); row++) {
        const struct rating_row *rating = model_nth(&home.store, &rating_table, row);
        if (rating->account == rated_ids[seat])
            return rating;
    }
    ck_abort_msg("not rated");
}

START_TEST(the_operator_annuls_a_match)
{
    char body[2048], path[64];
    rated_play(2, "taluva.duel.live");
    const struct rating_row won = *rating_of(0), lost = *rating_of(1);
    operator_denied(ANNUL("1", "one person"), "unknown_match");
    operator_denied(ANNUL("3", "one person"), "unknown_match");
    operator_denied(ANNUL("2", "\\\\"), "bad_field");
    json_t *ok = operator_granted(ANNUL("2", "one person"));
    ck_assert_int_eq(num(ok, "match"), 2);
    ck_assert_int_eq(num(ok, "n"), 3);
    ck_assert_int_eq(num(ok, "refunds"), 1);
    json_decref(ok);
    ck_assert_uint_eq(rated_lines(), 3);
    ck_assert_uint_eq(model_rows(&home.store, &rating_table), 2);
    ck_assert_uint_eq(model_rows(&home.store, &rating_step_table), 3);
    ck_assert_uint_eq(rating_of(0)->strength, won.strength);
    ck_assert_uint_eq(rating_of(1)->strength, lost.strength + BOOK_REFUND_MAX);
    ck_assert_uint_eq(rating_of(1)->deviation, lost.deviation);
    ck_assert_uint_eq(rating_of(1)->matches, 1);
    ck_assert_str_eq(rating_of(1)->handle, lost.handle);
    json_t *told = world_push(&home, rated_table.tabs[1], "refunded");
    ck_assert_str_eq(str(told, "class"), "taluva.duel.live");
    ck_assert_str_eq(str(told, "reason"), "one person");
    ck_assert_int_eq(num(told, "before"), 1338);
    ck_assert_int_eq(num(told, "after"), 1488);
    ck_assert_int_eq(num(told, "of"), 2);
    ck_assert_int_eq(num(told, "n"), 3);
    json_decref(told);
    ck_assert_ptr_null(world_push(&home, rated_table.tabs[0], "refunded"));
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    rated_book_is_sound(3);
    ck_assert_double_eq(world_figure(&home, "book_lines"), 3);
    ck_assert_double_eq(world_figure(&home, "annulled_total"), 1);
    (void)snprintf(path, sizeof path, "/api/curves/%016" PRIx64 "/taluva.duel.live", rated_ids[1]);
    ck_assert_int_eq(rated_get(path, body), 200);
    ck_assert_ptr_nonnull(strstr(body, "\"before\":1338,\"rating\":1488,\"deviation\":290}\n"));
    operator_denied(ANNUL("2", "again"), "already_annulled");
    operator_denied(ANNUL("3", "again"), "unknown_match");
    rated_restart();
    operator_denied(ANNUL("2", "again"), "already_annulled");
    rated_play(2, "taluva.duel.live");
    rated_book_is_sound(4);
}
END_TEST

/* Who has lost and is gone gets nothing back; if that is all of them, there is nothing to do. */
START_TEST(who_is_gone_gets_nothing_back)
{
    rated_play(3, "taluva.table.live");
    const struct rating_row left = *rating_of(2);
    rated_send_letter(LETTER_TO_DESK, "ratings.erased", home.tabs[rated_table.tabs[1]].session);
    json_t *ok = operator_granted(ANNUL("2", "one person"));
    ck_assert_int_eq(num(ok, "refunds"), 1);
    json_decref(ok);
    ck_assert_uint_gt(rating_of(2)->strength, left.strength);
    rated_book_is_sound(4);
    rated_play(2, "taluva.duel.live");
    rated_send_letter(LETTER_TO_DESK, "ratings.erased", home.tabs[rated_table.tabs[1]].session);
    operator_denied(ANNUL("5", "one person"), "nothing_lost");
    rated_book_is_sound(6);
}
END_TEST

/* Of two accounts, the first of which has won, unless all stay as they are. */
static void send_match(unsigned number, bool still)
{
    char line[BOOK_LINE_MAX + 1], text[STORE_LETTER_TEXT_MAX];
    struct book_entry entry = {.kind = BOOK_MATCH};
    struct book_match *match = &entry.u.match;
    *match = (struct book_match){.class = (uint8_t)rating_class_find("taluva.duel.live"),
                                 .ended_ms = 1000,
                                 .seats = 2,
                                 .sides = 2,
                                 .winners = 1,
                                 .still = still ? 3 : 0};
    (void)snprintf(match->room, sizeof match->room, "k3m9x%03u", number);
    for (unsigned i = 0; i < 2; i++) {
        const struct rating start = {RATING_START, RATING_DEVIATION_START};
        match->seat[i] = (struct book_seat){101 + i, (uint8_t)i, start, start};
    }
    (void)book_write(&entry, line);
    (void)snprintf(text, sizeof text, "ana\nbo\n%s", line);
    rated_send_letter(LETTER_TO_DESK, "ratings.match", text);
}

/* A node of the version before does not know it: it waits there for one of this version, and is
 * not taken for damaged. What a desk of the version between has sent is read as well. */
START_TEST(a_refund_waits_for_who_knows_it)
{
    static const char push[] = "{\"push\":\"refunded\",\"class\":\"taluva.duel.live\",\"before\":1,"
                               "\"after\":2,\"reason\":\"one person\",\"of\":2,\"n\":3}";
    struct feature before = feature_ratings;
    struct letter_row known[32];
    const struct feature *const features[] = {home.env.features[0], &before, NULL};
    const struct feature *const *const now = home.env.features;
    before.letters = known;
    before.letter_count = 0;
    for (size_t at = 0; at < feature_ratings.letter_count; at++) {
        if (strcmp(feature_ratings.letters[at].kind, "ratings.refunded") != 0)
            known[before.letter_count++] = feature_ratings.letters[at];
    }
    rated_play(2, "taluva.duel.live");
    const uint64_t who = rated_ids[1];
    home.env.features = features;
    rated_restart();
    rated_send_letter(who, "ratings.refunded", push);
    const struct store_letter *letter = model_nth(&home.store, &store_letter_table, 0);
    ck_assert_int_eq(letter->state, STORE_LETTER_UNKNOWN);
    home.env.features = now;
    rated_restart();
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    rated_send_letter(who, "ratings.told", push);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
}
END_TEST

/* The book is read on to its end, whatever it has meanwhile. */
START_TEST(a_match_of_long_ago_is_annulled_once)
{
    for (unsigned match = 0; match < BOOK_PAGES_MATCHES; match++)
        send_match(match, match == 1);
    json_decref(operator_granted(ANNUL("2", "one person")));
    ck_assert_uint_eq(rated_lines(), BOOK_PAGES_MATCHES + 2);
    operator_denied(ANNUL("2", "one person"), "already_annulled");
    operator_denied(ANNUL("3", "all stayed as they were"), "nothing_lost");
    json_decref(operator_granted(ANNUL("4", "another")));
    rated_book_is_sound(BOOK_PAGES_MATCHES + 3);
}
END_TEST

/* Who has lost is rated in another class as well, which stays as it is. */
START_TEST(it_is_of_one_class)
{
    rated_play(2, "taluva.duel.live");
    const uint32_t lost = rating_of(1)->strength;
    rated_play(3, "taluva.table.live");
    json_t *ok = operator_granted(ANNUL("3", "one person"));
    ck_assert_int_eq(num(ok, "refunds"), 2);
    json_decref(ok);
    ck_assert_uint_eq(rating_of(1)->strength, lost);
    ck_assert_uint_eq(rating_of(1)->n, 2);
    rated_book_is_sound(4);
}
END_TEST

/* What cannot be read could be what annuls it. */
START_TEST(a_damaged_book_annuls_nothing)
{
    const struct book_row third = {.n = 3};
    for (unsigned match = 0; match < 3; match++)
        send_match(match, false);
    ck_assert_int_eq(kernel_reserve(home.hub, 1, 0), 0);
    kernel_drop_row(home.hub, &book_table, &third);
    world_settle(&home);
    operator_denied(ANNUL("2", "one person"), "book_damaged");
    operator_denied(ANNUL("3", "one person"), "unknown_match");
    json_decref(operator_granted(ANNUL("4", "one person")));
}
END_TEST

/* While it waits: two who play on, and a second request. */
START_TEST(an_annulment_waits)
{
    struct buffer line;
    rated_play(2, "taluva.duel.live");
    rated_begin(2, "taluva.duel.live");
    rated_play_some();
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    home.held = true;
    ck_assert_int_eq(operator_ask(ANNUL("2", "one person"), &line), ADMIN_WAITS);
    operator_denied(ANNUL("2", "one person"), "busy");
    ck_assert_int_eq(operator_waited(&line), ADMIN_WAITS);
    home.held = false;
    world_settle(&home);
    ck_assert_int_eq(operator_waited(&line), ADMIN_DONE);
    buffer_release(&line);
    rated_end();
    world_settle(&home);
    ck_assert_uint_eq(rated_lines(), 4);
    rated_book_is_sound(4);
}
END_TEST

/* All pages that are asked for, while nothing is stored. */
static void answer_queries(void)
{
    struct store_query query;
    while (hub_query_take(home.hub, &query))
        model_query(&home.store, home.hub, &query, home.now_ms);
}

/* What was read of somebody is older than what they are rated by now. */
START_TEST(who_plays_meanwhile_is_not_overwritten)
{
    struct buffer line;
    rated_play(2, "taluva.duel.live");
    rated_begin(2, "taluva.duel.live");
    rated_play_some();
    rated_steps_begin();
    rated_end();
    rated_until_entering(2);
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    ck_assert_int_eq(operator_ask(ANNUL("2", "one person"), &line), ADMIN_WAITS);
    answer_queries();
    ck_assert_int_eq(operator_waited(&line), ADMIN_REFUSED);
    buffer_append_byte(&line, '\0');
    ck_assert_ptr_nonnull(strstr(buffer_payload(&line), "\"busy\""));
    ck_assert_ptr_nonnull(strstr(buffer_payload(&line), "being rated just now"));
    buffer_release(&line);
    home.held = false;
    world_settle(&home);
    json_decref(operator_granted(ANNUL("2", "one person")));
    rated_book_is_sound(4);
}
END_TEST

START_TEST(an_annulment_that_is_not_stored)
{
    struct buffer line;
    rated_play(2, "taluva.duel.live");
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    home.held = true;
    ck_assert_int_eq(operator_ask(ANNUL("2", "one person"), &line), ADMIN_WAITS);
    answer_queries();
    home.held = false;
    home.out = hub_batch_take(home.hub);
    world_commit(&home, STORE_FAILED);
    ck_assert_int_eq(operator_waited(&line), ADMIN_REFUSED);
    buffer_append_byte(&line, '\0');
    ck_assert_ptr_nonnull(strstr(buffer_payload(&line), "\"store_failing\""));
    buffer_release(&line);
    ck_assert_uint_eq(rated_lines(), 2);
    ck_assert_double_eq(world_figure(&home, "annulled_total"), 0);
    world_pass(&home, home.config.store_retry_max_ms + 1000);
    json_decref(operator_granted(ANNUL("2", "one person")));
    rated_book_is_sound(3);
}
END_TEST

Suite *annul_suite(void)
{
    Suite *suite = suite_create("annul");
    TCase *tests = tcase_create("annul");
    tcase_add_checked_fixture(tests, rated_setup, rated_teardown);
    tcase_add_test(tests, the_operator_annuls_a_match);
    tcase_add_test(tests, who_is_gone_gets_nothing_back);
    tcase_add_test(tests, a_refund_waits_for_who_knows_it);
    tcase_add_test(tests, a_match_of_long_ago_is_annulled_once);
    tcase_add_test(tests, it_is_of_one_class);
    tcase_add_test(tests, a_damaged_book_annuls_nothing);
    tcase_add_test(tests, an_annulment_waits);
    tcase_add_test(tests, who_plays_meanwhile_is_not_overwritten);
    tcase_add_test(tests, an_annulment_that_is_not_stored);
    suite_add_tcase(suite, tests);
    return suite;
}
