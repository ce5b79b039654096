/*
 * Drives a server of another framework as taluva-load drives taluvad (drive.h).
 *
 *     taluva-peer-load PROTOCOL PORT ROOMS MOVES_PER_S(0: closed loop) SECONDS WARMUP_S
 * REQUEST_BYTES SERVER_PID
 *
 * PROTOCOL is one of those below. Rooms are of two. Where a seat is taken over HTTP first, standard
 * input has two words for each seat, in the order of the seats: what the server calls its room (or
 * where it is to connect), and its secret.
 */
#define _GNU_SOURCE /* memmem */
#include "drive.h"
#include <protocol/buffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/plain.h>

enum { SEATS = 2, WORD_MAX = 128, MOVE_CHARS = 20 };

struct peer {
    struct drive_seat *seat;
    struct wire_plain *ws;
    char place[WORD_MAX], secret[WORD_MAX];
};

struct protocol {
    const char *name;
    const char *path; /* NULL: the seat's place */
    bool has_places;
    void (*message)(struct peer *peer, const char *bytes, size_t len);
    size_t (*move)(struct peer *peer);
};

static struct {
    uv_loop_t loop;
    struct wire_plain_context *context;
    const struct protocol *protocol;
    uint16_t port;
    size_t request_bytes;
    struct peer *peers;
    unsigned long *state_ids; /* of each room, where a move names the state that it is made in */
    struct buffer out;
} run;

static bool begins(const char *bytes, size_t len, const char *with)
{
    return len >= strlen(with) && memcmp(bytes, with, strlen(with)) == 0;
}

static void say(const struct peer *peer, const char *text)
{
    (void)wire_plain_send(peer->ws, text, strlen(text));
}

/* Never the same twice, as a framework may send nothing where nothing has changed. */
static void append_text(size_t len)
{
    static unsigned said;
    char number[16];
    (void)snprintf(number, sizeof number, "%08u", said++ % 100000000);
    for (size_t i = 0; i < len; i++)
        buffer_append_byte(&run.out, i < 8 ? number[i] : 'x');
}

static unsigned room_of(const struct peer *peer)
{
    return peer->seat->index / SEATS;
}

/* ---- socket.io: Engine.IO 4 with text frames, and a room that is joined by an event */

static void socketio_message(struct peer *peer, const char *bytes, size_t len)
{
    char join[64];
    if (begins(bytes, len, "42[\"moved\"")) {
        drive_pushed(peer->seat, len);
    } else if (begins(bytes, len, "0{")) {
        say(peer, "40");
    } else if (begins(bytes, len, "40")) {
        (void)snprintf(join, sizeof join, "42[\"join\",\"room-%u\"]", room_of(peer));
        say(peer, join);
    } else if (begins(bytes, len, "42[\"joined\"")) {
        drive_entered(peer->seat);
    } else if (begins(bytes, len, "2")) {
        say(peer, "3");
    } else {
        drive_fail("taluva-peer-load: socket.io sends what is not expected", bytes);
    }
}

static size_t socketio_move(struct peer *peer)
{
    static const char head[] = "42[\"move\",\"", tail[] = "\"]";
    buffer_clear(&run.out);
    buffer_append_string(&run.out, head);
    append_text(run.request_bytes - strlen(head) - strlen(tail));
    buffer_append_string(&run.out, tail);
    (void)wire_plain_send(peer->ws, run.out.bytes, run.out.len);
    return run.out.len;
}

/* ---- Colyseus: binary frames, the first byte says what each is */

enum { COLYSEUS_JOIN = 10, COLYSEUS_DATA = 13, COLYSEUS_STATE = 14, COLYSEUS_PATCH = 15 };

static void colyseus_message(struct peer *peer, const char *bytes, size_t len)
{
    const char joined = COLYSEUS_JOIN;
    if (len == 0)
        return;
    if (bytes[0] == COLYSEUS_PATCH)
        drive_pushed(peer->seat, len);
    else if (bytes[0] == COLYSEUS_JOIN)
        (void)wire_plain_send_binary(peer->ws, &joined, 1);
    else if (bytes[0] == COLYSEUS_STATE)
        drive_entered(peer->seat);
    else
        drive_fail("taluva-peer-load", "Colyseus sends what is not expected");
}

/* The name of the message and a text of at most 255 bytes, both in MessagePack. */
static size_t colyseus_move(struct peer *peer)
{
    static const char head[] = {COLYSEUS_DATA, '\xa4', 'm', 'o', 'v', 'e', '\xd9'};
    const size_t text = run.request_bytes - sizeof head - 1;
    buffer_clear(&run.out);
    buffer_append(&run.out, head, sizeof head);
    buffer_append_byte(&run.out, (char)text);
    append_text(text);
    (void)wire_plain_send_binary(peer->ws, run.out.bytes, run.out.len);
    return run.out.len;
}

/* ---- boardgame.io: socket.io with a name space; a move names the state in which it is made */

static void boardgameio_sync(struct peer *peer)
{
    buffer_clear(&run.out);
    buffer_append_string(&run.out, "42/game,[\"sync\",\"");
    buffer_append_string(&run.out, peer->place);
    buffer_append_string(&run.out, peer->seat->number == 0 ? "\",\"0\",\"" : "\",\"1\",\"");
    buffer_append_string(&run.out, peer->secret);
    buffer_append_string(&run.out, "\",2]");
    (void)wire_plain_send(peer->ws, run.out.bytes, run.out.len);
}

static void boardgameio_learn_state(struct peer *peer, const char *bytes, size_t len)
{
    static const char key[] = "\"_stateID\":";
    const char *found = memmem(bytes, len, key, strlen(key));
    if (!found) /* a number that ends the bytes is not in them: an object does */
        drive_fail("taluva-peer-load", "boardgame.io sends a state without its number");
    const unsigned long id = strtoul(found + strlen(key), NULL, 10);
    if (id > run.state_ids[room_of(peer)])
        run.state_ids[room_of(peer)] = id;
}

static void boardgameio_message(struct peer *peer, const char *bytes, size_t len)
{
    if (begins(bytes, len, "42/game,[\"update\"")) {
        boardgameio_learn_state(peer, bytes, len);
        drive_pushed(peer->seat, len);
    } else if (begins(bytes, len, "0{")) {
        say(peer, "40/game,");
    } else if (begins(bytes, len, "40/game,")) {
        boardgameio_sync(peer);
    } else if (begins(bytes, len, "42/game,[\"sync\"")) {
        drive_entered(peer->seat);
    } else if (begins(bytes, len, "2")) {
        say(peer, "3");
    } else if (!begins(bytes, len, "42/game,[\"matchData\"")) {
        drive_fail("taluva-peer-load", "boardgame.io sends what is not expected");
    }
}

/* As long as its clients make it. */
static size_t boardgameio_move(struct peer *peer)
{
    const char *player = peer->seat->number == 0 ? "0" : "1";
    char number[32];
    buffer_clear(&run.out);
    buffer_append_string(&run.out,
                         "42/game,[\"update\",{\"type\":\"MAKE_MOVE\",\"payload\":{\"type\":"
                         "\"move\",\"args\":[\"");
    append_text(MOVE_CHARS);
    buffer_append_string(&run.out, "\"],\"playerID\":\"");
    buffer_append_string(&run.out, player);
    buffer_append_string(&run.out, "\",\"credentials\":\"");
    buffer_append_string(&run.out, peer->secret);
    (void)snprintf(number, sizeof number, "\"}},%lu,\"", run.state_ids[room_of(peer)]);
    buffer_append_string(&run.out, number);
    buffer_append_string(&run.out, peer->place);
    buffer_append_string(&run.out, "\",\"");
    buffer_append_string(&run.out, player);
    buffer_append_string(&run.out, "\"]");
    (void)wire_plain_send(peer->ws, run.out.bytes, run.out.len);
    return run.out.len;
}

/* ---- any of them */

#define ENGINE_IO "/socket.io/?EIO=4&transport=websocket"

static const struct protocol protocols[] = {
    {"socketio", ENGINE_IO, false, socketio_message, socketio_move},
    {"colyseus", NULL, true, colyseus_message, colyseus_move},
    {"boardgameio", ENGINE_IO, true, boardgameio_message, boardgameio_move},
};

static void on_opened(void *user)
{
    (void)user; /* the server speaks first */
}

static void on_message(void *user, const char *bytes, size_t len)
{
    run.protocol->message(user, bytes, len);
}

static void on_closed(void *user, int code, const char *reason)
{
    char text[256];
    (void)user;
    (void)snprintf(text, sizeof text, "%d %s", code, reason);
    drive_fail("taluva-peer-load: a connection was lost", text);
}

static void connect_one(struct drive_seat *seat)
{
    static const struct wire_socket_events events = {on_opened, on_message, on_closed};
    struct peer *peer = &run.peers[seat->index];
    struct wire_url url = {.host = "127.0.0.1", .port = run.port};
    (void)snprintf(url.path, sizeof url.path, "%s",
                   run.protocol->path ? run.protocol->path : peer->place);
    peer->seat = seat;
    seat->user = peer;
    peer->ws = wire_plain_open(run.context, &url, &events, peer);
    if (!peer->ws)
        drive_fail("taluva-peer-load", "out of memory");
}

static size_t move(struct drive_seat *seat)
{
    return run.protocol->move(seat->user);
}

static bool read_places(unsigned seats)
{
    for (unsigned i = 0; i < seats; i++) {
        if (scanf("%127s %127s", run.peers[i].place, run.peers[i].secret) != 2)
            return false;
    }
    return true;
}

static const struct protocol *protocol_of(const char *name)
{
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        if (strcmp(protocols[i].name, name) == 0)
            return &protocols[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    run.protocol = argc == 9 ? protocol_of(argv[1]) : NULL;
    if (!run.protocol) {
        fputs("usage: taluva-peer-load socketio|colyseus|boardgameio PORT ROOMS MOVES_PER_S "
              "SECONDS WARMUP_S REQUEST_BYTES SERVER_PID\n",
              stderr);
        return 64;
    }
    const struct drive_options options = {
        .rooms = (unsigned)strtoul(argv[3], NULL, 10),
        .seats = SEATS,
        .moves_per_s = strtod(argv[4], NULL),
        .seconds = (unsigned)strtoul(argv[5], NULL, 10),
        .warmup_s = (unsigned)strtoul(argv[6], NULL, 10),
        .server = (pid_t)strtol(argv[8], NULL, 10),
    };
    run.port = (uint16_t)strtoul(argv[2], NULL, 10);
    run.request_bytes = strtoul(argv[7], NULL, 10);
    run.peers = calloc((size_t)options.rooms * SEATS, sizeof *run.peers);
    run.state_ids = calloc(options.rooms, sizeof *run.state_ids);
    (void)uv_loop_init(&run.loop);
    run.context =
        wire_plain_context_create(&(struct wire_plain_config){.loop = &run.loop, .binary = true});
    if (!run.peers || !run.state_ids || !run.context)
        return 71;
    if (run.protocol->has_places && !read_places(options.rooms * SEATS))
        drive_fail("taluva-peer-load", "standard input does not name a place for each seat");
    buffer_init(&run.out, 0, 1 << 16);
    return drive_run(&run.loop, &options, &(struct drive_calls){connect_one, move});
}
