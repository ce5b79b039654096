/*
 * Drives taluva-floor the way taluva-load drives taluvad: rooms of seats that move in turn, two
 * messages a turn, open or closed loop; and prints the same figures. It uses the load tester's own
 * connections and histogram, so the two differ by what is in the messages only.
 *
 *     taluva-floor-load PORT ROOMS SEATS MOVES_PER_S(0: closed loop) SECONDS REQUEST_BYTES
 * REPLY_BYTES SERVER_PID IDLE
 */
#include "histogram.h"
#include "pace.h"
#include "usage.h"
#include <protocol/buffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/socket.h>

enum { WARMUP_MS = 2000, SEATS_MAX = 8, NOTES = 16, CONNECT_PER_TICK = 40, DUE_MAX = 64 };

struct seat {
    struct room *room;
    struct wire_socket *socket;
    unsigned number, heard;
    bool in;
};

struct room {
    struct seat seats[SEATS_MAX];
    unsigned number, moved;
    bool moving;
    uint64_t due_us[NOTES]; /* of move n at n % NOTES */
    uint64_t dues[DUE_MAX];
    unsigned due_head, due_count;
};

static struct {
    uv_loop_t loop;
    struct wire_context *context;
    struct wire_url url;
    struct room *rooms;
    unsigned n_rooms, n_seats, connected, in, idle, idle_open, reply_bytes, request_bytes, next;
    double rate;
    unsigned seconds;
    pid_t server;
    bool measuring;
    uint64_t moves, start_us;
    struct histogram acknowledged, delivered;
    struct usage server_before, driver_before;
    struct buffer out;
    struct pace pace;
    uv_timer_t ramp, phase;
} run;

static uint64_t now_us(void)
{
    return uv_hrtime() / 1000;
}

static void send_text(struct wire_socket *socket, size_t len, const char *prefix)
{
    buffer_clear(&run.out);
    buffer_append_string(&run.out, prefix);
    while (run.out.len < len)
        buffer_append_byte(&run.out, 'x');
    (void)wire_socket_send(socket, run.out.bytes, run.out.len);
}

static void move_on(struct room *room)
{
    if (room->moving || run.in < run.n_rooms * run.n_seats ||
        (run.rate > 0 && room->due_count == 0))
        return;
    uint64_t *due_us = &room->due_us[room->moved % NOTES];
    *due_us = now_us();
    if (run.rate > 0) {
        *due_us = room->dues[room->due_head];
        room->due_head = (room->due_head + 1) % DUE_MAX;
        room->due_count--;
    }
    room->moving = true;
    send_text(room->seats[room->moved / 2 % run.n_seats].socket, run.request_bytes, "");
}

static void on_opened(void *user)
{
    struct seat *seat = user;
    if (!seat) {
        run.idle_open++;
        return;
    }
    char number[16];
    (void)snprintf(number, sizeof number, "%u", seat->room->number);
    send_text(seat->socket, 0, number);
}

static void on_push(struct seat *seat)
{
    struct room *room = seat->room;
    const unsigned move = seat->heard++;
    if (seat->number != move / 2 % run.n_seats) {
        histogram_record(&run.delivered, now_us() - room->due_us[move % NOTES]);
        return;
    }
    room->moving = false;
    room->moved++;
    run.moves++;
    move_on(room);
}

static void on_due(void *ctx, uint64_t due_us);

static void start_all(void)
{
    if (run.rate > 0 && pace_start(&run.pace, &run.loop, run.rate, on_due, NULL) < 0)
        exit(71);
    for (unsigned i = 0; i < run.n_rooms; i++)
        move_on(&run.rooms[i]);
}

static void on_message(void *user, const char *bytes, size_t len)
{
    struct seat *seat = user;
    (void)bytes;
    if (!seat)
        return;
    if (!seat->in) {
        seat->in = true;
        if (++run.in == run.n_rooms * run.n_seats)
            start_all();
    } else if (len == run.reply_bytes) {
        histogram_record(&run.acknowledged,
                         now_us() - seat->room->due_us[seat->room->moved % NOTES]);
    } else {
        on_push(seat);
    }
}

static void on_closed(void *user, int code, const char *reason)
{
    (void)user;
    fprintf(stderr, "taluva-floor-load: a connection was lost: %d %s\n", code, reason);
    exit(69);
}

static const struct wire_socket_events events = {on_opened, on_message, on_closed};

static void on_ramp(uv_timer_t *timer)
{
    for (int i = 0; i < CONNECT_PER_TICK; i++) {
        struct seat *seat = NULL;
        if (run.connected < run.n_rooms * run.n_seats) {
            struct room *room = &run.rooms[run.connected / run.n_seats];
            seat = &room->seats[run.connected % run.n_seats];
            room->number = run.connected / run.n_seats;
            seat->room = room;
            seat->number = run.connected % run.n_seats;
            seat->socket = wire_socket_open(run.context, &run.url, &events, seat);
        } else if (run.connected < run.n_rooms * run.n_seats + run.idle) {
            (void)wire_socket_open(run.context, &run.url, &events, NULL);
        } else {
            uv_timer_stop(timer);
            return;
        }
        run.connected++;
    }
}

static void on_due(void *ctx, uint64_t due_us)
{
    struct room *room = &run.rooms[run.next];
    (void)ctx;
    run.next = (run.next + 1) % run.n_rooms;
    if (room->due_count == DUE_MAX) {
        fputs("taluva-floor-load: overrun\n", stderr);
        exit(1);
    }
    room->dues[(room->due_head + room->due_count++) % DUE_MAX] = due_us;
    move_on(room);
}

static void print_latency(const char *name, const struct histogram *histogram)
{
    printf("\"%s\":{\"count\":%llu,\"p50\":%llu,\"p90\":%llu,\"p99\":%llu,\"p99.9\":%llu,\"max\":%"
           "llu},",
           name, (unsigned long long)histogram->count,
           (unsigned long long)histogram_at(histogram, 500),
           (unsigned long long)histogram_at(histogram, 900),
           (unsigned long long)histogram_at(histogram, 990),
           (unsigned long long)histogram_at(histogram, 999), (unsigned long long)histogram->max_us);
}

static void finish(void)
{
    struct usage server;
    struct usage driver;
    const double seconds = (double)(now_us() - run.start_us) / 1e6;
    (void)usage_of_process(&server, run.server);
    (void)usage_of_self(&driver);
    const double server_us = (double)(server.cpu_us - run.server_before.cpu_us);
    const double driver_us = (double)(driver.cpu_us - run.driver_before.cpu_us);
    const double moves = run.moves > 0 ? (double)run.moves : 1;
    printf("{\"seconds\":%.3f,\"moves\":%llu,\"moves_per_s\":%.1f,", seconds,
           (unsigned long long)run.moves, (double)run.moves / seconds);
    print_latency("acknowledged_us", &run.acknowledged);
    print_latency("delivered_us", &run.delivered);
    printf("\"driver\":{\"core_percent\":%.2f,\"cpu_us_per_move\":%.3f},",
           driver_us / seconds / 1e4, driver_us / moves);
    printf("\"server\":{\"core_percent\":%.2f,\"cpu_us_per_move\":%.3f,\"resident_kib\":%llu}}\n",
           server_us / seconds / 1e4, server_us / moves, (unsigned long long)server.resident_kib);
    exit(0);
}

static void on_phase(uv_timer_t *timer)
{
    if (run.connected < run.n_rooms * run.n_seats + run.idle ||
        run.in < run.n_rooms * run.n_seats || run.idle_open < run.idle) {
        uv_timer_start(timer, on_phase, WARMUP_MS, 0); /* not everybody is in yet */
        return;
    }
    if (run.measuring)
        finish();
    run.measuring = true;
    run.moves = 0;
    histogram_reset(&run.acknowledged);
    histogram_reset(&run.delivered);
    run.start_us = now_us();
    (void)usage_of_process(&run.server_before, run.server);
    (void)usage_of_self(&run.driver_before);
    uv_timer_start(timer, on_phase, run.seconds * 1000ULL, 0);
}

int main(int argc, char **argv)
{
    run.url = (struct wire_url){.host = "127.0.0.1", .path = "/ws"};
    if (argc != 10) {
        fputs("usage: taluva-floor-load PORT ROOMS SEATS MOVES_PER_S SECONDS REQUEST_BYTES "
              "REPLY_BYTES SERVER_PID IDLE\n",
              stderr);
        return 64;
    }
    run.url.port = (uint16_t)strtoul(argv[1], NULL, 10);
    run.n_rooms = (unsigned)strtoul(argv[2], NULL, 10);
    run.n_seats = (unsigned)strtoul(argv[3], NULL, 10);
    run.rate = strtod(argv[4], NULL);
    run.seconds = (unsigned)strtoul(argv[5], NULL, 10);
    run.request_bytes = (unsigned)strtoul(argv[6], NULL, 10);
    run.reply_bytes = (unsigned)strtoul(argv[7], NULL, 10);
    run.server = (pid_t)strtol(argv[8], NULL, 10);
    run.idle = (unsigned)strtoul(argv[9], NULL, 10);
    run.rooms = calloc(run.n_rooms + 1, sizeof *run.rooms);
    (void)uv_loop_init(&run.loop);
    run.context = wire_context_create(&run.loop, NULL, WIRE_ANSWER_S);
    if (!run.rooms || !run.context || run.n_seats > SEATS_MAX)
        return 71;
    buffer_init(&run.out, 0, 1 << 16);
    uv_timer_init(&run.loop, &run.ramp);
    uv_timer_start(&run.ramp, on_ramp, 10, 10);
    uv_timer_init(&run.loop, &run.phase);
    uv_timer_start(&run.phase, on_phase, WARMUP_MS, 0);
    return uv_run(&run.loop, UV_RUN_DEFAULT);
}
