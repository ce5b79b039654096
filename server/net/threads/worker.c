#include "worker.h"

#include "bell.h"
#include <assert.h>
#include <base/signals.h>
#include <base/turn.h>
#include <errno.h>
#include <net/clock.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

struct job {
    struct worker_answer answer; /* points to what is asked */
    union {
        struct store_read read;
        struct store_query query;
        struct store_trim trim;
    } u;
    struct job *next;
};

struct jobs {
    struct job *first, **last;
};

struct worker {
    struct store *store;
    struct bell *bell;
    uv_thread_t thread;
    struct store_commit commit; /* the store's while it is under way */
    int64_t begun_us, elapsed_us, begun_boot_ms;
    atomic_llong proven_ms;

    /* Without the mutex, which the loop when it is woken would find taken. */
    atomic_bool committed; /* done, not taken */
    atomic_uint answers;   /* in `answered`; changed with the mutex held */

    size_t out; /* given and not taken, for the loop */

    /* Posted for each commit and read, and for the end. Not a condition: who wakes up from one
     * wakes the next for the mutex, whether there is one or not. */
    sem_t work;

    uv_mutex_t mutex; /* all below */
    bool stopping;
    unsigned under_way; /* given to the store, not done */
    bool given;         /* a commit, not begun */
    struct jobs asked, answered;
};

static void jobs_init(struct jobs *jobs)
{
    jobs->first = NULL;
    jobs->last = &jobs->first;
}

static void jobs_put(struct jobs *jobs, struct job *job)
{
    job->next = NULL;
    *jobs->last = job;
    jobs->last = &job->next;
}

static struct job *jobs_take(struct jobs *jobs)
{
    struct job *job = jobs->first;
    if (job) {
        jobs->first = job->next;
        if (!jobs->first)
            jobs->last = &jobs->first;
    }
    return job;
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        assert(errno == EINTR);
}

/* ---- on whatever thread the store is done on */

/* The worker may be destroyed right after. */
static void one_is_done(struct worker *worker)
{
    bell_ring(worker->bell);
    uv_mutex_lock(&worker->mutex);
    worker->under_way--;
    if (worker->stopping)
        sem_post(&worker->work);
    uv_mutex_unlock(&worker->mutex);
}

static void commit_is_done(struct store_commit *commit)
{
    struct worker *worker = commit->ctx;
    worker->elapsed_us = net_clock_monotonic_us() - worker->begun_us;
    if (commit->result == STORE_OK)
        atomic_store(&worker->proven_ms, worker->begun_boot_ms);
    atomic_store_explicit(&worker->committed, true, memory_order_release);
    one_is_done(worker);
}

static void job_is_done(struct worker *worker, struct job *job)
{
    uv_mutex_lock(&worker->mutex);
    jobs_put(&worker->answered, job);
    atomic_fetch_add(&worker->answers, 1);
    uv_mutex_unlock(&worker->mutex);
    one_is_done(worker);
}

static void read_is_done(struct store_read *read)
{
    job_is_done(read->ctx, (struct job *)(void *)((char *)read - offsetof(struct job, u.read)));
}

static void query_is_done(struct store_query *query)
{
    job_is_done(query->ctx, (struct job *)(void *)((char *)query - offsetof(struct job, u.query)));
}

static void trim_is_done(struct store_trim *trim)
{
    job_is_done(trim->ctx, (struct job *)(void *)((char *)trim - offsetof(struct job, u.trim)));
}

/* ---- the thread */

/* Called and left with the mutex held, as the next one. */
static void begin_commit(struct worker *worker)
{
    worker->given = false;
    worker->under_way++;
    worker->begun_us = net_clock_monotonic_us();
    worker->begun_boot_ms = net_clock_boot_ms();
    uv_mutex_unlock(&worker->mutex);
    worker->store->engine->commit(worker->store, &worker->commit);
    uv_mutex_lock(&worker->mutex);
}

static void begin_job(struct worker *worker, struct job *job)
{
    worker->under_way++;
    uv_mutex_unlock(&worker->mutex);
    if (job->answer.read)
        worker->store->engine->read(worker->store, job->answer.read);
    else if (job->answer.trim)
        worker->store->engine->trim(worker->store, job->answer.trim);
    else
        worker->store->engine->query(worker->store, job->answer.query);
    uv_mutex_lock(&worker->mutex);
}

/* A commit is short, and somebody waits for it: the loop, which may be busy with long answers on
 * the same processor, is interrupted for it. */
enum { TURN_US = 200 };

/* Commits go first: somebody's move waits for each. */
static void run_worker(void *arg)
{
    struct worker *worker = arg;
    signals_block();
    turn_set_us(TURN_US);
    for (bool ended = false; !ended;) {
        struct job *job;
        wait_for(&worker->work);
        uv_mutex_lock(&worker->mutex);
        if (worker->given)
            begin_commit(worker);
        else if ((job = jobs_take(&worker->asked)))
            begin_job(worker, job);
        else
            ended = worker->stopping && worker->under_way == 0;
        uv_mutex_unlock(&worker->mutex);
    }
}

/* ---- the loop's side */

struct worker *worker_create(struct store *store, struct bell *bell, int64_t proven_ms)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return NULL;
    worker->store = store;
    worker->bell = bell;
    atomic_store(&worker->proven_ms, proven_ms);
    jobs_init(&worker->asked);
    jobs_init(&worker->answered);
    if (uv_mutex_init(&worker->mutex) != 0)
        goto free_worker;
    if (sem_init(&worker->work, 0, 0) != 0)
        goto destroy_mutex;
    if (uv_thread_create(&worker->thread, run_worker, worker) != 0)
        goto destroy_work;
    return worker;
destroy_work:
    sem_destroy(&worker->work);
destroy_mutex:
    uv_mutex_destroy(&worker->mutex);
free_worker:
    free(worker);
    return NULL;
}

void worker_destroy(struct worker *worker)
{
    if (!worker)
        return;
    uv_mutex_lock(&worker->mutex);
    worker->stopping = true;
    sem_post(&worker->work);
    uv_mutex_unlock(&worker->mutex);
    uv_thread_join(&worker->thread);
    struct worker_answer *answer;
    while ((answer = worker_take_answer(worker)))
        worker_answer_release(answer);
    if (atomic_load(&worker->committed))
        bell_answer(worker->bell);
    sem_destroy(&worker->work);
    uv_mutex_destroy(&worker->mutex);
    free(worker);
}

void worker_commit(struct worker *worker, const struct store_batch *batch)
{
    assert(!atomic_load(&worker->committed));
    uv_mutex_lock(&worker->mutex);
    assert(!worker->given);
    worker->commit = (struct store_commit){.batch = batch, .done = commit_is_done, .ctx = worker};
    worker->given = true;
    uv_mutex_unlock(&worker->mutex);
    worker->out++;
    sem_post(&worker->work); /* only now, or the thread would have to sleep again at once */
}

static void ask_worker(struct worker *worker, struct job *job)
{
    uv_mutex_lock(&worker->mutex);
    jobs_put(&worker->asked, job);
    uv_mutex_unlock(&worker->mutex);
    worker->out++;
    sem_post(&worker->work);
}

bool worker_read(struct worker *worker, const char *room_id)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return false;
    job->answer.read = &job->u.read;
    job->u.read.done = read_is_done;
    job->u.read.ctx = worker;
    snprintf(job->u.read.room_id, sizeof job->u.read.room_id, "%s", room_id);
    ask_worker(worker, job);
    return true;
}

bool worker_query(struct worker *worker, const struct store_query *query)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return false;
    job->u.query = *query;
    job->answer.query = &job->u.query;
    job->u.query.done = query_is_done;
    job->u.query.ctx = worker;
    ask_worker(worker, job);
    return true;
}

bool worker_trim(struct worker *worker, const struct store_trim *trim)
{
    struct job *job = worker->store->engine->trim ? calloc(1, sizeof *job) : NULL;
    if (!job)
        return false;
    job->u.trim = *trim;
    job->answer.trim = &job->u.trim;
    job->u.trim.done = trim_is_done;
    job->u.trim.ctx = worker;
    ask_worker(worker, job);
    return true;
}

int64_t worker_proven_ms(const struct worker *worker)
{
    return atomic_load(&worker->proven_ms);
}

bool worker_is_idle(const struct worker *worker)
{
    return worker->out == 0;
}

bool worker_take_commit(struct worker *worker, enum store_result *result, int64_t *elapsed_us)
{
    if (!atomic_load_explicit(&worker->committed, memory_order_acquire))
        return false;
    *result = worker->commit.result;
    *elapsed_us = worker->elapsed_us;
    atomic_store_explicit(&worker->committed, false, memory_order_relaxed);
    worker->out--;
    bell_answer(worker->bell);
    return true;
}

struct worker_answer *worker_take_answer(struct worker *worker)
{
    if (atomic_load(&worker->answers) == 0)
        return NULL;
    uv_mutex_lock(&worker->mutex);
    struct job *job = jobs_take(&worker->answered);
    atomic_fetch_sub(&worker->answers, 1);
    uv_mutex_unlock(&worker->mutex);
    worker->out--;
    bell_answer(worker->bell);
    return &job->answer;
}

/* It is the first member of its job. */
void worker_answer_release(struct worker_answer *answer)
{
    if (answer->read)
        answer->read->release(answer->read);
    else if (answer->query)
        answer->query->release(answer->query);
    free(answer);
}
