/*
 * Thinking: questions that take longer than a turn of the loop, answered by worker threads.
 *
 * Most are moves of computer players. The hub hands out jobs and never waits for one: a move that
 * does not come back in time is replaced by a quick choice, so that workers may be slow, out of
 * memory, or gone.
 *
 *     loop:    hub_think_take --> worker: hub_think_run --> loop: hub_think_done
 *
 * A job does not refer to anything that the hub changes while it is out, except that the hub sets
 * a flag when nobody wants the answer any more.
 */
#ifndef HUB_THINK_H
#define HUB_THINK_H

#include <stddef.h>
#include <stdint.h>

struct hub;
struct think_job;

/*
 * How many jobs may be out at once, and how much memory is there for each; none at first. A job
 * that needs more memory is not made.
 */
void hub_think_workers(struct hub *hub, unsigned workers, size_t memory_bytes);

/*
 * The next job, NULL: none is waiting, or as many are out as there are workers. To be asked for
 * with what else is fetched after every call that is given a time.
 */
struct think_job *hub_think_take(struct hub *hub);

/* On any thread: answers. `memory` is aligned as malloc aligns. Without memory there is no answer.
 */
void hub_think_run(struct think_job *job, void *memory, size_t memory_bytes);
/* On any thread: the answer is not wanted any more, and hub_think_run returns soon. */
void hub_think_cancel(struct think_job *job);

/*
 * The job is back, answered or not; `elapsed_us` is how long the answer took. Jobs that never come
 * back are released by hub_destroy; nothing may work on them then.
 */
void hub_think_done(struct hub *hub, struct think_job *job, int64_t elapsed_us, int64_t now_ms);

#endif
