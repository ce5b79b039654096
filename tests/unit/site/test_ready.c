/* Which nodes say that they can serve clients, and what they say while nobody has a part. */
#include "nodes.h"
#include "suites.h"
#include <stdio.h>
#include <string.h>

static struct nodes nodes;
static char body[256];
static const char *type; /* of the last answer */
static int max_age_s;

static void three_nodes(void)
{
    nodes_init(&nodes, 3, 4);
}

static void release(void)
{
    nodes_release(&nodes);
}

/* The status. */
static int get(int node, const char *path)
{
    static const uint8_t asker[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 9};
    struct hub_http_answer answer = {0};
    uint64_t ticket;
    struct site *site = nodes.nodes[node].site;
    if (!site_http_get(site, path, asker, nodes.now_ms, &answer, &ticket)) {
        nodes_settle(&nodes);
        ck_assert(site_http_next(site, &ticket, &answer));
    }
    ck_assert_uint_lt(answer.len, sizeof body);
    memcpy(body, answer.body, answer.len);
    body[answer.len] = '\0';
    const int status = answer.status;
    type = answer.type;
    max_age_s = (int)answer.max_age_s;
    hub_http_release(&answer);
    return status;
}

START_TEST(test_ready)
{
    for (int node = 0; node < 3; node++)
        ck_assert_int_eq(get(node, "/readyz"), 200);
    nodes_leave(&nodes, 2);
    nodes_settle(&nodes);
    nodes_pass(&nodes, 60000); /* nobody takes it */
    for (int node = 0; node < 3; node++)
        ck_assert_int_eq(get(node, "/readyz"), 200);
    nodes_cut(&nodes, 0, 1);
    nodes_pass(&nodes, 5000);
    for (int node = 0; node < 3; node++)
        ck_assert_int_eq(get(node, "/readyz"), 200);
}
END_TEST

START_TEST(test_not_ready_cut_off)
{
    site_cut_off(nodes.nodes[0].site, true);
    ck_assert_int_eq(get(0, "/readyz"), 503);
    ck_assert_str_eq(body, "it is cut off from the other nodes\n");
    ck_assert_int_eq(get(1, "/readyz"), 200);
    site_cut_off(nodes.nodes[0].site, false);
    ck_assert_int_eq(get(0, "/readyz"), 200);
}
END_TEST

/* One that has not found the others yet is of no use. */
START_TEST(test_not_ready_yet)
{
    nodes_kill(&nodes, 2);
    nodes_start(&nodes, 2);
    for (int node = 0; node < 2; node++)
        nodes_cut(&nodes, node, 2);
    ck_assert_int_eq(get(2, "/readyz"), 503);
    ck_assert_str_eq(body, "no node that can be reached has any part\n");
}
END_TEST

/* What it had is taken over by somebody, within the time that requests wait. */
START_TEST(test_ready_a_while)
{
    for (int node = 1; node < 3; node++)
        nodes_kill(&nodes, node);
    nodes_leave(&nodes, 0);
    nodes_leave(&nodes, 3);
    nodes_settle(&nodes);
    nodes_pass(&nodes, 4999);
    ck_assert_int_eq(get(0, "/readyz"), 200);
    nodes_pass(&nodes, 1);
    ck_assert_int_eq(get(0, "/readyz"), 503);
}
END_TEST

/* The database is away: nobody is better off elsewhere. */
START_TEST(test_ready_as_all_others)
{
    for (unsigned part = 0; part < 4; part++)
        site_hold(nodes.nodes[nodes.places[part].node].site, part, true, nodes.now_ms);
    ck_assert_int_eq(get(0, "/readyz"), 503); /* it does not know of the others yet */
    for (int node = 0; node < 3; node++) {
        (void)get(node, "/readyz");
        nodes_settle(&nodes);
    }
    for (int node = 0; node < 3; node++)
        ck_assert_int_eq(get(node, "/readyz"), 200);
    nodes_cut(&nodes, 0, 1);
    nodes_join(&nodes, 0, 1); /* they know of each other again */
    nodes_settle(&nodes);
    ck_assert_int_eq(get(0, "/readyz"), 200);
    site_hold(nodes.nodes[1].site, 1, false, nodes.now_ms);
    ck_assert_int_eq(get(1, "/readyz"), 200);
    nodes_settle(&nodes);
    ck_assert_int_eq(get(0, "/readyz"), 503);
    ck_assert_ptr_nonnull(strstr(body, "part 0: its lease is lost"));
}
END_TEST

static void ask_all(int status)
{
    for (int node = 0; node < 3; node++) {
        (void)get(node, "/readyz");
        nodes_settle(&nodes);
    }
    for (int node = 0; node < 3; node++)
        ck_assert_int_eq(get(node, "/readyz"), status);
}

/* A node that has no part is ready where others have some, and no better where those do not work.
 */
START_TEST(test_ready_without_a_part)
{
    nodes_leave(&nodes, 2);
    nodes_settle(&nodes);
    nodes_serve(&nodes, 2, 0);
    nodes_settle(&nodes);
    ask_all(200);
    for (unsigned part = 0; part < 4; part++)
        site_hold(nodes.nodes[nodes.places[part].node].site, part, true, nodes.now_ms);
    ask_all(200);
}
END_TEST

/* Nor is one better than another when in the end nobody has any part. */
START_TEST(test_ready_though_nobody_has_a_part)
{
    for (unsigned part = 0; part < 4; part++)
        nodes_leave(&nodes, part);
    nodes_settle(&nodes);
    nodes_pass(&nodes, 60000);
    ask_all(200);
    nodes_kill(&nodes, 2);
    nodes_start(&nodes, 2);
    nodes_settle(&nodes);
    ck_assert_int_eq(get(2, "/readyz"), 503); /* it has never found any */
    nodes_serve(&nodes, 1, 1);
    nodes_settle(&nodes);
    ask_all(200);
}
END_TEST

START_TEST(test_not_ready_itself)
{
    hub_drain(nodes.places[1].hub, nodes.now_ms);
    ck_assert_int_eq(get(1, "/readyz"), 503);
    ck_assert_str_eq(body, "part 1: it is drained\n");
    ck_assert_int_eq(get(0, "/readyz"), 200);
    hub_drain(nodes.places[0].hub, nodes.now_ms); /* it has another part that works */
    ck_assert_int_eq(get(0, "/readyz"), 200);
    site_end(nodes.nodes[0].site, nodes.now_ms);
    ck_assert_int_eq(get(0, "/readyz"), 503);
    ck_assert_str_eq(body, "this node ends\n");
}
END_TEST

START_TEST(test_keys)
{
    nodes_leave(&nodes, 2);
    nodes_settle(&nodes);
    for (int node = 0; node < 3; node++) {
        ck_assert_int_eq(get(node, "/.well-known/taluva-keys.json"), 200);
        ck_assert_str_eq(type, "application/jwk-set+json");
        ck_assert_int_eq(max_age_s, 3600);
        ck_assert_str_eq(body, "{\"keys\":[]}");
    }
}
END_TEST

START_TEST(test_list_of_nobody)
{
    for (unsigned part = 0; part < 4; part++)
        nodes_leave(&nodes, part);
    nodes_settle(&nodes);
    ck_assert_int_eq(get(0, "/api/rooms"), 503);
    ck_assert_int_eq(get(0, "/.well-known/taluva-keys.json"), 503);
    for (unsigned part = 0; part < 4; part++)
        nodes_serve(&nodes, part, 0);
    nodes_settle(&nodes);
    ck_assert_int_eq(get(0, "/api/rooms"), 200); /* the refusal was not kept */
}
END_TEST

Suite *ready_suite(void)
{
    Suite *suite = suite_create("ready");
    TCase *ready = tcase_create("ready");
    tcase_add_checked_fixture(ready, three_nodes, release);
    tcase_add_test(ready, test_ready);
    tcase_add_test(ready, test_not_ready_cut_off);
    tcase_add_test(ready, test_not_ready_yet);
    tcase_add_test(ready, test_ready_a_while);
    tcase_add_test(ready, test_ready_as_all_others);
    tcase_add_test(ready, test_ready_without_a_part);
    tcase_add_test(ready, test_ready_though_nobody_has_a_part);
    tcase_add_test(ready, test_not_ready_itself);
    tcase_add_test(ready, test_keys);
    tcase_add_test(ready, test_list_of_nobody);
    suite_add_tcase(suite, ready);
    return suite;
}
