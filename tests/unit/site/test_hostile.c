/* A node that has proven who it is, and says what no node of ours would say. */
#include "links/frame.h"
#include "links/link_out.h"
#include "nodes.h"
#include "parts/port.h"
#include "site_private.h"
#include "suites.h"
#include <hub/part.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELD_BYTES = 30000, LINK_BYTES = 4000, PART_THERE = 1 };

static struct nodes nodes;
static struct site_link *mine; /* this node's end of the link: node 1 is the hostile one */
static int ana;
static char room[9]; /* of the hostile node */

static void begin(void)
{
    nodes_init(&nodes, 2, 2);
    nodes_limit(&nodes, 0, HELD_BYTES, LINK_BYTES);
    const int host = nodes_guest(&nodes, 1, "Host");
    nodes_room(&nodes, host, room);
    ck_assert_uint_eq(part_of_room(room, 2), PART_THERE);
    ana = nodes_guest(&nodes, 0, "Ana");
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    nodes_forget(&nodes, ana);
    mine = nodes.nodes[0].links[1];
    nodes.made_up = true;
}

static void release(void)
{
    nodes_release(&nodes);
}

static const struct port *ports_there(void)
{
    size_t at = 0;
    const struct client *client = client_next(&nodes.nodes[0].site->clients, &at);
    const struct port *port = client ? port_find(client, PART_THERE) : NULL;
    ck_assert_ptr_nonnull(port);
    return port;
}

/* True: the link stays. */
static bool says(enum frame_kind kind, uint64_t number, const void *bytes, size_t len)
{
    unsigned char *const frame = malloc(FRAME_HEAD_BYTES + len);
    ck_assert_ptr_nonnull(frame);
    memcpy(frame_put_head(frame, kind, number), bytes, len);
    const bool stays = site_link_receive(mine, frame, FRAME_HEAD_BYTES + len, nodes.now_ms);
    free(frame);
    return stays;
}

/* Drops what was said until a frame of that kind comes. */
static struct frame answered(enum frame_kind kind)
{
    struct frame frame = {.kind = FRAME_KINDS};
    size_t len;
    for (;;) {
        const unsigned char *bytes = site_link_output(mine, &len);
        ck_assert_msg(bytes, "no frame %d", (int)kind);
        ck_assert(frame_read(&frame, bytes, len));
        if (frame.kind == kind)
            return frame;
        site_link_sent(mine);
    }
}

/* Whatever there is of an address. */
START_TEST(test_half_an_address)
{
    static const unsigned char bytes[1 + 15] = {0};
    for (size_t len = 1; len <= sizeof bytes; len++) {
        ck_assert(says(FRAME_OPEN, 100 + len, bytes, len));
        struct frame frame = answered(FRAME_CLOSE);
        uint64_t code;
        ck_assert_uint_eq(frame.number, 100 + len);
        ck_assert(frame_take(&frame, 2, &code) && code == CLOSE_SERVER_FAULT);
        site_link_sent(mine);
    }
}
END_TEST

/* One client is told the same thousands of times by one frame. */
START_TEST(test_told_without_end)
{
    enum { TIMES = 3000, TEXT = 2000 };
    static unsigned char bytes[4 + 8 * TIMES + 1 + TEXT];
    const struct port *port = ports_there();
    unsigned char *at = frame_put(bytes, 4, TIMES);
    for (int i = 0; i < TIMES; i++)
        at = frame_put(at, 8, port->number);
    at = frame_put(at, 1, HUB_PUSH);
    memset(at, ' ', TEXT);
    ck_assert(says(FRAME_TELL, 0, bytes, sizeof bytes));
    ck_assert_int_eq(port->client->close_code, CLOSE_SLOW_READER);
    ck_assert_uint_le(port->told.bytes, HELD_BYTES + TEXT);
    nodes_settle(&nodes);
    ck_assert(!nodes.guests[ana].open);
}
END_TEST

/* It asks, and does not read the answers. */
START_TEST(test_asks_and_does_not_read)
{
    unsigned char bytes[9];
    size_t asked = 0;
    frame_put(frame_put(bytes, 8, 1), 1, 1);
    while (asked < 1000000 && says(FRAME_SEATS, asked, bytes, sizeof bytes))
        asked++;
    ck_assert_uint_lt(asked, 1000000);
    ck_assert_uint_ge(site_link_waiting(mine), (size_t)2 * LINK_BYTES);
    ck_assert_uint_le(site_link_waiting(mine), (size_t)2 * LINK_BYTES + 100);
}
END_TEST

START_TEST(test_asks_by_http_and_does_not_read)
{
    static const unsigned char bytes[1 + 16 + 11] = "\0................/api/rooms";
    const size_t most = (size_t)4 * site_usual.http_waits;
    nodes.nodes[0].links[1] = NULL; /* nothing is carried */
    for (uint64_t question = 1; question <= 5000; question++) {
        ck_assert(says(FRAME_ASK, question, bytes, sizeof bytes - 1));
        nodes_settle(&nodes);
        ck_assert_uint_le(mine->asked, most);
        ck_assert_uint_le(mine->answers.count, most);
    }
    ck_assert_uint_eq(mine->answers.count, most);
    ck_assert_uint_eq(mine->asked, 0);
    nodes.nodes[0].links[1] = mine;
}
END_TEST

/* It asks for a page of a part that there is not, without an address, or by too long a name. */
START_TEST(test_asks_for_no_page)
{
    enum { HEAD = 1 + 16, NAME_MOST = 255, HAS_PARTS = 2 };
    static const struct {
        unsigned char part;
        size_t len;
        bool stays;
    } asks[] = {
        {0, HEAD + 11, true},
        {0, HEAD + NAME_MOST, true},
        {0, HEAD + NAME_MOST + 1, false},
        {HAS_PARTS, HEAD, false},
        {0, HEAD - 1, false},
        {0, 1, false},
        {HAS_PARTS - 1, HEAD, true},
        {0, 0, false},
    };
    unsigned char bytes[HEAD + NAME_MOST + 1];
    memset(bytes, '/', sizeof bytes);
    bytes[0] = asks[_i].part;
    ck_assert(says(FRAME_ASK, 1, bytes, asks[_i].len) == asks[_i].stays);
}
END_TEST

/* A POST whose lengths do not fit what follows, or are more than any may have. */
static const struct {
    unsigned part, path, host, origin;
    size_t len; /* of all that follows the lengths */
    bool stays;
} posted[] = {
    {0, 4, 0, 0, 4, true},
    {1, 4, 1, 1, 6, true},
    {0, 4, 1, 1, 6 + HUB_HTTP_POST_MAX, true},
    {0, 255, 255, 255, 765, true},
    {2, 4, 0, 0, 4, false},
    {0, 5, 0, 0, 4, false},
    {0, 4, 1, 0, 4, false},
    {0, 4, 0, 1, 4, false},
    {0, 256, 0, 0, 300, false},
    {0, 4, 256, 0, 300, false},
    {0, 4, 0, 256, 300, false},
    {0, 65535, 65535, 65535, 100, false},
    {0, 4, 1, 1, 6 + HUB_HTTP_POST_MAX + 1, false},
};

START_TEST(test_sends_what_is_no_post)
{
    enum { HEAD = 1 + 16 + 3 * 2 };
    static unsigned char bytes[HEAD + HUB_HTTP_POST_MAX + 1024];
    memset(bytes, 'a', sizeof bytes);
    bytes[0] = (unsigned char)posted[_i].part;
    unsigned char *at = frame_put(bytes + 17, 2, posted[_i].path);
    frame_put(frame_put(at, 2, posted[_i].host), 2, posted[_i].origin);
    ck_assert(says(FRAME_POST, 1, bytes, HEAD + posted[_i].len) == posted[_i].stays);
}
END_TEST

START_TEST(test_sends_half_a_post)
{
    unsigned char bytes[1 + 16 + 3 * 2] = {0};
    ck_assert(!says(FRAME_POST, 1, bytes, (size_t)_i));
}
END_TEST

/* An account of a kind that there is none of, or with what is no handle. */
static const struct {
    const char *bytes;
    size_t len;
    bool stays;
} accounts[] = {
    {"\1ana", 4, true},    {"\2ana-bot", 8, true}, {"\0ana", 4, false},
    {"\3ana", 4, false},   {"\1an", 3, false},     {"\1", 1, false},
    {"", 0, false},        {"\1an a", 5, false},   {"\1ana\n", 5, false},
    {"\1an\0a", 5, false}, {"\1-ana", 5, false},   {"\1abcdefghijklmnopqrstu", 22, false},
};

START_TEST(test_sends_what_is_no_account)
{
    ck_assert(says(FRAME_ACCOUNT, 77, accounts[_i].bytes, accounts[_i].len) == accounts[_i].stays);
}
END_TEST

/* No client is closed with what is no code. */
START_TEST(test_close_code)
{
    unsigned char bytes[2];
    frame_put(bytes, 2, 999);
    ck_assert(says(FRAME_CLOSE, ports_there()->number, bytes, sizeof bytes));
    nodes_settle(&nodes);
    ck_assert_int_eq(nodes.guests[ana].close_code, CLOSE_SERVER_FAULT);
}
END_TEST

/* A message for that port, with this head. */
static bool tells(const struct port *port, const struct hub_head *head)
{
    unsigned char bytes[4 + 8 + FRAME_MESSAGE_HEAD_BYTES + 2];
    unsigned char *at = frame_put(frame_put(bytes, 4, 1), 8, port->number);
    at = frame_put_message_head(at, head);
    memcpy(at, "{}", 2);
    return says(FRAME_TELL, 0, bytes, (size_t)(at + 2 - bytes));
}

static struct hub_head event_of(int64_t seq)
{
    struct hub_head head = {.kind = HUB_EVENT, .seq = seq};
    memcpy(head.room, room, sizeof head.room);
    return head;
}

/* What it says of a room is not taken to who has that next. */
START_TEST(test_seq)
{
    static const int64_t wrong[] = {-1, PROTOCOL_INTEGER_MAX + 1, INT64_MAX};
    const struct port *port = ports_there();
    const struct hub_head head = event_of(wrong[_i]), right = event_of(77);
    ck_assert_int_ge(port->track.follows->seq, 0);
    ck_assert(tells(port, &right));
    nodes_settle(&nodes);
    ck_assert_int_eq(port->track.follows->seq, 77);
    ck_assert(!tells(port, &head));
    ck_assert_int_eq(port->track.follows->seq, 77);
}
END_TEST

/* A view without a state, for who has nothing: then nobody knows what it has. */
START_TEST(test_view_of_nothing)
{
    const struct port *port = ports_there();
    nodes.nodes[1].delayed[0] = true; /* what it would answer does not come */
    const int64_t id = nodes_post(&nodes, ana, "join", "{s:s}", "room", room);
    const struct hub_head head = {.kind = HUB_REPLY, .id = id};
    nodes_settle(&nodes);
    ck_assert(tells(port, &head));
    nodes_settle(&nodes);
    ck_assert_int_ge(port->track.follows->seq, 0);
    ck_assert(port->track.unsure);
}
END_TEST

/* What answers a room that is followed again answers no request, whatever its number; whether it is
 * that is said by the number, as the version before does, or of that message alone. */
START_TEST(test_answer_to_no_request)
{
    const struct port *port = ports_there();
    nodes.nodes[1].delayed[0] = true;
    const int64_t id = nodes_post(&nodes, ana, "join", "{s:s}", "room", room);
    const struct hub_head reply = {.kind = HUB_REPLY, .id = id};
    const struct hub_head head = {.kind = HUB_REPLY, .id = id, .follows = _i == 0};
    nodes_settle(&nodes);
    ck_assert(_i == 0 || says(FRAME_FOLLOWED, 0, "", 0));
    ck_assert(tells(port, &head));
    nodes_settle(&nodes);
    ck_assert_ptr_nonnull(port->track.asked);
    ck_assert(!port->track.unsure);
    ck_assert(tells(port, &reply));
    nodes_settle(&nodes);
    ck_assert_ptr_null(port->track.asked);
}
END_TEST

/* As the version before numbers it, and as the next one will; nothing else is a number. */
START_TEST(test_number_of_a_follow)
{
    static const int64_t numbers[] = {PROTOCOL_INTEGER_MAX + INT64_C(5), 5, 0, -2};
    unsigned char bytes[16 + PROTOCOL_ROOM_BYTES];
    memcpy(frame_put(frame_put(bytes, 8, (uint64_t)numbers[_i]), 8, 1), room, PROTOCOL_ROOM_BYTES);
    ck_assert_int_eq(says(FRAME_FOLLOW, 77, bytes, sizeof bytes), numbers[_i] > 0);
}
END_TEST

/* Of which error a refusal is, is said of it alone. */
START_TEST(test_error_of_one_message)
{
    static const struct hub_head refusal = {.kind = HUB_REFUSAL, .id = 1},
                                 push = {.kind = HUB_PUSH};
    static const struct {
        const char *said;
        const struct hub_head *head;
        enum protocol_error error;
    } told[] = {{"banned", &refusal, PROTOCOL_BANNED}, {NULL, &refusal, PROTOCOL_OK},
                {"banned", &push, PROTOCOL_OK},        {NULL, &refusal, PROTOCOL_OK},
                {"bann", &refusal, PROTOCOL_OK},       {"banned!", &refusal, PROTOCOL_OK}};
    const struct port *port = ports_there();
    for (size_t at = 0; at < sizeof told / sizeof told[0]; at++) {
        if (told[at].said)
            ck_assert(says(FRAME_REFUSED, 0, told[at].said, strlen(told[at].said)));
        ck_assert(tells(port, told[at].head));
    }
    const struct message *message = port->told.first;
    for (size_t at = 0; at < sizeof told / sizeof told[0]; at++, message = message->next)
        ck_assert_int_eq(message->head.error, told[at].error);
    ck_assert_ptr_null(message);
}
END_TEST

/* What is passed on to a client has to be what it looks like. */
START_TEST(test_seats)
{
    ck_assert(says(FRAME_SEATED, 1, "k3m9x0aq\0k3m9x0ar\1", 18));
    ck_assert(!says(FRAME_SEATED, 1,
                    "k3m9x0aq\0k3\"\xff"
                    "x0ar\1",
                    18));
}
END_TEST

START_TEST(test_half_a_seat)
{
    ck_assert(!says(FRAME_SEATED, 1, "k3m9x0aq\0k3m9x0ar", 17));
}
END_TEST

/* ---- answers by HTTP */

enum { STATUS_OK = 200 };

/* The question that is asked of it, and the ticket of who waits. */
static uint64_t question(uint64_t *ticket)
{
    static const uint8_t address[16] = {[15] = 1};
    struct hub_http_answer answer;
    char path[32] = "/api/records/";
    memcpy(path + strlen(path), room, sizeof room);
    ck_assert(!site_http_get(nodes.nodes[0].site, path, address, nodes.now_ms, &answer, ticket));
    return answered(FRAME_ASK).number;
}

static void check_unavailable(uint64_t wanted)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    nodes_cut(&nodes, 0, 1);
    ck_assert(site_http_next(nodes.nodes[0].site, &ticket, &answer));
    ck_assert_uint_eq(ticket, wanted);
    ck_assert_int_eq(answer.status, 503);
    hub_http_release(&answer);
}

static bool heads(uint64_t number, uint64_t status, uint64_t len)
{
    unsigned char bytes[10];
    frame_put(frame_put(frame_put(bytes, 2, status), 4, 0), 4, len);
    return says(FRAME_ANSWER, number, bytes, sizeof bytes);
}

START_TEST(test_status)
{
    static const uint64_t wrong[] = {0, 7, 199, 600, 65535};
    uint64_t ticket;
    const uint64_t number = question(&ticket);
    ck_assert(!heads(number, wrong[_i], 4));
    check_unavailable(ticket);
}
END_TEST

START_TEST(test_piece_without_a_head)
{
    uint64_t ticket;
    ck_assert(!says(FRAME_PIECE, question(&ticket), "", 0));
    check_unavailable(ticket);
}
END_TEST

/* Shorter than what has come already. */
START_TEST(test_two_heads)
{
    uint64_t ticket;
    const uint64_t number = question(&ticket);
    ck_assert(heads(number, STATUS_OK, 10));
    ck_assert(says(FRAME_PIECE, number, "12345678", 8));
    ck_assert(!heads(number, STATUS_OK, 4));
    check_unavailable(ticket);
}
END_TEST

Suite *hostile_suite(void)
{
    Suite *suite = suite_create("a hostile node");
    TCase *tcase = tcase_create("hostile");
    tcase_add_checked_fixture(tcase, begin, release);
    tcase_add_test(tcase, test_half_an_address);
    tcase_add_test(tcase, test_told_without_end);
    tcase_add_test(tcase, test_asks_and_does_not_read);
    tcase_add_test(tcase, test_asks_by_http_and_does_not_read);
    tcase_add_loop_test(tcase, test_asks_for_no_page, 0, 8);
    tcase_add_loop_test(tcase, test_sends_what_is_no_post, 0, sizeof posted / sizeof posted[0]);
    tcase_add_loop_test(tcase, test_sends_what_is_no_account, 0,
                        sizeof accounts / sizeof *accounts);
    tcase_add_loop_test(tcase, test_sends_half_a_post, 0, 1 + 16 + 3 * 2);
    tcase_add_test(tcase, test_close_code);
    tcase_add_loop_test(tcase, test_seq, 0, 3);
    tcase_add_test(tcase, test_view_of_nothing);
    tcase_add_loop_test(tcase, test_answer_to_no_request, 0, 2);
    tcase_add_loop_test(tcase, test_number_of_a_follow, 0, 4);
    tcase_add_test(tcase, test_error_of_one_message);
    tcase_add_test(tcase, test_seats);
    tcase_add_test(tcase, test_half_a_seat);
    tcase_add_loop_test(tcase, test_status, 0, 5);
    tcase_add_test(tcase, test_piece_without_a_head);
    tcase_add_test(tcase, test_two_heads);
    suite_add_tcase(suite, tcase);
    return suite;
}
