/*
 * Writes batches of events by the stores' own code: what one event costs, without a server around
 * it. `nodes.py` drives it, and measures what the database uses meanwhile.
 *
 *     bench-events WHERE     the URL of an empty database, or a folder for an embedded store
 *
 * Makes ROOMS rooms, says "ready", and then for each line "BATCH COUNT" of its input writes COUNT
 * batches of BATCH events, each of another room, and answers with the microseconds that took, those
 * of the processor that it had itself meanwhile, and the bytes of the events' texts.
 */
#include <assert.h>
#include <postgres/store.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

enum { ROOMS = 1000, BATCH_MAX = 4096, TEXT_MAX = 24 };

struct bench {
    struct store *store;
    uint64_t epoch;
    uint64_t seq[ROOMS]; /* of the last event of each */
    unsigned next;       /* the room of the next one */
    struct store_op ops[BATCH_MAX];
    enum store_result results[BATCH_MAX];
    char texts[BATCH_MAX][TEXT_MAX];
    uint64_t text_bytes;
};

static int fail(const char *what)
{
    fprintf(stderr, "bench-events: %s\n", what);
    return EX_SOFTWARE;
}

static double us(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* ---- opening; nothing is stored yet */

static int opened(void *ctx, uint64_t epoch)
{
    ((struct bench *)ctx)->epoch = epoch;
    return 0;
}

static int session(void *ctx, const struct store_session *session_row)
{
    (void)ctx, (void)session_row;
    return STORE_CORRUPT;
}

static int row(void *ctx, const struct store_table *table, const void *described)
{
    (void)ctx, (void)table, (void)described;
    return 0;
}

static int room(void *ctx, const struct store_room *room_row)
{
    (void)ctx, (void)room_row;
    return STORE_CORRUPT;
}

static int event(void *ctx, const char *room_id, const struct room_event *event_row)
{
    (void)ctx, (void)room_id, (void)event_row;
    return STORE_CORRUPT;
}

static int guest(void *ctx, const char *room_id, uint64_t its_session)
{
    (void)ctx, (void)room_id, (void)its_session;
    return STORE_CORRUPT;
}

static int damaged(void *ctx, const char *room_id, const char *why)
{
    (void)ctx, (void)room_id, (void)why;
    return STORE_CORRUPT;
}

/* ---- batches */

static void name_room(char room_id[static 9], unsigned number)
{
    snprintf(room_id, 9, "%08u", number);
}

static void done(struct store_commit *commit)
{
    (void)commit;
}

static bool commit(struct bench *bench, size_t count)
{
    const struct store_batch batch = {count, bench->ops, bench->results};
    struct store_commit request = {.batch = &batch, .done = done};
    memset(bench->results, 0, count * sizeof bench->results[0]);
    bench->store->engine->commit(bench->store, &request);
    for (size_t at = 0; at < count; at++) {
        if (bench->results[at] != STORE_OK)
            return false;
    }
    return request.result == STORE_OK;
}

static bool make_rooms(struct bench *bench)
{
    static_assert((int)ROOMS <= (int)BATCH_MAX, "one batch makes all rooms");
    for (unsigned at = 0; at < ROOMS; at++) {
        struct store_op *op = &bench->ops[at];
        *op = (struct store_op){.kind = STORE_PUT_ROOM};
        name_room(op->room_id, at);
        name_room(op->u.room.seed.id, at);
        op->u.room.seed.host = 1;
    }
    return commit(bench, ROOMS);
}

/* As long as those of a usual game: a placing, and what is built then. */
static void write_event(struct bench *bench, size_t at)
{
    const unsigned number = bench->next++ % ROOMS;
    const uint64_t seq = ++bench->seq[number];
    const uint64_t mixed = (seq * ROOMS + number) * UINT64_C(0x9e3779b97f4a7c15);
    const int len = seq % 2 ? snprintf(bench->texts[at], TEXT_MAX, "%d,-%d:%d", (int)(mixed >> 61),
                                       (int)(mixed >> 58 & 7), (int)(mixed >> 55 & 3))
                            : snprintf(bench->texts[at], TEXT_MAX, "hut %d,-%d", (int)(mixed >> 61),
                                       (int)(mixed >> 58 & 7));
    bench->text_bytes += (uint64_t)len;
    bench->ops[at] = (struct store_op){
        .kind = STORE_APPEND,
        .epoch = bench->epoch,
        .u.event = {.seq = seq,
                    .at_ms = INT64_C(1700000000000) + (int64_t)bench->next,
                    .origin = {.session = mixed, .request_id = (int64_t)seq, .digest = ~mixed},
                    .kind = ROOM_MOVE,
                    .seat = (uint8_t)(seq / 2 % 2),
                    .text_len = (uint16_t)len,
                    .text = bench->texts[at]}};
    name_room(bench->ops[at].room_id, number);
}

static bool run(struct bench *bench, size_t batch, unsigned count)
{
    const uint64_t text_before = bench->text_bytes;
    const double begun = us(CLOCK_MONOTONIC), ran = us(CLOCK_PROCESS_CPUTIME_ID);
    for (unsigned at = 0; at < count; at++) {
        for (size_t op = 0; op < batch; op++)
            write_event(bench, op);
        if (!commit(bench, batch))
            return false;
    }
    printf("%.0f %.0f %llu\n", us(CLOCK_MONOTONIC) - begun, us(CLOCK_PROCESS_CPUTIME_ID) - ran,
           (unsigned long long)(bench->text_bytes - text_before));
    return fflush(stdout) == 0;
}

static bool serve(struct bench *bench)
{
    char line[64];
    puts("ready");
    (void)fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        char *end;
        const unsigned long batch = strtoul(line, &end, 10), count = strtoul(end, NULL, 10);
        if (batch == 0 || batch > ROOMS || !run(bench, batch, (unsigned)count))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    const struct store_sink sink = {opened, session, row, room, event, guest, damaged, &bench};
    char message[STORE_MESSAGE_MAX] = "out of memory";
    if (argc != 2) {
        fputs("usage: bench-events URL|FOLDER\n", stderr);
        return EX_USAGE;
    }
    sqlite_store_prepare();
    bench.store = postgres_is_url(argv[1]) ? postgres_store_create(argv[1], NULL)
                                           : sqlite_store_create(argv[1]);
    if (!bench.store || bench.store->engine->open(bench.store, &sink, message) != STORE_OK)
        return fail(message);
    const bool well = make_rooms(&bench) && serve(&bench);
    bench.store->engine->close(bench.store);
    return well ? EX_OK : fail("what was asked for could not be written");
}
