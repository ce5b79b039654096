/* What every world has: its queue of events, its trace, and how it says that something is wrong. */
#include "sim.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- reporting */

void sim_fail(const struct sim *sim, const char *format, ...)
{
    va_list args;
    (void)fflush(stdout);
    (void)fprintf(stderr, "\nseed %llu, step %llu, %.3f s: ", (unsigned long long)sim->plan.seed,
                  (unsigned long long)sim->steps, (double)(sim->now_ms - SIM_START_MS) / 1000);
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fprintf(stderr, "\n");
    if (sim->plan.program)
        (void)fprintf(stderr, "%s --seed %llu --steps %u --verbose shows how it came to that\n",
                      sim->plan.program, (unsigned long long)sim->plan.seed, sim->plan.steps);
    exit(EXIT_FAILURE);
}

void sim_log(struct sim *sim, const char *format, ...)
{
    va_list args;
    if (!sim->plan.verbose)
        return;
    (void)printf("%6llu %11.3f  ", (unsigned long long)sim->steps,
                 (double)(sim->now_ms - SIM_START_MS) / 1000);
    va_start(args, format);
    (void)vprintf(format, args);
    va_end(args);
    (void)printf("\n");
}

void sim_trace(struct sim *sim, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++)
        sim->trace = (sim->trace ^ at[i]) * UINT64_C(1099511628211);
}

bool sim_chance(struct sim *sim, unsigned in_thousand)
{
    return rng_scaled(&sim->rng, 1000) < in_thousand;
}

/* ---- the queue */

static bool before(const struct event *a, const struct event *b)
{
    return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

static void queue_push(struct queue *queue, struct event event)
{
    if (queue->count == queue->size) {
        queue->size = queue->size ? queue->size * 2 : 256;
        queue->heap = realloc(queue->heap, queue->size * sizeof *queue->heap);
        assert(queue->heap);
    }
    size_t at = queue->count++;
    while (at > 0 && before(&event, &queue->heap[(at - 1) / 2])) {
        queue->heap[at] = queue->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    queue->heap[at] = event;
}

static struct event queue_pop(struct queue *queue)
{
    struct event first = queue->heap[0], last = queue->heap[--queue->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < queue->count && before(&queue->heap[child + 1], &queue->heap[child]))
            child++;
        if (child >= queue->count || !before(&queue->heap[child], &last))
            break;
        queue->heap[at] = queue->heap[child];
        at = child;
    }
    queue->heap[at] = last;
    return first;
}

void sim_schedule(struct sim *sim, int64_t in_ms, struct event event)
{
    event.at_ms = sim->now_ms + in_ms;
    event.order = sim->events.next_order++;
    queue_push(&sim->events, event);
}

void sim_put_back(struct sim *sim, struct event event)
{
    queue_push(&sim->events, event);
}

int64_t sim_next_ms(const struct sim *sim)
{
    return sim->events.count > 0 ? sim->events.heap[0].at_ms : INT64_MAX;
}

struct event sim_next(struct sim *sim)
{
    return queue_pop(&sim->events);
}

/* ---- what there is */

const char *sim_running_match(const struct sim *sim)
{
    for (size_t i = 0; i < sim->oracle.count; i++) {
        const struct truth *truth = &sim->oracle.rooms[i];
        enum protocol_phase phase = truth->count ? room_phase(truth->room) : PROTOCOL_PHASE_LOBBY;
        if (!truth->dropped && (phase == PROTOCOL_PHASE_PLAYING || phase == PROTOCOL_PHASE_PAUSED))
            return truth->id;
    }
    return NULL;
}

void sim_forget(struct sim *sim)
{
    for (size_t i = 0; i < sim->events.count; i++)
        free(sim->events.heap[i].text);
    free(sim->events.heap);
    for (size_t i = 0; i < sizeof sim->recent / sizeof sim->recent[0]; i++)
        free(sim->recent[i]);
    oracle_release(&sim->oracle);
}

bool sim_has_teams(const struct sim *sim)
{
    return sim->rated && sim->plan.seed / RATED_EACH % TEAMS_EACH == TEAMS_AT;
}
