/*
 * The store's thread: takes one batch at a time, and reads, and does them beside the loop, so that
 * an fsync never stalls it.
 *
 *     loop:    worker_commit, worker_read ----> thread ----> wake() ----> worker_take_...   :loop
 *
 * `wake` is called on the worker's thread; all else on the loop's. What is handed in must stay as
 * it is until it has come back.
 */
#ifndef NET_WORKER_H
#define NET_WORKER_H

#include <net/net.h>
#include <stdbool.h>

struct worker;

struct worker_read {
    char room_id[9];
    enum store_result result;
    const struct store_room_read *read;
    void *owner; /* to be released with the store's release */
};

struct worker *worker_create(const struct net_store *store, void (*wake)(void *ctx), void *ctx);
/* Finishes what it was given; results nobody took are released. Takes NULL. */
void worker_destroy(struct worker *worker);

/* None may be under way. */
void worker_commit(struct worker *worker, const struct store_batch *batch);
/* False: out of memory. */
bool worker_read(struct worker *worker, const char *room_id);

/* What has come back since the last call; false if nothing has. */
bool worker_take_commit(struct worker *worker, enum store_result *result, int64_t *elapsed_us);
bool worker_take_read(struct worker *worker, struct worker_read *read);

#endif
