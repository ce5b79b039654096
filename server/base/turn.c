#define _GNU_SOURCE /* syscall */
#include <base/turn.h>

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As Linux has it (sched_setattr(2)); the library has no name for it. */
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t turn_ns, deadline_ns, period_ns;
};

void turn_set_us(int64_t us)
{
    enum { NS_PER_US = 1000 };
    struct scheduling own = {.size = sizeof own, .turn_ns = (uint64_t)us * NS_PER_US};
    errno = 0;
    own.nice = getpriority(PRIO_PROCESS, 0); /* on Linux of this thread alone */
    if (errno == 0)
        (void)syscall(SYS_sched_setattr, 0, &own, 0);
}
