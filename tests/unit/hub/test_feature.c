/* A feature that the hub knows by its table alone: the guest book of the tests. */
#include "../../support/failing_alloc.h"
#include "../../support/guest_book.h"
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <identity/identity.h>
#include <string.h>

static struct world world;
static int ana;

static const struct feature *const features[] = {&feature_identity, &guest_book, NULL};

static void set_up(void)
{
    world_init(&world);
    world.env.features = features;
    world_start(&world);
    operator_init(&world);
    ana = world_guest(&world, "Ana");
}

static void tear_down(void)
{
    world_release(&world);
}

static void leave(int tab, const char *word)
{
    world_do(&world, tab, "games", "{s:s}", "after", word);
}

/* All words, with a blank between. */
static const char *words(void)
{
    static char text[256];
    json_t *ok = world_ok(&world, ana, "games", "");
    size_t at;
    const json_t *word;
    text[0] = '\0';
    json_array_foreach(json_object_get(ok, "words"), at, word)
    {
        if (at)
            strcat(text, " ");
        strcat(text, json_string_value(word));
    }
    json_decref(ok);
    return text;
}

START_TEST(test_its_requests_are_answered)
{
    leave(ana, "hen00000");
    leave(ana, "cat00000");
    ck_assert_str_eq(words(), "hen00000 cat00000");
    for (int i = 2; i < GUEST_BOOK_WORDS; i++)
        leave(ana, "bee00000");
    world_refused(&world, ana, "full", "games", "{s:s}", "after", "ant00000");
}
END_TEST

/* Who has not said hello, or is at home elsewhere, never comes to the handler. */
START_TEST(test_what_a_request_needs_is_seen_to)
{
    const int nobody = world_connect(&world);
    world_refused(&world, nobody, "hello_first", "games", "{s:s}", "after", "far00000");
    ck_assert_str_eq(words(), "");
}
END_TEST

/* As by a server that has never heard of it. */
START_TEST(test_without_the_feature_there_is_no_operation)
{
    static const struct feature *const others[] = {&feature_identity, NULL};
    world.env.features = others;
    world_restart(&world);
    ana = world_guest(&world, "Ana");
    world_refused(&world, ana, "unknown_op", "games", "");
}
END_TEST

/* Nothing opens a session then. */
START_TEST(test_without_features_nobody_comes_in)
{
    static const struct feature *const none[] = {NULL};
    static const uint8_t address[16] = {1}, hash[32] = {1};
    struct hub_peer peer;
    world.env.features = _i ? none : NULL;
    world_restart(&world);
    const int tab = world_connect(&world);
    world_refused(&world, tab, "unknown_op", "hello", "");
    world_refused(&world, tab, "hello_first", "ping", "");
    ck_assert_int_eq(hub_connect_again(world.hub, address, hash, world.now_ms, &peer), 1012);
}
END_TEST

START_TEST(test_hello_tells_of_it)
{
    leave(ana, "hen00000");
    const int again = world_connect(&world);
    json_t *ok = world_ok(&world, again, "hello", "{s:s}", "token", world.tabs[ana].token);
    ck_assert_int_eq(num(ok, "own_words"), 1);
    json_decref(ok);
    const int bo = world_connect(&world);
    ok = world_ok(&world, bo, "hello", "{s:s}", "name", "Bo");
    ck_assert_int_eq(num(ok, "own_words"), 0);
    json_decref(ok);
}
END_TEST

static int get(const char *path, char body[static 32])
{
    struct hub_http_answer answer;
    uint64_t ticket;
    ck_assert(hub_get_from(9, world.hub, path, world.now_ms, &answer, &ticket));
    ck_assert_uint_lt(answer.len, 32);
    memcpy(body, answer.body, answer.len);
    body[answer.len] = '\0';
    const int status = answer.status;
    hub_http_release(&answer);
    return status;
}

static json_int_t asked(int tab)
{
    json_t *ok = world_ok(&world, tab, "games", "");
    const json_int_t count = num(ok, "asked");
    json_decref(ok);
    return count;
}

/* Each has its own, which is new when its place is taken by another. */
START_TEST(test_memory_of_connections)
{
    const int bo = world_guest(&world, "Bo");
    ck_assert_int_eq(asked(ana), 1);
    ck_assert_int_eq(asked(ana), 2);
    ck_assert_int_eq(asked(bo), 1);
    ck_assert_int_eq(asked(ana), 3);
    const uint32_t place = world.tabs[bo].link.peer.index;
    world_cut(&world, bo);
    const int chi = world_guest(&world, "Chi");
    ck_assert_uint_eq(world.tabs[chi].link.peer.index, place);
    ck_assert_int_eq(asked(chi), 1);
}
END_TEST

START_TEST(test_no_memory_for_connections)
{
    const uint8_t address[16] = {1};
    struct hub_peer peer;
    bool failed = true;
    for (uint64_t nth = 1; failed; nth++) {
        world_restart(&world);
        failing_alloc_arm(nth, false);
        failing_alloc_enter();
        const int code = hub_connect(world.hub, address, world.now_ms, &peer);
        failing_alloc_leave();
        (void)failing_alloc_disarm(&failed);
        ck_assert(failed == (code != 0));
    }
    hub_disconnect(world.hub, peer, world.now_ms);
}
END_TEST

START_TEST(test_pages)
{
    char body[32];
    leave(ana, "hen00000");
    ck_assert_int_eq(get("/api/guest-book", body), 200);
    ck_assert_str_eq(body, "a book");
    ck_assert_int_eq(get("/api/guest-book/0", body), 200);
    ck_assert_str_eq(body, "hen00000");
    ck_assert_int_eq(get("/api/guest-book/1", body), 404);
    ck_assert_str_eq(body, "no such word");
    ck_assert_int_eq(get("/api/guest-books", body), 404);
    ck_assert_str_eq(body, "no such page\n");
    ck_assert_int_eq(get("/api/guest", body), 404);
}
END_TEST

START_TEST(test_pages_are_paid_for)
{
    char body[32];
    int got = 0;
    world.config.requests_per_address_burst = 5;
    world_restart(&world);
    while (get("/api/guest-book", body) == 200)
        got++;
    ck_assert_int_eq(get("/api/guest-book", body), 429);
    ck_assert_int_le(got, 5);
    ck_assert_int_gt(got, 0);
}
END_TEST

/* ---- what is sent */

static struct hub_http_answer posted; /* of the last one; body in `said` */
static char said[80];

static void take_posted(void)
{
    ck_assert_uint_lt(posted.len, sizeof said);
    memcpy(said, posted.body, posted.len);
    said[posted.len] = '\0';
    const struct hub_http_answer whole = posted;
    hub_http_release(&posted);
    posted.status = whole.status;
    posted.type = whole.type;
}

/* Its ticket; 0: it is answered. */
static uint64_t post(const char *path, const char *text)
{
    static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 7};
    const struct hub_http_post what = {
        .path = path, .host = "a.b", .origin = "https://a.b", .body = text, .len = strlen(text)};
    uint64_t ticket;
    const bool answered = hub_http_post(world.hub, &what, address, world.now_ms, &posted, &ticket);
    ck_assert(answered == (ticket == 0));
    if (answered)
        take_posted();
    return ticket;
}

static int post_status(const char *path, const char *text)
{
    ck_assert_uint_eq(post(path, text), 0);
    return posted.status;
}

static void is_answered(uint64_t ticket, int status)
{
    uint64_t got;
    ck_assert(hub_http_next(world.hub, &got, &posted));
    ck_assert_uint_eq(got, ticket);
    take_posted();
    ck_assert_int_eq(posted.status, status);
}

static const char *word_of_ana(const char *word)
{
    static char text[64];
    (void)snprintf(text, sizeof text, "%s %s", world.tabs[ana].session, word);
    return text;
}

START_TEST(test_what_is_sent)
{
    ck_assert_int_eq(post_status("/api/guest-book/words", "hello"), 200);
    ck_assert_str_eq(said, "hello from https://a.b to a.b");
    ck_assert_str_eq(posted.type, "text/x-left");
    ck_assert_int_eq(post_status("/api/guest-book/words/more", "x"), 200);
    ck_assert_str_eq(said, "x from https://a.b to a.bmore");
    ck_assert_str_eq(words(), "hello x");
}
END_TEST

static const struct {
    const char *path, *text;
    int status;
} not_taken[] = {
    {"/api/guest-books", "x", 404},
    {"/api/rooms", "x", 404},
    {"/api/guest-book", "x", 405},
    {"/api/guest-book/0", "x", 405},
    {"/api/guest-book/words", "a word of forty-one letters, one too many", 413},
};

START_TEST(test_what_is_not_taken)
{
    char body[32];
    ck_assert_int_eq(post_status(not_taken[_i].path, not_taken[_i].text), not_taken[_i].status);
    ck_assert_str_eq(posted.type, "text/plain; charset=utf-8");
    ck_assert_str_eq(words(), "");
    ck_assert_int_eq(get("/api/guest-book/words", body), 405);
    ck_assert_str_eq(body, "only POST\n");
}
END_TEST

START_TEST(test_as_much_as_is_taken)
{
    ck_assert_int_eq(
        post_status("/api/guest-book/words", "a word of forty letters, not one too man"), 200);
}
END_TEST

START_TEST(test_the_feature_may_refuse)
{
    for (int i = 0; i < GUEST_BOOK_WORDS; i++)
        leave(ana, "bee00000");
    ck_assert_int_eq(post_status("/api/guest-book/words", "hello"), 409);
    ck_assert_str_eq(posted.type, "text/plain; charset=utf-8");
    ck_assert_str_eq(said, "full");
}
END_TEST

START_TEST(test_what_is_sent_is_paid_for)
{
    world.config.requests_per_address_burst = 3;
    world_restart(&world);
    for (int i = 0; i < 3; i++)
        (void)post_status("/api/guest-book/words", "x");
    (void)post_status("/api/guest-book/words", "x");
    ck_assert_int_eq(posted.status, 429);
}
END_TEST

/* Nobody is told of what is not durable: neither if nothing is, nor if the store refuses this. */
START_TEST(test_the_answer_waits_for_the_store)
{
    uint64_t got;
    world.held = true;
    const uint64_t ticket = post("/api/guest-book/words", word_of_ana("hen"));
    ck_assert_uint_ne(ticket, 0);
    world_settle(&world);
    ck_assert(!hub_http_next(world.hub, &got, &posted));
    if (_i == 2)
        store_batch_refuse(world.out, 0);
    world_commit(&world, _i == 1 ? STORE_FULL : STORE_OK);
    is_answered(ticket, _i ? 503 : 200);
    ck_assert_str_eq(posted.type, _i ? "text/plain; charset=utf-8" : "text/x-left");
    world.held = false;
}
END_TEST

START_TEST(test_who_waits_may_go)
{
    uint64_t got;
    world.held = true;
    const uint64_t ticket = post("/api/guest-book/words", word_of_ana("hen"));
    hub_http_cancel(world.hub, ticket);
    world_settle(&world);
    world_commit(&world, STORE_OK);
    world.held = false;
    ck_assert(!hub_http_next(world.hub, &got, &posted));
}
END_TEST

START_TEST(test_too_many_wait)
{
    world.config.http_waits = 1;
    world_restart(&world);
    world.tabs[ana].link.open = false;
    world.held = true;
    const uint64_t ticket = post("/api/guest-book/words", word_of_ana("hen"));
    ck_assert_uint_ne(ticket, 0);
    ck_assert_int_eq(post_status("/api/guest-book/words", "x"), 503);
    world_settle(&world);
    world_commit(&world, STORE_OK);
    world.held = false;
    is_answered(ticket, 200);
    ck_assert_int_eq(post_status("/api/guest-book/words", "x"), 200);
}
END_TEST

START_TEST(test_the_operator_asks_it)
{
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"inscribe\",\"text\":\"from the host\"}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "words")), 1);
    json_decref(ok);
    ck_assert_str_eq(words(), "from the host");
    for (int i = 1; i < GUEST_BOOK_WORDS; i++)
        leave(ana, "bee00000");
    operator_denied("{\"id\":1,\"op\":\"inscribe\",\"text\":\"one more\"}", "full");
    json_decref(operator_granted("{\"id\":1,\"op\":\"status\"}")); /* the others are the hub's */
}
END_TEST

START_TEST(test_figures)
{
    ck_assert_double_eq(world_figure(&world, "guest_book_words"), 0);
    leave(ana, "hen00000");
    leave(ana, "hen00000");
    ck_assert_double_eq(world_figure(&world, "guest_book_words"), 2);
}
END_TEST

START_TEST(test_it_is_told_of_the_end_of_a_match)
{
    struct table table;
    char expected[64];
    world_table(&world, &table, 3, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    ck_assert_str_eq(words(), "");
    world_do(&world, table.tabs[1], "resign", "{s:s}", "room", table.room);
    ck_assert_str_eq(words(), table.room);
    world_do(&world, table.tabs[1], "rematch", "{s:s}", "room", table.room);
    snprintf(expected, sizeof expected, "%s", table.room);
    ck_assert_str_eq(words(), expected); /* once */
}
END_TEST

START_TEST(test_it_is_told_of_sessions)
{
    const unsigned begun = guest_book_begun(world.hub);
    world.held = true;
    const int bo = world_connect(&world);
    world_post(&world, bo, "hello", "{s:s}", "name", "Bo");
    world_settle(&world);
    ck_assert_uint_eq(guest_book_begun(world.hub), begun);
    world_commit(&world, STORE_OK);
    world.held = false;
    world_settle(&world);
    ck_assert_uint_eq(guest_book_begun(world.hub), begun + 1);
    leave(bo, "zebra000");
}
END_TEST

START_TEST(test_a_session_that_cannot_be_kept_has_not_begun)
{
    const unsigned begun = guest_book_begun(world.hub);
    world.held = true;
    const int bo = world_connect(&world);
    world_post(&world, bo, "hello", "{s:s}", "name", "Bo");
    world_post(&world, bo, "games", "{s:s}", "after", "zebra000");
    world_settle(&world);
    ck_assert_str_ne(words(), "");
    world_commit(&world, STORE_FULL);
    world.held = false;
    world_settle(&world);
    ck_assert_uint_eq(guest_book_begun(world.hub), begun);
    ck_assert_str_eq(words(), ""); /* it is gone, with its words */
}
END_TEST

START_TEST(test_time)
{
    leave(ana, "hen00000");
    ck_assert_int_le(hub_deadline_ms(world.hub), world.now_ms + GUEST_BOOK_KEPT_MS);
    world_pass(&world, GUEST_BOOK_KEPT_MS - 1);
    ck_assert_str_eq(words(), "hen00000");
    world_pass(&world, 1);
    ck_assert_str_eq(words(), "");
}
END_TEST

/* ---- memory */

/* Whatever of it has been made goes with the hub that could not be. */
START_TEST(test_without_memory_there_is_no_hub)
{
    struct hub *hub = NULL;
    bool failed = true;
    for (uint64_t nth = 1; failed; nth++) {
        failing_alloc_arm(nth, false);
        failing_alloc_enter();
        hub = hub_create(&world.config, &world.env);
        failing_alloc_leave();
        (void)failing_alloc_disarm(&failed);
        ck_assert(failed == !hub);
    }
    hub_destroy(hub);
}
END_TEST

Suite *feature_suite(void)
{
    Suite *suite = suite_create("feature");
    TCase *tests = near_case(suite, set_up, tear_down);
    tcase_add_test(tests, test_its_requests_are_answered);
    tcase_add_test(tests, test_what_a_request_needs_is_seen_to);
    tcase_add_test(tests, test_without_the_feature_there_is_no_operation);
    tcase_add_loop_test(tests, test_without_features_nobody_comes_in, 0, 2);
    tcase_add_test(tests, test_hello_tells_of_it);
    tcase_add_test(tests, test_memory_of_connections);
    tcase_add_test(tests, test_no_memory_for_connections);
    tcase_add_test(tests, test_pages);
    tcase_add_test(tests, test_pages_are_paid_for);
    tcase_add_test(tests, test_what_is_sent);
    tcase_add_loop_test(tests, test_what_is_not_taken, 0, sizeof not_taken / sizeof not_taken[0]);
    tcase_add_test(tests, test_as_much_as_is_taken);
    tcase_add_test(tests, test_the_feature_may_refuse);
    tcase_add_test(tests, test_what_is_sent_is_paid_for);
    tcase_add_loop_test(tests, test_the_answer_waits_for_the_store, 0, 3);
    tcase_add_test(tests, test_who_waits_may_go);
    tcase_add_test(tests, test_too_many_wait);
    tcase_add_test(tests, test_the_operator_asks_it);
    tcase_add_test(tests, test_figures);
    tcase_add_test(tests, test_it_is_told_of_the_end_of_a_match);
    tcase_add_test(tests, test_it_is_told_of_sessions);
    tcase_add_test(tests, test_a_session_that_cannot_be_kept_has_not_begun);
    tcase_add_test(tests, test_time);
    tcase_add_test(tests, test_without_memory_there_is_no_hub);
    return suite;
}
