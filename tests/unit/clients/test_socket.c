/*
 * A socket's queue: everything is sent in order, up to the limit; reading; and how either side
 * closes.
 */
#include "fake_server.h"
#include "suites.h"
#include <protocol/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/client.h>

enum { MESSAGE_BYTES = 4000, ANSWER_S = 60 };

struct stage {
    uv_loop_t loop;
    uv_timer_t limit;
    struct fake_server *server;
    struct wire_context *context;
    struct wire_socket *socket;
    unsigned answer_s; /* 0: long */
    int sent, received, want;
    bool opened;
    size_t heard, heard_bytes; /* of the server's messages */
    int code;                  /* of the close */
    char reason[128];
};

/* A message that says which one it is. */
static void fill(char bytes[MESSAGE_BYTES], int number)
{
    int len = snprintf(bytes, MESSAGE_BYTES, "{\"n\":%d,\"pad\":\"", number);
    memset(bytes + len, 'x', MESSAGE_BYTES - (size_t)len - 2);
    memcpy(bytes + MESSAGE_BYTES - 2, "\"}", 2);
}

static bool send_next(struct stage *stage)
{
    char bytes[MESSAGE_BYTES];
    fill(bytes, stage->sent);
    if (!wire_socket_send(stage->socket, bytes, sizeof bytes))
        return false;
    stage->sent++;
    return true;
}

static void on_received(void *user, int connection, const json_t *message)
{
    struct stage *stage = user;
    (void)connection;
    ck_assert_int_eq(json_integer_value(json_object_get(message, "n")), stage->received);
    if (++stage->received == stage->want)
        uv_stop(&stage->loop);
}

/* What is sent now must not pass what was queued before. */
static void on_opened_full(void *user)
{
    struct stage *stage = user;
    stage->opened = true;
    ck_assert(!send_next(stage));
}

static void on_opened(void *user)
{
    struct stage *stage = user;
    stage->opened = true;
}

static void on_message(void *user, const char *bytes, size_t len)
{
    struct stage *stage = user;
    stage->heard++;
    stage->heard_bytes += len;
    size_t at = 0;
    while (at < len && (unsigned char)bytes[at] == fake_server_byte(at))
        at++;
    ck_assert_uint_eq(at, len);
}

static void on_closed(void *user, int code, const char *reason)
{
    struct stage *stage = user;
    ck_assert_int_eq(stage->code, 0); /* once */
    stage->code = code;
    (void)snprintf(stage->reason, sizeof stage->reason, "%s", reason);
    stage->socket = NULL;
}

static void on_limit(uv_timer_t *timer)
{
    const struct stage *stage = timer->data;
    ck_abort_msg("too slow: %d of %d messages", stage->received, stage->want);
}

static const struct wire_socket_events EVENTS = {on_opened, on_message, on_closed};

static void stage_open(struct stage *stage, const struct wire_socket_events *events,
                       const char *source)
{
    struct wire_url url;
    ck_assert_int_eq(uv_loop_init(&stage->loop), 0);
    uv_timer_init(&stage->loop, &stage->limit);
    stage->limit.data = stage;
    uv_timer_start(&stage->limit, on_limit, 60000, 0);
    stage->server = fake_server_create(&stage->loop, on_received, stage);
    ck_assert(wire_url_parse(&url, "127.0.0.1"));
    url.port = (uint16_t)fake_server_port(stage->server);
    stage->context =
        wire_context_create(&stage->loop, NULL, stage->answer_s ? stage->answer_s : ANSWER_S);
    ck_assert_ptr_eq(wire_context_loop(stage->context), &stage->loop);
    ck_assert(wire_context_source(stage->context, source));
    stage->socket = wire_socket_open(stage->context, &url, events, stage);
    ck_assert_ptr_nonnull(stage->socket);
}

/* Runs the loop until the condition holds. */
#define UNTIL(stage, condition)                                                                    \
    do {                                                                                           \
        while (!(condition))                                                                       \
            uv_run(&(stage)->loop, UV_RUN_ONCE);                                                   \
    } while (0)

static void stage_close(struct stage *stage)
{
    if (stage->socket)
        wire_socket_close(stage->socket);
    wire_context_destroy(stage->context);
    fake_server_destroy(stage->server);
    uv_close((uv_handle_t *)&stage->limit, NULL);
    uv_run(&stage->loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&stage->loop), 0);
}

START_TEST(queue_is_bounded_and_in_order)
{
    static const struct wire_socket_events events = {on_opened_full, on_message, on_closed};
    struct stage stage = {.want = WIRE_QUEUE_BYTES_MAX / MESSAGE_BYTES};
    stage_open(&stage, &events, "");
    while (stage.sent <= stage.want && send_next(&stage))
        ck_assert_uint_eq(wire_socket_queued(stage.socket), (size_t)stage.sent * MESSAGE_BYTES);
    ck_assert_int_eq(stage.sent, stage.want);
    ck_assert_uint_eq(wire_socket_queued(stage.socket), (size_t)stage.want * MESSAGE_BYTES);
    uv_run(&stage.loop, UV_RUN_DEFAULT);
    ck_assert(stage.opened);
    ck_assert_int_eq(stage.received, stage.want);
    ck_assert_uint_eq(wire_socket_queued(stage.socket), 0);

    /* There is room again: the bound is of what waits, not of what was ever sent. */
    stage.want += 20;
    while (stage.sent < stage.want)
        ck_assert(send_next(&stage));
    uv_run(&stage.loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(stage.received, stage.want);
    stage_close(&stage);
}
END_TEST

/* To the byte: what fills the queue is taken, one byte more is not. */
START_TEST(queue_is_bounded_exactly)
{
    struct stage stage = {0};
    char *bytes = calloc(1, WIRE_QUEUE_BYTES_MAX + 1);
    ck_assert_ptr_nonnull(bytes);
    stage_open(&stage, &EVENTS, "");
    ck_assert(!wire_socket_send(stage.socket, bytes, WIRE_QUEUE_BYTES_MAX + 1));
    ck_assert_uint_eq(wire_socket_queued(stage.socket), 0);
    ck_assert(wire_socket_send(stage.socket, bytes, WIRE_QUEUE_BYTES_MAX));
    ck_assert(!wire_socket_send(stage.socket, bytes, 1));
    free(bytes);
    stage_close(&stage); /* before it has begun to connect */
}
END_TEST

/* What the kernel takes at once is not queued; what is longer than any message waits its turn. */
START_TEST(writes_at_once)
{
    struct stage stage = {.want = 1};
    stage_open(&stage, &EVENTS, "");
    UNTIL(&stage, stage.opened);
    ck_assert(send_next(&stage));
    ck_assert_uint_eq(wire_socket_queued(stage.socket), 0);
    UNTIL(&stage, stage.received == 1);
    ck_assert_ptr_nonnull(strstr(fake_server_seen(stage.server)->address, "127.0.0.1"));
    stage_close(&stage);
}
END_TEST

/* ---- what the server sends */

static const struct {
    size_t len, fragment;
    bool taken;
} messages[] = {
    {1, 0, true},
    {PROTOCOL_MESSAGE_BYTES, 0, true},
    {3 * PROTOCOL_MESSAGE_BYTES + 7, 0, true},
    {3 * PROTOCOL_MESSAGE_BYTES + 7, 1000, true},
    {100, 1, true},
    {WIRE_MESSAGE_BYTES_MAX, 65536, true},
    {WIRE_MESSAGE_BYTES_MAX + 1, 65536, false},
};

START_TEST(hears_up_to_the_bound)
{
    struct stage stage = {0};
    stage_open(&stage, &EVENTS, "");
    UNTIL(&stage, stage.opened);
    fake_server_send(stage.server, "abc", 2);
    fake_server_send_much(stage.server, messages[_i].len, messages[_i].fragment);
    if (messages[_i].taken) {
        fake_server_send(stage.server, "abcd", 3);
        UNTIL(&stage, stage.heard == 3);
        ck_assert_uint_eq(stage.heard_bytes, messages[_i].len + 7);
    } else {
        UNTIL(&stage, stage.code != 0);
        ck_assert_int_eq(stage.code, WIRE_CLOSED_LOST);
        ck_assert_uint_eq(stage.heard, 1);
    }
    stage_close(&stage);
}
END_TEST

START_TEST(hears_text_only)
{
    struct stage stage = {0};
    stage_open(&stage, &EVENTS, "");
    UNTIL(&stage, stage.opened);
    fake_server_send_binary(stage.server);
    UNTIL(&stage, stage.code != 0);
    ck_assert_int_eq(stage.code, WIRE_CLOSED_LOST);
    ck_assert_uint_eq(stage.heard, 0);
    stage_close(&stage);
}
END_TEST

static void on_moment(uv_timer_t *timer)
{
    *(bool *)timer->data = true;
}

/* A client that pauses reading gets nothing until it continues, and then everything. */
START_TEST(stops_reading)
{
    struct stage stage = {0};
    uv_timer_t moment;
    bool over = false;
    stage_open(&stage, &EVENTS, "");
    wire_socket_read(stage.socket, false); /* before it is open that means nothing */
    UNTIL(&stage, stage.opened);
    fake_server_send(stage.server, "abc", 0);
    UNTIL(&stage, stage.heard == 1);
    wire_socket_read(stage.socket, false);
    fake_server_send(stage.server, "abc", 0);
    uv_timer_init(&stage.loop, &moment);
    moment.data = &over;
    uv_timer_start(&moment, on_moment, 100, 0);
    UNTIL(&stage, over);
    ck_assert_uint_eq(stage.heard, 1);
    wire_socket_read(stage.socket, true);
    UNTIL(&stage, stage.heard == 2);
    uv_close((uv_handle_t *)&moment, NULL);
    stage_close(&stage);
}
END_TEST

/* ---- the end */

static const struct {
    int code;
    const char *reason;
    int told;
} ends[] = {
    {1001, "restarting", 1001},
    {4002, "", 4002},
    {1000, "x", 1000},
    {4001,
     "123456789012345678901234567890123456789012345678901234567890"
     "123456789012345678901234567890123456789012345678901234567890123",
     4001},
    {0, "", WIRE_CLOSED_LOST},
};

START_TEST(server_closes)
{
    struct stage stage = {0};
    stage_open(&stage, &EVENTS, "");
    UNTIL(&stage, stage.opened);
    fake_server_close(stage.server, ends[_i].code, ends[_i].reason);
    UNTIL(&stage, stage.code != 0);
    ck_assert_int_eq(stage.code, ends[_i].told);
    ck_assert_str_eq(stage.reason, ends[_i].reason);
    stage_close(&stage);
}
END_TEST

/* Everything queued arrives before the close frame; nothing is received afterwards. */
START_TEST(closes_when_all_is_written)
{
    struct stage stage = {.want = -1};
    stage_open(&stage, &EVENTS, "");
    for (int at = 0; at < 30; at++)
        ck_assert(send_next(&stage));
    UNTIL(&stage, stage.opened);
    wire_socket_close(stage.socket);
    ck_assert(!wire_socket_send(stage.socket, "{}", 2));
    stage.socket = NULL;
    fake_server_send(stage.server, "abc", 0);
    UNTIL(&stage, fake_server_seen(stage.server)->closes == 1);
    ck_assert_int_eq(stage.received, 30);
    ck_assert_int_eq(fake_server_seen(stage.server)->close_code, 1000);
    ck_assert_int_eq(stage.code, 0);
    ck_assert_uint_eq(stage.heard, 0);
    stage_close(&stage);
}
END_TEST

START_TEST(closes_at_once)
{
    struct stage stage = {0};
    stage_open(&stage, &EVENTS, "");
    UNTIL(&stage, stage.opened);
    wire_socket_close(stage.socket);
    stage.socket = NULL;
    UNTIL(&stage, fake_server_seen(stage.server)->closes == 1);
    ck_assert_int_eq(fake_server_seen(stage.server)->close_code, 1000);
    stage_close(&stage);
}
END_TEST

START_TEST(is_cut)
{
    struct stage stage = {0};
    stage_open(&stage, &EVENTS, "");
    wire_socket_cut(stage.socket); /* nothing yet to be cut */
    UNTIL(&stage, stage.opened);
    wire_socket_cut(stage.socket);
    UNTIL(&stage, stage.code != 0);
    ck_assert_int_eq(stage.code, WIRE_CLOSED_LOST);
    UNTIL(&stage, fake_server_seen(stage.server)->closes == 1);
    ck_assert_int_eq(fake_server_seen(stage.server)->close_code, 0);
    stage_close(&stage);
}
END_TEST

START_TEST(cannot_be_reached)
{
    struct stage stage = {0};
    struct wire_url url = {.host = "127.0.0.1", .port = 1, .path = "/ws"};
    stage_open(&stage, &EVENTS, "");
    struct wire_socket *well = stage.socket;
    stage.socket = wire_socket_open(stage.context, &url, &EVENTS, &stage);
    UNTIL(&stage, stage.code != 0);
    ck_assert_int_eq(stage.code, WIRE_CLOSED_UNREACHABLE);
    ck_assert_str_ne(stage.reason, "");
    stage.socket = well;
    stage_close(&stage);
}
END_TEST

/* Takes connections and never says a word. */
struct silent {
    uv_tcp_t listener;
    int connections;
};

static void on_silent_connection(uv_stream_t *listener, int status)
{
    struct silent *silent = listener->data;
    ck_assert_int_eq(status, 0);
    silent->connections++;
}

static struct wire_url silent_open(struct silent *silent, uv_loop_t *loop)
{
    struct wire_url url = {.host = "127.0.0.1", .path = "/ws"};
    struct sockaddr_in address;
    int len = sizeof address;
    ck_assert_int_eq(uv_ip4_addr("127.0.0.1", 0, &address), 0);
    uv_tcp_init(loop, &silent->listener);
    silent->listener.data = silent;
    silent->connections = 0;
    ck_assert_int_eq(uv_tcp_bind(&silent->listener, (struct sockaddr *)&address, 0), 0);
    ck_assert_int_eq(uv_listen((uv_stream_t *)&silent->listener, 8, on_silent_connection), 0);
    ck_assert_int_eq(uv_tcp_getsockname(&silent->listener, (struct sockaddr *)&address, &len), 0);
    url.port = ntohs(address.sin_port);
    return url;
}

/* One that is there and does not answer is unreachable in the end, and may be closed before that.
 */
START_TEST(is_not_answered)
{
    struct stage stage = {.answer_s = 1};
    struct silent silent;
    stage_open(&stage, &EVENTS, "");
    struct wire_socket *well = stage.socket;
    struct wire_url url = silent_open(&silent, &stage.loop);
    stage.socket = wire_socket_open(stage.context, &url, &EVENTS, &stage);
    struct wire_socket *closed = wire_socket_open(stage.context, &url, &EVENTS, &stage);
    UNTIL(&stage, silent.connections > 0);
    wire_socket_close(closed);
    UNTIL(&stage, stage.code != 0);
    ck_assert_int_eq(stage.code, WIRE_CLOSED_UNREACHABLE);
    ck_assert_str_eq(stage.reason, "it does not answer");
    ck_assert(stage.opened);
    stage.socket = well;
    uv_close((uv_handle_t *)&silent.listener, NULL);
    stage_close(&stage);
}
END_TEST

/* ---- several, and where they come from */

/* Those that are open, opening and not begun end in any order, and by their context. */
START_TEST(several_at_once)
{
    struct stage stage = {0};
    struct wire_socket *others[4];
    struct wire_url url = {.host = "127.0.0.1", .path = "/ws"};
    stage_open(&stage, &EVENTS, "");
    url.port = (uint16_t)fake_server_port(stage.server);
    for (int at = 0; at < 4; at++)
        others[at] = wire_socket_open(stage.context, &url, &EVENTS, &stage);
    wire_socket_close(others[1]);
    wire_socket_close(others[3]);
    UNTIL(&stage, stage.opened);
    wire_socket_close(others[0]);
    wire_socket_close(stage.socket);
    stage.socket = wire_socket_open(stage.context, &url, &EVENTS, &stage);
    UNTIL(&stage, fake_server_seen(stage.server)->closes >= 1);
    wire_socket_open(stage.context, &url, &EVENTS, &stage);
    wire_socket_open(stage.context, &url, &EVENTS, &stage);
    stage.socket = NULL;
    stage_close(&stage);
    ck_assert_int_eq(stage.code, 0);
}
END_TEST

START_TEST(source_and_host)
{
    struct stage stage = {0};
    char host[32], text[WIRE_SOURCE_TEXT + 1];
    stage_open(&stage, &EVENTS, "127.0.0.7");
    UNTIL(&stage, stage.opened && *fake_server_seen(stage.server)->host);
    ck_assert_ptr_nonnull(strstr(fake_server_seen(stage.server)->address, "127.0.0.7"));
    (void)snprintf(host, sizeof host, "127.0.0.1:%d", fake_server_port(stage.server));
    ck_assert_str_eq(fake_server_seen(stage.server)->host, host);
    memset(text, '1', sizeof text);
    text[WIRE_SOURCE_TEXT] = '\0';
    ck_assert(!wire_context_source(stage.context, text));
    text[WIRE_SOURCE_TEXT - 1] = '\0';
    ck_assert(wire_context_source(stage.context, text));
    stage_close(&stage);
}
END_TEST

START_TEST(nothing_to_destroy)
{
    wire_context_destroy(NULL);
    wire_client_destroy(NULL);
}
END_TEST

#define ADD_EACH(tcase, test, table)                                                               \
    tcase_add_loop_test(tcase, test, 0, sizeof table / sizeof(table)[0])

Suite *socket_suite(void)
{
    Suite *suite = suite_create("socket");
    TCase *tcase = tcase_create("socket");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, queue_is_bounded_and_in_order);
    tcase_add_test(tcase, queue_is_bounded_exactly);
    tcase_add_test(tcase, writes_at_once);
    ADD_EACH(tcase, hears_up_to_the_bound, messages);
    tcase_add_test(tcase, hears_text_only);
    tcase_add_test(tcase, stops_reading);
    ADD_EACH(tcase, server_closes, ends);
    tcase_add_test(tcase, closes_when_all_is_written);
    tcase_add_test(tcase, closes_at_once);
    tcase_add_test(tcase, is_cut);
    tcase_add_test(tcase, cannot_be_reached);
    tcase_add_test(tcase, is_not_answered);
    tcase_add_test(tcase, several_at_once);
    tcase_add_test(tcase, source_and_host);
    tcase_add_test(tcase, nothing_to_destroy);
    suite_add_tcase(suite, tcase);
    return suite;
}
