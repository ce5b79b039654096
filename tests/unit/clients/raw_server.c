#include "raw_server.h"

#include <check.h>
#include <string.h>

static void on_space(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer)
{
    static char bytes[65536];
    (void)handle;
    (void)wanted;
    *buffer = uv_buf_init(bytes, sizeof bytes);
}

static void on_request(uv_stream_t *stream, ssize_t len, const uv_buf_t *buffer)
{
    struct raw_server *raw = stream->data;
    (void)buffer;
    if (len <= 0 || !raw->answer)
        return;
    char bytes[512];
    uv_buf_t answer = uv_buf_init(bytes, (unsigned)strlen(raw->answer));
    memcpy(bytes, raw->answer, answer.len);
    ck_assert_int_eq(uv_try_write(stream, &answer, 1), (int)answer.len);
    if (raw->closes)
        uv_close((uv_handle_t *)stream, NULL);
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct raw_server *raw = listener->data;
    ck_assert_int_eq(status, 0);
    if (raw->accepted)
        return; /* the first is enough */
    raw->accepted = true;
    uv_tcp_init(listener->loop, &raw->client);
    raw->client.data = raw;
    ck_assert_int_eq(uv_accept(listener, (uv_stream_t *)&raw->client), 0);
    uv_read_start((uv_stream_t *)&raw->client, on_space, on_request);
}

int raw_server_open(struct raw_server *raw, uv_loop_t *loop)
{
    struct sockaddr_in address;
    int len = sizeof address;
    ck_assert_int_eq(uv_ip4_addr("127.0.0.1", 0, &address), 0);
    uv_tcp_init(loop, &raw->listener);
    raw->listener.data = raw;
    ck_assert_int_eq(uv_tcp_bind(&raw->listener, (struct sockaddr *)&address, 0), 0);
    ck_assert_int_eq(uv_listen((uv_stream_t *)&raw->listener, 8, on_connection), 0);
    ck_assert_int_eq(uv_tcp_getsockname(&raw->listener, (struct sockaddr *)&address, &len), 0);
    return ntohs(address.sin_port);
}

void raw_server_close(struct raw_server *raw)
{
    if (raw->accepted && !uv_is_closing((uv_handle_t *)&raw->client))
        uv_close((uv_handle_t *)&raw->client, NULL);
    uv_close((uv_handle_t *)&raw->listener, NULL);
}
