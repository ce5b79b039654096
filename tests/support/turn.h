/* How the calling thread is scheduled: how long its turns are, 0 where the system does not say (it
 * does since Linux 6.12), and its nice value. */
#ifndef SUPPORT_TURN_H
#define SUPPORT_TURN_H

#include <assert.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

struct turn {
    uint64_t ns;
    int nice;
};

static inline struct turn turn_of_this_thread(void)
{
    struct { /* as sched_getattr(2) has it */
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t turn_ns, deadline_ns, period_ns;
    } own = {.size = 0};
    const long done = syscall(SYS_sched_getattr, 0, &own, sizeof own, 0);
    assert(done == 0);
    return (struct turn){.ns = own.turn_ns, .nice = own.nice};
}

#endif
