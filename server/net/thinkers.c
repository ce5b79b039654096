#include "thinkers.h"

#include <assert.h>
#include <net/clock.h>
#include <stdbool.h>
#include <stdlib.h>
#include <uv.h>

struct thinker {
    struct thinkers *all;
    uv_thread_t thread;
    void *memory;
};

/*
 * A place for each thread's job, in turn: free, given, being thought of, done. Which thread takes
 * which does not matter.
 */
enum place_state { PLACE_FREE, PLACE_GIVEN, PLACE_RUNNING, PLACE_DONE };
struct place {
    enum place_state state;
    struct think_job *job;
    uint64_t order; /* first given, first taken */
    int64_t elapsed_us;
};

struct thinkers {
    void (*wake)(void *ctx);
    void *ctx;
    size_t memory_bytes;
    unsigned count, begun; /* threads */
    struct thinker *threads;

    uv_mutex_t mutex; /* all below */
    uv_cond_t work;
    bool stopping;
    uint64_t next_order;
    struct place *places; /* as many as threads */
};

/* The first in this state; NULL: none. */
static struct place *find(struct thinkers *thinkers, enum place_state state)
{
    struct place *first = NULL;
    for (unsigned i = 0; i < thinkers->count; i++) {
        struct place *place = &thinkers->places[i];
        if (place->state == state && (!first || place->order < first->order))
            first = place;
    }
    return first;
}

/* ---- on the threads */

/* Called and left with the mutex held. */
static void think(struct thinker *thinker, struct place *place)
{
    struct thinkers *all = thinker->all;
    place->state = PLACE_RUNNING;
    uv_mutex_unlock(&all->mutex);
    int64_t begun_us = net_clock_monotonic_us();
    hub_think_run(place->job, thinker->memory, all->memory_bytes);
    int64_t elapsed_us = net_clock_monotonic_us() - begun_us;
    uv_mutex_lock(&all->mutex);
    place->elapsed_us = elapsed_us;
    place->state = PLACE_DONE;
    all->wake(all->ctx);
}

static void run(void *arg)
{
    struct thinker *thinker = arg;
    struct thinkers *all = thinker->all;
    (void)uv_os_setpriority(0, UV_PRIORITY_BELOW_NORMAL); /* on Linux of this thread alone */
    uv_mutex_lock(&all->mutex);
    while (!all->stopping) {
        struct place *place = find(all, PLACE_GIVEN);
        if (place)
            think(thinker, place);
        else
            uv_cond_wait(&all->work, &all->mutex);
    }
    uv_mutex_unlock(&all->mutex);
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
        if (uv_thread_create(&thinker->thread, run, thinker) != 0) {
            free(thinker->memory);
            return false;
        }
        thinkers->begun++;
    }
    return true;
}

static void end_threads(struct thinkers *thinkers)
{
    uv_mutex_lock(&thinkers->mutex);
    thinkers->stopping = true;
    for (unsigned i = 0; i < thinkers->count; i++) {
        if (thinkers->places[i].state == PLACE_RUNNING)
            hub_think_cancel(thinkers->places[i].job);
    }
    uv_cond_broadcast(&thinkers->work);
    uv_mutex_unlock(&thinkers->mutex);
    for (unsigned i = 0; i < thinkers->begun; i++) {
        uv_thread_join(&thinkers->threads[i].thread);
        free(thinkers->threads[i].memory);
    }
}

/* With mutex and condition, without threads. */
static struct thinkers *make(unsigned threads, size_t memory_bytes)
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
    if (uv_mutex_init(&thinkers->mutex) != 0)
        goto free_all;
    if (uv_cond_init(&thinkers->work) != 0)
        goto destroy_mutex;
    return thinkers;
destroy_mutex:
    uv_mutex_destroy(&thinkers->mutex);
free_all:
    free(thinkers->places);
    free(thinkers->threads);
    free(thinkers);
    return NULL;
}

struct thinkers *thinkers_create(unsigned threads, size_t memory_bytes, void (*wake)(void *ctx),
                                 void *ctx)
{
    assert(threads > 0);
    struct thinkers *thinkers = make(threads, memory_bytes);
    if (!thinkers)
        return NULL;
    thinkers->wake = wake;
    thinkers->ctx = ctx;
    if (begin_threads(thinkers))
        return thinkers;
    thinkers_destroy(thinkers);
    return NULL;
}

void thinkers_destroy(struct thinkers *thinkers)
{
    if (!thinkers)
        return;
    end_threads(thinkers);
    uv_cond_destroy(&thinkers->work);
    uv_mutex_destroy(&thinkers->mutex);
    free(thinkers->places);
    free(thinkers->threads);
    free(thinkers);
}

void thinkers_give(struct thinkers *thinkers, struct think_job *job)
{
    uv_mutex_lock(&thinkers->mutex);
    struct place *place = find(thinkers, PLACE_FREE);
    assert(place);
    *place = (struct place){.state = PLACE_GIVEN, .job = job, .order = thinkers->next_order++};
    uv_cond_signal(&thinkers->work);
    uv_mutex_unlock(&thinkers->mutex);
}

struct think_job *thinkers_take(struct thinkers *thinkers, int64_t *elapsed_us)
{
    uv_mutex_lock(&thinkers->mutex);
    struct place *place = find(thinkers, PLACE_DONE);
    struct think_job *job = place ? place->job : NULL;
    if (place) {
        *elapsed_us = place->elapsed_us;
        *place = (struct place){.state = PLACE_FREE};
    }
    uv_mutex_unlock(&thinkers->mutex);
    return job;
}
