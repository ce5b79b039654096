/*
 * The threads that think, hammered from the loop's side, and ended in the middle of a thought;
 * built with the thread sanitizer where there is one. The jobs are this file's own.
 */
#include "thinkers.h"
#include <assert.h>
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
    atomic_bool cancel;
};

/* The real one is the hub's. */
void hub_think_run(struct think_job *job, void *memory, size_t memory_bytes)
{
    assert(memory_bytes == MEMORY && (uintptr_t)memory % _Alignof(max_align_t) == 0);
    memset(memory, (int)(job->number & 0xff), memory_bytes);
    if (job->begun)
        sem_post(job->begun);
    while (job->endless && !atomic_load(&job->cancel)) {
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

/* As many as there are threads are out at once; each comes back once, answered once. */
static void hammer(void)
{
    static struct think_job jobs[JOBS];
    unsigned given = 0, out = 0, back = 0;
    struct thinkers *thinkers = thinkers_create(THREADS, MEMORY);
    assert(thinkers);
    while (back < JOBS) {
        struct think_job *job;
        int64_t elapsed_us;
        for (; out < THREADS && given < JOBS; out++, given++) {
            jobs[given].number = given;
            thinkers_give(thinkers, &jobs[given]);
        }
        wait_for(thinkers);
        while ((job = thinkers_take(thinkers, &elapsed_us))) {
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

/* One thread thinks for ever, and another job has not begun. */
static void end_in_the_middle(void)
{
    sem_t begun;
    sem_init(&begun, 0, 0);
    struct think_job endless[2] = {{.endless = true, .begun = &begun},
                                   {.endless = true, .begun = &begun}};
    struct thinkers *thinkers = thinkers_create(2, MEMORY);
    assert(thinkers);
    thinkers_give(thinkers, &endless[0]);
    thinkers_give(thinkers, &endless[1]);
    sem_wait(&begun);
    sem_wait(&begun);
    thinkers_destroy(thinkers);
    for (int i = 0; i < 2; i++)
        assert(atomic_load(&endless[i].cancel) && endless[i].runs == 1);
    sem_destroy(&begun);
}

/* Nobody takes what is done. */
static void end_with_answers(void)
{
    struct think_job job = {.number = 1};
    struct thinkers *thinkers = thinkers_create(1, MEMORY);
    assert(thinkers);
    thinkers_give(thinkers, &job);
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
        thinkers_give(thinkers, &jobs[0]);
        thinkers_give(thinkers, &jobs[1]);
        thinkers_destroy(thinkers);
        assert(jobs[0].runs <= 1 && jobs[1].runs <= 1);
    }
    thinkers_destroy(NULL);
}

int main(void)
{
    hammer();
    end_in_the_middle();
    end_with_answers();
    end_at_once();
    puts("threads that think: all is well");
    return 0;
}
