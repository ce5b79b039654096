/*
 * The worker threads that think: none, but answers that come after a while, too late, or never.
 */
#include "../../server/hub/hub_private.h"
#include "../support/failing_alloc.h"
#include "sim.h"
#include "waiting/think_queue.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 16 << 20, DIRT = 65536, PROMPT_MS = 800, LATE_MS = 6000 };

static _Alignas(max_align_t) unsigned char memory[MEMORY];

/* What becomes of a job. */
enum fate {
    FATE_ANSWERED,
    FATE_EARLY,     /* it was answered at once, but it is back only later */
    FATE_LATE,      /* it begins when the room may have gone on */
    FATE_NO_MEMORY, /* its worker has none, */
    FATE_KILLED,    /* or is gone before it has begun, */
    FATE_LOST,      /* or nothing is heard of it again */
};

void thinkers_start(struct sim *sim)
{
    memset(sim->thoughts, 0, sizeof sim->thoughts);
    hub_think_workers(sim->hub, sim->thinkers, MEMORY);
}

void *thinkers_memory(size_t *size)
{
    *size = sizeof memory;
    return memory;
}

static enum fate draw_fate(struct sim *sim)
{
    if (!sim_chance(sim, sim->faults.think))
        return sim_chance(sim, 500) ? FATE_ANSWERED : FATE_EARLY;
    return (enum fate)rng_between(&sim->rng, FATE_LATE, FATE_LOST);
}

/* Nothing of what was in the memory before may matter. What else an answer takes may be missing. */
static void think(struct sim *sim, struct think_job *job)
{
    bool failed;
    memset(memory, (int)rng_scaled(&sim->rng, 256), DIRT);
    if (sim_chance(sim, 4 * sim->faults.memory))
        failing_alloc_arm((uint64_t)rng_between(&sim->rng, 1, 4), false);
    failing_alloc_enter();
    hub_think_run(job, memory, sizeof memory);
    failing_alloc_leave();
    failing_alloc_disarm(&failed);
    if (failed)
        mark(MARK_THOUGHT_NO_MEMORY);
}

/* Nobody has begun: somebody waits for what will not come. */
static void count_failure(const struct think_job *job, enum fate fate)
{
    static const enum mark marks[THINK_KINDS][2] = {
        [THINK_MOVE] = {MARK_MOVE_WITHOUT_MEMORY, MARK_MOVE_KILLED},
        [THINK_HINT] = {MARK_HINT_WITHOUT_MEMORY, MARK_HINT_KILLED},
        [THINK_ALONE] = {MARK_MOVE_WITHOUT_MEMORY, MARK_MOVE_KILLED},
        [THINK_ANALYSIS] = {MARK_ANALYSIS_WITHOUT_MEMORY, MARK_ANALYSIS_KILLED},
    };
    if (!job->dropped && (fate == FATE_NO_MEMORY || fate == FATE_KILLED))
        mark(marks[job->kind][fate == FATE_KILLED]);
}

static unsigned free_place(const struct sim *sim)
{
    unsigned place = 0;
    while (sim->thoughts[place].job)
        assert(++place < SIM_THINKERS);
    return place;
}

static void begin(struct sim *sim, struct think_job *job)
{
    unsigned place = free_place(sim);
    enum fate fate = draw_fate(sim);
    sim->thoughts[place] = (struct thought){job, (int)fate};
    sim_log(sim, "thinker %u: fate %d", place, (int)fate);
    if (fate == FATE_LOST) {
        mark(MARK_THOUGHT_LOST);
        return;
    }
    if (fate == FATE_EARLY)
        think(sim, job);
    sim_schedule(sim, rng_between(&sim->rng, 1, fate == FATE_LATE ? LATE_MS : PROMPT_MS),
                 (struct event){.kind = EVENT_THOUGHT, .a = place, .b = (uint64_t)sim->starts});
}

void thinkers_take(struct sim *sim)
{
    struct think_job *job;
    while ((job = hub_think_take(sim->hub)))
        begin(sim, job);
}

void thinkers_event(struct sim *sim, const struct event *event)
{
    struct thought thought = sim->thoughts[event->a];
    if (!sim->hub || event->b != (uint64_t)sim->starts)
        return; /* it was the thought of a server that is no more */
    assert(thought.job);
    sim->thoughts[event->a].job = NULL;
    int64_t elapsed_us = rng_between(&sim->rng, 1, 1200000);
    if (thought.fate == FATE_ANSWERED || thought.fate == FATE_LATE)
        think(sim, thought.job);
    if (thought.fate == FATE_NO_MEMORY)
        hub_think_run(thought.job, NULL, 0);
    count_failure(thought.job, (enum fate)thought.fate);
    hub_begin(sim);
    hub_think_done(sim->hub, thought.job, elapsed_us, sim->now_ms);
    hub_end(sim);
}

bool thinkers_busy(const struct sim *sim)
{
    for (unsigned kind = 0; kind < THINK_KINDS; kind++) {
        if (sim->hub->thinking.waiting[kind].first)
            return true;
    }
    for (unsigned place = 0; place < SIM_THINKERS; place++) {
        if (sim->thoughts[place].job && !sim->thoughts[place].job->dropped)
            return true;
    }
    return false;
}

/* ---- what the server says of it */

static bool counted(const unsigned char *page, size_t len, const char *line)
{
    const unsigned char *at = len > 0 ? memmem(page, len, line, strlen(line)) : NULL;
    return at && at[strlen(line)] == ' ' && at[strlen(line) + 1] != '0';
}

void thinkers_look(const unsigned char *page, size_t len)
{
    static const struct {
        const char *line;
        enum mark mark;
    } rows[] = {
        {"think_jobs_total{kind=\"move\",outcome=\"answered\"}", MARK_THOUGHT_ANSWERED},
        {"think_jobs_total{kind=\"move\",outcome=\"late\"}", MARK_THOUGHT_LATE},
        {"think_jobs_total{kind=\"move\",outcome=\"cancelled\"}", MARK_THOUGHT_CANCELLED},
        {"think_jobs_total{kind=\"move\",outcome=\"refused\"}", MARK_THOUGHT_REFUSED},
        {"think_jobs_total{kind=\"move\",outcome=\"failed\"}", MARK_THOUGHT_FAILED},
        {"think_jobs_total{kind=\"alone\",outcome=\"answered\"}", MARK_THOUGHT_ALONE},
        {"think_jobs_total{kind=\"alone\",outcome=\"refused\"}", MARK_THOUGHT_ALONE_REFUSED},
        {"think_jobs_total{kind=\"hint\",outcome=\"late\"}", MARK_HINT_LATE},
        {"think_jobs_total{kind=\"hint\",outcome=\"cancelled\"}", MARK_HINT_CANCELLED},
        {"think_jobs_total{kind=\"hint\",outcome=\"refused\"}", MARK_HINT_REFUSED},
        {"think_jobs_total{kind=\"analysis\",outcome=\"late\"}", MARK_ANALYSIS_LATE},
        {"think_jobs_total{kind=\"analysis\",outcome=\"cancelled\"}", MARK_ANALYSIS_CANCELLED},
        {"think_jobs_total{kind=\"analysis\",outcome=\"refused\"}", MARK_ANALYSIS_REFUSED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (counted(page, len, rows[i].line))
            mark(rows[i].mark);
    }
}
