/*
 * Drives taluva-floor the way taluva-load drives taluvad (drive.h), over the load tester's own
 * connections, so the two differ by what is in the messages only.
 *
 *     taluva-floor-load PORT ROOMS SEATS MOVES_PER_S(0: closed loop) SECONDS REQUEST_BYTES
 * REPLY_BYTES SERVER_PID IDLE
 */
#include "drive.h"
#include <protocol/buffer.h>
#include <protocol/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <wire/plain.h>

enum { WARMUP_S = 2 };

static struct {
    struct wire_plain_context *context;
    struct wire_url url;
    unsigned seats;
    size_t request_bytes, reply_bytes;
    struct buffer out;
} run;

static size_t move(struct drive_seat *seat)
{
    buffer_clear(&run.out);
    while (run.out.len < run.request_bytes)
        buffer_append_byte(&run.out, 'x');
    (void)wire_plain_send(seat->user, run.out.bytes, run.out.len);
    return run.out.len;
}

static void on_opened(void *user)
{
    const struct drive_seat *seat = user;
    char number[16];
    if (!seat) {
        drive_idle_open();
        return;
    }
    const int len = snprintf(number, sizeof number, "%u", seat->index / run.seats);
    (void)wire_plain_send(seat->user, number, (size_t)len);
}

static void on_message(void *user, const char *bytes, size_t len)
{
    struct drive_seat *seat = user;
    (void)bytes;
    if (!seat)
        return;
    if (!seat->in)
        drive_entered(seat);
    else if (len == run.reply_bytes)
        drive_acknowledged(seat);
    else
        drive_pushed(seat, len);
}

static void on_closed(void *user, int code, const char *reason)
{
    (void)user;
    (void)code;
    drive_fail("taluva-floor-load: a connection was lost", reason);
}

static void connect_one(struct drive_seat *seat)
{
    static const struct wire_socket_events events = {on_opened, on_message, on_closed};
    struct wire_plain *socket = wire_plain_open(run.context, &run.url, &events, seat);
    if (!socket)
        drive_fail("taluva-floor-load", "out of memory");
    if (seat)
        seat->user = socket;
}

int main(int argc, char **argv)
{
    if (argc != 10) {
        fputs("usage: taluva-floor-load PORT ROOMS SEATS MOVES_PER_S SECONDS REQUEST_BYTES "
              "REPLY_BYTES SERVER_PID IDLE\n",
              stderr);
        return 64;
    }
    const struct drive_options options = {
        .rooms = (unsigned)strtoul(argv[2], NULL, 10),
        .seats = (unsigned)strtoul(argv[3], NULL, 10),
        .moves_per_s = strtod(argv[4], NULL),
        .warmup_s = WARMUP_S,
        .seconds = (unsigned)strtoul(argv[5], NULL, 10),
        .idle = (unsigned)strtoul(argv[9], NULL, 10),
        .server = (pid_t)strtol(argv[8], NULL, 10),
    };
    uv_loop_t loop;
    (void)uv_loop_init(&loop);
    run.url = (struct wire_url){.host = "127.0.0.1", .path = "/ws"};
    run.url.port = (uint16_t)strtoul(argv[1], NULL, 10);
    run.seats = options.seats;
    run.request_bytes = strtoul(argv[6], NULL, 10);
    run.reply_bytes = strtoul(argv[7], NULL, 10);
    run.context = wire_plain_context_create(
        &(struct wire_plain_config){.loop = &loop, .subprotocol = PROTOCOL_SUBPROTOCOL});
    if (!run.context)
        return 71;
    buffer_init(&run.out, 0, 1 << 16);
    return drive_run(&loop, &options, &(struct drive_calls){connect_one, move});
}
