#include "timer.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

void timers_release(struct timers *timers)
{
    assert(timers->reserved == 0 && timers->count == 0);
    free(timers->heap);
    *timers = (struct timers){0};
}

int timers_reserve(struct timers *timers)
{
    if (timers->reserved + 1 >= timers->size) {
        uint32_t size = timers->size ? timers->size * 2 : 64;
        struct timer **heap = realloc(timers->heap, size * sizeof(struct timer *));
        if (!heap)
            return -1;
        timers->heap = heap;
        timers->size = size;
    }
    timers->reserved++;
    return 0;
}

void timers_unreserve(struct timers *timers)
{
    assert(timers->reserved > timers->count);
    timers->reserved--;
}

static bool is_before(const struct timer *a, const struct timer *b)
{
    return a->due_ms != b->due_ms ? a->due_ms < b->due_ms : a->order < b->order;
}

static void put_timer(struct timers *timers, uint32_t place, struct timer *timer)
{
    timers->heap[place] = timer;
    timer->place = place;
}

static void sift_up(struct timers *timers, uint32_t place, struct timer *timer)
{
    while (place > 1 && is_before(timer, timers->heap[place / 2])) {
        put_timer(timers, place, timers->heap[place / 2]);
        place /= 2;
    }
    put_timer(timers, place, timer);
}

static void sift_down(struct timers *timers, uint32_t place, struct timer *timer)
{
    for (;;) {
        uint32_t child = place * 2;
        if (child > timers->count)
            break;
        if (child < timers->count && is_before(timers->heap[child + 1], timers->heap[child]))
            child++;
        if (!is_before(timers->heap[child], timer))
            break;
        put_timer(timers, place, timers->heap[child]);
        place = child;
    }
    put_timer(timers, place, timer);
}

static void sift_timer(struct timers *timers, uint32_t place, struct timer *timer)
{
    if (place > 1 && is_before(timer, timers->heap[place / 2]))
        sift_up(timers, place, timer);
    else
        sift_down(timers, place, timer);
}

void timer_arm(struct timers *timers, struct timer *timer, int64_t due_ms)
{
    if (due_ms == INT64_MAX) {
        timer_disarm(timers, timer);
        return;
    }
    if (timer->place && timer->due_ms == due_ms)
        return;
    timer->due_ms = due_ms;
    timer->order = timers->next_order++;
    if (!timer->place) {
        assert(timers->count < timers->reserved);
        timer->place = ++timers->count;
    }
    sift_timer(timers, timer->place, timer);
}

void timer_disarm(struct timers *timers, struct timer *timer)
{
    uint32_t place = timer->place;
    if (!place)
        return;
    struct timer *last = timers->heap[timers->count--];
    timer->place = 0;
    if (last != timer)
        sift_timer(timers, place, last);
}

int64_t timers_next_ms(const struct timers *timers)
{
    return timers->count ? timers->heap[1]->due_ms : INT64_MAX;
}

struct timer *timers_pop(struct timers *timers, int64_t now_ms)
{
    if (timers_next_ms(timers) > now_ms)
        return NULL;
    struct timer *timer = timers->heap[1];
    timer_disarm(timers, timer);
    return timer;
}
