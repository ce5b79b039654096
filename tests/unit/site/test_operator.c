/* What the operator of a node asks of all its parts, and what reaches the other nodes. */
#include "../../support/guest_book.h"
#include "nodes.h"
#include "suites.h"
#include "told.h"
#include <hub/admin.h>
#include <hub/part.h>
#include <identity/identity.h>
#include <registry/registry.h>
#include <site/documents.h>
#include <site/operator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct nodes nodes;

static void two_nodes(void)
{
    nodes_init(&nodes, 2, 4);
}

static void release(void)
{
    nodes_release(&nodes);
}

/* What node 0 answers; `keep` gets the bans that are to be kept. */
static enum admin_outcome ask(const char *text, struct buffer *line, struct buffer *keep,
                              struct refusal *refusal)
{
    struct admin_request request;
    const struct site_inquiry inquiry = {.request = &request, .server = "s", .most = 1};
    ck_assert(admin_request_read(&request, registry, text, strlen(text), refusal));
    return site_operator_ask(nodes.nodes[0].site, &inquiry, nodes.now_ms, line, keep, refusal);
}

static json_t *ok_of(const struct buffer *line)
{
    json_t *answer = json_loadb(buffer_payload(line), line->len, 0, NULL);
    json_t *ok = json_incref(json_object_get(answer, "ok"));
    ck_assert_ptr_nonnull(ok);
    json_decref(answer);
    return ok;
}

/* What node 0 answers at once, a new reference. */
static json_t *look(const char *text)
{
    struct refusal refusal = {0};
    struct buffer line, keep;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    buffer_init(&keep, 0, ADMIN_ANSWER_BYTES);
    ck_assert_int_eq(ask(text, &line, &keep, &refusal), ADMIN_DONE);
    json_t *ok = ok_of(&line);
    buffer_release(&keep);
    buffer_release(&line);
    return ok;
}

static void denied(const char *text, const char *code)
{
    struct refusal refusal = {0};
    struct buffer line, keep;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    buffer_init(&keep, 0, ADMIN_ANSWER_BYTES);
    ck_assert_int_eq(ask(text, &line, &keep, &refusal), ADMIN_REFUSED);
    ck_assert_str_eq(refusal.code ? refusal.code : protocol_error_code(refusal.error), code);
    buffer_release(&keep);
    buffer_release(&line);
}

static size_t count_of(const char *text, const char *key)
{
    json_t *ok = look(text);
    const size_t count = json_array_size(json_object_get(ok, key));
    json_decref(ok);
    return count;
}

/* Notices of that kind, which are taken. */
static size_t notices(int guest, const char *code)
{
    size_t count = 0;
    for (size_t at = 0; at < nodes.guests[guest].count; at++) {
        const json_t *message = nodes.guests[guest].inbox[at];
        count += strcmp(text_of(message, "push"), "notice") == 0 &&
                 strcmp(text_of(message, "code"), code) == 0;
    }
    nodes_forget(&nodes, guest);
    return count;
}

/* At home in one part, and watching a room of another one, if any. */
static int crossing(int node, unsigned home, const char *room)
{
    for (;;) {
        const int guest = nodes_guest(&nodes, node, "Ana");
        if (home_of(&nodes, guest) == home) {
            if (room)
                nodes_do(&nodes, guest, "watch", "{s:s}", "room", room);
            return guest;
        }
        nodes_disconnect(&nodes, guest);
    }
}

START_TEST(test_lists)
{
    const int zero = guest_of_part(&nodes, 0, "Zero"), two = guest_of_part(&nodes, 2, "Two");
    char rooms[2][9];
    nodes_room(&nodes, zero, rooms[0]);
    nodes_room(&nodes, two, rooms[1]);
    (void)crossing(0, 0, rooms[1]);
    (void)crossing(1, 1, rooms[0]);
    json_t *ok = look("{\"id\":1,\"op\":\"rooms\"}");
    const json_t *list = json_object_get(ok, "rooms");
    ck_assert_uint_eq(json_array_size(list), 2);
    const char *first = text_of(json_array_get(list, 0), "room");
    ck_assert_int_lt(strcmp(first, text_of(json_array_get(list, 1), "room")), 0);
    json_decref(ok);
    ok = look("{\"id\":1,\"op\":\"sessions\"}");
    size_t at;
    const json_t *session;
    ck_assert_uint_ge(json_array_size(json_object_get(ok, "sessions")), 3);
    json_array_foreach(json_object_get(ok, "sessions"), at, session)
        ck_assert_int_eq(number_of(session, "connections"), 1);
    json_decref(ok);
    json_t *status = look("{\"id\":1,\"op\":\"status\"}");
    ck_assert_int_eq(number_of(status, "rooms"), 2);
    ck_assert_uint_eq((size_t)number_of(status, "connections"),
                      count_of("{\"id\":1,\"op\":\"sessions\"}", "sessions"));
    json_decref(status);
    status = look("{\"id\":1,\"op\":\"addresses\"}");
    json_int_t connections = 0;
    json_array_foreach(json_object_get(status, "addresses"), at, session) connections +=
        number_of(session, "connections");
    ck_assert_uint_eq((size_t)connections, count_of("{\"id\":1,\"op\":\"sessions\"}", "sessions"));
    json_decref(status);
}
END_TEST

/* A page goes through all parts, and the next one goes on behind it. */
START_TEST(test_pages)
{
    const int zero = guest_of_part(&nodes, 0, "Zero"), two = guest_of_part(&nodes, 2, "Two");
    for (int at = 0; at < 4; at++) {
        char room[9];
        nodes_room(&nodes, at % 2 ? two : zero, room);
    }
    json_t *ok = look("{\"id\":1,\"op\":\"rooms\"}");
    char last[64];
    const size_t all = json_array_size(json_object_get(ok, "rooms"));
    ck_assert_uint_eq(all, 4);
    for (size_t from = 0; from < all; from++) { /* in the first part, and in the other */
        const char *id = text_of(json_array_get(json_object_get(ok, "rooms"), from), "room");
        char hex[17];
        for (int at = 0; at < 8; at++)
            (void)snprintf(hex + 2 * at, 3, "%02x", (unsigned char)id[at]);
        (void)snprintf(last, sizeof last, "{\"id\":1,\"op\":\"rooms\",\"after\":\"%s\"}", hex);
        ck_assert_uint_eq(count_of(last, "rooms"), all - 1 - from);
    }
    json_decref(ok);
}
END_TEST

START_TEST(test_no_part)
{
    struct admin_hubs none = {.server = "s", .now_ms = 1, .draining = true};
    const struct admin_request request = {.id = 1, .op = ADMIN_STATUS};
    struct buffer line;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    hub_admin_look(&none, &request, &line);
    json_t *answer = json_loadb(buffer_payload(&line), line.len, 0, NULL);
    const json_t *ok = json_object_get(answer, "ok");
    ck_assert_int_eq(number_of(ok, "rooms"), 0);
    ck_assert(json_is_true(json_object_get(ok, "draining")));
    json_decref(answer);
    buffer_release(&line);
}
END_TEST

/* A list is read by any part that is here; a change goes to the part of whom the letter is to. */
START_TEST(test_letters)
{
    struct refusal refusal = {0};
    struct buffer line, keep;
    nodes_settle(&nodes);
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    buffer_init(&keep, 0, ADMIN_ANSWER_BYTES);
    denied("{\"id\":1,\"op\":\"retry\",\"letter\":\"00000000000000010000000000000001\"}",
           "elsewhere");
    ck_assert_int_eq(ask("{\"id\":1,\"op\":\"letters\"}", &line, &keep, &refusal), ADMIN_WAITS);
    denied("{\"id\":1,\"op\":\"letters\"}", "busy");
    denied("{\"id\":1,\"op\":\"discard\",\"letter\":\"00000000000000000000000000000001\"}", "busy");
    nodes_settle(&nodes);
    ck_assert_int_eq(site_operator_next(nodes.nodes[0].site, nodes.now_ms, &line, &refusal),
                     ADMIN_DONE);
    json_t *ok = ok_of(&line);
    ck_assert(json_is_array(json_object_get(ok, "letters")));
    json_decref(ok);
    buffer_clear(&line);
    ck_assert_int_eq(
        ask("{\"id\":1,\"op\":\"discard\",\"letter\":\"00000000000000020000000000000001\"}", &line,
            &keep, &refusal),
        ADMIN_WAITS);
    nodes_settle(&nodes);
    while (site_operator_next(nodes.nodes[0].site, nodes.now_ms, &line, &refusal) == ADMIN_WAITS)
        nodes_settle(&nodes);
    ck_assert_str_eq(refusal.code, "unknown_letter");
    buffer_release(&keep);
    buffer_release(&line);
}
END_TEST

/* Only where the desk is are invitations made, and the other node says where that is. */
START_TEST(test_desk)
{
    struct admin_request request;
    struct refusal refusal = {0};
    struct buffer line;
    const char text[] = "{\"id\":1,\"op\":\"invite\",\"for_s\":60}";
    const struct site_inquiry inquiry = {.request = &request, .server = "s", .most = 1};
    nodes_settle(&nodes);
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    ck_assert(admin_request_read(&request, registry, text, strlen(text), &refusal));
    ck_assert_int_eq(
        site_operator_ask(nodes.nodes[1].site, &inquiry, nodes.now_ms, &line, &line, &refusal),
        ADMIN_REFUSED);
    ck_assert_str_eq(refusal.code, "elsewhere");
    ck_assert_ptr_nonnull(strstr(refusal.text, "The desk of this site is at "));
    denied(text, "invites_off");
    buffer_release(&line);
}
END_TEST

/* At home at this node, or not: whose handle it is any part of it finds out. */
static enum admin_outcome asked_about(unsigned part, struct refusal *refusal, struct buffer *line)
{
    const int guest = crossing((int)part % 2, part, NULL);
    char handle[16], text[80];
    struct buffer keep;
    buffer_init(&keep, 0, ADMIN_ANSWER_BYTES);
    snprintf(handle, sizeof handle, "Ana-%u", part);
    snprintf(text, sizeof text, "{\"id\":1,\"op\":\"account\",\"handle\":\"%s\"}", handle);
    nodes_do(&nodes, guest, "claim", "{s:s}", "handle", handle);
    ck_assert_int_eq(ask(text, line, &keep, refusal), ADMIN_WAITS);
    denied("{\"id\":1,\"op\":\"letters\"}", "busy");
    enum admin_outcome outcome = ADMIN_WAITS;
    while (outcome == ADMIN_WAITS) {
        nodes_settle(&nodes);
        outcome = site_operator_next(nodes.nodes[0].site, nodes.now_ms, line, refusal);
    }
    buffer_release(&keep);
    return outcome;
}

START_TEST(test_account)
{
    unsigned here = 0, there = 0;
    for (unsigned part = 0; part < 4; part++) {
        struct refusal refusal = {0};
        struct buffer line;
        buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
        if (asked_about(part, &refusal, &line) == ADMIN_DONE) {
            json_t *ok = ok_of(&line);
            ck_assert_str_eq(text_of(ok, "name"), "Ana");
            json_decref(ok);
            here++;
        } else {
            ck_assert_str_eq(refusal.code, "elsewhere");
            ck_assert_ptr_nonnull(strstr(refusal.text, "Accounts of that part are at "));
            there++;
        }
        buffer_release(&line);
    }
    ck_assert(here == 2 && there == 2);
}
END_TEST

static const char announcement[] = "{\"id\":1,\"op\":\"announce\",\"text\":\"hi\"}";

/* Whoever is in several parts reads it once; at all nodes. */
START_TEST(test_announce)
{
    const int zero = guest_of_part(&nodes, 0, "Zero"), two = guest_of_part(&nodes, 2, "Two");
    char room[9], other[9];
    nodes_room(&nodes, zero, room);
    nodes_room(&nodes, two, other);
    const int here = crossing(0, 0, other), there = crossing(1, 1, room);
    const int stranger = nodes_connect(&nodes, 1);
    for (int guest = 0; guest < CLIENTS; guest++)
        nodes_forget(&nodes, guest);
    json_t *ok = look(announcement);
    ck_assert_int_eq(number_of(ok, "nodes"), 1);
    ck_assert_int_gt(number_of(ok, "connections"), 0);
    json_decref(ok);
    nodes_settle(&nodes);
    ck_assert_uint_eq(notices(here, "announcement"), 1);
    ck_assert_uint_eq(notices(there, "announcement"), 1);
    ck_assert_uint_eq(notices(zero, "announcement"), 1);
    ck_assert_uint_eq(notices(stranger, "announcement"), 1);
}
END_TEST

/* Another node that announces without end is heard now and then. */
START_TEST(test_announcements_of_another_are_bounded)
{
    const int there = crossing(1, 1, NULL);
    nodes_forget(&nodes, there);
    for (int at = 0; at < 100; at++)
        json_decref(look(announcement));
    nodes_settle(&nodes);
    ck_assert_uint_eq(notices(there, "announcement"), 10);
    nodes_pass(&nodes, 2000);
    for (int at = 0; at < 100; at++)
        json_decref(look(announcement));
    nodes_settle(&nodes);
    ck_assert_uint_eq(notices(there, "announcement"), 2);
}
END_TEST

START_TEST(test_drain)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    static const uint8_t nobody[16];
    for (int drains = 1; drains >= 0; drains--) {
        site_drain(nodes.nodes[0].site, drains);
        ck_assert(
            site_http_get(nodes.nodes[0].site, "/readyz", nobody, nodes.now_ms, &answer, &ticket));
        ck_assert_int_eq(answer.status, drains ? 503 : 200);
        hub_http_release(&answer);
    }
}
END_TEST

START_TEST(test_who_has_what)
{
    struct site *site = nodes.nodes[0].site;
    site_link_set_node(nodes.nodes[0].links[1], "b");
    ck_assert_uint_eq(site_count_parts(site), 4);
    struct site_part seen = site_part_seen(site, 0);
    ck_assert(seen.here && !seen.node && seen.newer_term == 0);
    seen = site_part_seen(site, 1);
    ck_assert(!seen.here);
    ck_assert_str_eq(seen.node, "b");
    nodes_cut(&nodes, 0, 1);
    ck_assert_ptr_null(site_part_seen(site, 1).node);
    nodes_guest(&nodes, 0, "Ana");
    ck_assert_uint_eq(site_clients(site), 1);
}
END_TEST

/* ---- bans */

/* Both nodes have these. */
static void bring(const char *text, size_t len, int64_t revision)
{
    for (int node = 0; node < 2; node++)
        ck_assert(site_document(nodes.nodes[node].site, "bans", text, len, revision, nodes.now_ms));
    nodes_settle(&nodes);
}

static const char ban_address[] =
    "{\"id\":1,\"op\":\"ban\",\"target\":\"203.0.113.7\",\"for_s\":60}";

/* A ban closes whoever is connected, wherever, once it is kept; and holds in parts that come. */
START_TEST(test_bans)
{
    const int ana = nodes_guest(&nodes, 1, "Ana"), bo = nodes_guest(&nodes, 0, "Bo");
    struct site *site = nodes.nodes[0].site;
    char text[128];
    struct refusal refusal = {0};
    struct buffer keep, line;
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"ban\",\"target\":\"%s\",\"for_s\":60}",
                   nodes.guests[ana].session);
    denied("{\"id\":1,\"op\":\"bans\"}", "store_failing");
    denied(text, "store_failing"); /* those that hold are not known */
    bring("", 0, 3);
    ck_assert_int_eq(site_document_revision(site, "bans"), 3);
    buffer_init(&keep, 0, ADMIN_ANSWER_BYTES);
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    ck_assert_int_eq(ask(text, &line, &keep, &refusal), ADMIN_WAITS);
    ck_assert_uint_gt(keep.len, 0);
    ck_assert_str_eq(site_operator_document(site), "bans");
    ck_assert_int_eq(site_operator_next(site, nodes.now_ms, &line, &refusal), ADMIN_WAITS);
    denied(ban_address, "busy");
    ck_assert(nodes.guests[ana].open);
    bring(buffer_payload(&keep), keep.len, 4);
    site_document_kept(site, DOCUMENT_KEPT);
    ck_assert_int_eq(nodes.guests[ana].close_code, 4005);
    ck_assert(nodes.guests[bo].open);
    ck_assert_int_eq(site_operator_next(site, nodes.now_ms, &line, &refusal), ADMIN_DONE);
    json_t *ok = ok_of(&line);
    ck_assert_str_eq(text_of(ok, "target"), nodes.guests[ana].session);
    json_decref(ok);
    ck_assert_int_eq(site_operator_next(site, nodes.now_ms, &line, &refusal), ADMIN_WAITS);
    ok = look("{\"id\":1,\"op\":\"bans\"}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "bans")), 1);
    json_decref(ok);
    denied(ban_address, "too_many_bans"); /* only one may hold */
    buffer_release(&line);
    buffer_release(&keep);
}
END_TEST

/* ---- a document that a feature changes */

static void with_a_book(void)
{
    static const struct feature *const features[] = {&feature_identity, &guest_book, NULL};
    nodes_init_with(&nodes, 2, 4, features);
    for (int node = 0; node < 2; node++)
        ck_assert(site_document(nodes.nodes[node].site, "welcome", "", 0, 3, nodes.now_ms));
}

static void is_welcomed(int node, const char *text)
{
    const int guest = nodes_connect(&nodes, node);
    json_t *ok = nodes_ok(&nodes, guest, "hello", "{s:s}", "name", "Zoe");
    ck_assert_str_eq(text_of(ok, "welcome"), text);
    json_decref(ok);
    nodes_disconnect(&nodes, guest);
}

/* It is asked for by the part of who asked, and holds in all of them. */
START_TEST(test_feature_changes)
{
    static const char text[] = "welcome 1\nAna\n";
    struct site *site = nodes.nodes[0].site;
    struct hub_document_asked asked, other;
    const int ana = guest_of_part(&nodes, 2, "Ana"), bo = guest_of_part(&nodes, 0, "Bo");
    const int64_t id = nodes_post(&nodes, ana, "games", "{s:s}", "after", GUEST_BOOK_WELCOMES);
    const int64_t next = nodes_post(&nodes, bo, "games", "{s:s}", "after", GUEST_BOOK_WELCOMES);
    nodes_settle(&nodes);
    ck_assert(site_document_asked(site, &asked, nodes.now_ms));
    ck_assert_str_eq(asked.name, "welcome");
    const bool is_anas = strcmp(asked.text, text) == 0;
    ck_assert_int_eq(asked.revision, 3);
    ck_assert(!site_document_asked(site, &other, nodes.now_ms)); /* one at a time */
    ck_assert_ptr_null(site_operator_document(site));
    denied("{\"id\":1,\"op\":\"close\",\"room\":\"00000000\"}", "busy");
    for (int node = 0; node < 2; node++)
        ck_assert(site_document(nodes.nodes[node].site, "welcome", asked.text, asked.len, 4,
                                nodes.now_ms));
    site_document_kept(site, DOCUMENT_KEPT);
    /* The other one was made of what holds no longer. */
    ck_assert(!site_document_asked(site, &other, nodes.now_ms));
    nodes_settle(&nodes);
    json_t *reply = nodes_reply(&nodes, is_anas ? ana : bo, is_anas ? id : next);
    ck_assert_str_eq(text_of(json_object_get(reply, "ok"), "welcome"), is_anas ? "Ana" : "Bo");
    json_decref(reply);
    reply = nodes_reply(&nodes, is_anas ? bo : ana, is_anas ? next : id);
    ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), "seat_taken");
    json_decref(reply);
    for (int node = 0; node < 2; node++)
        is_welcomed(node, is_anas ? "Ana" : "Bo");
}
END_TEST

/* Whoever has asked is with the part, and the next change is not held up. */
START_TEST(test_feature_whose_part_leaves)
{
    struct site *site = nodes.nodes[0].site;
    struct hub_document_asked asked;
    const int ana = guest_of_part(&nodes, 2, "Ana"), bo = guest_of_part(&nodes, 0, "Bo");
    (void)nodes_post(&nodes, ana, "games", "{s:s}", "after", GUEST_BOOK_WELCOMES);
    nodes_settle(&nodes);
    ck_assert(site_document_asked(site, &asked, nodes.now_ms));
    nodes_leave(&nodes, 2);
    nodes_settle(&nodes);
    const int64_t id = nodes_post(&nodes, bo, "games", "{s:s}", "after", GUEST_BOOK_WELCOMES);
    nodes_settle(&nodes);
    ck_assert(!site_document_asked(site, &asked, nodes.now_ms));
    site_document_kept(site, DOCUMENT_FAILED);
    ck_assert(site_document_asked(site, &asked, nodes.now_ms));
    site_document_kept(site, DOCUMENT_FAILED);
    nodes_settle(&nodes);
    json_t *reply = nodes_reply(&nodes, bo, id);
    ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), "store_failing");
    json_decref(reply);
}
END_TEST

static const struct {
    enum document_kept kept;
    const char *code;
} not_kept[] = {{DOCUMENT_OTHERS, "busy"},
                {DOCUMENT_LATE, "not_everywhere"},
                {DOCUMENT_FAILED, "store_failing"}};

START_TEST(test_bans_not_kept)
{
    struct site *site = nodes.nodes[0].site;
    struct refusal refusal = {0};
    struct buffer keep, line;
    bring("", 0, 1);
    buffer_init(&keep, 0, ADMIN_ANSWER_BYTES);
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    ck_assert_int_eq(ask(ban_address, &line, &keep, &refusal), ADMIN_WAITS);
    site_document_kept(site, not_kept[_i].kept);
    ck_assert_int_eq(site_operator_next(site, nodes.now_ms, &line, &refusal), ADMIN_REFUSED);
    ck_assert_str_eq(refusal.code ? refusal.code : protocol_error_code(refusal.error),
                     not_kept[_i].code);
    json_t *ok = look("{\"id\":1,\"op\":\"bans\"}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "bans")), 0);
    json_decref(ok);
    site_document_unreadable(site, "bans", 7);
    ck_assert_int_eq(site_document_revision(site, "bans"), 7);
    buffer_release(&line);
    buffer_release(&keep);
}
END_TEST

/* What is damaged changes nothing; what was read is read once, and parts that come have it. */
START_TEST(test_bans_that_cannot_be_read)
{
    struct site *site = nodes.nodes[0].site;
    static const char text[] = "{\"bans\":1}\n{\"end\":0}\n";
    bring(text, sizeof text - 1, 1);
    ck_assert(!site_document(site, "bans", "what?", 5, 2, nodes.now_ms));
    ck_assert_int_eq(site_document_revision(site, "bans"), 1);
    json_decref(look("{\"id\":1,\"op\":\"bans\"}"));
    ck_assert(site_document(site, "nobody's", "what?", 5, 2, nodes.now_ms));
    ck_assert_int_eq(site_document_revision(site, "nobody's"), 0);
}
END_TEST

/* ---- one room */

START_TEST(test_room_of_a_part)
{
    const int zero = guest_of_part(&nodes, 0, "Zero"), one = guest_of_part(&nodes, 1, "One");
    struct site *site = nodes.nodes[0].site;
    struct refusal refusal = {0};
    struct buffer keep, line;
    char room[9], other[9], text[128];
    nodes_room(&nodes, zero, room);
    nodes_room(&nodes, one, other);
    site_link_set_node(nodes.nodes[0].links[1], "b");
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"room\",\"room\":\"%s\"}", other);
    denied(text, "elsewhere");
    nodes_cut(&nodes, 0, 1);
    denied(text, "no_part");
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"room\",\"room\":\"%s\"}", room);
    json_decref(look(text));
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"close\",\"room\":\"%s\"}", room);
    buffer_init(&keep, 0, ADMIN_ANSWER_BYTES);
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    ck_assert_int_eq(ask(text, &line, &keep, &refusal), ADMIN_WAITS);
    ck_assert_uint_eq(keep.len, 0);
    denied(text, "busy");
    if (_i == 0)
        nodes_settle(&nodes);
    else
        nodes_lose(&nodes, 0); /* before it is stored */
    if (_i == 1)
        nodes_serve(&nodes, 0, 0);
    ck_assert_int_eq(site_operator_next(site, nodes.now_ms, &line, &refusal),
                     _i == 0 ? ADMIN_DONE : ADMIN_REFUSED);
    if (_i > 0)
        ck_assert_str_eq(refusal.code, "no_part");
    ck_assert_int_eq(site_operator_next(site, nodes.now_ms, &line, &refusal), ADMIN_WAITS);
    buffer_release(&line);
    buffer_release(&keep);
}
END_TEST

Suite *operator_suite(void)
{
    Suite *suite = suite_create("operator");
    TCase *tests = tcase_create("operator");
    tcase_add_checked_fixture(tests, two_nodes, release);
    tcase_add_test(tests, test_lists);
    tcase_add_test(tests, test_pages);
    tcase_add_test(tests, test_no_part);
    TCase *book = tcase_create("with a book");
    tcase_add_checked_fixture(book, with_a_book, release);
    tcase_add_test(book, test_feature_changes);
    tcase_add_test(book, test_feature_whose_part_leaves);
    suite_add_tcase(suite, book);
    tcase_add_test(tests, test_letters);
    tcase_add_test(tests, test_desk);
    tcase_add_test(tests, test_account);
    tcase_add_test(tests, test_announce);
    tcase_add_test(tests, test_announcements_of_another_are_bounded);
    tcase_add_test(tests, test_drain);
    tcase_add_test(tests, test_who_has_what);
    tcase_add_test(tests, test_bans);
    tcase_add_loop_test(tests, test_bans_not_kept, 0, 3);
    tcase_add_test(tests, test_bans_that_cannot_be_read);
    tcase_add_loop_test(tests, test_room_of_a_part, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
