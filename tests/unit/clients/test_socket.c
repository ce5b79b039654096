/*
 * What a socket keeps until the server takes it: in order, all of it, and no more than the bound.
 */
#include "suites.h"

#include "fake_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/socket.h>

enum { MESSAGE_BYTES = 4000 };

struct stage {
    uv_loop_t loop;
    uv_timer_t limit;
    struct fake_server *server;
    struct wire_context *context;
    struct wire_socket *socket;
    int sent, received, want;
    bool opened;
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
    if (!wire_socket_send(stage->socket, bytes, sizeof(bytes)))
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
static void on_opened(void *user)
{
    struct stage *stage = user;
    stage->opened = true;
    ck_assert(!send_next(stage));
}

static void on_message(void *user, const char *bytes, size_t len)
{
    (void)user;
    (void)bytes;
    (void)len;
}

static void on_closed(void *user, int code, const char *reason)
{
    (void)user;
    ck_abort_msg("closed with %d %s", code, reason);
}

static void on_limit(uv_timer_t *timer)
{
    const struct stage *stage = timer->data;
    ck_abort_msg("too slow: %d of %d messages", stage->received, stage->want);
}

START_TEST(queue_is_bounded_and_in_order)
{
    static const struct wire_socket_events events = {on_opened, on_message, on_closed};
    struct stage stage = {.want = WIRE_QUEUE_BYTES_MAX / MESSAGE_BYTES};
    struct wire_url url;
    ck_assert_int_eq(uv_loop_init(&stage.loop), 0);
    uv_timer_init(&stage.loop, &stage.limit);
    stage.limit.data = &stage;
    uv_timer_start(&stage.limit, on_limit, 60000, 0);
    stage.server = fake_server_create(&stage.loop, on_received, &stage);
    ck_assert(wire_url_parse(&url, "127.0.0.1"));
    url.port = (uint16_t)fake_server_port(stage.server);
    stage.context = wire_context_create(&stage.loop, NULL);
    stage.socket = wire_socket_open(stage.context, &url, &events, &stage);
    ck_assert_ptr_nonnull(stage.socket);

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

    wire_socket_close(stage.socket);
    wire_context_destroy(stage.context);
    fake_server_destroy(stage.server);
    uv_close((uv_handle_t *)&stage.limit, NULL);
    uv_run(&stage.loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&stage.loop), 0);
}
END_TEST

Suite *socket_suite(void)
{
    Suite *suite = suite_create("socket");
    TCase *tcase = tcase_create("socket");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, queue_is_bounded_and_in_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
