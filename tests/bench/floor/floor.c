/*
 * The floor under every figure: a bare libuv + libwebsockets server that moves the same bytes as a
 * match does, and knows nothing.
 *
 * The first message of a connection is its room's number, in decimal. Every later message is
 * answered with REPLY_BYTES to the sender, and PUSH_BYTES to everybody in the room. No rules, no
 * JSON, no store, no limits; what is left is what the transport costs.
 *
 *     taluva-floor PORT REPLY_BYTES PUSH_BYTES
 */
#include <assert.h>
#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { ROOMS_MAX = 65536, SEATS_MAX = 8, MESSAGE_MAX = 4096, QUEUE_MAX = 64 };

struct peer {
    struct lws *wsi;
    struct room *room;
    unsigned queued[QUEUE_MAX]; /* lengths still to be written */
    unsigned head, count;
};

struct room {
    struct peer *peers[SEATS_MAX];
    unsigned count;
};

static struct room *rooms;
static unsigned reply_bytes, push_bytes;
static unsigned char message[LWS_PRE + MESSAGE_MAX];
static uv_loop_t loop;

static void send_bytes(struct peer *peer, unsigned len)
{
    if (peer->count == 0 && !lws_send_pipe_choked(peer->wsi)) {
        (void)lws_write(peer->wsi, message + LWS_PRE, len, LWS_WRITE_TEXT);
        return;
    }
    assert(peer->count < QUEUE_MAX);
    peer->queued[(peer->head + peer->count++) % QUEUE_MAX] = len;
    lws_callback_on_writable(peer->wsi);
}

static int flush(struct peer *peer)
{
    while (peer->count > 0 && !lws_send_pipe_choked(peer->wsi)) {
        const unsigned len = peer->queued[peer->head];
        peer->head = (peer->head + 1) % QUEUE_MAX;
        peer->count--;
        if (lws_write(peer->wsi, message + LWS_PRE, len, LWS_WRITE_TEXT) < 0) {
            return -1;
        }
    }
    if (peer->count > 0) {
        lws_callback_on_writable(peer->wsi);
    }
    return 0;
}

static int enter(struct peer *peer, const char *text)
{
    const unsigned long number = strtoul(text, NULL, 10);
    if (number >= ROOMS_MAX || rooms[number].count == SEATS_MAX) {
        return -1;
    }
    peer->room = &rooms[number];
    peer->room->peers[peer->room->count++] = peer;
    send_bytes(peer, reply_bytes);
    return 0;
}

static void leave(struct peer *peer)
{
    struct room *room = peer->room;
    for (unsigned i = 0; room != NULL && i < room->count; i++) {
        if (room->peers[i] == peer) {
            room->peers[i] = room->peers[--room->count];
            return;
        }
    }
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t len)
{
    struct peer *peer = user;
    if (reason == LWS_CALLBACK_ESTABLISHED) {
        *peer = (struct peer){.wsi = wsi};
    } else if (reason == LWS_CALLBACK_CLOSED) {
        leave(peer);
    } else if (reason == LWS_CALLBACK_SERVER_WRITEABLE) {
        return flush(peer);
    } else if (reason == LWS_CALLBACK_RECEIVE) {
        if (peer->room == NULL) {
            char text[16] = {0};
            memcpy(text, in, len < sizeof(text) ? len : sizeof(text) - 1);
            return enter(peer, text);
        }
        send_bytes(peer, reply_bytes);
        for (unsigned i = 0; i < peer->room->count; i++) {
            send_bytes(peer->room->peers[i], push_bytes);
        }
    }
    return 0;
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)handle;
    (void)number;
    exit(0); /* nothing to save */
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: taluva-floor PORT REPLY_BYTES PUSH_BYTES\n", stderr);
        return 64;
    }
    reply_bytes = (unsigned)strtoul(argv[2], NULL, 10);
    push_bytes = (unsigned)strtoul(argv[3], NULL, 10);
    rooms = calloc(ROOMS_MAX, sizeof(*rooms));
    if (rooms == NULL || reply_bytes > MESSAGE_MAX || push_bytes > MESSAGE_MAX) {
        return 70;
    }
    memset(message, 'x', sizeof(message));

    lws_set_log_level(LLL_ERR, NULL);
    uv_loop_init(&loop);
    uv_signal_t terminate;
    uv_signal_init(&loop, &terminate);
    uv_signal_start(&terminate, on_signal, SIGTERM);
    static const struct lws_protocols protocols[] = {
        {"taluva.v1+json", on_event, sizeof(struct peer), MESSAGE_MAX, 0, NULL, 1 << 20},
        {NULL, NULL, 0, 0, 0, NULL, 0},
    };
    void *loops[] = {&loop};
    const struct lws_context_creation_info info = {
        .port = (int)strtol(argv[1], NULL, 10),
        .iface = "127.0.0.1",
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV,
        .foreign_loops = loops,
        .pt_serv_buf_size = 4096,
        .gid = -1,
        .uid = -1,
    };
    if (lws_create_context(&info) == NULL) {
        return 69;
    }
    puts("ready");
    fflush(stdout);
    return uv_run(&loop, UV_RUN_DEFAULT);
}
