#include "metrics.h"

#include "feature_table.h"
#include "hub_private.h"
#include "key_map.h"
#include <assert.h>
#include <hub/admin_request.h>
#include <hub/prometheus.h>
#include <inttypes.h>

static const int close_codes[] = {1002,
                                  1003,
                                  CLOSE_NOT_UTF8,
                                  1008,
                                  CLOSE_TOO_LONG,
                                  CLOSE_SERVER_FAULT,
                                  CLOSE_RESTART,
                                  CLOSE_NO_HELLO,
                                  CLOSE_SLOW_READER,
                                  CLOSE_FLOOD,
                                  CLOSE_IDLE,
                                  CLOSE_BANNED,
                                  CLOSE_DEVICE_ENDED,
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

void metrics_commit(struct hub *hub, enum store_result result, size_t ops, int64_t elapsed_us)
{
    struct metrics *metrics = &hub->metrics;
    uint64_t us = elapsed_us > 0 ? (uint64_t)elapsed_us : 0;
    if (result != STORE_OK) {
        metrics->commit_failures++;
        return;
    }
    metrics->batch_ops[prometheus_bucket(ops, BATCH_BUCKETS, BATCH_FIRST)]++;
    metrics->batch_ops_sum += ops;
    metrics->commit_us[prometheus_bucket(us, COMMIT_BUCKETS, COMMIT_FIRST)]++;
    metrics->commit_us_sum += us;
}

void metrics_thought(struct hub *hub, enum think_kind kind, enum think_outcome outcome)
{
    hub->metrics.thoughts[kind][outcome]++;
}

void metrics_thinking(struct hub *hub, int64_t elapsed_us, uint32_t simulations)
{
    struct metrics *metrics = &hub->metrics;
    uint64_t us = elapsed_us > 0 ? (uint64_t)elapsed_us : 0;
    metrics->think_us[prometheus_bucket(us, THINK_BUCKETS, THINK_FIRST)]++;
    metrics->think_us_sum += us;
    metrics->simulations += simulations;
}

/* ---- writing */

static const char *result_name(int result)
{
    if (result == PROTOCOL_OK)
        return "ok";
    return result == RESULT_GAME ? "game" : protocol_error_code((enum protocol_error)result);
}

static void write_requests(const struct metrics *metrics, struct buffer *out)
{
    prometheus_head(out, "requests_total", "counter", "Requests by operation and result.");
    for (int op = 0; op <= REQUEST_OPS; op++) {
        for (int result = 0; result < RESULTS; result++) {
            uint64_t count = metrics->requests[op][result];
            if (count)
                prometheus_line(out, "taluva_requests_total{op=\"%s\",result=\"%s\"} %" PRIu64 "\n",
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
    while ((hub_room = key_map_next(&hub->rooms.by_id, &at)) != NULL)
        by_phase[room_phase(hub_room->room)]++;
    prometheus_head(out, "rooms", "gauge", "Rooms in memory by phase.");
    for (int phase = 0; phase < PROTOCOL_PHASE_COUNT; phase++)
        prometheus_labelled(out, "rooms", "phase", protocol_phase_name((enum protocol_phase)phase),
                            by_phase[phase]);
    prometheus_count(out, "rooms_damaged", "gauge",
                     "Damaged rooms in the store, which are not served.", hub->damaged.count);
}

/* Whoever has sent it may have a clock of its own. */
static double age_s(const struct hub *hub, const struct mail_waiting *waiting)
{
    const int64_t age_ms = waiting->count > 0 ? hub->now_ms - waiting->since_ms : 0;
    return age_ms > 0 ? (double)age_ms / 1000 : 0;
}

static void write_letters(const struct hub *hub, struct buffer *out)
{
    const struct mail *mail = &hub->mail;
    prometheus_count(out, "letters_sent_total", "counter",
                     "Letters put into batches, to this part or another.", mail->sent);
    prometheus_count(out, "letters_applied_total", "counter", "Letters applied.", mail->applied);
    prometheus_count(out, "letters_refused_total", "counter",
                     "Letters whose effect the store has refused; they are tried again.",
                     mail->refused);
    prometheus_count(out, "letters_set_aside_total", "counter",
                     "Letters that nobody could apply, set aside for the operator.",
                     mail->set_aside);
    prometheus_count(out, "letters_crowded_total", "counter",
                     "Requests and new rooms refused, as there are as many letters as may be.",
                     mail->crowded);
    prometheus_count(out, "letters_waiting", "gauge",
                     "Letters that the last look has found and that cannot be applied yet.",
                     mail->waiting.count);
    prometheus_real(out, "letters_oldest_seconds", "gauge", "How old the oldest of these is.",
                    age_s(hub, &mail->waiting));
}

static void write_closes(const struct metrics *metrics, struct buffer *out)
{
    prometheus_head(out, "closes_total", "counter", "Connections closed by the server, by code.");
    for (size_t at = 0; at < CLOSES; at++) {
        if (close_codes[at])
            prometheus_line(out, "taluva_closes_total{code=\"%d\"} %" PRIu64 "\n", close_codes[at],
                            metrics->closes[at]);
        else
            prometheus_labelled(out, "closes_total", "code", "other", metrics->closes[at]);
    }
    prometheus_count(out, "connections_refused_total", "counter",
                     "Connections refused because a limit was reached.",
                     metrics->refused_connections);
}

static void write_store(const struct hub *hub, struct buffer *out)
{
    const struct metrics *metrics = &hub->metrics;
    prometheus_count(out, "store_failing", "gauge", "1 while the store cannot commit.",
                     hub->commit.failing);
    prometheus_count(out, "commit_failures_total", "counter",
                     "Batches that the store could not commit.", metrics->commit_failures);
    const struct prometheus_buckets commit_us = {metrics->commit_us, COMMIT_BUCKETS, COMMIT_FIRST,
                                                 1e-6};
    const struct prometheus_buckets batch_ops = {metrics->batch_ops, BATCH_BUCKETS, BATCH_FIRST, 1};
    prometheus_histogram(out, "commit_seconds", "Time of a commit.", &commit_us,
                         (double)metrics->commit_us_sum);
    prometheus_histogram(out, "batch_ops", "Operations in a commit.", &batch_ops,
                         (double)metrics->batch_ops_sum);
}

static const char *const match_names[STORE_MATCHES] = {"solo", "people"};

static void write_matches(const struct retention *retention, struct buffer *out)
{
    prometheus_head(out, "matches_kept", "gauge",
                    "Finished matches in the store, as they were counted last.");
    for (int match = 0; match < STORE_MATCHES; match++)
        prometheus_labelled(out, "matches_kept", "of", match_names[match], retention->kept[match]);
    prometheus_head(out, "matches_dropped_total", "counter",
                    "Finished matches that are not kept any longer.");
    for (int match = 0; match < STORE_MATCHES; match++)
        prometheus_labelled(out, "matches_dropped_total", "of", match_names[match],
                            retention->dropped[match]);
}

static void write_events(const struct metrics *metrics, struct buffer *out)
{
    prometheus_head(out, "events_total", "counter", "Events of rooms by kind.");
    for (int kind = 0; kind < ROOM_EVENT_KINDS; kind++)
        prometheus_labelled(out, "events_total", "kind",
                            room_event_name((enum room_event_kind)kind), metrics->events[kind]);
}

static const char *const think_kinds[THINK_KINDS] = {"move", "hint", "page", "alone", "analysis"};
static const char *const think_outcomes[THINK_OUTCOMES] = {"answered", "refused", "cancelled",
                                                           "late", "failed"};

static void write_thinking(const struct hub *hub, struct buffer *out)
{
    const struct metrics *metrics = &hub->metrics;
    const struct thinking *thinking = &hub->thinking;
    prometheus_head(out, "think_waiting", "gauge", "Questions that wait for a worker thread.");
    for (int kind = 0; kind < THINK_KINDS; kind++)
        prometheus_labelled(out, "think_waiting", "kind", think_kinds[kind],
                            thinking->waiting[kind].count);
    prometheus_count(out, "think_running", "gauge", "Questions that worker threads have.",
                     thinking->out_count);
    prometheus_count(out, "think_workers", "gauge", "Worker threads that think.",
                     thinking->workers);
    prometheus_head(out, "think_jobs_total", "counter",
                    "Questions for the worker threads by kind and what became of them.");
    for (int kind = 0; kind < THINK_KINDS; kind++) {
        for (int outcome = 0; outcome < THINK_OUTCOMES; outcome++)
            prometheus_line(
                out, "taluva_think_jobs_total{kind=\"%s\",outcome=\"%s\"} %" PRIu64 "\n",
                think_kinds[kind], think_outcomes[outcome], metrics->thoughts[kind][outcome]);
    }
    const struct prometheus_buckets think_us = {metrics->think_us, THINK_BUCKETS, THINK_FIRST,
                                                1e-6};
    prometheus_histogram(out, "think_seconds", "Time of a worker thread for a question.", &think_us,
                         (double)metrics->think_us_sum);
    prometheus_count(out, "think_simulations_total", "counter",
                     "Simulations made by worker threads.", metrics->simulations);
}

static void write_notes(const struct hub *hub, struct buffer *out)
{
    prometheus_count(out, "notes_waiting", "gauge", "News for other parts of the site that waits.",
                     hub->notes.players.count + hub->notes.turns.count + hub->notes.words.count);
    prometheus_count(out, "notes_lost_total", "counter", "News lost because too much waited.",
                     hub->metrics.notes_lost);
}

void metrics_write(const struct hub *hub, struct buffer *out)
{
    const struct metrics *metrics = &hub->metrics;
    prometheus_count(out, "sessions", "gauge", "Sessions known.",
                     key_map_count(&hub->sessions.by_id) - hub->sessions.foreign_count);
    prometheus_count(out, "sessions_evicted_total", "counter",
                     "Sessions of players dropped for others, as there were as many as may be.",
                     hub->metrics.sessions_evicted);
    prometheus_count(out, "rooms_evicted_total", "counter",
                     "Rooms ended for others, as there were as many as may be.",
                     hub->metrics.rooms_evicted);
    prometheus_count(out, "sessions_foreign", "gauge",
                     "Sessions of other parts of the site that are here.",
                     hub->sessions.foreign_count);
    prometheus_count(out, "connections", "gauge", "Open connections.", hub->conns.count);
    prometheus_count(out, "addresses", "gauge", "Addresses remembered.",
                     key_map_count(&hub->addresses.by_prefix));
    prometheus_count(out, "outbox_bytes", "gauge",
                     "Bytes not yet written, counted for each receiver.", hub->conns.outbox_bytes);
    prometheus_count(out, "history_bytes", "gauge", "Memory of encoded pushes of past events.",
                     hub->history.bytes);
    prometheus_count(out, "record_bytes", "gauge", "Memory of records of matches.",
                     hub->records.bytes);
    prometheus_count(out, "analysis_bytes", "gauge", "Memory of analyses of finished matches.",
                     hub->analyses.bytes);
    prometheus_count(out, "draining", "gauge",
                     "1 while the server drains and accepts no new rooms.", hub->draining);
    write_rooms(hub, out);
    write_requests(metrics, out);
    write_closes(metrics, out);
    write_events(metrics, out);
    write_store(hub, out);
    write_matches(&hub->retention, out);
    write_thinking(hub, out);
    write_letters(hub, out);
    features_write_figures(hub, out);
    write_notes(hub, out);
    prometheus_count(out, "received_total", "counter", "Messages received.", metrics->received);
    prometheus_count(out, "received_bytes_total", "counter", "Bytes received.",
                     metrics->received_bytes);
    prometheus_count(out, "sent_total", "counter", "Messages written.", metrics->sent);
    prometheus_count(out, "sent_bytes_total", "counter", "Bytes written.", metrics->sent_bytes);
    prometheus_count(out, "snapshots_total", "counter", "Views answered with a snapshot.",
                     metrics->snapshots);
    prometheus_count(out, "resumes_total", "counter", "Views answered with the missed pushes.",
                     metrics->resumes);
}
