#include "metrics.h"

#include "hub_private.h"
#include "map.h"
#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const int close_codes[] = {1003,
                                  CLOSE_NOT_UTF8,
                                  1008,
                                  CLOSE_TOO_LONG,
                                  CLOSE_SERVER_FAULT,
                                  CLOSE_RESTART,
                                  CLOSE_NO_HELLO,
                                  CLOSE_SLOW_READER,
                                  CLOSE_FLOOD,
                                  CLOSE_IDLE,
                                  0 /* any other */};
enum { CLOSES = sizeof close_codes / sizeof close_codes[0] };
static_assert(CLOSES == sizeof((struct metrics *)0)->closes / sizeof(uint64_t), "one for each");

/* ---- counting */

void metrics_request(struct hub *hub, enum request_op op, unsigned result)
{
    hub->metrics.requests[op][result]++;
}

void metrics_close(struct hub *hub, int code)
{
    size_t at = 0;
    while (close_codes[at] != 0 && close_codes[at] != code)
        at++;
    hub->metrics.closes[at]++;
}

/* The first bucket whose bound (1 << (first + i)) is not below the value; the last has none. */
static void observe(uint64_t *buckets, size_t count, unsigned first, uint64_t value)
{
    size_t at = 0;
    while (at + 1 < count && value > UINT64_C(1) << (first + at))
        at++;
    buckets[at]++;
}

void metrics_commit(struct hub *hub, enum store_result result, size_t ops, int64_t elapsed_us)
{
    struct metrics *metrics = &hub->metrics;
    uint64_t us = elapsed_us > 0 ? (uint64_t)elapsed_us : 0;
    if (result != STORE_OK) {
        metrics->commit_failures++;
        return;
    }
    metrics->commits++;
    observe(metrics->batch_ops, BATCH_BUCKETS, BATCH_FIRST, ops);
    metrics->batch_ops_sum += ops;
    observe(metrics->commit_us, COMMIT_BUCKETS, COMMIT_FIRST, us);
    metrics->commit_us_sum += us;
}

/* ---- writing */

__attribute__((format(printf, 2, 3))) static void put(struct buffer *out, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (len > 0 && (size_t)len < sizeof line)
        buffer_append(out, line, (size_t)len);
    else
        out->failed = true;
}

static void head(struct buffer *out, const char *name, const char *type, const char *help)
{
    put(out, "# HELP taluva_%s %s\n# TYPE taluva_%s %s\n", name, help, name, type);
}

static void one(struct buffer *out, const char *name, const char *type, const char *help,
                uint64_t value)
{
    head(out, name, type, help);
    put(out, "taluva_%s %" PRIu64 "\n", name, value);
}

static void write_histogram(struct buffer *out, const char *name, const char *help,
                            const uint64_t *buckets, size_t count, unsigned first, double unit,
                            double sum)
{
    uint64_t total = 0;
    head(out, name, "histogram", help);
    for (size_t at = 0; at < count; at++) {
        total += buckets[at];
        if (at + 1 < count)
            put(out, "taluva_%s_bucket{le=\"%g\"} %" PRIu64 "\n", name,
                (double)(UINT64_C(1) << (first + at)) * unit, total);
    }
    put(out, "taluva_%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, total);
    put(out, "taluva_%s_sum %g\ntaluva_%s_count %" PRIu64 "\n", name, sum * unit, name, total);
}

static const char *result_name(int result)
{
    if (result == PROTOCOL_OK)
        return "ok";
    return result == RESULT_GAME ? "game" : protocol_error_code((enum protocol_error)result);
}

static void write_requests(const struct metrics *metrics, struct buffer *out)
{
    head(out, "requests_total", "counter", "Requests by operation and result.");
    for (int op = 0; op <= REQUEST_OPS; op++) {
        for (int result = 0; result < RESULTS; result++) {
            uint64_t count = metrics->requests[op][result];
            if (count)
                put(out, "taluva_requests_total{op=\"%s\",result=\"%s\"} %" PRIu64 "\n",
                    op < REQUEST_OPS ? request_op_name((enum request_op)op) : "unknown",
                    result_name(result), count);
        }
    }
}

static void write_rooms(const struct hub *hub, struct buffer *out)
{
    uint64_t by_phase[PROTOCOL_PHASE_COUNT] = {0};
    size_t at = 0;
    const struct hub_room *hub_room;
    while ((hub_room = map_next(&hub->rooms.by_id, &at)) != NULL)
        by_phase[room_phase(hub_room->room)]++;
    head(out, "rooms", "gauge", "Rooms in memory by phase.");
    for (int phase = 0; phase < PROTOCOL_PHASE_COUNT; phase++)
        put(out, "taluva_rooms{phase=\"%s\"} %" PRIu64 "\n",
            protocol_phase_name((enum protocol_phase)phase), by_phase[phase]);
    head(out, "rooms_damaged", "gauge", "Rooms in the store that are damaged and not served.");
    put(out, "taluva_rooms_damaged %zu\n", hub->damaged.count);
}

static void write_closes(const struct metrics *metrics, struct buffer *out)
{
    head(out, "closes_total", "counter", "Connections closed by the server, by code.");
    for (size_t at = 0; at < CLOSES; at++) {
        if (close_codes[at])
            put(out, "taluva_closes_total{code=\"%d\"} %" PRIu64 "\n", close_codes[at],
                metrics->closes[at]);
        else
            put(out, "taluva_closes_total{code=\"other\"} %" PRIu64 "\n", metrics->closes[at]);
    }
    one(out, "connections_refused_total", "counter", "Connections refused, the limits reached.",
        metrics->refused_connections);
}

static void write_store(const struct hub *hub, struct buffer *out)
{
    const struct metrics *metrics = &hub->metrics;
    one(out, "store_failing", "gauge", "1 while the store cannot commit.", hub->commit.failing);
    one(out, "commit_failures_total", "counter", "Batches that the store refused.",
        metrics->commit_failures);
    write_histogram(out, "commit_seconds", "Time of a commit.", metrics->commit_us, COMMIT_BUCKETS,
                    COMMIT_FIRST, 1e-6, (double)metrics->commit_us_sum);
    write_histogram(out, "batch_ops", "Operations in a commit.", metrics->batch_ops, BATCH_BUCKETS,
                    BATCH_FIRST, 1, (double)metrics->batch_ops_sum);
}

static void write_events(const struct metrics *metrics, struct buffer *out)
{
    head(out, "events_total", "counter", "Events of rooms by kind.");
    for (int kind = 0; kind < ROOM_EVENT_KINDS; kind++)
        put(out, "taluva_events_total{kind=\"%s\"} %" PRIu64 "\n",
            room_event_name((enum room_event_kind)kind), metrics->events[kind]);
}

void metrics_write(const struct hub *hub, struct buffer *out)
{
    const struct metrics *metrics = &hub->metrics;
    one(out, "sessions", "gauge", "Sessions known.", hub->sessions.by_id.count);
    one(out, "connections", "gauge", "Open connections.", hub->conns.count);
    one(out, "addresses", "gauge", "Addresses remembered.", hub->addresses.by_prefix.count);
    one(out, "outbox_bytes", "gauge", "Bytes not yet written, by receiver.",
        hub->conns.outbox_bytes);
    one(out, "draining", "gauge", "1 while no new rooms are taken.", hub->draining);
    write_rooms(hub, out);
    write_requests(metrics, out);
    write_closes(metrics, out);
    write_events(metrics, out);
    write_store(hub, out);
    one(out, "received_total", "counter", "Messages received.", metrics->received);
    one(out, "received_bytes_total", "counter", "Bytes received.", metrics->received_bytes);
    one(out, "sent_total", "counter", "Messages written.", metrics->sent);
    one(out, "sent_bytes_total", "counter", "Bytes written.", metrics->sent_bytes);
    one(out, "snapshots_total", "counter", "Views answered with the whole state.",
        metrics->snapshots);
    one(out, "resumes_total", "counter", "Views answered with what was missed.", metrics->resumes);
}
