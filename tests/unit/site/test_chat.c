/* Talk in the lobby of a site: its desk has it, and all nodes show the same. */
#include "nodes.h"
#include "suites.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

static struct nodes nodes;
static int ana,
    bo; /* at home in parts of their own, at nodes of their own, and not at the desk's */

static int person(unsigned part, const char *handle)
{
    int guest = nodes_guest_from(&nodes, (int)part, handle, (uint8_t)(20 + part));
    while (home_of(&nodes, guest) != part) {
        nodes_disconnect(&nodes, guest);
        nodes_forget(&nodes, guest);
        guest = nodes_guest_from(&nodes, (int)part, handle, (uint8_t)(20 + part));
    }
    nodes_do(&nodes, guest, "claim", "{s:s}", "handle", handle);
    return guest;
}

static void set_up(void)
{
    nodes_init(&nodes, 3, 4);
    ana = person(1, "Ana-1");
    bo = person(2, "Bo-1");
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

static int64_t hear_all(int guest, const char *expected)
{
    char text[256] = "";
    size_t at, len = 0;
    const json_t *line;
    json_t *ok = nodes_ok(&nodes, guest, "chat", "");
    ck_assert(json_is_true(json_object_get(ok, "whole")));
    json_array_foreach(json_object_get(ok, "lines"), at, line)
    {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s:%s", at ? " " : "",
                                text_of(line, "handle"), text_of(line, "text"));
    }
    ck_assert_str_eq(text, expected);
    const int64_t have = number_of(ok, "have");
    json_decref(ok);
    return have;
}

static int64_t listen(int guest, int64_t have)
{
    const int64_t id = nodes_post(&nodes, guest, "chat", "{s:I}", "have", (json_int_t)have);
    nodes_settle(&nodes);
    return id;
}

static void say(int guest, const char *text)
{
    nodes_do(&nodes, guest, "chat_say", "{s:s}", "text", text);
}

START_TEST(test_all_nodes_show_the_same)
{
    const int64_t id = listen(bo, hear_all(bo, ""));
    ck_assert_ptr_null(nodes_reply(&nodes, bo, id));
    say(ana, "hi");
    json_t *reply = nodes_reply(&nodes, bo, id);
    const json_t *line = json_array_get(json_object_get(json_object_get(reply, "ok"), "lines"), 0);
    ck_assert_str_eq(text_of(line, "text"), "hi");
    json_decref(reply);
    say(bo, "you");
    for (int node = 0; node < 3; node++)
        (void)hear_all(nodes_guest(&nodes, node, "Eve"), "Ana-1:hi Bo-1:you");
}
END_TEST

/* Another node takes the desk: lines were in memory, and who waits is told that they are gone. */
START_TEST(test_the_desk_goes)
{
    say(ana, "hi");
    const int64_t id = listen(bo, hear_all(bo, "Ana-1:hi"));
    nodes_lose(&nodes, 0);
    nodes_pass(&nodes, 100);
    nodes_serve(&nodes, 0, 2);
    nodes_pass(&nodes, 1000);
    json_t *reply = nodes_reply(&nodes, bo, id);
    const json_t *ok = json_object_get(reply, "ok");
    ck_assert(json_is_true(json_object_get(ok, "whole")));
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "lines")), 0);
    json_decref(reply);
    say(bo, "you");
    (void)hear_all(ana, "Bo-1:you");
}
END_TEST

/* Whom they block is known at the desk as soon as that is answered, though it is not their home. */
START_TEST(test_blocked_while_they_listen)
{
    const int64_t id = listen(ana, hear_all(ana, ""));
    nodes_do(&nodes, ana, "block", "{s:s}", "handle", "Bo-1");
    nodes_pass(&nodes, 3000);
    say(bo, "hi");
    ck_assert_ptr_null(nodes_reply(&nodes, ana, id));
    (void)hear_all(ana, "");
}
END_TEST

START_TEST(test_quiet_at_the_desk)
{
    nodes_do(&nodes, ana, "quiet", "{s:b}", "on", 1);
    nodes_refused(&nodes, ana, "quiet", "chat", "");
    nodes_refused(&nodes, ana, "quiet", "chat_say", "{s:s}", "text", "hi");
    nodes_do(&nodes, ana, "quiet", "{s:b}", "on", 0);
    (void)hear_all(ana, "");
}
END_TEST

/* From one part to the other, the line is reported where it is. */
START_TEST(test_a_report_from_another_node)
{
    say(bo, "hm");
    json_t *ok = nodes_ok(&nodes, ana, "chat", "");
    const json_t *line = json_array_get(json_object_get(ok, "lines"), 0);
    nodes_do(&nodes, ana, "chat_report", "{s:I,s:s}", "line", (json_int_t)number_of(line, "line"),
             "why", "talk");
    json_decref(ok);
    nodes_pass(&nodes, 2000);
    ok = nodes_ok(&nodes, ana, "kept_at_desk", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "reports")), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "chat")), 0);
    json_decref(ok);
    ok = nodes_ok(&nodes, bo, "kept_at_desk", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "chat")), 1);
    json_decref(ok);
}
END_TEST

Suite *chat_suite(void)
{
    Suite *suite = suite_create("chat");
    TCase *tests = tcase_create("talk in the lobby of a site");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_all_nodes_show_the_same);
    tcase_add_test(tests, test_the_desk_goes);
    tcase_add_test(tests, test_blocked_while_they_listen);
    tcase_add_test(tests, test_quiet_at_the_desk);
    tcase_add_test(tests, test_a_report_from_another_node);
    suite_add_tcase(suite, tests);
    return suite;
}
