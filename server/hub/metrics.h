/*
 * The hub's counters, and the /metrics page in Prometheus' text format.
 */
#ifndef HUB_METRICS_H
#define HUB_METRICS_H

#include "waiting/think_kind.h"
#include <hub/admin_request.h>
#include <hub/store.h>
#include <protocol/buffer.h>
#include <protocol/error.h>
#include <protocol/request.h>
#include <room/event.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

enum { RESULT_GAME = PROTOCOL_ERROR_COUNT, RESULTS }; /* a game's own refusal */
enum { BATCH_BUCKETS = 13, BATCH_FIRST = 0, COMMIT_BUCKETS = 16, COMMIT_FIRST = 6 };
enum { THINK_BUCKETS = 16, THINK_FIRST = 8 };

struct metrics {
    uint64_t requests[REQUEST_OPS + 1][RESULTS]; /* the last row: op unknown */
    uint64_t closes[14];                         /* by close_codes[] of metrics.c */
    uint64_t refused_connections;
    uint64_t events[ROOM_EVENT_KINDS];
    uint64_t commit_failures;
    uint64_t batch_ops[BATCH_BUCKETS], batch_ops_sum; /* bucket i: up to 2^(FIRST + i) */
    uint64_t commit_us[COMMIT_BUCKETS], commit_us_sum;
    uint64_t sent, sent_bytes;
    uint64_t received, received_bytes;
    uint64_t snapshots, resumes;
    uint64_t notes_lost;
    uint64_t sessions_evicted, rooms_evicted;
    uint64_t thoughts[THINK_KINDS][THINK_OUTCOMES];
    uint64_t think_us[THINK_BUCKETS], think_us_sum, simulations;
};

/* `result`: an enum protocol_error, or RESULT_GAME. `op` REQUEST_OPS: could not be read. */
void metrics_request(struct hub *hub, enum request_op op, unsigned result);
void metrics_close(struct hub *hub, int code);
void metrics_commit(struct hub *hub, enum store_result result, size_t ops, int64_t elapsed_us);
/* What became of a question for the worker threads; and what a worker spent on one. */
void metrics_thought(struct hub *hub, enum think_kind kind, enum think_outcome outcome);
void metrics_thinking(struct hub *hub, int64_t elapsed_us, uint32_t simulations);

void metrics_write(const struct hub *hub, struct buffer *out);

#endif
