/*
 * The threads that think: they answer the hub's questions (hub/think.h) beside the loop, at a lower
 * priority, so that the loop has the processor when it needs it.
 *
 *     loop:    thinkers_give ----> a thread: hub_think_run ----> wake() ----> thinkers_take   :loop
 *
 * `wake` is called on the threads; all else on the loop's. Each thread has memory of its own.
 */
#ifndef NET_THINKERS_H
#define NET_THINKERS_H

#include <hub/think.h>
#include <stddef.h>
#include <stdint.h>

struct thinkers;

/* NULL: no memory, or no threads. */
struct thinkers *thinkers_create(unsigned threads, size_t memory_bytes, void (*wake)(void *ctx),
                                 void *ctx);
/*
 * Cancels what is being thought of and ends the threads. Jobs that were given and not taken remain
 * the hub's. Takes NULL.
 */
void thinkers_destroy(struct thinkers *thinkers);

/* At most as many as there are threads may be given and not taken. */
void thinkers_give(struct thinkers *thinkers, struct think_job *job);
/* One that is done, and how long it took; NULL: none. */
struct think_job *thinkers_take(struct thinkers *thinkers, int64_t *elapsed_us);

#endif
