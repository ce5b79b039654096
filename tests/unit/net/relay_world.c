#include "relay_world.h"

#include <check.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *world_folder;
uv_loop_t world_loop;

/* ---- time */

static void on_time(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle);
}

void world_run(int64_t for_ms)
{
    uv_timer_t *const timer = malloc(sizeof *timer);
    ck_assert_ptr_nonnull(timer);
    uv_timer_init(&world_loop, timer);
    uv_timer_start(timer, on_time, (uint64_t)for_ms, 0);
    uv_run(&world_loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)timer, on_timer_closed);
}

void world_begin(void)
{
    ck_assert_int_eq(uv_loop_init(&world_loop), 0);
}

void world_end(void)
{
    uv_run(&world_loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&world_loop), 0);
}

/* ---- nodes */

static void *end_open(void *ctx, const char *node)
{
    struct place *const place = ctx;
    (void)node;
    if (place->no_memory)
        return NULL;
    place->opened++;
    return place;
}

static bool end_receive(void *ctx, void *end, const unsigned char *bytes, size_t len)
{
    struct place *const place = ctx;
    ck_assert_ptr_eq(end, place);
    for (size_t at = 1; at < len; at++)
        ck_assert_uint_eq(bytes[at], bytes[0]);
    ck_assert_uint_lt(place->in_count, PLACE_FRAMES);
    place->in[place->in_count++] = (struct frame){len, bytes[0]};
    return !place->refuses;
}

static unsigned char *end_output(void *end, size_t *len)
{
    struct place *const place = end;
    if (place->out_at == place->out_count)
        return NULL;
    const struct frame *const frame = &place->out[place->out_at];
    if (!place->bytes) {
        place->bytes = malloc(frame->len);
        ck_assert_ptr_nonnull(place->bytes);
        memset(place->bytes, frame->byte, frame->len);
    }
    *len = frame->len;
    return place->bytes;
}

static void end_sent(void *end)
{
    struct place *const place = end;
    free(place->bytes);
    place->bytes = NULL;
    place->out_at++;
}

static bool end_broken(void *end)
{
    return ((const struct place *)end)->broken;
}

static size_t end_queued(void *end)
{
    const struct place *const place = end;
    size_t bytes = 0;
    for (size_t at = place->out_at; at < place->out_count; at++)
        bytes += place->out[at].len;
    return bytes;
}

static void end_close(void *ctx, void *end)
{
    struct place *const place = ctx;
    ck_assert_ptr_eq(end, place);
    place->closed++;
}

static const struct relay_ends ends = {end_open,   end_receive, end_output, end_sent,
                                       end_broken, end_queued,  end_close};

struct place *place_new(const char *name, const char *folder, const char *files)
{
    struct place *const place = calloc(1, sizeof *place);
    ck_assert_ptr_nonnull(place);
    snprintf(place->cert, sizeof place->cert, "%s/%s/%s.pem", world_folder, folder, files);
    snprintf(place->key, sizeof place->key, "%s/%s/%s-key.pem", world_folder, folder, files);
    snprintf(place->ca, sizeof place->ca, "%s/%s/ca.pem", world_folder, folder);
    place->options = (struct net_relay_options){.name = name,
                                                .listen = "127.0.0.1:0",
                                                .cert = place->cert,
                                                .key = place->key,
                                                .ca = place->ca};
    place->limits = relay_usual;
    place->out = calloc(PLACE_FRAMES, sizeof *place->out);
    place->in = calloc(PLACE_FRAMES, sizeof *place->in);
    ck_assert(place->out && place->in);
    return place;
}

enum net_result place_start(struct place *place)
{
    return relay_create(&world_loop, &place->options, &place->limits, &ends, place, &place->relay,
                        place->message);
}

void place_end(struct place *place)
{
    relay_close(place->relay);
    for (int i = 0; i < 20; i++)
        world_run(1);
    relay_destroy(place->relay);
    ck_assert_int_eq(place->opened, place->closed);
    free(place->bytes);
    free(place->out);
    free(place->in);
    free(place);
}

void place_knows(struct place *place, const char *name, unsigned port)
{
    char address[32];
    snprintf(address, sizeof address, "127.0.0.1:%u", port);
    relay_set_nodes(place->relay, &(struct net_relay_node){name, address}, port != 0);
}

void place_send(struct place *place, size_t len, unsigned char byte)
{
    ck_assert_uint_lt(place->out_count, PLACE_FRAMES);
    place->out[place->out_count++] = (struct frame){len, byte};
}

uint64_t place_refused(const struct place *place, enum net_relay_refusal refusal)
{
    return relay_figures(place->relay).refused[refusal];
}

/* ---- a pair */

struct place *a, *b;

void pair_begin(void)
{
    world_begin();
    a = place_new("a", "good", "a");
    b = place_new("b", "good", "b");
}

void pair_end(void)
{
    place_end(a);
    place_end(b);
    world_end();
}

void pair_start(struct place *place)
{
    ck_assert_msg(place_start(place) == NET_OK, "%s", place->message);
}

void start_both(void)
{
    pair_start(a);
    pair_start(b);
    place_knows(b, "a", 1);
    place_knows(a, "b", relay_port(b->relay));
}

bool both_up(void)
{
    return relay_is_up(a->relay, "b") && relay_is_up(b->relay, "a");
}

/* ---- forwarders */

struct pair {
    struct pair *next;
    uv_tcp_t sides[2];
    bool connected, stopped, closed;
    int open;
};

struct forwarder {
    uv_tcp_t listener;
    unsigned to_port;
    struct pair *pairs;
};

static void on_side_closed(uv_handle_t *handle)
{
    struct pair *const pair = handle->data;
    pair->open--;
}

static void close_pair(struct pair *pair)
{
    for (int side = 0; side < 2 && !pair->closed; side++)
        uv_close((uv_handle_t *)&pair->sides[side], on_side_closed);
    pair->closed = true;
}

static void allocate(uv_handle_t *handle, size_t size, uv_buf_t *buffer)
{
    (void)handle;
    *buffer = uv_buf_init(malloc(size), (unsigned)size);
}

struct passing {
    uv_write_t write;
    char *bytes;
};

static void on_passed(uv_write_t *write, int status)
{
    struct passing *const passing = (struct passing *)write;
    (void)status;
    free(passing->bytes);
    free(passing);
}

static void on_side_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buffer)
{
    struct pair *const pair = stream->data;
    const int other = stream == (uv_stream_t *)&pair->sides[0];
    if (len <= 0) {
        free(buffer->base);
        if (len < 0)
            close_pair(pair);
        return;
    }
    struct passing *const passing = malloc(sizeof *passing);
    ck_assert_ptr_nonnull(passing);
    passing->bytes = buffer->base;
    uv_buf_t out = uv_buf_init(buffer->base, (unsigned)len);
    uv_write(&passing->write, (uv_stream_t *)&pair->sides[other], &out, 1, on_passed);
}

static void on_connected(uv_connect_t *connect, int status)
{
    struct pair *const pair = connect->data;
    free(connect);
    if (status != 0) {
        if (status != UV_ECANCELED)
            close_pair(pair);
        return;
    }
    pair->connected = true;
    for (int side = 0; side < 2; side++)
        uv_read_start((uv_stream_t *)&pair->sides[side], allocate, on_side_read);
}

static void on_arrival(uv_stream_t *listener, int status)
{
    struct forwarder *const forwarder = listener->data;
    struct pair *const pair = calloc(1, sizeof *pair);
    uv_connect_t *const connect = malloc(sizeof *connect);
    struct sockaddr_in to;
    ck_assert(status == 0 && pair && connect);
    for (int side = 0; side < 2; side++) {
        uv_tcp_init(&world_loop, &pair->sides[side]);
        pair->sides[side].data = pair;
        pair->open++;
    }
    pair->next = forwarder->pairs;
    forwarder->pairs = pair;
    ck_assert_int_eq(uv_accept(listener, (uv_stream_t *)&pair->sides[0]), 0);
    uv_ip4_addr("127.0.0.1", (int)forwarder->to_port, &to);
    connect->data = pair;
    uv_tcp_connect(connect, &pair->sides[1], (const struct sockaddr *)&to, on_connected);
}

struct forwarder *forwarder_new(unsigned to_port)
{
    struct forwarder *const forwarder = calloc(1, sizeof *forwarder);
    struct sockaddr_in any;
    ck_assert_ptr_nonnull(forwarder);
    forwarder->to_port = to_port;
    uv_ip4_addr("127.0.0.1", 0, &any);
    uv_tcp_init(&world_loop, &forwarder->listener);
    forwarder->listener.data = forwarder;
    ck_assert_int_eq(uv_tcp_bind(&forwarder->listener, (const struct sockaddr *)&any, 0), 0);
    ck_assert_int_eq(uv_listen((uv_stream_t *)&forwarder->listener, 16, on_arrival), 0);
    return forwarder;
}

unsigned forwarder_port(const struct forwarder *forwarder)
{
    struct sockaddr_in bound;
    int len = sizeof bound;
    uv_tcp_getsockname(&forwarder->listener, (struct sockaddr *)&bound, &len);
    return ntohs(bound.sin_port);
}

void forwarder_stop(struct forwarder *forwarder)
{
    for (struct pair *pair = forwarder->pairs; pair; pair = pair->next) {
        pair->stopped = true;
        for (int side = 0; side < 2 && !pair->closed; side++)
            uv_read_stop((uv_stream_t *)&pair->sides[side]);
    }
}

void forwarder_end(struct forwarder *forwarder)
{
    uv_close((uv_handle_t *)&forwarder->listener, NULL);
    for (struct pair *pair = forwarder->pairs; pair; pair = pair->next)
        close_pair(pair);
    world_run(20);
    while (forwarder->pairs) {
        struct pair *const pair = forwarder->pairs;
        ck_assert_int_eq(pair->open, 0);
        forwarder->pairs = pair->next;
        free(pair);
    }
    free(forwarder);
}

/* ---- other programs */

pid_t world_shell(const char *format, ...)
{
    char command[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid > 0)
        return pid;
    setpgid(0, 0);
    if (chdir(world_folder) == 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void world_stop(pid_t pid)
{
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}
