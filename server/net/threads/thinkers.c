#include "thinkers.h"

#include <assert.h>
#include <base/signals.h>
#include <base/turn.h>
#include <net/clock.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <uv.h>

enum { TURN_US = 20000 }; /* which whoever wakes interrupts */

struct thinker {
    struct thinkers *all;
    uv_thread_t thread;
    void *memory;
};

/*
 *     FREE --give--> GIVEN --a thread--> RUNNING --the same--> DONE --take--> FREE
 *
 * As many places as threads. What else is in a place belongs to the loop in FREE and DONE, and to
 * the thread in RUNNING.
 */
enum place_state { PLACE_FREE, PLACE_GIVEN, PLACE_RUNNING, PLACE_DONE };
struct place {
    atomic_int state;
    struct think_job *job;
    void *owner;
    int64_t elapsed_us;
};

struct thinkers {
    size_t memory_bytes;
    unsigned count, begun; /* threads */
    struct thinker *threads;
    struct place *places;
    int done_fd;
    uv_sem_t given; /* one for each job that is given, and for each thread at the end */
    atomic_bool stopping;
};

/* ---- on the threads */

static struct place *begin_job(struct thinkers *all)
{
    for (unsigned i = 0; i < all->count; i++) {
        int given = PLACE_GIVEN;
        if (atomic_compare_exchange_strong(&all->places[i].state, &given, PLACE_RUNNING))
            return &all->places[i];
    }
    assert(false && "a job for each time that one was given");
    return NULL;
}

static void run_thinker(void *arg)
{
    struct thinker *thinker = arg;
    struct thinkers *all = thinker->all;
    signals_block();
    (void)uv_os_setpriority(0, UV_PRIORITY_BELOW_NORMAL); /* on Linux of this thread alone */
    /* SCHED_IDLE gives way at once too, but then nothing is thought of where all is busy. */
    turn_set_us(TURN_US);
    for (;;) {
        uv_sem_wait(&all->given);
        if (atomic_load(&all->stopping))
            return;
        struct place *place = begin_job(all);
        int64_t begun_us = net_clock_monotonic_us();
        hub_think_run(place->job, thinker->memory, all->memory_bytes);
        place->elapsed_us = net_clock_monotonic_us() - begun_us;
        atomic_store(&place->state, PLACE_DONE);
        (void)eventfd_write(all->done_fd, 1);
    }
}

/* ---- the loop's side */

static bool begin_threads(struct thinkers *thinkers)
{
    while (thinkers->begun < thinkers->count) {
        struct thinker *thinker = &thinkers->threads[thinkers->begun];
        thinker->all = thinkers;
        thinker->memory = malloc(thinkers->memory_bytes);
        if (!thinker->memory)
            return false;
        if (uv_thread_create(&thinker->thread, run_thinker, thinker) != 0) {
            free(thinker->memory);
            return false;
        }
        thinkers->begun++;
    }
    return true;
}

static void end_threads(struct thinkers *thinkers)
{
    atomic_store(&thinkers->stopping, true);
    for (unsigned i = 0; i < thinkers->count; i++) {
        if (atomic_load(&thinkers->places[i].state) != PLACE_FREE)
            hub_think_cancel(thinkers->places[i].job);
    }
    for (unsigned i = 0; i < thinkers->begun; i++)
        uv_sem_post(&thinkers->given);
    for (unsigned i = 0; i < thinkers->begun; i++) {
        uv_thread_join(&thinkers->threads[i].thread);
        free(thinkers->threads[i].memory);
    }
}

/* Everything but the threads. */
static struct thinkers *make_thinkers(unsigned threads, size_t memory_bytes)
{
    struct thinkers *thinkers = calloc(1, sizeof *thinkers);
    if (!thinkers)
        return NULL;
    thinkers->count = threads;
    thinkers->memory_bytes = memory_bytes;
    thinkers->threads = calloc(threads, sizeof *thinkers->threads);
    thinkers->places = calloc(threads, sizeof *thinkers->places);
    if (!thinkers->threads || !thinkers->places)
        goto free_all;
    thinkers->done_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (thinkers->done_fd < 0)
        goto free_all;
    if (uv_sem_init(&thinkers->given, 0) != 0)
        goto close_fd;
    return thinkers;
close_fd:
    close(thinkers->done_fd);
free_all:
    free(thinkers->places);
    free(thinkers->threads);
    free(thinkers);
    return NULL;
}

struct thinkers *thinkers_create(unsigned threads, size_t memory_bytes)
{
    assert(threads > 0);
    struct thinkers *thinkers = make_thinkers(threads, memory_bytes);
    if (!thinkers || begin_threads(thinkers))
        return thinkers;
    thinkers_destroy(thinkers);
    return NULL;
}

void thinkers_destroy(struct thinkers *thinkers)
{
    if (!thinkers)
        return;
    end_threads(thinkers);
    uv_sem_destroy(&thinkers->given);
    close(thinkers->done_fd);
    free(thinkers->places);
    free(thinkers->threads);
    free(thinkers);
}

static struct place *find_place(const struct thinkers *thinkers, enum place_state state)
{
    for (unsigned i = 0; i < thinkers->count; i++) {
        if (atomic_load(&thinkers->places[i].state) == (int)state)
            return &thinkers->places[i];
    }
    return NULL;
}

bool thinkers_have_place(const struct thinkers *thinkers)
{
    return find_place(thinkers, PLACE_FREE);
}

void thinkers_give(struct thinkers *thinkers, struct think_job *job, void *owner)
{
    struct place *place = find_place(thinkers, PLACE_FREE);
    assert(place);
    place->job = job;
    place->owner = owner;
    atomic_store(&place->state, PLACE_GIVEN);
    uv_sem_post(&thinkers->given);
}

void thinkers_cancel(struct thinkers *thinkers, const void *owner)
{
    for (unsigned i = 0; i < thinkers->count; i++) {
        const struct place *place = &thinkers->places[i];
        if (atomic_load(&place->state) != PLACE_FREE && place->owner == owner)
            hub_think_cancel(place->job);
    }
}

int thinkers_fd(const struct thinkers *thinkers)
{
    return thinkers->done_fd;
}

struct think_job *thinkers_take(struct thinkers *thinkers, void **owner, int64_t *elapsed_us)
{
    eventfd_t count;
    (void)eventfd_read(thinkers->done_fd, &count);
    struct place *place = find_place(thinkers, PLACE_DONE);
    if (!place)
        return NULL;
    struct think_job *job = place->job;
    *owner = place->owner;
    *elapsed_us = place->elapsed_us;
    atomic_store(&place->state, PLACE_FREE);
    return job;
}
