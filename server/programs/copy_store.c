#include "copy_store.h"

#include <postgres/store.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

enum { OPS_MAX = 256 };

struct copying {
    struct store *to;
    uint64_t epoch;
    struct postgres_counts given;
    size_t findings;
    bool archiving; /* a room that is to be archived after its events */
    char room_id[9];
    char message[STORE_MESSAGE_MAX]; /* of the first commit that failed */
    size_t count;
    struct store_op ops[OPS_MAX];
    enum store_result results[OPS_MAX];
    struct kept {
        alignas(max_align_t) uint8_t row[STORE_ROW_SIZE_MAX];
        char text[2 * STORE_TEXT_MAX];
    } kept[OPS_MAX];
};

static struct copying *copying_of(void *ctx)
{
    return ctx;
}

static void is_done(struct store_commit *commit)
{
    (void)commit;
}

static int flush_batch(struct copying *copying)
{
    const struct store_batch batch = {copying->count, copying->ops, copying->results};
    struct store_commit commit = {.batch = &batch, .done = is_done};
    memset(copying->results, 0, sizeof copying->results); /* STORE_OK */
    if (copying->count > 0)
        copying->to->engine->commit(copying->to, &commit);
    for (size_t at = 0; at < copying->count && commit.result == STORE_OK; at++)
        commit.result = copying->results[at];
    copying->count = 0;
    if (commit.result != STORE_OK)
        snprintf(copying->message, sizeof copying->message, "the database does not take it all");
    return commit.result == STORE_OK ? 0 : STORE_FAILED;
}

static int add_op(struct copying *copying, const struct store_op *op)
{
    copying->ops[copying->count] = *op;
    copying->ops[copying->count].epoch = copying->epoch;
    return ++copying->count == OPS_MAX ? flush_batch(copying) : 0;
}

/* Of the op that is added next: what it points to holds only for the call. */
static const char *keep_text(struct copying *copying, const char *text, size_t len)
{
    char *kept = copying->kept[copying->count].text;
    if (len > ROOM_EVENT_TEXT_MAX)
        len = ROOM_EVENT_TEXT_MAX;
    if (len > 0)
        memcpy(kept, text, len);
    kept[len] = '\0';
    return kept;
}

/* ---- the rows of the one become ops of the other */

static int note_opened(void *ctx, uint64_t epoch)
{
    (void)ctx, (void)epoch;
    return 0;
}

static int take_session(void *ctx, const struct store_session *session)
{
    copying_of(ctx)->given.sessions++;
    return add_op(copying_of(ctx),
                  &(struct store_op){.kind = STORE_PUT_SESSION, .u.session = *session});
}

/* What has no place there goes by itself. */
static int take_large_row(struct copying *copying, const struct store_op *op)
{
    if (flush_batch(copying) < 0)
        return STORE_FAILED;
    copying->ops[copying->count++] = *op;
    return flush_batch(copying);
}

/* What it borrows and the row itself are kept where texts are. */
static int take_row(void *ctx, const struct store_table *table, const void *row)
{
    struct copying *copying = copying_of(ctx);
    struct kept *kept = &copying->kept[copying->count];
    struct store_op op = {.kind = STORE_PUT_ROW, .u.row = {.table = table, .row = row}};
    copying->given.described++;
    if (store_row_borrows(table, row) > sizeof kept->text)
        return take_large_row(copying, &op);
    store_row_copy(table, kept->row, row, kept->text);
    op.u.row.row = kept->row;
    return add_op(copying, &op);
}

static int take_room(void *ctx, const struct store_room *room)
{
    struct store_op op = {.kind = STORE_PUT_ROOM, .u.room = *room};
    memcpy(op.room_id, room->seed.id, sizeof op.room_id);
    copying_of(ctx)->given.rooms++;
    return add_op(copying_of(ctx), &op);
}

static int take_event(void *ctx, const char *room_id, const struct room_event *event)
{
    struct store_op op = {.kind = STORE_APPEND, .u.event = *event};
    snprintf(op.room_id, sizeof op.room_id, "%s", room_id);
    op.u.event.text = keep_text(copying_of(ctx), event->text, event->text_len);
    copying_of(ctx)->given.events++;
    return add_op(copying_of(ctx), &op);
}

static int take_guest(void *ctx, const char *room_id, uint64_t session)
{
    struct store_op op = {.kind = STORE_LET_IN, .u.guest = {session, 0}};
    snprintf(op.room_id, sizeof op.room_id, "%s", room_id);
    copying_of(ctx)->given.guests++;
    return add_op(copying_of(ctx), &op);
}

static int archive_last(struct copying *copying)
{
    struct store_op op = {.kind = STORE_ARCHIVE_ROOM};
    if (!copying->archiving)
        return 0;
    copying->archiving = false;
    copying->given.archived++;
    memcpy(op.room_id, copying->room_id, sizeof op.room_id);
    return add_op(copying, &op);
}

static int take_archived(void *ctx, const struct store_room *room)
{
    const int result = archive_last(copying_of(ctx));
    copying_of(ctx)->archiving = true;
    memcpy(copying_of(ctx)->room_id, room->seed.id, sizeof copying_of(ctx)->room_id);
    return result < 0 ? result : take_room(ctx, room);
}

static void say_finding(void *ctx, const char *what)
{
    copying_of(ctx)->findings++;
    fprintf(stderr, "taluvad: %s\n", what);
}

static int say_damaged(void *ctx, const char *room_id, const char *why)
{
    copying_of(ctx)->findings++;
    fprintf(stderr, "taluvad: room %s: %s\n", room_id, why);
    return 0;
}

/* ---- the whole of it */

static int fail_copying(const struct copying *copying, const char *why, int status)
{
    fprintf(stderr, "taluvad: the store at %s: %s\n", postgres_store_name(copying->to), why);
    return status;
}

static int read_all(struct copying *copying, const char *path)
{
    char message[STORE_MESSAGE_MAX] = "";
    struct store_sink live = {note_opened, take_session, take_row,    take_room,
                              take_event,  take_guest,   say_damaged, copying};
    struct store_sink archived = live;
    archived.room = take_archived;
    const struct store_check check = {live, archived, say_finding, copying};
    enum store_result result = sqlite_store_check(path, &check, message);
    if (result != STORE_OK) {
        fprintf(stderr, "taluvad: %s: %s\n", path, message);
        return result == STORE_FAILED && access(path, R_OK) != 0 ? EX_NOINPUT
                                                                 : exit_status_of(result);
    }
    if (copying->message[0] || archive_last(copying) < 0 || flush_batch(copying) < 0)
        return fail_copying(copying, copying->message, EX_IOERR);
    return copying->findings == 0
               ? EX_OK
               : fail_copying(copying, "what is damaged cannot be copied", EX_DATAERR);
}

static int compare_counts(const struct copying *copying)
{
    char message[STORE_MESSAGE_MAX];
    struct postgres_counts there;
    if (postgres_store_count(copying->to, &there, message) != STORE_OK)
        return fail_copying(copying, message, EX_IOERR);
    if (memcmp(&there, &copying->given, sizeof there) != 0)
        return fail_copying(copying, "it does not hold as much as the other", EX_SOFTWARE);
    if (postgres_store_set_whole(copying->to, true, message) != STORE_OK)
        return fail_copying(copying, message, EX_IOERR);
    printf("copied: %lld sessions, %lld rooms, %lld of them archived, %lld events\n",
           (long long)there.sessions, (long long)there.rooms, (long long)there.archived,
           (long long)there.events);
    return EX_OK;
}

static int fill_database(struct copying *copying, const char *path)
{
    static const struct postgres_counts none;
    struct postgres_counts there;
    char message[STORE_MESSAGE_MAX];
    if (postgres_store_count(copying->to, &there, message) != STORE_OK)
        return fail_copying(copying, message, EX_IOERR);
    if (memcmp(&there, &none, sizeof there) != 0)
        return fail_copying(copying, "it is not empty, so nothing is copied into it", EX_CANTCREAT);
    if (postgres_store_set_whole(copying->to, false, message) != STORE_OK)
        return fail_copying(copying, message, EX_IOERR);
    const int status = read_all(copying, path);
    if (status != EX_OK)
        return fail_copying(
            copying, "not all was copied: drop its schema taluva before the next try", status);
    return compare_counts(copying);
}

static int remember_epoch(void *ctx, uint64_t epoch)
{
    copying_of(ctx)->epoch = epoch;
    return 0;
}

/* What it holds is counted later. */
static int ignore_session(void *ctx, const struct store_session *session)
{
    (void)ctx, (void)session;
    return 0;
}

static int ignore_row(void *ctx, const struct store_table *table, const void *row)
{
    (void)ctx, (void)table, (void)row;
    return 0;
}

static int ignore_room(void *ctx, const struct store_room *room)
{
    (void)ctx, (void)room;
    return 0;
}

static int ignore_event(void *ctx, const char *room_id, const struct room_event *event)
{
    (void)ctx, (void)room_id, (void)event;
    return 0;
}

static int ignore_guest(void *ctx, const char *room_id, uint64_t session)
{
    (void)ctx, (void)room_id, (void)session;
    return 0;
}

static int ignore_damaged(void *ctx, const char *room_id, const char *why)
{
    (void)ctx, (void)room_id, (void)why;
    return 0;
}

static void warn_of(const char *event, const char *message, enum store_result result)
{
    if (result != STORE_OK)
        fprintf(stderr, "taluvad: %s: %s\n", event, message);
}

int copy_store(const char *path, struct store_choice *choice)
{
    if (!choice->database) {
        fputs("taluvad: --store or --store-file has to name a PostgreSQL database to copy into\n",
              stderr);
        return EX_USAGE;
    }
    struct copying *copying = calloc(1, sizeof *copying);
    if (!copying) {
        fputs("taluvad: out of memory\n", stderr);
        return EX_OSERR;
    }
    const struct store_sink sink = {remember_epoch, ignore_session, ignore_row,     ignore_room,
                                    ignore_event,   ignore_guest,   ignore_damaged, copying};
    int status = store_choice_open(choice, NULL, &sink, warn_of, &copying->to);
    if (status == EX_OK)
        status = fill_database(copying, path);
    if (copying->to)
        copying->to->engine->close(copying->to);
    free(copying);
    return status;
}
