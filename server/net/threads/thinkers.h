/*
 * The threads that think: they answer the hub's questions (hub/think.h) beside the loop, at a lower
 * priority and in turns that the loop interrupts, so that it has the processor when it needs it.
 *
 *     loop:  thinkers_give ---> a thread: hub_think_run ---> thinkers_fd is readable: thinkers_take
 *
 * The loop never waits for a lock that a thread holds: on a busy machine a thread of low priority
 * may not run for long, wherever it is. Each thread has memory of its own. All functions are for
 * the loop's thread.
 */
#ifndef NET_THINKERS_H
#define NET_THINKERS_H

#include <hub/think.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thinkers;

/* NULL: no memory, or no threads. */
struct thinkers *thinkers_create(unsigned threads, size_t memory_bytes);
/*
 * Cancels what is being thought of and ends the threads. Jobs that were given and not taken remain
 * the hub's. Takes NULL.
 */
void thinkers_destroy(struct thinkers *thinkers);

/* Are fewer given and not taken than there are threads? No more may be. */
bool thinkers_have_place(const struct thinkers *thinkers);
/* `owner` says whose it is. */
void thinkers_give(struct thinkers *thinkers, struct think_job *job, void *owner);
/* What that owner has given is not wanted any more, and is done soon. */
void thinkers_cancel(struct thinkers *thinkers, const void *owner);
/* Readable when a job is done; then all that are done are to be taken. */
int thinkers_fd(const struct thinkers *thinkers);
/* One that is done, whose it is and how long it took; NULL: none. */
struct think_job *thinkers_take(struct thinkers *thinkers, void **owner, int64_t *elapsed_us);

#endif
