/*
 * The store's thread, hammered from the loop's side; built with the thread sanitizer where there is
 * one, which then looks for races between the two.
 */
#include "worker.h"

#include <assert.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMITS = 3000, READS_EACH = 2 };

/* Touched by the store's thread without a lock, as a real store is. */
struct fake {
    uint64_t commits, tidied, reads, ops_sum;
    char message[32];
};

static enum store_result commit(void *ctx, const struct store_batch *batch)
{
    struct fake *fake = ctx;
    for (size_t at = 0; at < batch->count; at++)
        fake->ops_sum += batch->ops[at].u.session_id;
    snprintf(fake->message, sizeof fake->message, "commit %zu", batch->count);
    fake->commits++;
    return STORE_OK;
}

static enum store_result tidy(void *ctx)
{
    ((struct fake *)ctx)->tidied++;
    return STORE_OK;
}

static enum store_result read_room(void *ctx, const char *room_id,
                                   const struct store_room_read **read, void **owner)
{
    struct store_room_read *made = calloc(1, sizeof *made);
    assert(made);
    made->count = strlen(room_id);
    ((struct fake *)ctx)->reads++;
    *read = made;
    *owner = made;
    return STORE_OK;
}

static const char *message_of(void *ctx)
{
    return ((struct fake *)ctx)->message;
}

static void wake(void *ctx)
{
    sem_post(ctx);
}

/* The loop's side: fills the batch anew as soon as it has come back, and asks for rooms meanwhile.
 */
static size_t hammer(struct worker *worker, sem_t *woken)
{
    struct store_op ops[4] = {0};
    struct store_batch batch = {0, ops};
    size_t done = 0, read_back = 0, asked = 0;
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
        }
        sem_wait(woken);
        enum store_result result;
        int64_t elapsed_us;
        struct worker_read read;
        if (worker_take_commit(worker, &result, &elapsed_us)) {
            assert(result == STORE_OK && elapsed_us >= 0);
            out = false;
            done++;
        }
        while (worker_take_read(worker, &read)) {
            assert(read.result == STORE_OK && read.read->count == 8);
            free(read.owner);
            read_back++;
        }
    }
    return asked;
}

int main(void)
{
    struct fake fake = {0};
    struct net_store store = {commit, tidy, read_room, free, message_of, &fake};
    sem_t woken;
    sem_init(&woken, 0, 0);
    struct worker *worker = worker_create(&store, wake, &woken);
    assert(worker);
    size_t asked = hammer(worker, &woken);
    for (int at = 0; at < 10; at++)
        asked += worker_read(worker, "room000b"); /* taken by nobody */
    worker_destroy(worker);
    sem_destroy(&woken);
    printf("%llu commits, %llu reads\n", (unsigned long long)fake.commits,
           (unsigned long long)fake.reads);
    return fake.commits == COMMITS && fake.tidied == COMMITS && fake.reads == asked ? 0 : 1;
}
