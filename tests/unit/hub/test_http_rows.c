/* What the desk keeps, and pages of HTTP that are made of rows, by the guest book of the tests. */
#include "../../support/guest_book.h"
#include "../../support/guest_table.h"
#include "site.h"
#include "suites.h"
#include <hub/letter.h>
#include <identity/identity.h>
#include <string.h>

static const struct feature *const features[] = {&feature_identity, &guest_book, NULL};
static int ana, bo;
static uint64_t bos;

static void set_up(void)
{
    world_init(&home);
    home.env.features = features;
    world_start(&home);
    ana = world_guest(&home, "Ana");
    bo = world_guest(&home, "Bo");
    bos = site_session(&home, bo);
}

static void tear_down(void)
{
    world_release(&home);
}

/* Ana greets whoever that is. */
static void greet(uint64_t whom, const char *text)
{
    guest_book_set_greeting(home.hub, whom, text);
    world_do(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_GREETS);
}

/* What the desk has of nobody's. */
static size_t pages(void)
{
    return model_rows(&home.store, &guest_page_table);
}

START_TEST(a_letter_to_the_desk_is_applied_once)
{
    greet(LETTER_TO_DESK, "hail");
    ck_assert_uint_eq(pages(), 1);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    json_t *ok = world_ok(&home, ana, "games", "");
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(ok, "words"), 0)), "hail");
    json_decref(ok);
    world_restart(&home);
    ana = world_guest(&home, "Ana");
    greet(LETTER_TO_DESK, "hail again");
    ck_assert_uint_eq(pages(), 2);
}
END_TEST

/* It takes the number back that it had given. */
START_TEST(a_change_of_nobodys_is_undone)
{
    guest_book_set_greeting(home.hub, LETTER_TO_DESK, "hail");
    home.held = true;
    (void)world_post(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_GREETS);
    world_settle(&home);
    (void)model_commit(&home.store, home.out);
    hub_batch_done(home.hub, STORE_OK, 1, home.now_ms);
    home.out = NULL;
    world_settle(&home);
    ck_assert_ptr_nonnull(home.out); /* with the page */
    world_commit(&home, STORE_FAILED);
    home.held = false;
    world_pass(&home, home.config.store_retry_max_ms);
    ck_assert_uint_eq(pages(), 1);
    const struct guest_page *page = model_nth(&home.store, &guest_page_table, 0);
    ck_assert_uint_eq(page->number, 1);
}
END_TEST

START_TEST(all_devices_of_a_session_are_told)
{
    const int other = world_connect(&home);
    world_do(&home, other, "hello", "{s:s}", "token", home.tabs[bo].token);
    greet(bos, GUEST_BOOK_TELLS);
    const int tabs[] = {bo, other};
    for (int at = 0; at < 2; at++) {
        json_t *push = world_push(&home, tabs[at], "greeting");
        ck_assert_str_eq(str(push, "text"), GUEST_BOOK_TELLS);
        json_decref(push);
    }
    ck_assert_ptr_null(world_push(&home, ana, "greeting"));
}
END_TEST

/* ---- pages */

static void leave_a_word(void)
{
    world_do(&home, ana, "games", "{s:s}", "after", GUEST_BOOK_KEEPS);
}

static const char behind_all[] = "/api/guest-book/behind/1000000";

/* Its ticket; 0: it is answered. */
static uint64_t ask_from(uint8_t host, const char *path, struct hub_http_answer *answer)
{
    const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = host};
    uint64_t ticket;
    const bool answered = hub_http_get(home.hub, path, address, home.now_ms, answer, &ticket);
    ck_assert(answered == (ticket == 0));
    return ticket;
}

static uint64_t ask_for(const char *path, struct hub_http_answer *answer)
{
    return ask_from(7, path, answer);
}

static void is_answered(uint64_t ticket, int status, const char *body)
{
    struct hub_http_answer answer;
    uint64_t got;
    ck_assert(hub_http_next(home.hub, &got, &answer));
    ck_assert_uint_eq(got, ticket);
    ck_assert_int_eq(answer.status, status);
    ck_assert_uint_eq(answer.len, strlen(body));
    ck_assert_mem_eq(answer.body, body, answer.len);
    ck_assert_str_eq(answer.type, status == 200 ? "text/x-words" : "text/plain; charset=utf-8");
    hub_http_release(&answer);
}

/* Two rows are asked for at once. */
START_TEST(a_page_of_http_has_all_rows)
{
    struct hub_http_answer answer;
    for (int word = 0; word < _i; word++)
        leave_a_word();
    const uint64_t ticket = ask_for(behind_all, &answer);
    world_settle(&home);
    char body[64] = "";
    for (int word = 0; word < _i; word++)
        strcat(body, "kept\n");
    is_answered(ticket, 200, body);
    ck_assert_uint_eq(ask_for("/api/guest-book/behind/-", &answer), 0);
    ck_assert_int_eq(answer.status, 404);
    hub_http_release(&answer);
}
END_TEST

START_TEST(a_page_of_rows_ends_somewhere)
{
    enum { ROWS = 32, MORE = 3 };
    struct hub_http_answer answer;
    home.config.requests_burst = home.config.requests_per_address_burst = 1000;
    world_restart(&home);
    ana = world_guest(&home, "Ana");
    for (int word = 0; word < ROWS + MORE; word++)
        leave_a_word();
    const uint64_t ticket = ask_for(behind_all, &answer);
    world_settle(&home);
    char body[ROWS * 5 + 1] = "";
    for (int word = 0; word < ROWS; word++)
        strcat(body, "kept\n");
    is_answered(ticket, 200, body);
}
END_TEST

START_TEST(a_page_of_rows_that_cannot_be_had)
{
    struct hub_http_answer answer;
    struct store_query query;
    uint64_t got;
    home.config.queries = 20;
    world_restart(&home);
    ana = world_guest(&home, "Ana");
    leave_a_word();
    const uint64_t ticket = ask_for(behind_all, &answer);
    ck_assert(hub_query_take(home.hub, &query));
    query.result = STORE_FAILED;
    hub_query_done(home.hub, &query, home.now_ms);
    is_answered(ticket, 503, "not available right now, try again\n");
    const uint64_t gone = ask_for(behind_all, &answer);
    hub_http_cancel(home.hub, gone);
    world_settle(&home);
    ck_assert(!hub_http_next(home.hub, &got, &answer));
    uint64_t tickets[64];
    int count = 0;
    while ((tickets[count] = ask_for(behind_all, &answer)) != 0)
        count++;
    ck_assert_int_eq(count, (int)home.config.queries / 2); /* the others are for other addresses */
    ck_assert_int_eq(answer.status, 503);
    hub_http_release(&answer);
    while ((tickets[count] = ask_from(8, behind_all, &answer)) != 0)
        count++;
    ck_assert_int_eq(count, (int)home.config.queries);
    ck_assert_int_eq(answer.status, 503);
    hub_http_release(&answer);
    world_restart(&home); /* what waits is freed */
}
END_TEST

/* However many pages one address asks for: another one's is next. */
START_TEST(pages_are_asked_for_in_turn)
{
    enum { PAGES = 3 };
    struct hub_http_answer answer;
    struct store_query query;
    uint64_t tickets[PAGES];
    for (int at = 0; at < PAGES; at++)
        tickets[at] = ask_from(7, behind_all, &answer);
    const uint64_t other = ask_from(8, behind_all, &answer);
    for (int at = 0; at < 2; at++) {
        ck_assert(hub_query_take(home.hub, &query));
        query.result = STORE_FAILED;
        hub_query_done(home.hub, &query, home.now_ms);
    }
    is_answered(tickets[0], 503, "not available right now, try again\n");
    is_answered(other, 503, "not available right now, try again\n");
    world_settle(&home);
    is_answered(tickets[1], 200, "");
    is_answered(tickets[2], 200, "");
}
END_TEST

Suite *http_rows_suite(void)
{
    Suite *suite = suite_create("pages of rows");
    TCase *tests = tcase_create("pages of rows");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_letter_to_the_desk_is_applied_once);
    tcase_add_test(tests, a_change_of_nobodys_is_undone);
    tcase_add_test(tests, all_devices_of_a_session_are_told);
    tcase_add_loop_test(tests, a_page_of_http_has_all_rows, 0, 6);
    tcase_add_test(tests, a_page_of_rows_ends_somewhere);
    tcase_add_test(tests, a_page_of_rows_that_cannot_be_had);
    tcase_add_test(tests, pages_are_asked_for_in_turn);
    suite_add_tcase(suite, tests);
    return suite;
}
