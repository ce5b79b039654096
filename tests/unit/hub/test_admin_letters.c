/*
 * Letters that were set aside, as the operator sees them: they are listed, tried again and dropped,
 * and none is applied twice by that. By the guest book of the tests.
 */
#include "../../support/guest_book.h"
#include "../../support/guest_table.h"
#include "operator.h"
#include "site.h"
#include "suites.h"
#include <identity/identity.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct feature *const features[] = {&feature_identity, &guest_book, NULL};
static const struct feature *const no_features[] = {&feature_identity, NULL};
static uint64_t bos;

static void know_book(struct world *world)
{
    world->env.features = features;
    world_start(world);
}

static void set_up(void)
{
    world_init(&home);
    operator_init(&home);
    know_book(&home);
    bos = site_session(&home, world_guest(&home, "Bo"));
}

static void tear_down(void)
{
    world_release(&home);
}

static void set_up_site(void)
{
    site_setup();
    operator_init(&home);
    know_book(&home);
    know_book(&away);
    bos = site_session(&away, world_guest(&away, "Bo"));
    world_settle(&home);
}

static void tear_down_site(void)
{
    site_teardown();
}

/* One that is in the store. */
static void write_letter(uint64_t addressee, uint64_t id, enum store_letter_state state,
                         const char *text)
{
    const struct store_letter letter = {.addressee = addressee,
                                        .id = id,
                                        .state = state,
                                        .at_ms = 1000 + (int64_t)id,
                                        .kind = "book.greeting",
                                        .text = text,
                                        .text_len = (uint16_t)strlen(text)};
    model_put_row(&home.store, &(struct store_row){.table = &store_letter_table, .row = &letter});
}

static const char *line(const char *op, uint64_t addressee, uint64_t id)
{
    static char text[160];
    (void)snprintf(text, sizeof text,
                   "{\"id\":1,\"op\":\"%s\",\"letter\":\"%016" PRIx64 "%016" PRIx64 "\"}", op,
                   addressee, id);
    return text;
}

static size_t letters(void)
{
    return model_rows(&home.store, &store_letter_table);
}

static enum store_letter_state state_of(size_t at)
{
    const struct store_letter *letter = model_nth(&home.store, &store_letter_table, at);
    return letter->state;
}

static size_t words(const struct world *world)
{
    size_t count = 0;
    while (model_row(&world->store, &guest_word_table, bos, count))
        count++;
    return count;
}

/* ---- the list */

START_TEST(those_that_were_set_aside_are_listed)
{
    char name[33];
    write_letter(bos, 7, STORE_LETTER_UNREADABLE, "poison");
    write_letter(0, 8, STORE_LETTER_INEFFECTIVE, "hail");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"letters\"}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "letters")), 0);
    const char *next = str(ok, "next");
    char text[160];
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"letters\",\"after\":\"%s\"}", next);
    json_decref(ok);
    ok = operator_granted(text);
    const json_t *letter = json_array_get(json_object_get(ok, "letters"), 0);
    (void)snprintf(name, sizeof name, "%016" PRIx64 "%016" PRIx64, bos, (uint64_t)7);
    ck_assert_str_eq(str(letter, "letter"), name);
    ck_assert_int_eq(strncmp(str(letter, "to"), name, 16), 0);
    ck_assert_str_eq(str(letter, "kind"), "book.greeting");
    ck_assert_str_eq(str(letter, "state"), "unreadable");
    ck_assert_int_eq(num(letter, "sent"), 1007);
    ck_assert_int_eq(num(letter, "bytes"), 6);
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"letters\",\"after\":\"%s\"}",
                   str(ok, "next"));
    json_decref(ok);
    ok = operator_granted(text);
    ck_assert_str_eq(str(json_array_get(json_object_get(ok, "letters"), 0), "to"), "desk");
    ck_assert(!json_object_get(ok, "next"));
    json_decref(ok);
}
END_TEST

/* Page by page; how many in all. */
static size_t count_all(const char *members, size_t *pages)
{
    char text[256], after[64] = "";
    size_t count = 0;
    for (*pages = 0;; (*pages)++) {
        (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"letters\"%s%s%s%s}", members,
                       *after ? ",\"after\":\"" : "", after, *after ? "\"" : "");
        json_t *ok = operator_granted(text);
        count += json_array_size(json_object_get(ok, "letters"));
        (void)snprintf(after, sizeof after, "%s", str(ok, "next"));
        json_decref(ok);
        if (!*after)
            return count;
    }
}

START_TEST(many_come_page_by_page_and_those_that_wait_if_all_are_asked_for)
{
    enum { MANY = 150 };
    size_t pages;
    for (uint64_t id = 1; id <= MANY; id++)
        write_letter(bos, id, STORE_LETTER_UNREADABLE, "poison");
    home.env.features = no_features; /* nothing is applied meanwhile */
    world_restart(&home);
    write_letter(bos, MANY + 1, STORE_LETTER_WAITS, "hail");
    ck_assert_uint_eq(count_all("", &pages), MANY);
    ck_assert_uint_ge(pages, 3);
    ck_assert_uint_eq(count_all(",\"all\":true", &pages), MANY + 1);
}
END_TEST

/* A store that cannot commit can still be read; one that cannot be read is said to fail. */
START_TEST(a_list_that_cannot_be_read_is_refused)
{
    struct store_query query;
    struct buffer answer;
    buffer_init(&answer, 0, 4096);
    ck_assert_int_eq(operator_ask("{\"id\":1,\"op\":\"letters\"}", &answer), ADMIN_WAITS);
    ck_assert_int_eq(operator_waited(&answer), ADMIN_WAITS);
    operator_denied("{\"id\":1,\"op\":\"letters\"}", "busy");
    ck_assert_int_eq(operator_waited(&answer), ADMIN_DONE);
    buffer_clear(&answer);
    ck_assert_int_eq(operator_ask("{\"id\":1,\"op\":\"letters\"}", &answer), ADMIN_WAITS);
    ck_assert(hub_query_take(home.hub, &query));
    ck_assert(!hub_query_take(home.hub, &query));
    query.result = STORE_FAILED;
    hub_query_done(home.hub, &query, home.now_ms);
    ck_assert_int_eq(operator_waited(&answer), ADMIN_REFUSED);
    ck_assert(strstr(buffer_payload(&answer), "store_failing"));
    buffer_release(&answer);
}
END_TEST

/* ---- one of them */

START_TEST(one_is_tried_again)
{
    write_letter(bos, 7, STORE_LETTER_INEFFECTIVE, "hail");
    json_t *ok = operator_granted(line("retry", bos, 7));
    ck_assert_uint_eq(strlen(str(ok, "letter")), 32);
    json_decref(ok);
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(words(&home), 1);
    operator_denied(line("retry", bos, 7), "unknown_letter");
    operator_denied(line("discard", bos, 7), "unknown_letter");
    ck_assert_uint_eq(words(&home), 1);
}
END_TEST

START_TEST(one_that_cannot_be_applied_is_set_aside_again)
{
    write_letter(bos, 7, STORE_LETTER_INEFFECTIVE, GUEST_BOOK_POISON);
    json_decref(operator_granted(line("retry", bos, 7)));
    ck_assert_int_eq(state_of(0), STORE_LETTER_UNREADABLE);
    ck_assert_uint_eq(words(&home), 0);
}
END_TEST

START_TEST(one_is_dropped)
{
    const double applied = world_figure(&home, "letters_applied_total");
    write_letter(bos, 7, STORE_LETTER_UNREADABLE, GUEST_BOOK_POISON);
    write_letter(bos, 8, STORE_LETTER_UNREADABLE, GUEST_BOOK_POISON);
    json_decref(operator_granted(line("discard", bos, 7)));
    ck_assert_uint_eq(letters(), 1);
    ck_assert_double_eq(world_figure(&home, "letters_applied_total"), applied);
    operator_denied(line("discard", bos, 7), "unknown_letter");
    json_decref(operator_granted(line("discard", bos, 8)));
    ck_assert_uint_eq(letters(), 0);
}
END_TEST

/* What waits is the feature's: it cannot be dropped under it. */
START_TEST(one_that_waits_is_none_of_them)
{
    home.env.features = no_features;
    world_restart(&home);
    write_letter(bos, 7, STORE_LETTER_WAITS, "hail");
    operator_denied(line("discard", bos, 7), "unknown_letter");
    operator_denied(line("retry", bos, 7), "unknown_letter");
    operator_denied(line("retry", bos + 1, 7), "unknown_letter");
    ck_assert_uint_eq(letters(), 1);
}
END_TEST

START_TEST(one_far_behind_is_found)
{
    enum { MANY = 130 };
    for (uint64_t id = 1; id <= MANY; id++)
        write_letter(bos, id, STORE_LETTER_UNREADABLE, "poison");
    json_decref(operator_granted(line("discard", bos, MANY)));
    ck_assert_uint_eq(letters(), MANY - 1);
}
END_TEST

START_TEST(a_store_that_fails_changes_nothing)
{
    struct buffer answer;
    buffer_init(&answer, 0, 4096);
    write_letter(bos, 7, STORE_LETTER_INEFFECTIVE, "hail");
    home.held = true;
    ck_assert_int_eq(operator_ask(line("retry", bos, 7), &answer), ADMIN_WAITS);
    world_settle(&home);
    ck_assert_int_eq(operator_waited(&answer), ADMIN_WAITS);
    world_commit(&home, STORE_FULL);
    ck_assert_int_eq(operator_waited(&answer), ADMIN_REFUSED);
    ck_assert(strstr(buffer_payload(&answer), "store_failing"));
    ck_assert_int_eq(state_of(0), STORE_LETTER_INEFFECTIVE);
    buffer_release(&answer);
    home.held = false;
    world_pass(&home, home.config.store_retry_max_ms);
    json_decref(operator_granted(line("retry", bos, 7)));
    ck_assert_uint_eq(words(&home), 1);
}
END_TEST

/* The mail itself puts back what somebody knows now: it may be applied before the operator's page
 * is there, in which it is still aside. */
START_TEST(what_was_put_back_meanwhile_is_not_applied_twice)
{
    struct store_query query, page;
    struct buffer answer;
    buffer_init(&answer, 0, 4096);
    write_letter(bos, 7, STORE_LETTER_UNKNOWN, "hail");
    ck_assert_int_eq(operator_ask(line(_i ? "retry" : "discard", bos, 7), &answer), ADMIN_WAITS);
    ck_assert(hub_query_take(home.hub, &query));
    ck_assert_uint_ne(query.ticket, 0);
    page = query;
    home.held = true;
    (void)world_post(&home, world_connect(&home), "hello", "{s:s}", "name", "Zoe");
    world_settle(&home);
    world_commit(&home, STORE_FULL); /* then all that is aside is looked at again */
    home.held = false;
    world_pass(&home, home.config.store_retry_max_ms);
    ck_assert_uint_eq(words(&home), 1);
    write_letter(bos, 7, STORE_LETTER_UNKNOWN, "hail"); /* as it was when the page was read */
    model_query(&home.store, home.hub, &page, home.now_ms);
    ck_assert_int_eq(operator_waited(&answer), ADMIN_REFUSED);
    ck_assert(strstr(buffer_payload(&answer), "busy"));
    ck_assert_int_eq(state_of(0), STORE_LETTER_UNKNOWN);
    buffer_release(&answer);
}
END_TEST

/* ---- a part of a site */

START_TEST(a_list_is_of_the_whole_site_and_a_change_of_one_part)
{
    size_t pages;
    ck_assert_uint_eq(bos % 2, 1);
    write_letter(bos, 7, STORE_LETTER_INEFFECTIVE, "hail");
    ck_assert_uint_eq(count_all("", &pages), 1);
    operator_denied(line("retry", bos, 7), "unknown_letter"); /* not of this part */
    operator_init(&away);
    json_decref(operator_granted(line("retry", bos, 7)));
    ck_assert_uint_eq(letters(), 0);
    ck_assert_uint_eq(words(&away), 1);
}
END_TEST

Suite *admin_letters_suite(void)
{
    Suite *suite = suite_create("the operator's letters");
    TCase *one = tcase_create("letters"), *two = tcase_create("letters of a part");
    tcase_add_checked_fixture(one, set_up, tear_down);
    tcase_add_checked_fixture(two, set_up_site, tear_down_site);
    tcase_set_tags(one, "near model");
    tcase_set_tags(two, "near model");
    tcase_add_test(one, those_that_were_set_aside_are_listed);
    tcase_add_test(one, many_come_page_by_page_and_those_that_wait_if_all_are_asked_for);
    tcase_add_test(one, a_list_that_cannot_be_read_is_refused);
    tcase_add_test(one, one_is_tried_again);
    tcase_add_test(one, one_that_cannot_be_applied_is_set_aside_again);
    tcase_add_test(one, one_is_dropped);
    tcase_add_test(one, one_that_waits_is_none_of_them);
    tcase_add_test(one, one_far_behind_is_found);
    tcase_add_test(one, a_store_that_fails_changes_nothing);
    tcase_add_loop_test(one, what_was_put_back_meanwhile_is_not_applied_twice, 0, 2);
    tcase_add_test(two, a_list_is_of_the_whole_site_and_a_change_of_one_part);
    suite_add_tcase(suite, one);
    suite_add_tcase(suite, two);
    return suite;
}
