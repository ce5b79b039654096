#define _GNU_SOURCE /* syscall */
/*
 * The store's thread, hammered from the loop's side; built with the thread sanitizer where there is
 * one, which then looks for races between the two.
 */
#include "../../support/turn.h"
#include "threads/bell.h"
#include "threads/worker.h"
#include <assert.h>
#include <net/clock.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COMMITS = 3000, READS_EACH = 2 };

/*
 * Touched by the store's thread without a lock, as a real store is. In the second round commits are
 * answered later, on a thread of the store's own, as those of a database server are.
 */
struct fake {
    struct store store;
    uint64_t commits, after, reads, queries, ops_sum;
    bool late, fails;
    struct turn turn; /* of the thread that was given the last commit */
    struct store_commit *under_way;
    sem_t work;
    pthread_t thread;
};

static void *answer_late(void *arg)
{
    struct fake *fake = arg;
    for (;;) {
        sem_wait(&fake->work);
        if (!fake->under_way)
            return NULL;
        fake->under_way->result = STORE_OK;
        fake->under_way->done(fake->under_way);
    }
}

static void commit(struct store *store, struct store_commit *commit)
{
    struct fake *fake = (struct fake *)store;
    fake->turn = turn_of_this_thread();
    for (size_t at = 0; at < commit->batch->count; at++)
        fake->ops_sum += commit->batch->ops[at].u.session_id;
    fake->commits++;
    if (fake->late) {
        fake->under_way = commit;
        sem_post(&fake->work);
        return;
    }
    commit->result = fake->fails ? STORE_FAILED : STORE_OK;
    commit->done(commit);
    fake->after++; /* tidies */
}

static void release(struct store_read *read)
{
    free(read->owner);
}

static void read_room(struct store *store, struct store_read *read)
{
    struct fake *fake = (struct fake *)store;
    read->owner = malloc(1);
    assert(read->owner);
    read->rows.count = strlen(read->room_id);
    read->result = STORE_OK;
    read->release = release;
    fake->reads++;
    read->done(read);
}

static void release_query(struct store_query *query)
{
    free(query->owner);
}

static void query_rows(struct store *store, struct store_query *query)
{
    struct fake *fake = (struct fake *)store;
    query->owner = malloc(1);
    assert(query->owner);
    query->count = query->limit + query->part;
    query->result = STORE_OK;
    query->release = release_query;
    fake->queries++;
    query->done(query);
}

static const struct store_engine fake_engine = {
    .commit = commit, .read = read_room, .query = query_rows};

enum { OPENED_MS = 5 }; /* long ago */

static void wake(void *ctx)
{
    sem_post(ctx);
}

static struct worker *begin(struct fake *fake, struct bell *bell, sem_t *woken)
{
    const bool made = bell_init(bell, wake, woken);
    assert(made);
    struct worker *worker = worker_create(&fake->store, bell, OPENED_MS);
    assert(worker);
    return worker;
}

/* As the loop does, now one way and now the other; what has come back already is not waited for. */
static void wait_for_it(struct bell *bell, sem_t *woken, size_t turn)
{
    if (turn % 3 == 0)
        (void)bell_wait(bell, net_clock_monotonic_us() + (int64_t)(turn % 7) * 20);
    else if (bell_begin_poll(bell))
        sem_wait(woken);
    bell_end_poll(bell);
}

/* The loop's side: fills the batch anew as soon as it has come back, and asks for rooms meanwhile.
 */
static size_t hammer(struct worker *worker, struct bell *bell, sem_t *woken)
{
    const struct store_query page = {.limit = 3, .part = 4};
    struct store_op ops[4] = {0};
    enum store_result results[4] = {STORE_OK};
    struct store_batch batch = {0, ops, results};
    size_t done = 0, read_back = 0, asked = 0, turn = 0;
    bool out = false;
    while (done < COMMITS || read_back < asked) {
        if (!out && done < COMMITS) {
            batch.count = 1 + done % 4;
            for (size_t at = 0; at < batch.count; at++)
                ops[at].u.session_id = done;
            worker_commit(worker, &batch);
            out = true;
            for (int at = 0; at < READS_EACH; at++)
                asked += worker_read(worker, "room000a");
            asked += worker_query(worker, &page);
        }
        wait_for_it(bell, woken, turn++);
        enum store_result result;
        int64_t elapsed_us;
        struct worker_answer *answer;
        if (worker_take_commit(worker, &result, &elapsed_us)) {
            assert(result == STORE_OK && elapsed_us >= 0);
            out = false;
            done++;
        }
        while ((answer = worker_take_answer(worker))) {
            const struct store_read *read = answer->read;
            const struct store_query *query = answer->query;
            assert(!!read + !!query == 1);
            assert(!query || (query->result == STORE_OK && query->count == 7));
            assert(!read || (read->result == STORE_OK && read->rows.count == 8));
            worker_answer_release(answer);
            read_back++;
        }
    }
    return asked;
}

static bool round_of(bool late)
{
    struct fake fake = {.store = {.engine = &fake_engine}, .late = late};
    sem_t woken;
    sem_init(&woken, 0, 0);
    sem_init(&fake.work, 0, 0);
    int created = pthread_create(&fake.thread, NULL, answer_late, &fake);
    assert(created == 0);
    struct bell bell;
    struct worker *worker = begin(&fake, &bell, &woken);
    size_t asked = hammer(worker, &bell, &woken);
    for (int at = 0; at < 10; at++)
        asked += worker_read(worker, "room000b"); /* taken by nobody */
    asked += worker_query(worker, &(struct store_query){.limit = 1});
    worker_destroy(worker);
    assert(bell_begin_poll(&bell)); /* nothing is left of it */
    bell_destroy(&bell);
    fake.under_way = NULL;
    sem_post(&fake.work);
    pthread_join(fake.thread, NULL);
    sem_destroy(&fake.work);
    sem_destroy(&woken);
    printf("%llu commits, %llu reads\n", (unsigned long long)fake.commits,
           (unsigned long long)fake.reads);
    return fake.commits == COMMITS && fake.after == (late ? 0 : COMMITS) &&
           fake.reads + fake.queries == asked;
}

/* Nobody is woken who does not sleep; who waits for the store alone is told, or the time is over.
 */
static bool wakes_sleepers_only(void)
{
    struct fake fake = {.store = {.engine = &fake_engine}};
    struct store_batch batch = {0};
    enum store_result result;
    int64_t elapsed_us;
    int left;
    sem_t woken;
    sem_init(&woken, 0, 0);
    struct bell bell;
    struct worker *worker = begin(&fake, &bell, &woken);
    bool right = !bell_wait(&bell, 0) && bell_begin_poll(&bell) && worker_is_idle(worker);
    bell_end_poll(&bell);
    worker_commit(worker, &batch);
    right = bell_wait(&bell, INT64_MAX) && !worker_is_idle(worker) && right;
    right = !bell_begin_poll(&bell) && right;
    right = worker_take_commit(worker, &result, &elapsed_us) && worker_is_idle(worker) && right;
    right = bell_begin_poll(&bell) && right;
    const struct turn own = turn_of_this_thread(); /* the loop is interrupted for a commit */
    right = (own.ns == 0 || 2 * fake.turn.ns < own.ns) && right;
    worker_destroy(worker);
    bell_destroy(&bell);
    sem_getvalue(&woken, &left);
    sem_destroy(&woken);
    return right && left == 0;
}

/* Of several stores each is done when it likes, and the loop sleeps until one of them is. */
static bool all_ring_one_bell(void)
{
    enum { WORKERS = 3, EACH = 2000 };
    struct fake fakes[WORKERS];
    struct worker *workers[WORKERS];
    size_t done[WORKERS] = {0}, out = 0, turn = 0;
    bool is_out[WORKERS] = {false};
    struct store_batch batch = {0};
    struct bell bell;
    sem_t woken;
    sem_init(&woken, 0, 0);
    const bool made = bell_init(&bell, wake, &woken);
    assert(made);
    for (int i = 0; i < WORKERS; i++) {
        fakes[i] = (struct fake){.store = {.engine = &fake_engine}};
        workers[i] = worker_create(&fakes[i].store, &bell, 0);
        assert(workers[i]);
    }
    do {
        for (int i = 0; i < WORKERS; i++) {
            enum store_result result;
            int64_t elapsed_us;
            if (is_out[i] && worker_take_commit(workers[i], &result, &elapsed_us)) {
                is_out[i] = false;
                done[i]++;
                out--;
            }
            if (!is_out[i] && done[i] < EACH) {
                worker_commit(workers[i], &batch);
                is_out[i] = true;
                out++;
            }
        }
        if (out > 0)
            wait_for_it(&bell, &woken, turn++);
    } while (out > 0);
    bool right = bell_begin_poll(&bell);
    for (int i = 0; i < WORKERS; i++) {
        right = fakes[i].commits == EACH && worker_is_idle(workers[i]) && right;
        worker_destroy(workers[i]);
    }
    bell_destroy(&bell);
    sem_destroy(&woken);
    return right;
}

static int64_t proven_after(struct worker *worker, struct bell *bell, struct store_batch *batch)
{
    const struct timespec pause = {0, 5000000};
    enum store_result result;
    int64_t elapsed_us;
    nanosleep(&pause, NULL);
    worker_commit(worker, batch);
    while (!worker_take_commit(worker, &result, &elapsed_us))
        (void)bell_wait(bell, INT64_MAX);
    return worker_proven_ms(worker);
}

/* That the store is ours is proven by what it has acknowledged, as of when that was sent. */
static bool only_what_succeeds_proves(void)
{
    struct fake fake = {.store = {.engine = &fake_engine}, .fails = true};
    struct store_batch batch = {0};
    struct bell bell;
    struct worker *worker = begin(&fake, &bell, NULL);
    bool right =
        worker_proven_ms(worker) == OPENED_MS && proven_after(worker, &bell, &batch) == OPENED_MS;
    fake.fails = false;
    const int64_t before_ms = net_clock_boot_ms();
    right = proven_after(worker, &bell, &batch) >= before_ms && right;
    fake.fails = true;
    const int64_t proven_ms = worker_proven_ms(worker);
    right = proven_after(worker, &bell, &batch) == proven_ms && right;
    worker_destroy(worker);
    bell_destroy(&bell);
    return right;
}

int main(void)
{
    return only_what_succeeds_proves() && wakes_sleepers_only() && all_ring_one_bell() &&
                   round_of(false) && round_of(true)
               ? 0
               : 1;
}
