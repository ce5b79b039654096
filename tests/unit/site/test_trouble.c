/* Parts that nobody has, nodes that are gone, links that are cut or full. */
#include "clients/client.h"
#include "nodes.h"
#include "suites.h"
#include <hub/part.h>
#include <stdio.h>
#include <string.h>

static struct nodes nodes;

static void three_nodes(void)
{
    nodes_init(&nodes, 3, 4);
}

static void release(void)
{
    nodes_release(&nodes);
}

static void hold(unsigned part, bool held)
{
    site_hold(nodes.nodes[nodes.places[part].node].site, part, held, nodes.now_ms);
}

static void check_reply(int guest, int64_t id, const char *error)
{
    json_t *reply = nodes_reply(&nodes, guest, id);
    ck_assert_ptr_nonnull(reply);
    ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), error);
    json_decref(reply);
}

/* What is asked of a part meanwhile waits for it, in its order. */
START_TEST(test_taken_over)
{
    const int ana = nodes_guest(&nodes, 0, "Ana"), host = nodes_guest(&nodes, 1, "Host");
    char room[9];
    nodes_room(&nodes, host, room);
    const unsigned part = part_of_room(room, 4);
    nodes_leave(&nodes, part);
    nodes_settle(&nodes);
    ck_assert(nodes.guests[host].open); /* its home */
    ck_assert(nodes.guests[ana].open);
    const int64_t join = nodes_post(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
    const int64_t watch = nodes_post(&nodes, ana, "watch", "{s:s}", "room", room);
    const int64_t ping = nodes_post(&nodes, ana, "ping", "");
    nodes_pass(&nodes, 4000);
    ck_assert_uint_eq(nodes.guests[ana].count, 0);
    nodes_serve(&nodes, part, 2);
    nodes_settle(&nodes);
    check_reply(ana, join, "");
    check_reply(ana, watch, "");
    check_reply(ana, ping, "");
    nodes_do(&nodes, host, "watch", "{s:s}", "room", room);
}
END_TEST

/* Not even what has come out before it was held, over a link or here; other parts go on. */
START_TEST(test_held)
{
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    char room[9];
    nodes_room(&nodes, host, room);
    const unsigned part = part_of_room(room, 4);
    ck_assert_uint_ne(home_of(&nodes, ana), part);
    nodes_do(&nodes, host, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_forget(&nodes, host);
    nodes_forget(&nodes, ana);
    hold(part, true);
    const int64_t join = nodes_post(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 1);
    nodes_settle(&nodes);
    ck_assert_uint_eq(nodes.guests[host].count, 0);
    ck_assert_uint_eq(nodes.guests[ana].count, 0);
    nodes_do(&nodes, ana, "ping", "");
    hold(part, false);
    nodes_settle(&nodes);
    check_reply(ana, join, "");
    ck_assert_uint_gt(nodes.guests[host].count, 0);
    hold(part, true);
    nodes_leave(&nodes, part);
    nodes_settle(&nodes);
    nodes_serve(&nodes, part, 2);
    nodes_settle(&nodes);
    nodes_do(&nodes, host, "say", "{s:s,s:s}", "room", room, "text", "here");
}
END_TEST

/* What comes after it was answered without is nobody's: another answer would be one too many. */
START_TEST(test_late_list)
{
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    char room[9];
    nodes_room(&nodes, host, room);
    const unsigned part = part_of_room(room, 4);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    hold(part, true);
    for (int times = 0; times < 6; times++) {
        const int64_t rooms = nodes_post(&nodes, ana, "rooms", "");
        nodes_pass(&nodes, nodes.site_config.gather_wait_ms);
        check_reply(ana, rooms, "");
    }
    nodes_forget(&nodes, ana);
    hold(part, false);
    nodes_settle(&nodes);
    for (size_t at = 0; at < nodes.guests[ana].count; at++)
        ck_assert_str_eq(text_of(nodes.guests[ana].inbox[at], "code"), "whole");
    json_t *ok = nodes_ok(&nodes, ana, "rooms", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    json_decref(ok);
}
END_TEST

/* Seats that may have changed are not told, and the list is that of the others. */
START_TEST(test_asked_while_held)
{
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    char room[9], own[9];
    nodes_room(&nodes, host, room);
    nodes_room(&nodes, ana, own);
    const unsigned part = part_of_room(room, 4);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 1);
    for (int held = 1; held >= 0; held--) {
        hold(part, held);
        const int back = nodes_connect(&nodes, 0);
        const int64_t hello =
            nodes_post(&nodes, back, "hello", "{s:s}", "token", nodes.guests[ana].token);
        nodes_pass(&nodes, nodes.site_config.gather_wait_ms);
        json_t *reply = nodes_reply(&nodes, back, hello);
        const json_t *seats = json_object_get(json_object_get(reply, "ok"), "seats");
        ck_assert_uint_eq(json_array_size(seats), held ? 0 : 1);
        json_decref(reply);
        const int64_t rooms = nodes_post(&nodes, back, "rooms", "");
        nodes_pass(&nodes, nodes.site_config.gather_wait_ms);
        reply = nodes_reply(&nodes, back, rooms);
        const json_t *list = json_object_get(json_object_get(reply, "ok"), "rooms");
        ck_assert_uint_eq(json_array_size(list), held ? 1 : 2);
        json_decref(reply);
    }
}
END_TEST

START_TEST(test_nobody_takes_it)
{
    const int ana = nodes_guest(&nodes, 0, "Ana"), host = nodes_guest(&nodes, 1, "Host");
    char room[9], token[PROTOCOL_TOKEN_BYTES + 1];
    memcpy(token, nodes.guests[host].token, sizeof token);
    nodes_room(&nodes, host, room);
    nodes_leave(&nodes, part_of_room(room, 4));
    nodes_settle(&nodes);
    const int64_t join = nodes_post(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
    nodes_pass(&nodes, 4999);
    ck_assert_uint_eq(nodes.guests[ana].count, 0);
    nodes_pass(&nodes, 1);
    check_reply(ana, join, "part_away");
    nodes_do(&nodes, ana, "ping", "");
    const int back = nodes_connect(&nodes, 0);
    const int64_t hello = nodes_post(&nodes, back, "hello", "{s:s}", "token", token);
    nodes_pass(&nodes, 5000);
    check_reply(back, hello, "part_away");
}
END_TEST

/* The list has what there is. */
START_TEST(test_list_without_a_part)
{
    const int ana = nodes_guest(&nodes, 0, "Ana"), host = nodes_guest(&nodes, 1, "Host");
    char room[9], own[9];
    nodes_room(&nodes, host, room);
    nodes_room(&nodes, ana, own);
    nodes_leave(&nodes, part_of_room(room, 4));
    json_t *ok = nodes_ok(&nodes, ana, "rooms", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    json_decref(ok);
}
END_TEST

/* A node that does not answer in time is left out. */
START_TEST(test_silent_link)
{
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    char room[9];
    nodes_room(&nodes, host, room);
    struct site_link *link = nodes.nodes[0].links[1];
    nodes.nodes[0].links[1] = NULL; /* nothing is carried from 0 to 1 any more */
    const int64_t rooms = nodes_post(&nodes, ana, "rooms", "");
    const int64_t second = nodes_post(&nodes, ana, "rooms", "");
    nodes_pass(&nodes, nodes.site_config.gather_wait_ms - 1);
    ck_assert_uint_eq(nodes.guests[ana].count, 0);
    nodes_pass(&nodes, 1);
    check_reply(ana, rooms, "");
    nodes_pass(&nodes, nodes.site_config.gather_wait_ms);
    check_reply(ana, second, "");
    const int back = nodes_connect(&nodes, 0);
    const int64_t hello =
        nodes_post(&nodes, back, "hello", "{s:s}", "token", nodes.guests[ana].token);
    nodes_pass(&nodes, nodes.site_config.gather_wait_ms);
    check_reply(back, hello, "");
    nodes.nodes[0].links[1] = link;
}
END_TEST

/* A link that is lost is not waited for; nor is what came behind the hello. */
START_TEST(test_lost_while_asked)
{
    const int ana = nodes_guest(&nodes, 0, "Ana");
    struct site_link *link = nodes.nodes[0].links[1];
    nodes.nodes[0].links[1] = NULL;
    const int back = nodes_connect(&nodes, 0);
    const int64_t hello =
        nodes_post(&nodes, back, "hello", "{s:s}", "token", nodes.guests[ana].token);
    const int64_t ping = nodes_post(&nodes, back, "ping", "");
    nodes_settle(&nodes);
    ck_assert_uint_eq(nodes.guests[back].count, 0);
    nodes.nodes[0].links[1] = link;
    nodes_cut(&nodes, 0, 1);
    nodes_settle(&nodes);
    check_reply(back, hello, "");
    check_reply(back, ping, "");
}
END_TEST

/* What waits for a part that nobody has is bounded. */
START_TEST(test_much_waits)
{
    const int ana = nodes_guest(&nodes, 0, "Ana"), host = nodes_guest(&nodes, 1, "Host");
    char room[9], message[200];
    nodes_room(&nodes, host, room);
    nodes_leave(&nodes, part_of_room(room, 4));
    nodes_settle(&nodes);
    const int len =
        snprintf(message, sizeof message, "{\"id\":7,\"op\":\"watch\",\"room\":\"%s\"}", room);
    const size_t fit =
        (nodes.site_config.waiting_bytes - sizeof(struct decoded)) / (size_t)len; /* of the first */
    for (size_t at = 0; at < fit; at++)
        nodes_send(&nodes, ana, message);
    nodes_settle(&nodes);
    ck_assert_uint_eq(nodes.guests[ana].count, 0);
    nodes_send(&nodes, ana, message);
    nodes_settle(&nodes);
    check_reply(ana, 7, "slow_down");
}
END_TEST

/* Whoever does not read is closed, and then gets nothing more. */
START_TEST(test_slow_reader)
{
    char room[9];
    nodes_limit(&nodes, 0, 3000, 100000);
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, host, "join", "{s:s}", "room", room);
    nodes_forget(&nodes, ana);
    nodes.guests[ana].deaf = true;
    for (int i = 0; i < 60 && nodes.guests[ana].open; i++) {
        nodes_do(&nodes, host, "ready", "{s:s,s:b}", "room", room, "ready", i % 2 == 0);
        nodes_pass(&nodes, 5000);
    }
    ck_assert_int_eq(nodes.guests[ana].close_code, 4002);
    ck_assert(nodes.guests[host].open);
}
END_TEST

/* But nobody is for what others say: that is left out, and told later. */
START_TEST(test_talk_closes_nobody)
{
    enum { SAID = 100 };
    char room[9];
    size_t lines = 0, told = 0;
    nodes_limit(&nodes, 0, 3000, 100000);
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, host, "watch", "{s:s}", "room", room);
    nodes_forget(&nodes, ana);
    nodes.guests[ana].deaf = true;
    for (int said = 0; said < SAID; said++) {
        nodes_do(&nodes, host, "say", "{s:s,s:s}", "room", room, "text", "hi");
        nodes_pass(&nodes, 5000);
    }
    ck_assert(nodes.guests[ana].open);
    nodes.guests[ana].deaf = false;
    nodes_do(&nodes, ana, "ping", "");
    for (size_t at = 0; at < nodes.guests[ana].count; at++) {
        lines += strcmp(text_of(nodes.guests[ana].inbox[at], "push"), "said") == 0;
        told += strcmp(text_of(nodes.guests[ana].inbox[at], "code"), "left_out") == 0;
    }
    ck_assert_uint_gt(lines, 1);
    ck_assert_uint_lt(lines, SAID);
    ck_assert_uint_eq(told, 1);
}
END_TEST

/* While the link to it is full, what a client is told waits in the hub, and then all of it comes.
 */
START_TEST(test_full_to_a_client)
{
    char room[9];
    enum { SAID = 40 };
    nodes_limit(&nodes, 1, 1048576, 2000);
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_do(&nodes, host, "watch", "{s:s}", "room", room);
    nodes_forget(&nodes, ana);
    struct site_link *link = nodes.nodes[1].links[0];
    nodes.nodes[1].links[0] = NULL;
    for (int said = 0; said < SAID; said++) {
        nodes_do(&nodes, host, "say", "{s:s,s:s}", "room", room, "text", "hi");
        nodes_pass(&nodes, 5000);
    }
    ck_assert_uint_eq(nodes.guests[ana].count, 0);
    nodes.nodes[1].links[0] = link;
    nodes_settle(&nodes);
    size_t count = 0;
    for (size_t at = 0; at < nodes.guests[ana].count; at++)
        count += strcmp(text_of(nodes.guests[ana].inbox[at], "push"), "said") == 0;
    ck_assert_uint_eq(count, SAID);
}
END_TEST

/* Its clients are gone with it, and come again; those of others go on. */
START_TEST(test_node_dies)
{
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    const int other = nodes_guest(&nodes, 2, "Other");
    char room[9];
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
    nodes_kill(&nodes, 1);
    nodes_settle(&nodes);
    ck_assert(nodes.guests[ana].open);
    ck_assert(nodes.guests[other].open);
    nodes_serve(&nodes, 1, 0);
    nodes_do(&nodes, ana, "say", "{s:s,s:s}", "room", room, "text", "here");
    nodes_start(&nodes, 1);
    const struct guest before = nodes.guests[host];
    ck_assert_int_eq(nodes_connect(&nodes, 1), -1); /* it knows of no part yet */
    nodes_settle(&nodes);
    nodes.guests[host] = before;
    const int last = nodes_back(&nodes, 1, host);
    nodes_do(&nodes, last, "watch", "{s:s}", "room", room);
}
END_TEST

/* The same node, by a link that is made again. */
START_TEST(test_link_cut)
{
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    char room[9];
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
    nodes_do(&nodes, host, "join", "{s:s,s:i}", "room", room, "seat", 1);
    nodes_cut(&nodes, 0, 1);
    nodes_settle(&nodes);
    ck_assert(nodes.guests[ana].open);
    ck_assert(nodes.guests[host].open);
    nodes_join(&nodes, 0, 1);
    nodes_settle(&nodes);
    nodes_do(&nodes, ana, "say", "{s:s,s:s}", "room", room, "text", "back");
}
END_TEST

/* Of two that serve a part the later one is believed, whichever is heard of first. */
START_TEST(test_later_term)
{
    const int ana = nodes_guest(&nodes, 2, "Ana"), host = nodes_guest(&nodes, 1, "Host");
    char room[9];
    nodes_room(&nodes, host, room);
    struct hub *old = nodes.places[1].hub;
    nodes.places[1].hub = NULL; /* node 1 goes on serving it, and does not know */
    nodes_serve(&nodes, 1, 0);
    nodes_settle(&nodes);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
    nodes_cut(&nodes, 2, 1);
    nodes.nodes[2].links[1] = site_link_open(nodes.nodes[2].site, nodes.now_ms);
    nodes.nodes[1].links[2] = site_link_open(nodes.nodes[1].site, nodes.now_ms);
    nodes_settle(&nodes); /* says again that it serves part 1 */
    nodes_do(&nodes, ana, "say", "{s:s,s:s}", "room", room, "text", "hi");
    site_leave(nodes.nodes[1].site, 1, nodes.now_ms);
    hub_destroy(old);
}
END_TEST

/* While a link is full, messages stay where they are, and a client's are refused. */
START_TEST(test_full_link)
{
    char room[9];
    nodes_release(&nodes);
    nodes_init(&nodes, 2, 2);
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    nodes_room(&nodes, host, room);
    nodes_do(&nodes, ana, "join", "{s:s,s:i}", "room", room, "seat", 0);
    nodes_do(&nodes, host, "join", "{s:s,s:i}", "room", room, "seat", 1);
    nodes_forget(&nodes, ana);
    struct site_link *links[2] = {nodes.nodes[1].links[0], nodes.nodes[0].links[1]};
    size_t len, count = 0;
    nodes.nodes[1].links[0] = nodes.nodes[0].links[1] = NULL;
    static char text[2000];
    memset(text, ' ', sizeof text - 1);
    const int64_t first = nodes.next_id;
    for (int at = 0; at < 8000 && !count; at++) {
        char message[2100];
        const int size = snprintf(message, sizeof message, "{\"id\":%lld,\"op\":\"ping\"}%s",
                                  (long long)nodes.next_id++, text);
        ck_assert_int_lt(size, (int)sizeof message);
        (void)snprintf(message, sizeof message,
                       "{\"id\":%lld,\"op\":\"say\",\"room\":\"%s\",\"text\":\"x\"}%1500s",
                       (long long)nodes.next_id - 1, room, "");
        nodes_send(&nodes, ana, message);
        nodes_settle(&nodes);
        count = nodes.guests[ana].count;
    }
    ck_assert_uint_eq(count, 1);
    check_reply(ana, nodes.next_id - 1, "slow_down");
    ck_assert_int_gt(nodes.next_id - first, 5000); /* 8 MiB */
    ck_assert_ptr_nonnull(site_link_output(links[1], &len));
    nodes.nodes[1].links[0] = links[0];
    nodes.nodes[0].links[1] = links[1];
    nodes_settle(&nodes);
    ck_assert(nodes.guests[host].open);
}
END_TEST

/* Nothing can be asked of a site without parts. */
START_TEST(test_no_parts)
{
    for (unsigned part = 0; part < 4; part++)
        nodes_leave(&nodes, part);
    nodes_settle(&nodes);
    ck_assert_int_eq(nodes_connect(&nodes, 0), -1);
}
END_TEST

Suite *trouble_suite(void)
{
    Suite *suite = suite_create("site in trouble");
    TCase *tcase = tcase_create("trouble");
    tcase_add_checked_fixture(tcase, three_nodes, release);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test_taken_over);
    tcase_add_test(tcase, test_held);
    tcase_add_test(tcase, test_late_list);
    tcase_add_test(tcase, test_asked_while_held);
    tcase_add_test(tcase, test_nobody_takes_it);
    tcase_add_test(tcase, test_list_without_a_part);
    tcase_add_test(tcase, test_silent_link);
    tcase_add_test(tcase, test_lost_while_asked);
    tcase_add_test(tcase, test_much_waits);
    tcase_add_test(tcase, test_slow_reader);
    tcase_add_test(tcase, test_talk_closes_nobody);
    tcase_add_test(tcase, test_full_to_a_client);
    tcase_add_test(tcase, test_node_dies);
    tcase_add_test(tcase, test_link_cut);
    tcase_add_test(tcase, test_later_term);
    tcase_add_test(tcase, test_full_link);
    tcase_add_test(tcase, test_no_parts);
    suite_add_tcase(suite, tcase);
    return suite;
}
