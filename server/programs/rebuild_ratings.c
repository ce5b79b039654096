#include "rebuild_ratings.h"

#include "choose_store.h"
#include <inttypes.h>
#include <postgres/parts.h>
#include <ratings/rebuild.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

enum { OPS_MAX = 128 };

struct rebuilding {
    struct ratings_rebuild ratings;
    struct store *store;
    sem_t done; /* what was asked of the store */
    bool write;
    size_t differ, count;
    struct store_op ops[OPS_MAX];
    enum store_result results[OPS_MAX];
    struct {
        alignas(max_align_t) uint8_t row[STORE_ROW_SIZE_MAX];
        char text[BOOK_LINE_MAX + 1]; /* that it borrows */
    } rows[OPS_MAX];                  /* of each op */
};

static struct rebuilding *rebuilding_of(void *ctx)
{
    return ctx;
}

/* ---- what the store hands out */

static int take_opened(void *ctx, uint64_t epoch)
{
    (void)ctx, (void)epoch;
    return 0;
}

static int pass_session(void *ctx, const struct store_session *session)
{
    (void)ctx, (void)session;
    return 0;
}

static int take_row(void *ctx, const struct store_table *table, const void *row)
{
    return ratings_rebuild_kept(&rebuilding_of(ctx)->ratings, table, row) < 0 ? STORE_FAILED : 0;
}

static int pass_room(void *ctx, const struct store_room *room)
{
    (void)ctx, (void)room;
    return 0;
}

static int pass_event(void *ctx, const char *room_id, const struct room_event *event)
{
    (void)ctx, (void)room_id, (void)event;
    return 0;
}

static int pass_guest(void *ctx, const char *room_id, uint64_t session)
{
    (void)ctx, (void)room_id, (void)session;
    return 0;
}

static int pass_damaged(void *ctx, const char *room_id, const char *why)
{
    (void)ctx, (void)room_id, (void)why;
    return 0;
}

/* What is damaged is left out by the store: nothing may follow from what is left. */
static atomic_bool trouble;

static void warn_of(const char *event, const char *message, enum store_result result)
{
    if (result == STORE_OK)
        return;
    fprintf(stderr, "taluvad: %s: %s\n", event, message);
    trouble = true;
}

static void wait_for(struct rebuilding *rebuilding)
{
    while (sem_wait(&rebuilding->done) != 0)
        ; /* a signal */
}

static int say_failed(const char *what, enum store_result result)
{
    fprintf(stderr, "taluvad: %s\n", what);
    return exit_status_of(result);
}

/* ---- the book, page by page */

static void query_done(struct store_query *query)
{
    struct rebuilding *rebuilding = rebuilding_of(query->ctx);
    (void)sem_post(&rebuilding->done);
}

static int take_line(struct rebuilding *rebuilding, const void *row)
{
    const enum ledger_fault fault = ratings_rebuild_line(&rebuilding->ratings, row);
    if (fault == LEDGER_FINE)
        return EX_OK;
    printf("the book, behind entry %" PRIu64 ": %s\n", rebuilding->ratings.ledger.n,
           ledger_fault_text(fault));
    return fault == LEDGER_NO_MEMORY ? EX_OSERR : EX_DATAERR;
}

static int take_page(struct rebuilding *rebuilding, struct store_query *query)
{
    int status =
        query->result == STORE_OK ? EX_OK : say_failed("the book cannot be read", query->result);
    for (size_t at = 0; status == EX_OK && at < query->count; at++)
        status = take_line(rebuilding, store_query_row(query, at));
    if (status == EX_OK && query->count > 0)
        memcpy(query->from, store_query_row(query, query->count - 1), ratings_book->size);
    return status;
}

static int read_book(struct rebuilding *rebuilding)
{
    struct store_query query = {.table = ratings_book,
                                .index = &ratings_book->indexes[RATINGS_BOOK_INDEX],
                                .limit = STORE_QUERY_ROWS_MAX,
                                .behind = true,
                                .done = query_done,
                                .ctx = rebuilding};
    int status;
    do {
        rebuilding->store->engine->query(rebuilding->store, &query);
        wait_for(rebuilding);
        status = take_page(rebuilding, &query);
        query.release(&query);
    } while (status == EX_OK && query.more);
    if (status == EX_OK && (trouble || ratings_rebuild_lacks(&rebuilding->ratings))) {
        printf("the book is damaged: of %" PRIu64 " entries %" PRIu64 " are there\n",
               rebuilding->ratings.end_n, rebuilding->ratings.ledger.n);
        status = EX_DATAERR;
    }
    return status;
}

/* ---- what differs */

static void commit_done(struct store_commit *commit)
{
    (void)sem_post(&rebuilding_of(commit->ctx)->done);
}

static int flush_batch(struct rebuilding *rebuilding)
{
    const struct store_batch batch = {rebuilding->count, rebuilding->ops, rebuilding->results};
    struct store_commit commit = {.batch = &batch, .done = commit_done, .ctx = rebuilding};
    memset(rebuilding->results, 0, sizeof rebuilding->results); /* STORE_OK */
    if (rebuilding->count == 0)
        return 0;
    rebuilding->store->engine->commit(rebuilding->store, &commit);
    wait_for(rebuilding);
    for (size_t at = 0; at < rebuilding->count && commit.result == STORE_OK; at++)
        commit.result = rebuilding->results[at];
    rebuilding->count = 0;
    return commit.result;
}

static int take_difference(void *ctx, const struct store_table *table, const void *row, bool drop,
                           const char *why)
{
    struct rebuilding *rebuilding = ctx;
    rebuilding->differ++;
    puts(why);
    if (!rebuilding->write)
        return 0;
    const size_t at = rebuilding->count++;
    store_row_copy(table, rebuilding->rows[at].row, row, rebuilding->rows[at].text);
    rebuilding->ops[at] =
        (struct store_op){.kind = drop ? STORE_DROP_ROW : STORE_PUT_ROW,
                          .u.row = {.table = table, .row = rebuilding->rows[at].row}};
    return rebuilding->count == OPS_MAX ? flush_batch(rebuilding) : 0;
}

/* All of it in one batch, and only of a store that is as its book says. */
static int annul_entry(struct rebuilding *rebuilding, const struct options *options)
{
    char *end;
    const uint64_t of = strtoull(options->entry, &end, 10);
    struct timespec now;
    int result = ratings_rebuild_compare(&rebuilding->ratings, take_difference, rebuilding);
    if (result < 0 || rebuilding->differ > 0)
        return say_failed("the store differs from its book: see `ratings rebuild --write`",
                          STORE_CORRUPT);
    clock_gettime(CLOCK_REALTIME, &now);
    rebuilding->write = true;
    if (*end || !ratings_rebuild_annul(&rebuilding->ratings, of, options->reason,
                                       (int64_t)now.tv_sec * 1000, take_difference, rebuilding)) {
        fprintf(stderr, "taluvad: entry %s of the book is no match, or does not count already\n",
                options->entry);
        return EX_DATAERR;
    }
    result = flush_batch(rebuilding);
    return result < 0 ? say_failed("the store does not take it", (enum store_result)result) : EX_OK;
}

static int settle_store(struct rebuilding *rebuilding)
{
    const struct ratings_rebuild *ratings = &rebuilding->ratings;
    int result = ratings_rebuild_compare(&rebuilding->ratings, take_difference, rebuilding);
    if (result >= 0)
        result = flush_batch(rebuilding);
    if (result < 0)
        return say_failed("the store does not take what follows", (enum store_result)result);
    printf("book: %" PRIu64 " entries, %" PRIu64 " matches, %" PRIu64 " annulled; ratings: %zu, "
           "%zu differences%s\n",
           ratings->ledger.n, ratings->matches, ratings->annulled, ratings->count,
           rebuilding->differ, rebuilding->write && rebuilding->differ ? ", put right" : "");
    return rebuilding->differ == 0 || rebuilding->write ? EX_OK : EX_DATAERR;
}

/* ---- the whole of it */

/* To open it would make it. */
static int look_for_store(const struct store_choice *choice)
{
    char path[OPTIONS_PATH_MAX];
    if (choice->database ||
        (sqlite_store_path(choice->where, path, sizeof path) && access(path, F_OK) == 0))
        return EX_OK;
    fprintf(stderr, "taluvad: there is no store in %s\n", choice->where);
    return EX_NOINPUT;
}

/* What is everybody's is the first part's of a site. */
static int find_parts(struct store_choice *choice)
{
    struct postgres_said said;
    if (!choice->database)
        return EX_OK;
    const enum postgres_problem problem = postgres_parts_get(choice->where, &choice->parts, &said);
    return problem == POSTGRES_FINE ? EX_OK
                                    : store_database_failed(said.name, problem, said.message);
}

static int run_rebuild(struct rebuilding *rebuilding, struct store_choice *choice,
                       const struct options *options)
{
    const struct store_sink sink = {take_opened, pass_session, take_row,     pass_room,
                                    pass_event,  pass_guest,   pass_damaged, rebuilding};
    int status = look_for_store(choice);
    if (status == EX_OK)
        status = find_parts(choice);
    if (status == EX_OK)
        status = store_choice_open(choice, NULL, &sink, warn_of, &rebuilding->store);
    if (status == EX_OK)
        status = read_book(rebuilding);
    if (status == EX_OK)
        status = options->entry ? annul_entry(rebuilding, options) : settle_store(rebuilding);
    if (rebuilding->store)
        rebuilding->store->engine->close(rebuilding->store);
    return status;
}

int rebuild_ratings(const struct options *options)
{
    char message[STORE_MESSAGE_MAX];
    struct store_choice choice;
    if (options->entry && !book_reason_valid(options->reason)) {
        fputs("taluvad: --reason: 1 to 80 characters of ASCII, without \" and \\\n", stderr);
        return EX_USAGE;
    }
    int status = store_choose(&choice, options, message);
    if (status != EX_OK) {
        fprintf(stderr, "taluvad: %s\n", message);
        return status;
    }
    struct rebuilding *rebuilding = calloc(1, sizeof *rebuilding);
    if (rebuilding && sem_init(&rebuilding->done, 0, 0) == 0) {
        ratings_rebuild_init(&rebuilding->ratings);
        rebuilding->write = options->write;
        status = run_rebuild(rebuilding, &choice, options);
        ratings_rebuild_release(&rebuilding->ratings);
        (void)sem_destroy(&rebuilding->done);
    } else {
        status = say_failed("out of memory", STORE_FAILED);
    }
    free(rebuilding);
    store_choice_release(&choice);
    return status;
}
