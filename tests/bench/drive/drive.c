#include "drive.h"

#include "histogram.h"
#include "pace.h"
#include "usage.h"
#include <stdio.h>
#include <stdlib.h>

enum { NOTES = 16, CONNECT_PER_TICK = 40, DUE_MAX = 64, LOOK_AGAIN_MS = 100 };

enum phase { CONNECTING, WARMING_UP, MEASURING };

struct drive_room {
    struct drive_seat seats[DRIVE_SEATS_MAX];
    unsigned moved;
    bool moving;
    uint64_t due_us[NOTES]; /* of move n at n % NOTES */
    uint64_t dues[DUE_MAX];
    unsigned due_head, due_count;
};

static struct {
    struct drive_options options;
    struct drive_calls calls;
    struct drive_room *rooms;
    unsigned all_seats, connected, in, idle_open, next;
    enum phase now;
    uint64_t moves, start_us, request_bytes, requests, push_bytes, pushes;
    struct histogram acknowledged, delivered;
    struct usage server_before, driver_before;
    struct pace pace;
    uv_timer_t ramp, phase;
} run;

static uint64_t now_us(void)
{
    return uv_hrtime() / 1000;
}

void drive_fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(69);
}

/* ---- turns */

static void move_on(struct drive_room *room)
{
    if (room->moving || run.in < run.all_seats ||
        (run.options.moves_per_s > 0 && room->due_count == 0))
        return;
    uint64_t *due_us = &room->due_us[room->moved % NOTES];
    *due_us = now_us();
    if (run.options.moves_per_s > 0) {
        *due_us = room->dues[room->due_head];
        room->due_head = (room->due_head + 1) % DUE_MAX;
        room->due_count--;
    }
    room->moving = true;
    run.request_bytes += run.calls.move(&room->seats[room->moved / 2 % run.options.seats]);
    run.requests++;
}

static void on_due(void *ctx, uint64_t due_us)
{
    struct drive_room *room = &run.rooms[run.next];
    (void)ctx;
    run.next = (run.next + 1) % run.options.rooms;
    if (room->due_count == DUE_MAX)
        drive_fail("overrun", "a room is this many moves behind");
    room->dues[(room->due_head + room->due_count++) % DUE_MAX] = due_us;
    move_on(room);
}

static void start_all(uv_loop_t *loop)
{
    if (run.options.moves_per_s > 0 &&
        pace_start(&run.pace, loop, run.options.moves_per_s, on_due, NULL) < 0)
        drive_fail("pace", "the system has no timer");
    for (unsigned i = 0; i < run.options.rooms; i++)
        move_on(&run.rooms[i]);
}

void drive_idle_open(void)
{
    run.idle_open++;
}

void drive_entered(struct drive_seat *seat)
{
    if (seat->in)
        return;
    seat->in = true;
    if (++run.in == run.all_seats)
        start_all(run.ramp.loop);
}

void drive_acknowledged(struct drive_seat *seat)
{
    const struct drive_room *room = seat->room;
    histogram_record(&run.acknowledged, now_us() - room->due_us[room->moved % NOTES]);
}

void drive_pushed(struct drive_seat *seat, size_t len)
{
    struct drive_room *room = seat->room;
    const unsigned move = seat->heard++;
    run.push_bytes += len;
    run.pushes++;
    if (seat->number != move / 2 % run.options.seats) {
        histogram_record(&run.delivered, now_us() - room->due_us[move % NOTES]);
        return;
    }
    room->moving = false;
    room->moved++;
    run.moves++;
    move_on(room);
}

/* ---- what it prints */

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

static double mean(uint64_t sum, uint64_t count)
{
    return count > 0 ? (double)sum / (double)count : 0;
}

static void print_results(void)
{
    struct usage server;
    struct usage driver;
    const double seconds = (double)(now_us() - run.start_us) / 1e6;
    if (!usage_of_process(&server, run.options.server) || !usage_of_self(&driver))
        drive_fail("the server's processor time", "cannot be read");
    const uint64_t server_us = server.cpu_us - run.server_before.cpu_us;
    const uint64_t driver_us = driver.cpu_us - run.driver_before.cpu_us;
    printf("{\"seconds\":%.3f,\"moves\":%llu,\"moves_per_s\":%.1f,", seconds,
           (unsigned long long)run.moves, (double)run.moves / seconds);
    print_latency("acknowledged_us", &run.acknowledged);
    print_latency("delivered_us", &run.delivered);
    printf("\"request_bytes\":{\"mean\":%.1f},\"push_bytes\":{\"mean\":%.1f},",
           mean(run.request_bytes, run.requests), mean(run.push_bytes, run.pushes));
    printf("\"driver\":{\"core_percent\":%.2f,\"cpu_us_per_move\":%.3f},",
           (double)driver_us / seconds / 1e4, mean(driver_us, run.moves));
    printf("\"server\":{\"core_percent\":%.2f,\"cpu_us_per_move\":%.3f,\"resident_kib\":%llu}}\n",
           (double)server_us / seconds / 1e4, mean(server_us, run.moves),
           (unsigned long long)server.resident_kib);
}

/* ---- from the first connection to the end */

static void on_ramp(uv_timer_t *timer)
{
    for (int i = 0; i < CONNECT_PER_TICK; i++) {
        struct drive_seat *seat = NULL;
        if (run.connected == run.all_seats + run.options.idle) {
            uv_timer_stop(timer);
            return;
        }
        if (run.connected < run.all_seats) {
            struct drive_room *room = &run.rooms[run.connected / run.options.seats];
            seat = &room->seats[run.connected % run.options.seats];
            seat->room = room;
            seat->index = run.connected;
            seat->number = run.connected % run.options.seats;
        }
        run.calls.connect(seat);
        run.connected++;
    }
}

static void begin_measuring(void)
{
    run.moves = run.request_bytes = run.requests = run.push_bytes = run.pushes = 0;
    histogram_reset(&run.acknowledged);
    histogram_reset(&run.delivered);
    run.start_us = now_us();
    (void)usage_of_process(&run.server_before, run.options.server);
    (void)usage_of_self(&run.driver_before);
}

static void on_phase(uv_timer_t *timer)
{
    switch (run.now) {
    case CONNECTING:
        if (run.in < run.all_seats || run.idle_open < run.options.idle) {
            uv_timer_start(timer, on_phase, LOOK_AGAIN_MS, 0);
            return;
        }
        run.now = WARMING_UP;
        uv_timer_start(timer, on_phase, run.options.warmup_s * 1000ULL, 0);
        return;
    case WARMING_UP:
        run.now = MEASURING;
        begin_measuring();
        uv_timer_start(timer, on_phase, run.options.seconds * 1000ULL, 0);
        return;
    case MEASURING:
        print_results();
        uv_stop(timer->loop);
        return;
    }
}

int drive_run(uv_loop_t *loop, const struct drive_options *options, const struct drive_calls *calls)
{
    run.options = *options;
    run.calls = *calls;
    run.all_seats = options->rooms * options->seats;
    run.rooms = calloc(options->rooms + 1, sizeof *run.rooms);
    if (!run.rooms || options->seats > DRIVE_SEATS_MAX)
        return 71;
    uv_timer_init(loop, &run.ramp);
    uv_timer_start(&run.ramp, on_ramp, 10, 10);
    uv_timer_init(loop, &run.phase);
    uv_timer_start(&run.phase, on_phase, LOOK_AGAIN_MS, 0);
    (void)uv_run(loop, UV_RUN_DEFAULT);
    return 0;
}
