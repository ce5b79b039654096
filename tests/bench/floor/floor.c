/*
 * The floor under every figure: a bare libuv + libwebsockets server that moves the same bytes as a
 * match does, and knows nothing.
 *
 * The first message of a connection is its room's number, in decimal. Every later message is
 * answered with REPLY_BYTES to the sender, and PUSH_BYTES to everybody in the room. No rules, no
 * JSON, no store, no limits, no queues worth the name; what is left is what the transport costs,
 * done as cheaply as we know: what goes to one peer goes in one call, and nobody waits to be told
 * that a socket is writable.
 *
 *     taluva-floor PORT REPLY_BYTES PUSH_BYTES [JOURNAL]
 *
 * With JOURNAL it is a floor for what is durable: nothing is relayed before EVENT_BYTES for it have
 * been written to that file and synced (journal.h).
 */
#include "journal.h"
#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { ROOMS_MAX = 65536, SEATS_MAX = 8, MESSAGE_MAX = 4096, HEADER_MAX = 4 };

struct peer {
    struct lws *wsi;
    struct room *room;
};

struct room {
    struct peer *peers[SEATS_MAX];
    unsigned count;
};

struct frames { /* whole frames, ready for the wire */
    unsigned char bytes[LWS_PRE + 2 * (HEADER_MAX + MESSAGE_MAX)];
    size_t len;
};

static struct room *rooms;
static struct frames reply, push, both;
static uv_loop_t loop;
static struct journal *journal; /* NULL: nothing is kept */

static void add_frame(struct frames *frames, size_t len)
{
    unsigned char *at = frames->bytes + LWS_PRE + frames->len;
    *at++ = 0x81; /* text, whole */
    if (len < 126) {
        *at++ = (unsigned char)len;
    } else {
        *at++ = 126;
        *at++ = (unsigned char)(len >> 8);
        *at++ = (unsigned char)len;
    }
    memset(at, 'x', len);
    frames->len = (size_t)(at - (frames->bytes + LWS_PRE)) + len;
}

/* What the kernel does not take, libwebsockets keeps: good enough for peers that read. */
static void send_frames(const struct peer *peer, struct frames *frames)
{
    (void)lws_write(peer->wsi, frames->bytes + LWS_PRE, frames->len, LWS_WRITE_HTTP);
}

static int enter(struct peer *peer, const char *text)
{
    const unsigned long number = strtoul(text, NULL, 10);
    if (number >= ROOMS_MAX || rooms[number].count == SEATS_MAX)
        return -1;
    peer->room = &rooms[number];
    peer->room->peers[peer->room->count++] = peer;
    send_frames(peer, &reply);
    return 0;
}

static void leave(struct peer *peer)
{
    struct room *room = peer->room;
    for (unsigned i = 0; room && i < room->count; i++) {
        if (room->peers[i] == peer) {
            room->peers[i] = room->peers[--room->count];
            return;
        }
    }
}

static void relay(void *peer)
{
    const struct peer *from = peer;
    for (unsigned i = 0; i < from->room->count; i++) {
        struct peer *to = from->room->peers[i];
        send_frames(to, to == from ? &both : &push);
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
        if (journal)
            journal_forget(journal, peer);
    } else if (reason == LWS_CALLBACK_RECEIVE && peer->room == NULL) {
        char text[16] = {0};
        memcpy(text, in, len < sizeof text ? len : sizeof text - 1);
        return enter(peer, text);
    } else if (reason == LWS_CALLBACK_RECEIVE && journal != NULL) {
        journal_keep(journal, peer);
    } else if (reason == LWS_CALLBACK_RECEIVE) {
        relay(peer);
    }
    return 0;
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)handle;
    (void)number;
    exit(0); /* nothing to save */
}

static int serve(int port)
{
    static const struct lws_protocols protocols[] = {
        {"taluva.v1+json", on_event, sizeof(struct peer), MESSAGE_MAX, 0, NULL, 1 << 20},
        {NULL, NULL, 0, 0, 0, NULL, 0},
    };
    void *loops[] = {&loop};
    const struct lws_context_creation_info info = {
        .port = port,
        .iface = "127.0.0.1",
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV,
        .foreign_loops = loops,
        .pt_serv_buf_size = MESSAGE_MAX,
        .gid = -1,
        .uid = -1,
    };
    if (!lws_create_context(&info))
        return 69;
    puts("ready");
    fflush(stdout);
    return uv_run(&loop, UV_RUN_DEFAULT);
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        fputs("usage: taluva-floor PORT REPLY_BYTES PUSH_BYTES [JOURNAL]\n", stderr);
        return 64;
    }
    const size_t reply_bytes = strtoul(argv[2], NULL, 10);
    const size_t push_bytes = strtoul(argv[3], NULL, 10);
    rooms = calloc(ROOMS_MAX, sizeof *rooms);
    if (!rooms || reply_bytes > MESSAGE_MAX || push_bytes > MESSAGE_MAX)
        return 70;
    add_frame(&reply, reply_bytes);
    add_frame(&push, push_bytes);
    add_frame(&both, reply_bytes);
    add_frame(&both, push_bytes);
    lws_set_log_level(LLL_ERR, NULL);
    uv_loop_init(&loop);
    if (argc == 5) {
        journal = journal_open(&loop, argv[4], relay);
        if (!journal)
            return 73;
    }
    uv_signal_t terminate;
    uv_signal_init(&loop, &terminate);
    uv_signal_start(&terminate, on_signal, SIGTERM);
    return serve((int)strtol(argv[1], NULL, 10));
}
