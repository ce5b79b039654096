#define _GNU_SOURCE /* sem_clockwait */
#include "bell.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

/* What the loop does, and so how it is told. */
enum {
    LOOP_RUNS = 0,  /* not at all: it looks before it sleeps */
    LOOP_WAITS = 1, /* in bell_wait, for that alone: by `told` */
    LOOP_POLLS = 2, /* for its sockets too: by `wake` */
    LOOP_BITS = 3,
    ONE = 4, /* thing that has come back */
};

bool bell_init(struct bell *bell, void (*wake)(void *ctx), void *ctx)
{
    atomic_init(&bell->state, LOOP_RUNS);
    bell->wake = wake;
    bell->ctx = ctx;
    return sem_init(&bell->told, 0, 0) == 0;
}

void bell_destroy(struct bell *bell)
{
    sem_destroy(&bell->told);
}

/* The loop begins to sleep only if nothing was rung for; so of those who ring one is the first. */
void bell_ring(struct bell *bell)
{
    const int before = atomic_fetch_add(&bell->state, ONE);
    if (before == LOOP_WAITS)
        sem_post(&bell->told);
    else if (before == LOOP_POLLS)
        bell->wake(bell->ctx);
}

void bell_answer(struct bell *bell)
{
    atomic_fetch_sub(&bell->state, ONE);
}

/* False: something has come back, so that it goes on running. */
static bool begin_running(struct bell *bell, int what)
{
    int state = atomic_load(&bell->state);
    while (state < ONE) {
        if (atomic_compare_exchange_weak(&bell->state, &state, state | what))
            return true;
    }
    return false;
}

bool bell_begin_poll(struct bell *bell)
{
    return begin_running(bell, LOOP_POLLS);
}

void bell_end_poll(struct bell *bell)
{
    atomic_fetch_and(&bell->state, ~LOOP_BITS);
}

/* False: the time is over, and nobody has told. */
static bool wait_told(struct bell *bell, int64_t until_us)
{
    const struct timespec until = {until_us / 1000000, until_us % 1000000 * 1000};
    while (sem_clockwait(&bell->told, CLOCK_MONOTONIC, &until) != 0) {
        if (errno != EINTR)
            return false;
    }
    return true;
}

bool bell_wait(struct bell *bell, int64_t until_us)
{
    if (!begin_running(bell, LOOP_WAITS))
        return true;
    const bool told = wait_told(bell, until_us);
    const bool rung = atomic_fetch_and(&bell->state, ~LOOP_BITS) >= ONE;
    /* Who has rung first has told, or does so now. */
    while (rung && !told && sem_wait(&bell->told) != 0)
        assert(errno == EINTR);
    return rung;
}
