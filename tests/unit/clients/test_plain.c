/* The load tester's own connections, against a server of the test's that says what it is told to.
 */
#define _GNU_SOURCE /* memmem */
#include "suites.h"

#include <check.h>
#include <protocol/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/plain.h>

#define ACCEPTED                                                                                   \
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"                                   \
    "sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

enum { HEARD_MAX = 1 << 24, LOG_MAX = 4096 };

static struct {
    uv_loop_t loop;
    uv_tcp_t listener, peer;
    bool has_peer, peer_ended;
    char *heard; /* by the server */
    size_t heard_len;
    const char *answer; /* to the upgrade; NULL: none */

    struct wire_plain_context *context;
    struct wire_url url;
    struct wire_plain *plain;
    unsigned opened, messages, closed;
    char log[LOG_MAX]; /* messages, each in brackets; of long ones the length */
    int code;
    char reason[256];
} stage;

/* ---- the server */

static void on_space(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer)
{
    static char bytes[1 << 16];
    (void)handle;
    (void)wanted;
    *buffer = uv_buf_init(bytes, sizeof bytes);
}

static void say(const char *bytes, size_t len)
{
    for (size_t at = 0; at < len;) {
        char piece[4096];
        const size_t part = len - at < sizeof piece ? len - at : sizeof piece;
        memcpy(piece, bytes + at, part);
        uv_buf_t buffer = uv_buf_init(piece, (unsigned)part);
        const int wrote = uv_try_write((uv_stream_t *)&stage.peer, &buffer, 1);
        at += wrote > 0 ? (size_t)wrote : 0;
        uv_run(&stage.loop, UV_RUN_NOWAIT);
    }
}

static void on_heard(uv_stream_t *stream, ssize_t len, const uv_buf_t *buffer)
{
    const bool was_whole = memmem(stage.heard, stage.heard_len, "\r\n\r\n", 4) != NULL;
    if (len < 0) {
        stage.peer_ended = true;
        uv_read_stop(stream);
        return;
    }
    ck_assert_uint_le(stage.heard_len + (size_t)len, HEARD_MAX);
    memcpy(stage.heard + stage.heard_len, buffer->base, (size_t)len);
    stage.heard_len += (size_t)len;
    if (!was_whole && memmem(stage.heard, stage.heard_len, "\r\n\r\n", 4) && stage.answer)
        say(stage.answer, strlen(stage.answer));
}

static void on_connection(uv_stream_t *listener, int status)
{
    ck_assert_int_eq(status, 0);
    uv_tcp_init(listener->loop, &stage.peer);
    ck_assert_int_eq(uv_accept(listener, (uv_stream_t *)&stage.peer), 0);
    stage.has_peer = true;
    uv_read_start((uv_stream_t *)&stage.peer, on_space, on_heard);
}

static void end_peer(void)
{
    if (stage.has_peer && !uv_is_closing((uv_handle_t *)&stage.peer))
        uv_close((uv_handle_t *)&stage.peer, NULL);
}

/* ---- the client */

static void on_opened(void *user)
{
    ck_assert_ptr_eq(user, &stage);
    stage.opened++;
}

static void on_message(void *user, const char *bytes, size_t len)
{
    const size_t at = strlen(stage.log);
    ck_assert_ptr_eq(user, &stage);
    stage.messages++;
    if (len > 100)
        (void)snprintf(stage.log + at, LOG_MAX - at, "[%zu]", len);
    else
        (void)snprintf(stage.log + at, LOG_MAX - at, "[%.*s]", (int)len, bytes);
}

static void on_closed(void *user, int code, const char *reason)
{
    ck_assert_ptr_eq(user, &stage);
    stage.closed++;
    stage.code = code;
    (void)snprintf(stage.reason, sizeof stage.reason, "%s", reason);
}

static const struct wire_socket_events events = {on_opened, on_message, on_closed};

static void run_until(const unsigned *count, unsigned wanted)
{
    while (*count < wanted)
        uv_run(&stage.loop, UV_RUN_ONCE);
}

static void make_context(const char *subprotocol, const char *source, bool binary)
{
    stage.context = wire_plain_context_create(
        &(struct wire_plain_config){&stage.loop, subprotocol, source, binary});
    ck_assert_ptr_nonnull(stage.context);
}

static void open_plain(const char *answer)
{
    stage.answer = answer;
    if (!stage.context)
        make_context(NULL, NULL, false);
    stage.plain = wire_plain_open(stage.context, &stage.url, &events, &stage);
    ck_assert_ptr_nonnull(stage.plain);
    ck_assert_uint_eq(stage.closed, 0); /* nothing comes from within a call */
}

static void open_whole(void)
{
    open_plain(ACCEPTED);
    run_until(&stage.opened, 1);
    stage.heard_len = 0;
}

static void setup(void)
{
    struct sockaddr_in address;
    int len = sizeof address;
    memset(&stage, 0, sizeof stage);
    stage.heard = malloc(HEARD_MAX);
    uv_loop_init(&stage.loop);
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_init(&stage.loop, &stage.listener);
    ck_assert_int_eq(uv_tcp_bind(&stage.listener, (struct sockaddr *)&address, 0), 0);
    ck_assert_int_eq(uv_listen((uv_stream_t *)&stage.listener, 8, on_connection), 0);
    uv_tcp_getsockname(&stage.listener, (struct sockaddr *)&address, &len);
    stage.url = (struct wire_url){.host = "127.0.0.1", .path = "/ws"};
    stage.url.port = ntohs(address.sin_port);
}

static void teardown(void)
{
    if (stage.plain && stage.closed == 0)
        wire_plain_cut(stage.plain);
    end_peer();
    uv_close((uv_handle_t *)&stage.listener, NULL);
    uv_run(&stage.loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&stage.loop), 0);
    ck_assert_uint_eq(stage.closed, stage.plain ? 1 : 0);
    wire_plain_context_destroy(stage.context);
    free(stage.heard);
}

/* ---- the upgrade */

START_TEST(asks_for_an_upgrade)
{
    char host[64];
    make_context("some.protocol", NULL, false);
    open_whole();
    stage.heard[200] = '\0'; /* what was heard is still there */
    ck_assert_int_eq(strncmp(stage.heard, "GET /ws HTTP/1.1\r\n", 18), 0);
    (void)snprintf(host, sizeof host, "\r\nHost: 127.0.0.1:%u\r\n", (unsigned)stage.url.port);
    ck_assert_ptr_nonnull(strstr(stage.heard, host));
    ck_assert_ptr_nonnull(strstr(stage.heard, "\r\nSec-WebSocket-Protocol: some.protocol\r\n"));
}
END_TEST

static const struct {
    const char *answer, *reason;
} refusals[] = {
    {"HTTP/1.1 503 Full\r\n\r\n", "the server, or a proxy before it, is not ready (HTTP 503)"},
    {"HTTP/1.1 101 Yes\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOp=\r\n\r\n",
     "its answer is not that of a WebSocket"},
    {"HTTP/1.1 101 Yes\r\nX-Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
     "its answer is not that of a WebSocket"},
    {"nonsense\r\n\r\n", "its answer is not HTTP"},
    {"HTTP/1.\r\n\r\n404", "its answer is not HTTP"}, /* what follows is none of the answer */
    {"HTTP/1.1 \r\n\r\n404", "its answer is not HTTP"},
    {"HTTP/1.1 40\r\n\r\n4", "its answer is not HTTP"},
};

START_TEST(is_refused)
{
    open_plain(refusals[_i].answer);
    run_until(&stage.closed, 1);
    ck_assert_uint_eq(stage.opened, 0);
    ck_assert_int_eq(stage.code, WIRE_CLOSED_UNREACHABLE);
    ck_assert_str_eq(stage.reason, refusals[_i].reason);
}
END_TEST

START_TEST(an_answer_without_an_end_is_none)
{
    char *endless = malloc(6000);
    memset(endless, 'x', 5999);
    endless[5999] = '\0';
    open_plain(endless);
    run_until(&stage.closed, 1);
    ck_assert_int_eq(stage.code, WIRE_CLOSED_UNREACHABLE);
    free(endless);
}
END_TEST

START_TEST(nobody_is_there)
{
    static const char *const hosts[] = {"127.0.0.1", "::1", "a.name"};
    (void)snprintf(stage.url.host, sizeof stage.url.host, "%s", hosts[_i]);
    stage.url.port = 1;
    open_plain(NULL);
    run_until(&stage.closed, 1);
    ck_assert_int_eq(stage.code, WIRE_CLOSED_UNREACHABLE);
    ck_assert_str_ne(stage.reason, "");
}
END_TEST

START_TEST(comes_from_its_source)
{
    struct sockaddr_in from;
    char text[32];
    int len = sizeof from;
    ck_assert_ptr_null(wire_plain_context_create(
        &(struct wire_plain_config){.loop = &stage.loop, .source = "a.name"}));
    make_context(NULL, "127.0.0.7", false);
    open_whole();
    ck_assert_int_eq(uv_tcp_getpeername(&stage.peer, (struct sockaddr *)&from, &len), 0);
    uv_ip4_name(&from, text, sizeof text);
    ck_assert_str_eq(text, "127.0.0.7");
}
END_TEST

START_TEST(knows_what_it_reaches)
{
    static const struct {
        const char *url;
        bool reached;
    } urls[] = {
        {"ws://127.0.0.1:7400/ws", true},
        {"ws://[::1]:7400/ws", true},
        {"wss://127.0.0.1:7400/ws", false},
        {"ws://localhost:7400/ws", false},
    };
    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        ck_assert(wire_url_parse(&stage.url, urls[i].url));
        ck_assert_int_eq(wire_plain_reaches(&stage.url), urls[i].reached);
    }
}
END_TEST

/* ---- what arrives */

#define BYTES(text) text, sizeof text - 1
#define LOST        WIRE_CLOSED_LOST

static const struct {
    const char *frames;
    size_t len;
    const char *log;
    int code; /* 0: it stays open */
    const char *reason;
    bool binary;
} arrivals[] = {
    {BYTES("\x81\x02"
           "ab"),
     "[ab]", 0, "", false},
    {BYTES("\x81\x01"
           "a\x81\x00\x81\x01"
           "b"),
     "[a][][b]", 0, "", false},
    {BYTES("\x81\x7e\x00\x01"
           "a"),
     "[a]", 0, "", false},
    {BYTES("\x81\x7f\x00\x00\x00\x00\x00\x00\x00\x01"
           "a"),
     "[a]", 0, "", false},
    {BYTES("\x01\x02"
           "ab\x00\x01"
           "c\x80\x01"
           "d\x81\x01"
           "e"),
     "[abcd][e]", 0, "", false},
    {BYTES("\x01\x01"
           "a\x8a\x01"
           "p\x80\x01"
           "b"),
     "[ab]", 0, "", false},
    {BYTES("\x82\x01"
           "a"),
     "[a]", 0, "", true},
    {BYTES("\x82\x01"
           "a"),
     "", LOST, "", false},
    {BYTES("\x80\x01"
           "a"),
     "", LOST, "", false},
    {BYTES("\x01\x01"
           "a\x81\x01"
           "b"),
     "", LOST, "", false},
    {BYTES("\x81\x81\x01\x02\x03\x04"
           "a"),
     "", LOST, "", false},
    {BYTES("\xc1\x01"
           "a"),
     "", LOST, "", false},
    {BYTES("\x83\x01"
           "a"),
     "", LOST, "", false},
    {BYTES("\x09\x01"
           "a"),
     "", LOST, "", false},
    {BYTES("\x89\x7e\x00\x7e"), "", LOST, "", false},
    {BYTES("\x81\x7f\x00\x00\x00\x00\x10\x00\x00\x00"), "", LOST, "", false},
    {BYTES("\x81\x01"
           "a\x88\x00\x81\x01"
           "b"),
     "[a]", LOST, "", false},
    {BYTES("\x88\x04\x0f\xa3"
           "hi"),
     "", 4003, "hi", false},
};

static void settle(int code, const char *last)
{
    if (code != 0)
        run_until(&stage.closed, 1);
    while (strcmp(stage.log, last) != 0)
        uv_run(&stage.loop, UV_RUN_ONCE);
}

/* In one piece, and then byte by byte. */
START_TEST(takes_frames)
{
    const int at = _i / 2;
    make_context(NULL, NULL, arrivals[at].binary);
    open_whole();
    for (size_t i = 0; _i % 2 == 1 && i < arrivals[at].len && stage.closed == 0; i++)
        say(arrivals[at].frames + i, 1);
    if (_i % 2 == 0)
        say(arrivals[at].frames, arrivals[at].len);
    settle(arrivals[at].code, arrivals[at].log);
    ck_assert_str_eq(stage.log, arrivals[at].log);
    ck_assert_uint_eq(stage.closed, arrivals[at].code != 0);
    ck_assert_int_eq(stage.code, arrivals[at].code);
    ck_assert_str_eq(stage.reason, arrivals[at].reason);
}
END_TEST

START_TEST(takes_a_message_longer_than_a_read)
{
    enum { LONG = 300000 };
    static const char head[] = "\x81\x7f\x00\x00\x00\x00\x00\x04\x93\xe0";
    char *bytes = malloc(LONG);
    memset(bytes, 'x', LONG);
    open_whole();
    say(head, sizeof head - 1);
    say(bytes, LONG);
    say("\x81\x01z", 3);
    run_until(&stage.messages, 2);
    ck_assert_str_eq(stage.log, "[300000][z]");
    free(bytes);
}
END_TEST

START_TEST(the_first_message_may_come_with_the_answer)
{
    open_plain(ACCEPTED "\x81\x01z");
    run_until(&stage.messages, 1);
    ck_assert_str_eq(stage.log, "[z]");
}
END_TEST

START_TEST(ends_with_its_server)
{
    open_whole();
    end_peer();
    run_until(&stage.closed, 1);
    ck_assert_int_eq(stage.code, WIRE_CLOSED_LOST);
}
END_TEST

/* The server's word is the reason, whatever becomes of the answer to it. */
START_TEST(why_it_closes_is_known_when_it_is_gone)
{
    open_whole();
    wire_plain_read(stage.plain, false);
    say("\x88\x05\x0f\xa6"
        "bye",
        7);
    ck_assert_int_eq(uv_tcp_close_reset(&stage.peer, NULL), 0);
    for (int i = 0; i < 20; i++)
        uv_run(&stage.loop, UV_RUN_NOWAIT);
    wire_plain_read(stage.plain, true);
    run_until(&stage.closed, 1);
    ck_assert_int_eq(stage.code, 4006);
    ck_assert_str_eq(stage.reason, "bye");
}
END_TEST

START_TEST(an_answer_to_a_ping_has_its_bytes)
{
    open_whole();
    say("\x89\x03"
        "abc",
        5);
    while (stage.heard_len < 9)
        uv_run(&stage.loop, UV_RUN_ONCE);
    ck_assert_uint_eq((unsigned char)stage.heard[0], 0x8a);
    ck_assert_uint_eq((unsigned char)stage.heard[1], 0x83);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(stage.heard[6 + i] ^ stage.heard[2 + i], "abc"[i]);
}
END_TEST

START_TEST(reads_no_more_until_it_is_told_to)
{
    open_whole();
    wire_plain_read(stage.plain, false);
    say("\x81\x01z", 3);
    for (int i = 0; i < 20; i++)
        uv_run(&stage.loop, UV_RUN_NOWAIT);
    ck_assert_uint_eq(stage.messages, 0);
    wire_plain_read(stage.plain, true);
    run_until(&stage.messages, 1);
}
END_TEST

/* ---- what is sent */

/* The next frame that the server has heard, unmasked, in place; its length. */
static size_t unmask(size_t *at, unsigned first, char **bytes)
{
    unsigned char *frame = (unsigned char *)stage.heard + *at;
    size_t len = frame[1] & 0x7f, header = 2;
    ck_assert_uint_eq(frame[0], first);
    ck_assert_uint_ge(frame[1], 0x80);
    if (len == 126) {
        len = (size_t)frame[2] << 8 | frame[3];
        header = 4;
    }
    for (size_t i = 0; i < len; i++)
        frame[header + 4 + i] ^= frame[header + i % 4];
    *bytes = (char *)frame + header + 4;
    *at += header + 4 + len;
    return len;
}

START_TEST(sends_frames)
{
    static char text[PROTOCOL_MESSAGE_BYTES + 1];
    static const size_t lengths[] = {0, 1, 125, 126, 127, PROTOCOL_MESSAGE_BYTES};
    size_t all = 0, at = 0;
    char *bytes;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 26);
    open_plain(ACCEPTED);
    ck_assert(!wire_plain_send(stage.plain, text, 1)); /* it is not open yet */
    run_until(&stage.opened, 1);
    stage.heard_len = 0;
    ck_assert(!wire_plain_send(stage.plain, text, sizeof text));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        ck_assert(wire_plain_send(stage.plain, text, lengths[i]));
        all += lengths[i] + (lengths[i] < 126 ? 6 : 8);
    }
    ck_assert(wire_plain_send_binary(stage.plain, text, 3));
    while (stage.heard_len < all + 9)
        uv_run(&stage.loop, UV_RUN_ONCE);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        ck_assert_uint_eq(unmask(&at, 0x81, &bytes), lengths[i]);
        ck_assert_int_eq(memcmp(bytes, text, lengths[i]), 0);
    }
    ck_assert_uint_eq(unmask(&at, 0x82, &bytes), 3);
}
END_TEST

/* What a server that does not read is sent is kept up to the bound, and comes in order. */
START_TEST(keeps_what_is_not_taken)
{
    char text[1000];
    unsigned sent = 0, unread = 0;
    size_t at = 0;
    memset(text, 'x', sizeof text);
    open_whole();
    uv_read_stop((uv_stream_t *)&stage.peer);
    do {
        (void)snprintf(text, sizeof text, "%u", sent);
    } while (wire_plain_send(stage.plain, text, sizeof text) && ++sent);
    ck_assert_uint_gt(sent, WIRE_QUEUE_BYTES_MAX / sizeof text);
    uv_read_start((uv_stream_t *)&stage.peer, on_space, on_heard);
    for (; unread < sent; unread++) {
        char *bytes, number[16];
        while (stage.heard_len < at + 8 + sizeof text) {
            if (at > 0) { /* so that what was heard stays small */
                stage.heard_len -= at;
                memmove(stage.heard, stage.heard + at, stage.heard_len);
                at = 0;
            }
            uv_run(&stage.loop, UV_RUN_ONCE);
        }
        (void)snprintf(number, sizeof number, "%u", unread);
        ck_assert_uint_eq(unmask(&at, 0x81, &bytes), sizeof text);
        ck_assert_str_eq(bytes, number);
    }
    ck_assert(wire_plain_send(stage.plain, text, 1));
}
END_TEST

START_TEST(is_cut)
{
    open_plain(ACCEPTED);
    if (_i == 1)
        run_until(&stage.opened, 1);
    wire_plain_cut(stage.plain);
    wire_plain_cut(stage.plain); /* no more than once */
    ck_assert_uint_eq(stage.closed, 0);
    ck_assert(!wire_plain_send(stage.plain, "a", 1));
    wire_plain_read(stage.plain, true);
    run_until(&stage.closed, 1);
    ck_assert_int_eq(stage.code, _i == 1 ? WIRE_CLOSED_LOST : WIRE_CLOSED_UNREACHABLE);
    ck_assert_str_eq(stage.reason, "");
}
END_TEST

Suite *plain_suite(void)
{
    Suite *suite = suite_create("plain connections");
    TCase *tests = tcase_create("plain");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, asks_for_an_upgrade);
    tcase_add_loop_test(tests, is_refused, 0, sizeof refusals / sizeof refusals[0]);
    tcase_add_test(tests, an_answer_without_an_end_is_none);
    tcase_add_loop_test(tests, nobody_is_there, 0, 3);
    tcase_add_test(tests, comes_from_its_source);
    tcase_add_test(tests, knows_what_it_reaches);
    tcase_add_loop_test(tests, takes_frames, 0, 2 * sizeof arrivals / sizeof arrivals[0]);
    tcase_add_test(tests, takes_a_message_longer_than_a_read);
    tcase_add_test(tests, the_first_message_may_come_with_the_answer);
    tcase_add_test(tests, ends_with_its_server);
    tcase_add_test(tests, why_it_closes_is_known_when_it_is_gone);
    tcase_add_test(tests, an_answer_to_a_ping_has_its_bytes);
    tcase_add_test(tests, reads_no_more_until_it_is_told_to);
    tcase_add_test(tests, sends_frames);
    tcase_add_test(tests, keeps_what_is_not_taken);
    tcase_add_loop_test(tests, is_cut, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
