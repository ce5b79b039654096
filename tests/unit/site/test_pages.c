/* Pages of features, asked of a whole site by HTTP, and what is sent to them. */
#include "../../support/guest_book.h"
#include "nodes.h"
#include "suites.h"
#include "visit.h"
#include <identity/identity.h>
#include <site/page.h>
#include <stdio.h>
#include <string.h>

static struct nodes nodes;
static struct visit visit;

static void release(void)
{
    nodes_release(&nodes);
}

static bool is_answered(int node, uint64_t ticket)
{
    return visit_is_answered(&visit, &nodes, node, ticket);
}

static int get(int node, const char *path)
{
    return visit_get(&visit, &nodes, node, path);
}

static void with_a_book(void)
{
    static const struct feature *const features[] = {&feature_identity, &guest_book, NULL};
    nodes_init_with(&nodes, 3, 4, features);
}

static void without_parts(int node)
{
    for (unsigned part = 0; part < 4; part++) {
        if (nodes.places[part].node == node)
            nodes_leave(&nodes, part);
    }
    nodes_settle(&nodes);
}

/* At every node, also at one that has no part. */
START_TEST(test_page_of_any_part)
{
    without_parts(2);
    for (int node = 0; node < 3; node++) {
        const size_t asked = nodes.nodes[node].frames;
        ck_assert_int_eq(get(node, "/api/guest-book"), 200);
        ck_assert_str_eq(visit.body, "a book");
        ck_assert_str_eq(visit.answer.type, "text/plain");
        ck_assert_int_eq(nodes.nodes[node].frames > asked, node == 2); /* not if it is here */
    }
}
END_TEST

/* What was left in part 0 is there at every node, and nothing of other parts is. */
START_TEST(test_page_of_the_desk)
{
    bool left[4] = {false};
    for (int at = 0; at < 40 && !(left[0] && left[1]); at++) {
        const int ana = nodes_guest(&nodes, at % 2, "Ana");
        const unsigned home = (unsigned)(strtoull(nodes.guests[ana].session, NULL, 16) % 4);
        if (!left[home])
            nodes_do(&nodes, ana, "games", "{s:s}", "after", home == 0 ? "hen00000" : "bee00000");
        left[home] = true;
    }
    ck_assert(left[0] && left[1]);
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(get(node, "/api/guest-book/0"), 200);
        ck_assert_str_eq(visit.body, "hen00000");
        ck_assert_str_eq(visit.answer.type, "text/x-word");
        ck_assert_int_eq(get(node, "/api/guest-book/1"), 404);
        ck_assert_str_eq(visit.body, "no such word");
        ck_assert_str_eq(visit.answer.type, "text/plain; charset=utf-8");
        ck_assert_int_eq(get(node, "/api/guest-books"), 404);
        ck_assert_str_eq(visit.body, "no such page\n");
    }
    nodes_leave(&nodes, 0);
    nodes_settle(&nodes);
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(get(node, "/api/guest-book/0"), 503);
        ck_assert_int_eq(get(node, "/api/guest-book"), 200);
    }
}
END_TEST

static const struct {
    const char *path, *body;
} keyed[] = {
    {"of-room/00xxxxxx", "part 0"},
    {"of-room/01xxxxxx/more", "part 1"},
    {"of-room/0z", "part 3"},
    {"of-room/", "part 0"}, /* which says that there is no such room */
    {"of-session/0000000000000002", "part 2"},
    {"of-session/00000000000000ff/more", "part 3"},
    {"of-session/7fffffffffffffff", "part 3"},
    {"of-session/7000000000000001", "part 1"},
    {"of-session/000000000000003", "part 0"},
    {"of-session/000000000000000g", "part 0"},
    {"of-session/", "part 0"},
};

START_TEST(test_page_by_a_key)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/api/guest-book/%s", keyed[_i].path);
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(get(node, path), 200);
        ck_assert_str_eq(visit.body, keyed[_i].body);
        ck_assert_str_eq(visit.answer.type, "text/x-part");
    }
}
END_TEST

/* ---- what is sent */

/* The status. */
static int post(int node, const char *path, const char *text)
{
    const struct hub_http_post what = {
        .path = path, .host = "a.b", .origin = "https://a.b", .body = text, .len = strlen(text)};
    uint64_t ticket;
    struct site *site = nodes.nodes[node].site;
    visit.answer = (struct hub_http_answer){0};
    if (site_http_post(site, &what, visit_asker, nodes.now_ms, &visit.answer, &ticket)) {
        visit_keep(&visit);
        return visit.answer.status;
    }
    nodes_settle(&nodes);
    ck_assert_msg(is_answered(node, ticket), "%s is not answered", path);
    return visit.answer.status;
}

/* To the desk, from each node. */
START_TEST(test_sent_to_the_desk)
{
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(post(node, "/api/guest-book/words", "hen"), 200);
        ck_assert_str_eq(visit.body, "hen from https://a.b to a.b");
        ck_assert_str_eq(visit.answer.type, "text/x-left");
        ck_assert_int_eq(get(node, "/api/guest-book/2"), node == 2 ? 200 : 404);
    }
}
END_TEST

/* Where the session is, which is kept with it before that is said; from each node. */
START_TEST(test_sent_to_a_session)
{
    const int ana = nodes_guest(&nodes, 1, "Ana");
    char path[64], text[64];
    (void)snprintf(path, sizeof path, "/api/guest-book/words/%s", nodes.guests[ana].session);
    (void)snprintf(text, sizeof text, "%s hen", nodes.guests[ana].session);
    const unsigned home = (unsigned)(strtoull(nodes.guests[ana].session, NULL, 16) % 4);
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(post(node, path, text), 200);
        ck_assert_str_eq(visit.answer.type, "text/x-left");
    }
    nodes.places[home].storing = FAILED;
    for (int node = 0; node < 3; node++)
        ck_assert_int_eq(post(node, path, text), 503);
    ck_assert_str_eq(visit.answer.type, "text/plain; charset=utf-8");
}
END_TEST

static const struct {
    const char *path, *text;
    int status;
} sent_in_vain[] = {
    {"/api/guest-book", "x", 405},
    {"/api/guest-books", "x", 404},
    {"/api/rooms", "x", 404},
    {"/api/guest-book/words", "a word of forty-one letters, one too many", 413},
};

START_TEST(test_sent_in_vain)
{
    for (int node = 0; node < 3; node++)
        ck_assert_int_eq(post(node, sent_in_vain[_i].path, sent_in_vain[_i].text),
                         sent_in_vain[_i].status);
}
END_TEST

START_TEST(test_sent_to_nobody)
{
    nodes_leave(&nodes, 0);
    nodes_settle(&nodes);
    for (int node = 0; node < 3; node++)
        ck_assert_int_eq(post(node, "/api/guest-book/words", "hen"), 503);
}
END_TEST

/* What keeps nothing may be said without a lease. */
START_TEST(test_what_the_store_has)
{
    static const struct {
        const char *path;
        bool stored;
    } pages[] = {{"/api/guest-book", false},     {"/api/guest-book/of-room/00000000", true},
                 {"/api/guest-book/0", true},    {"/api/guest-book/behind/1", true},
                 {"/api/guest-book/much", true}, {"/api/rooms", true}};
    for (size_t at = 0; at < sizeof pages / sizeof *pages; at++) {
        struct site_page page;
        ck_assert(site_http_page(nodes.nodes[0].site, pages[at].path, &page));
        ck_assert_msg(page.stored == pages[at].stored, "%s", pages[at].path);
    }
}
END_TEST

Suite *pages_suite(void)
{
    Suite *suite = suite_create("pages");
    TCase *pages = tcase_create("pages");
    tcase_add_checked_fixture(pages, with_a_book, release);
    tcase_add_test(pages, test_page_of_any_part);
    tcase_add_test(pages, test_page_of_the_desk);
    tcase_add_loop_test(pages, test_page_by_a_key, 0, sizeof keyed / sizeof keyed[0]);
    tcase_add_test(pages, test_sent_to_the_desk);
    tcase_add_test(pages, test_sent_to_a_session);
    tcase_add_loop_test(pages, test_sent_in_vain, 0, sizeof sent_in_vain / sizeof sent_in_vain[0]);
    tcase_add_test(pages, test_sent_to_nobody);
    tcase_add_test(pages, test_what_the_store_has);
    suite_add_tcase(suite, pages);
    return suite;
}
