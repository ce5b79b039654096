/*
 * The threads that think, hammered from the loop's side, and ended in the middle of a thought;
 * built with the thread sanitizer where there is one. The jobs are this file's own.
 */
#define _GNU_SOURCE /* syscall */
#include "../../support/turn.h"
#include "threads/thinkers.h"
#include <assert.h>
#include <net/clock.h>
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, JOBS = 4000, MEMORY = 4096 };

struct think_job {
    unsigned number;
    bool endless;
    unsigned runs; /* written by a thread, without a lock */
    sem_t *begun;
    int64_t takes_us; /* at least */
    atomic_bool cancel;
    struct turn *turn; /* NULL: nobody asks */
};

/* The real one is the hub's. */
void hub_think_run(struct think_job *job, void *memory, size_t memory_bytes)
{
    assert(memory_bytes == MEMORY && (uintptr_t)memory % _Alignof(max_align_t) == 0);
    memset(memory, (int)(job->number & 0xff), memory_bytes);
    if (job->turn)
        *job->turn = turn_of_this_thread();
    if (job->begun)
        sem_post(job->begun);
    while (job->endless && !atomic_load(&job->cancel)) {
    }
    int64_t until_us = net_clock_monotonic_us() + job->takes_us;
    while (net_clock_monotonic_us() < until_us) {
    }
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < memory_bytes; i++)
        assert(bytes[i] == (job->number & 0xff)); /* no other thread has this memory */
    job->runs++;
}

void hub_think_cancel(struct think_job *job)
{
    atomic_store(&job->cancel, true);
}

static void wait_for(const struct thinkers *thinkers)
{
    struct pollfd done = {.fd = thinkers_fd(thinkers), .events = POLLIN};
    int ready = poll(&done, 1, -1);
    assert(ready == 1);
}

static bool is_ready(const struct thinkers *thinkers)
{
    struct pollfd done = {.fd = thinkers_fd(thinkers), .events = POLLIN};
    return poll(&done, 1, 0) == 1;
}

/* One after the other: each wakes the loop once, and says how long it took. */
static void one_by_one(void)
{
    struct think_job jobs[3] = {{.takes_us = 2000}, {.number = 1}, {.takes_us = 500}};
    struct thinkers *thinkers = thinkers_create(1, MEMORY);
    assert(thinkers && !is_ready(thinkers));
    for (int i = 0; i < 3; i++) {
        int64_t elapsed_us = -1, given_us = net_clock_monotonic_us();
        void *owner = NULL;
        assert(thinkers_have_place(thinkers));
        thinkers_give(thinkers, &jobs[i], &jobs[0]);
        assert(!thinkers_have_place(thinkers));
        wait_for(thinkers);
        struct think_job *job = thinkers_take(thinkers, &owner, &elapsed_us);
        assert(job == &jobs[i] && owner == &jobs[0] && elapsed_us >= job->takes_us);
        assert(elapsed_us <= net_clock_monotonic_us() - given_us);
        assert(!thinkers_take(thinkers, &owner, &elapsed_us) && !is_ready(thinkers));
    }
    thinkers_destroy(thinkers);
}

/* As many as there are threads are out at once; each comes back once, answered once. */
static void hammer(void)
{
    static struct think_job jobs[JOBS];
    unsigned given = 0, out = 0, back = 0;
    struct thinkers *thinkers = thinkers_create(THREADS, MEMORY);
    assert(thinkers);
    while (back < JOBS) {
        struct think_job *job;
        void *owner;
        int64_t elapsed_us;
        for (; out < THREADS && given < JOBS; out++, given++) {
            jobs[given].number = given;
            thinkers_give(thinkers, &jobs[given], NULL);
        }
        wait_for(thinkers);
        while ((job = thinkers_take(thinkers, &owner, &elapsed_us))) {
            assert(job->runs == 1 && elapsed_us >= 0);
            job->runs = 2;
            out--;
            back++;
        }
    }
    for (unsigned i = 0; i < JOBS; i++)
        assert(jobs[i].runs == 2);
    thinkers_destroy(thinkers);
}

/* The loop has the processor first, also when it wakes in the middle of a turn; where the system
 * does not say how long a turn is (before Linux 6.12) there is the priority alone. */
static void they_give_way(void)
{
    const struct turn own = turn_of_this_thread();
    struct turn turn = {.ns = 0};
    struct think_job job = {.turn = &turn};
    struct thinkers *thinkers = thinkers_create(1, MEMORY);
    void *owner;
    int64_t elapsed_us;
    assert(thinkers);
    thinkers_give(thinkers, &job, NULL);
    wait_for(thinkers);
    assert(thinkers_take(thinkers, &owner, &elapsed_us) == &job);
    assert(turn.nice >= 10 && turn.nice >= own.nice);
    assert(own.ns == 0 || turn.ns > 2 * own.ns);
    thinkers_destroy(thinkers);
}

/* One thread thinks for ever, and another job has not begun. */
static void end_in_the_middle(void)
{
    sem_t begun;
    sem_init(&begun, 0, 0);
    struct think_job endless[2] = {{.endless = true, .begun = &begun},
                                   {.endless = true, .begun = &begun}};
    struct thinkers *thinkers = thinkers_create(2, MEMORY);
    assert(thinkers);
    thinkers_give(thinkers, &endless[0], NULL);
    thinkers_give(thinkers, &endless[1], NULL);
    sem_wait(&begun);
    sem_wait(&begun);
    thinkers_destroy(thinkers);
    for (int i = 0; i < 2; i++)
        assert(atomic_load(&endless[i].cancel) && endless[i].runs == 1);
    sem_destroy(&begun);
}

/* One of two owners wants its answer no more. */
static void cancel_of_one(void)
{
    sem_t begun;
    sem_init(&begun, 0, 0);
    struct think_job endless[2] = {{.endless = true, .begun = &begun},
                                   {.endless = true, .begun = &begun}};
    struct thinkers *thinkers = thinkers_create(2, MEMORY);
    assert(thinkers);
    for (int i = 0; i < 2; i++)
        thinkers_give(thinkers, &endless[i], &endless[i]);
    for (int i = 0; i < 2; i++)
        sem_wait(&begun);
    for (int i = 1; i >= 0; i--) {
        void *owner;
        int64_t elapsed_us;
        thinkers_cancel(thinkers, &endless[i]);
        wait_for(thinkers);
        const struct think_job *job = thinkers_take(thinkers, &owner, &elapsed_us);
        assert(job == &endless[i] && owner == &endless[i]);
        assert(i == 0 || !atomic_load(&endless[0].cancel));
    }
    thinkers_destroy(thinkers);
    sem_destroy(&begun);
}

/* Nothing stays open; the number of a file is the lowest that is free. */
static void files_are_closed(void)
{
    int first = -1;
    for (int i = 0; i < 3; i++) {
        struct thinkers *thinkers = thinkers_create(1, MEMORY);
        assert(thinkers && (i == 0 || thinkers_fd(thinkers) == first));
        first = thinkers_fd(thinkers);
        thinkers_destroy(thinkers);
    }
}

/* Nobody takes what is done. */
static void end_with_answers(void)
{
    struct think_job job = {.number = 1};
    struct thinkers *thinkers = thinkers_create(1, MEMORY);
    assert(thinkers);
    thinkers_give(thinkers, &job, NULL);
    wait_for(thinkers);
    thinkers_destroy(thinkers);
    assert(job.runs == 1);
}

/* What has just been given may or may not be answered, but never twice and never afterwards. */
static void end_at_once(void)
{
    for (int i = 0; i < 200; i++) {
        struct think_job jobs[2] = {{.number = 1}, {.number = 2}};
        struct thinkers *thinkers = thinkers_create(2, MEMORY);
        assert(thinkers);
        thinkers_give(thinkers, &jobs[0], NULL);
        thinkers_give(thinkers, &jobs[1], NULL);
        thinkers_destroy(thinkers);
        assert(jobs[0].runs <= 1 && jobs[1].runs <= 1);
    }
    thinkers_destroy(NULL);
}

int main(void)
{
    one_by_one();
    they_give_way();
    files_are_closed();
    hammer();
    end_in_the_middle();
    cancel_of_one();
    end_with_answers();
    end_at_once();
    puts("threads that think: all is well");
    return 0;
}
