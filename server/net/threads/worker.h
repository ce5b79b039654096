/*
 * The store's thread: hands commits, reads, queries and trims to any store, beside the loop,
 * so that neither an fsync nor a round trip stalls it.
 *
 *     loop:    worker_commit, worker_... ----> thread ----> bell ----> worker_take_...   :loop
 *
 * The bell is rung on whatever thread the store is done on. All else is called on the loop's
 * thread. What is handed in must stay as it is until it has come back.
 */
#ifndef NET_WORKER_H
#define NET_WORKER_H

#include <hub/store.h>

struct bell;
struct worker;

/* The store is open, and called on the worker's thread only until worker_destroy has returned. The
 * bell outlives the worker. `proven_ms`: nobody else had the store yet (net_clock_boot_ms). */
struct worker *worker_create(struct store *store, struct bell *bell, int64_t proven_ms);
/* Finishes what it was given and releases results that were not taken. Takes NULL. If nothing is
 * under way any other thread may call it. */
void worker_destroy(struct worker *worker);
/* Nothing was given that was not taken back. */
bool worker_is_idle(const struct worker *worker);

/* None may be under way. */
void worker_commit(struct worker *worker, const struct store_batch *batch);
/* False: out of memory. */
bool worker_read(struct worker *worker, const char *room_id);
bool worker_query(struct worker *worker, const struct store_query *query);
/* False also if the store keeps everything. */
bool worker_trim(struct worker *worker, const struct store_trim *trim);

/* When the last commit that was acknowledged was given to the store (net_clock_boot_ms); before the
 * first one, as worker_create was told. */
int64_t worker_proven_ms(const struct worker *worker);

/* What has come back since the last call; false, or NULL, if nothing has. */
bool worker_take_commit(struct worker *worker, enum store_result *result, int64_t *elapsed_us);
struct worker_answer { /* one of them, the others are NULL */
    struct store_read *read;
    struct store_query *query;
    struct store_trim *trim;
};
struct worker_answer *worker_take_answer(struct worker *worker);
void worker_answer_release(struct worker_answer *answer);

#endif
