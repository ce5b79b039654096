/*
 * A site whose players are in the middle of their matches is given another number of parts: they
 * come again at any node with what they had, and play on.
 */
#include "links/frame.h"
#include "nodes.h"
#include "suites.h"
#include <hub/part.h>
#include <hub/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 6, MATCHES = 4 };

static struct nodes nodes;

struct person {
    int guest; /* where it is connected now */
    char tokens[2][PROTOCOL_TOKEN_BYTES + 1];
    char session[17];
    char link[PROTOCOL_PASS_BYTES + 1], phrase[PROTOCOL_PASS_BYTES + 1];
};

static struct person people[PEOPLE];

static struct {
    int players[2]; /* of the people */
    char room[9];
} matches[MATCHES];

/* ---- before */

static void make_pass(int guest, const char *op, char pass[static PROTOCOL_PASS_BYTES + 1])
{
    json_t *ok = nodes_ok(&nodes, guest, op, "");
    (void)snprintf(pass, PROTOCOL_PASS_BYTES + 1, "%s", text_of(ok, "pass"));
    json_decref(ok);
}

static void make_person(struct person *person, const char *name)
{
    person->guest = nodes_guest(&nodes, 0, name);
    const struct guest *guest = &nodes.guests[person->guest];
    memcpy(person->tokens[0], guest->token, sizeof guest->token);
    memcpy(person->session, guest->session, sizeof guest->session);
    make_pass(person->guest, "link", person->link);
    const int phone = nodes_connect(&nodes, 0);
    json_t *ok = nodes_ok(&nodes, phone, "hello", "{s:s}", "pass", person->link);
    (void)snprintf(person->tokens[1], sizeof person->tokens[1], "%s", text_of(ok, "token"));
    json_decref(ok);
    nodes_disconnect(&nodes, phone);
    make_pass(person->guest, "link", person->link);
    make_pass(person->guest, "phrase", person->phrase);
}

static void move(int match)
{
    const int guests[2] = {people[matches[match].players[0]].guest,
                           people[matches[match].players[1]].guest};
    ck_assert(nodes_move(&nodes, guests, matches[match].room));
    nodes_forget(&nodes, guests[0]);
    nodes_forget(&nodes, guests[1]);
}

/* Each of them but one has made a match with the next one. */
static void play_on_one_part(void)
{
    static const char *const names[PEOPLE] = {"Ana", "Bo", "Chi", "Dee", "Eve", "Fay"};
    nodes_init(&nodes, 3, 1);
    for (int at = 0; at < PEOPLE; at++)
        make_person(&people[at], names[at]);
    for (int match = 0; match < MATCHES; match++) {
        matches[match].players[0] = match;
        matches[match].players[1] = (match + 1) % PEOPLE;
        const int guests[2] = {people[match].guest, people[(match + 1) % PEOPLE].guest};
        nodes_room(&nodes, guests[0], matches[match].room);
        nodes_begin(&nodes, guests, matches[match].room);
        for (int moves = 0; moves < 3 + match; moves++)
            move(match);
    }
}

static void release(void)
{
    nodes_release(&nodes);
}

/* ---- after */

static size_t seats_of(int at)
{
    size_t count = 0;
    for (int match = 0; match < MATCHES; match++)
        count += matches[match].players[0] == at || matches[match].players[1] == at;
    return count;
}

/* With the answer to hello; it has all its seats. */
static void check_hello(const json_t *ok, int at)
{
    const json_t *seats = json_object_get(ok, "seats");
    ck_assert_str_eq(text_of(ok, "session"), people[at].session);
    ck_assert_uint_eq(json_array_size(seats), seats_of(at));
}

static void come_back(int at, int node, int device)
{
    const int guest = nodes_connect(&nodes, node);
    json_t *ok = nodes_ok(&nodes, guest, "hello", "{s:s}", "token", people[at].tokens[device]);
    check_hello(ok, at);
    json_decref(ok);
    people[at].guest = guest;
}

static void watch(int match, int seat)
{
    const int guest = people[matches[match].players[seat]].guest;
    nodes_do(&nodes, guest, "watch", "{s:s}", "room", matches[match].room);
}

static void play_on(void)
{
    for (int match = 0; match < MATCHES; match++) {
        watch(match, 0);
        watch(match, 1);
        move(match);
        move(match);
    }
}

START_TEST(test_everybody_plays_on)
{
    static const unsigned divisions[] = {4, 3, 2, 4, 1};
    play_on_one_part();
    for (size_t division = 0; division < sizeof divisions / sizeof divisions[0]; division++) {
        nodes_divide(&nodes, divisions[division]);
        for (int at = 0; at < PEOPLE; at++) {
            for (int node = 0; node < NODES; node++) {
                come_back(at, (at + node) % NODES, node % 2);
                if (node > 0)
                    nodes_disconnect(&nodes, people[at].guest);
            }
            come_back(at, at % NODES, 0);
        }
        play_on();
    }
    release();
}
END_TEST

/* A link, once, and the phrase, at a node that has neither the one part nor the other. */
START_TEST(test_links_and_phrases)
{
    play_on_one_part();
    nodes_divide(&nodes, 4);
    for (int at = 0; at < PEOPLE; at++) {
        const char *const passes[] = {people[at].phrase, people[at].link, people[at].link};
        for (int tried = 0; tried < 3; tried++) {
            const int guest = nodes_connect(&nodes, (at + tried) % NODES);
            if (tried < 2) {
                json_t *ok = nodes_ok(&nodes, guest, "hello", "{s:s}", "pass", passes[tried]);
                check_hello(ok, at);
                ck_assert_uint_eq(strlen(text_of(ok, "token")), PROTOCOL_TOKEN_BYTES);
                json_decref(ok);
            } else {
                nodes_refused(&nodes, guest, "unknown_pass", "hello", "{s:s}", "pass",
                              passes[tried]);
            }
            nodes_disconnect(&nodes, guest);
        }
    }
    release();
}
END_TEST

/* ---- whose token lies in another part than the session */

static unsigned place_of(const char *token)
{
    uint8_t hash[32];
    ck_assert(secret_hash_token(hash, token));
    return part_of_secret(hash, nodes.parts);
}

static unsigned home_of_person(int at)
{
    return part_of_session(strtoull(people[at].session, NULL, 16), nodes.parts);
}

static int misplaced_person(void)
{
    int at = 0;
    while (place_of(people[at].tokens[0]) == home_of_person(at))
        ck_assert_int_lt(++at, PEOPLE);
    return at;
}

static int say_hello(int at)
{
    const int guest = nodes_connect(&nodes, (int)(home_of_person(at) + 1) % NODES);
    ck_assert_int_ge(guest, 0);
    return guest;
}

/* What is sent behind hello is answered behind it, though the hello goes two ways. */
START_TEST(test_hello_and_more)
{
    play_on_one_part();
    nodes_divide(&nodes, 4);
    const int at = misplaced_person(), guest = say_hello(at);
    const int64_t hello =
        nodes_post(&nodes, guest, "hello", "{s:s}", "token", people[at].tokens[0]);
    const int64_t ping = nodes_post(&nodes, guest, "ping", "");
    const int64_t devices = nodes_post(&nodes, guest, "devices", "");
    nodes_settle(&nodes);
    const int64_t ids[] = {hello, ping, devices};
    ck_assert_uint_ge(nodes.guests[guest].count, 3);
    for (int reply = 0; reply < 3; reply++) {
        ck_assert_int_eq(number_of(nodes.guests[guest].inbox[reply], "id"), ids[reply]);
        ck_assert_ptr_nonnull(json_object_get(nodes.guests[guest].inbox[reply], "ok"));
    }
    release();
}
END_TEST

/* Her home is not served: she waits for it, though the part of her token is there. */
START_TEST(test_home_is_away)
{
    play_on_one_part();
    nodes_divide(&nodes, 4);
    const int at = misplaced_person();
    const unsigned home = home_of_person(at);
    nodes_leave(&nodes, home);
    int guest = say_hello(at);
    int64_t hello = nodes_post(&nodes, guest, "hello", "{s:s}", "token", people[at].tokens[0]);
    nodes_pass(&nodes, 4000);
    ck_assert_ptr_null(nodes_reply(&nodes, guest, hello));
    nodes_serve(&nodes, home, 2);
    nodes_settle(&nodes);
    json_t *reply = nodes_reply(&nodes, guest, hello);
    check_hello(json_object_get(reply, "ok"), at);
    json_decref(reply);
    nodes_disconnect(&nodes, guest);
    /* ... and not for ever. */
    nodes_leave(&nodes, home);
    guest = say_hello(at);
    hello = nodes_post(&nodes, guest, "hello", "{s:s}", "token", people[at].tokens[0]);
    nodes_pass(&nodes, 6000);
    reply = nodes_reply(&nodes, guest, hello);
    ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), "part_away");
    json_decref(reply);
    nodes_serve(&nodes, home, 2);
    json_t *ok = nodes_ok(&nodes, guest, "hello", "{s:s}", "token", people[at].tokens[0]);
    check_hello(ok, at);
    json_decref(ok);
    release();
}
END_TEST

/* Her home changes hands: she is let in again by the token's hash, and stays connected. */
START_TEST(test_home_is_taken_over)
{
    play_on_one_part();
    nodes_divide(&nodes, 4);
    const int at = misplaced_person();
    const unsigned home = home_of_person(at);
    come_back(at, (int)(home + 1) % NODES, 0);
    nodes_leave(&nodes, home);
    nodes_serve(&nodes, home, 2);
    nodes_settle(&nodes);
    nodes_do(&nodes, people[at].guest, "devices", "");
    release();
}
END_TEST

/* The device was ended at home: its token is unknown, and said to be by one more answer. */
START_TEST(test_an_ended_device_is_unknown)
{
    play_on_one_part();
    nodes_divide(&nodes, 4);
    const int at = misplaced_person();
    come_back(at, 0, 1);
    json_t *ok = nodes_ok(&nodes, people[at].guest, "devices", "");
    const json_t *first = json_array_get(json_object_get(ok, "devices"), 0);
    ck_assert(!json_is_true(json_object_get(first, "this")));
    nodes_do(&nodes, people[at].guest, "forget", "{s:s}", "device", text_of(first, "device"));
    json_decref(ok);
    const int guest = say_hello(at);
    for (int again = 0; again < 2; again++)
        nodes_refused(&nodes, guest, "unknown_token", "hello", "{s:s}", "token",
                      people[at].tokens[0]);
    /* Another secret on the same connection is another matter. */
    int other = 0;
    while (home_of_person(other) == home_of_person(at))
        ck_assert_int_lt(++other, PEOPLE);
    ok = nodes_ok(&nodes, guest, "hello", "{s:s}", "token", people[other].tokens[1]);
    check_hello(ok, other);
    json_decref(ok);
    release();
}
END_TEST

/* ---- at a table of what is another part now */

/* She is there by her name, and is seen to come and go. */
START_TEST(test_a_seat_in_another_part)
{
    play_on_one_part();
    nodes_divide(&nodes, 4);
    int match = 0;
    while (part_of_room(matches[match].room, 4) == home_of_person(matches[match].players[1]))
        ck_assert_int_lt(++match, MATCHES);
    const int host = matches[match].players[0], ana = matches[match].players[1];
    come_back(host, 0, 0);
    json_t *ok =
        nodes_ok(&nodes, people[host].guest, "watch", "{s:s}", "room", matches[match].room);
    const json_t *seats = json_object_get(json_object_get(ok, "state"), "seats");
    static const char *const names[PEOPLE] = {"Ana", "Bo", "Chi", "Dee", "Eve", "Fay"};
    ck_assert_str_eq(text_of(json_object_get(seats, "1"), "name"), names[ana]);
    ck_assert(!json_is_true(json_object_get(json_object_get(ok, "online"), "1")));
    json_decref(ok);
    come_back(ana, 1, 1);
    watch(match, 1);
    nodes_pass(&nodes, 2000);
    bool seen = false;
    const struct guest *guest = &nodes.guests[people[host].guest];
    for (size_t at = 0; at < guest->count; at++)
        seen =
            seen || json_is_true(json_object_get(json_object_get(guest->inbox[at], "online"), "1"));
    ck_assert(seen);
    release();
}
END_TEST

/* ---- another node that says what cannot be */

/* One link that serves all parts, and a client whose hello has gone over it. */
struct lone {
    struct site *site;
    struct site_link *link;
    struct hub_peer peer;
};

/* The number of the channel that was opened last. */
static uint64_t take_frames(const struct lone *lone)
{
    const unsigned char *bytes;
    uint64_t channel = 0;
    size_t len;
    while ((bytes = site_link_output(lone->link, &len)) != NULL) {
        struct frame frame;
        ck_assert(frame_read(&frame, bytes, len));
        if (frame.kind == FRAME_OPEN)
            channel = frame.number;
        site_link_sent(lone->link);
    }
    return channel;
}

static void bring(const struct lone *lone, enum frame_kind kind, uint64_t number, size_t len,
                  uint64_t value)
{
    unsigned char bytes[FRAME_HEAD_BYTES + 8];
    frame_put(frame_put_head(bytes, kind, number), len, value);
    ck_assert(site_link_receive(lone->link, bytes, FRAME_HEAD_BYTES + len, 1));
}

static void say_hello_over(struct lone *lone, const char *token)
{
    static const uint8_t address[16] = {[15] = 1};
    struct site_config config = site_usual;
    char hello[128];
    config.parts = 4;
    lone->site = site_create(&config);
    lone->link = site_link_open(lone->site, 1);
    for (unsigned part = 0; part < 4; part++)
        bring(lone, FRAME_SERVE, part, 8, 1);
    ck_assert_int_eq(site_connect(lone->site, address, 1, &lone->peer), 0);
    (void)snprintf(hello, sizeof hello, "{\"id\":1,\"op\":\"hello\",\"token\":\"%s\"}", token);
    site_receive(lone->site, lone->peer, hello, strlen(hello), 1);
}

static void end_lone(struct lone *lone)
{
    site_disconnect(lone->site, lone->peer, 1);
    site_link_close(lone->link, 1);
    site_destroy(lone->site);
}

START_TEST(test_nonsense)
{
    char token[PROTOCOL_TOKEN_BYTES + 1];
    uint8_t hash[32];
    memset(token, 'A', sizeof token - 1);
    token[sizeof token - 1] = '\0';
    ck_assert(secret_hash_token(hash, token));
    const unsigned place = part_of_secret(hash, 4), other = (place + 1) % 4;
    const unsigned said[][2] = {
        {place, 0}, {4, 0}, {60, 0}, {other, place}, {other, (other + 1) % 4}};
    for (size_t at = 0; at < sizeof said / sizeof said[0]; at++) {
        struct lone lone;
        say_hello_over(&lone, token);
        bring(&lone, FRAME_ELSEWHERE, take_frames(&lone), 1, said[at][0]);
        if (said[at][0] == other) {
            ck_assert_int_eq(site_close_code(lone.site, lone.peer), 0);
            bring(&lone, FRAME_ELSEWHERE, take_frames(&lone), 1, said[at][1]);
        }
        ck_assert_int_eq(site_close_code(lone.site, lone.peer), 1011);
        end_lone(&lone);
    }
}
END_TEST

/* A client that is known is not sent anywhere. */
START_TEST(test_nobody_is_sent_later)
{
    struct lone lone;
    static const uint8_t address[16] = {[15] = 1};
    struct site_config config = site_usual;
    config.parts = 4;
    lone.site = site_create(&config);
    lone.link = site_link_open(lone.site, 1);
    bring(&lone, FRAME_SERVE, 1, 8, 1);
    ck_assert_int_eq(site_connect(lone.site, address, 1, &lone.peer), 0);
    bring(&lone, FRAME_ELSEWHERE, take_frames(&lone), 1, 1);
    ck_assert_int_eq(site_close_code(lone.site, lone.peer), 1011);
    end_lone(&lone);
}
END_TEST

Suite *divide_suite(void)
{
    Suite *suite = suite_create("divide");
    TCase *tests = tcase_create("divide");
    tcase_add_test(tests, test_everybody_plays_on);
    tcase_add_test(tests, test_links_and_phrases);
    tcase_add_test(tests, test_hello_and_more);
    tcase_add_test(tests, test_home_is_away);
    tcase_add_test(tests, test_home_is_taken_over);
    tcase_add_test(tests, test_an_ended_device_is_unknown);
    tcase_add_test(tests, test_a_seat_in_another_part);
    tcase_add_test(tests, test_nonsense);
    tcase_add_test(tests, test_nobody_is_sent_later);
    suite_add_tcase(suite, tests);
    return suite;
}
