/*
 * Deadlines in a binary heap: the next one in O(1), arming and disarming in O(log n).
 *
 * A timer lives inside what it is for and is armed at most once. Two that are due at the same time
 * fire in the order in which they were armed, so that a run can be repeated. Time is an argument.
 */
#ifndef HUB_TIMER_H
#define HUB_TIMER_H

#include <stddef.h>
#include <stdint.h>

struct timer {
    int64_t due_ms;
    uint64_t order;
    uint32_t place; /* in the heap, from 1; 0: not armed */
    uint32_t kind;  /* the owner's */
};

struct timers {
    struct timer **heap; /* heap[1 .. count] */
    uint32_t count;
    uint32_t size; /* allocated places, the unused heap[0] included */
    uint32_t reserved;
    uint64_t next_order;
};

void timers_release(struct timers *timers);

/*
 * Room for one timer more that exists, armed or not; so arming cannot fail. <0: out of memory.
 * Every reserve is given back by timers_unreserve when its timer (not armed any more) is no more.
 */
int timers_reserve(struct timers *timers);
void timers_unreserve(struct timers *timers);

/* Arms, or moves an armed one. INT64_MAX disarms. */
void timer_arm(struct timers *timers, struct timer *timer, int64_t due_ms);
void timer_disarm(struct timers *timers, struct timer *timer);

int64_t timers_next_ms(const struct timers *timers); /* INT64_MAX: none */
/* The first one that is due, disarmed; NULL if none is. */
struct timer *timers_pop(struct timers *timers, int64_t now_ms);

#endif
