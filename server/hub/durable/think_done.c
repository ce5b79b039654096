/* A worker has handed a job back. */
#include "hub_private.h"
#include "rooms/entry.h"
#include "waiting/think_queue.h"

void hub_think_done(struct hub *hub, struct think_job *job, int64_t elapsed_us, int64_t now_ms)
{
    entry_begin(hub, now_ms);
    think_finish(hub, job, elapsed_us);
    entry_end(hub);
}
