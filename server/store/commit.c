/* One batch, all or nothing: the ops in order within one transaction, and the way back out of it.
 */
#include "database.h"
#include "erase.h"
#include "hand.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum store_result refuse_op(struct sqlite_store *store, enum store_result result,
                                   const char *why, const char *room_id)
{
    snprintf(store->message, sizeof store->message, "%s%s%s", why, room_id ? " " : "",
             room_id ? room_id : "");
    return result;
}

static enum store_result run_statement(struct sqlite_store *store, enum statement which,
                                       const char *what)
{
    int code = statement_run(statement(store, which));
    return code == SQLITE_OK ? STORE_OK : database_fail(store->db, code, what, store->message);
}

/* Room for what the batch may change of the log ends, before anything is changed. */
static bool changes_reserve(struct sqlite_store *store, size_t count)
{
    if (!log_ends_reserve(&store->log_ends, count))
        return false;
    if (count <= store->changes_size)
        return true;
    struct head_change *changes = realloc(store->changes, count * sizeof *changes);
    if (!changes)
        return false;
    store->changes = changes;
    store->changes_size = count;
    return true;
}

static void change_remember(struct sqlite_store *store, uint64_t id, const struct log_end *before)
{
    assert(store->changes_count < store->changes_size);
    struct head_change *change = &store->changes[store->changes_count++];
    change->existed = before != NULL;
    change->before = before ? *before : (struct log_end){.id = id};
}

static void changes_undo(struct sqlite_store *store)
{
    while (store->changes_count > 0) {
        const struct head_change *change = &store->changes[--store->changes_count];
        if (change->existed)
            log_ends_put(&store->log_ends, &change->before);
        else
            log_ends_remove(&store->log_ends, change->before.id);
    }
}

static enum store_result put_session(struct sqlite_store *store,
                                     const struct store_session *session)
{
    sqlite3_stmt *stmt = statement(store, PUT_SESSION);
    bind_int(stmt, 1, (int64_t)session->id);
    bind_text(stmt, 2, session->name, strlen(session->name));
    bind_int(stmt, 3, session->created_ms);
    bind_int(stmt, 4, session->seen_ms);
    struct row_hash hash = hash_session(session);
    bind_blob(stmt, 5, hash.bytes, sizeof hash.bytes);
    return run_statement(store, PUT_SESSION, "storing a session");
}

static enum store_result drop_session(struct sqlite_store *store, uint64_t id)
{
    bind_int(statement(store, DROP_SESSION), 1, (int64_t)id);
    return run_statement(store, DROP_SESSION, "dropping a session");
}

/* The id may be one of an archived room, of which the hub does not know. */
static enum store_result put_room(struct sqlite_store *store, const struct store_room *room)
{
    uint64_t id = log_ends_id(room->seed.id);
    if (id == 0 || log_ends_find(&store->log_ends, id))
        return refuse_op(store, STORE_REFUSED, "the room exists already:", room->seed.id);
    sqlite3_stmt *stmt = statement(store, PUT_ROOM);
    bind_text(stmt, 1, room->seed.id, strlen(room->seed.id));
    bind_text(stmt, 2, room->seed.code, strlen(room->seed.code));
    bind_blob(stmt, 3, room->seed.secret, sizeof room->seed.secret);
    bind_int(stmt, 4, (int64_t)room->seed.host);
    bind_int(stmt, 5, room->created_ms);
    struct row_hash hash = hash_room(room);
    bind_blob(stmt, 6, hash.bytes, sizeof hash.bytes);
    int code = statement_run(stmt);
    if (code == SQLITE_CONSTRAINT_UNIQUE)
        return refuse_op(store, STORE_REFUSED, "the room exists already:", room->seed.id);
    if (code != SQLITE_OK)
        return database_fail(store->db, code, "storing a room", store->message);
    change_remember(store, id, NULL);
    log_ends_put(&store->log_ends,
                 &(struct log_end){id, sqlite3_last_insert_rowid(store->db), 0, 0, 0, hash});
    return STORE_OK;
}

static enum store_result append_event(struct sqlite_store *store, const struct store_op *op)
{
    const struct room_event *event = &op->u.event;
    struct log_end *log_end = log_ends_find(&store->log_ends, log_ends_id(op->room_id));
    if (op->epoch != (uint64_t)store->epoch)
        return refuse_op(store, STORE_REFUSED, "an event under another epoch of room", op->room_id);
    if (!log_end || event->seq != log_end->seq + 1)
        return refuse_op(store, STORE_REFUSED, "not the next event of room", op->room_id);
    if (appends_hold(&store->appends, log_end)) {
        enum store_result result = appends_store(store);
        if (result != STORE_OK)
            return result;
    }
    change_remember(store, log_end->id, log_end);
    appends_add(&store->appends, log_end, event);
    return STORE_OK;
}

/* Deletes the log of a live room and forgets its end. */
static enum store_result drop_log(struct sqlite_store *store, const struct log_end *log_end,
                                  const char *room_id)
{
    bind_int(statement(store, DROP_LOG), 1, log_end->last_n);
    enum store_result result = run_statement(store, DROP_LOG, "dropping a log");
    if (result != STORE_OK)
        return result;
    if ((uint64_t)sqlite3_changes64(store->db) != log_end->seq)
        return refuse_op(store, STORE_REFUSED, "the log is incomplete of room", room_id);
    change_remember(store, log_end->id, log_end);
    log_ends_remove(&store->log_ends, log_end->id);
    return STORE_OK;
}

/* The hash in the room's row includes the end of its log. */
static enum store_result archive_row(struct sqlite_store *store, const struct log_end *log_end)
{
    struct row_hash room;
    sqlite3_stmt *stmt = statement(store, READ_ROOM_HASH);
    bind_int(stmt, 1, log_end->key);
    int code = sqlite3_step(stmt);
    bool whole = code == SQLITE_ROW && column_bytes(stmt, 0, room.bytes, sizeof room.bytes);
    sqlite3_reset(stmt);
    if (!whole)
        return database_fail(store->db,
                             code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_CORRUPT : code,
                             "archiving a room", store->message);
    struct row_hash archived = hash_archived(&room, &log_end->hash, log_end->seq);
    bind_int(statement(store, ARCHIVE_ROOM), 1, log_end->key);
    bind_blob(statement(store, ARCHIVE_ROOM), 2, archived.bytes, sizeof archived.bytes);
    return run_statement(store, ARCHIVE_ROOM, "archiving a room");
}

static enum store_result archive_room(struct sqlite_store *store, const char *room_id)
{
    const struct log_end *log_end = log_ends_find(&store->log_ends, log_ends_id(room_id));
    if (!log_end)
        return refuse_op(store, STORE_REFUSED, "no such room to archive:", room_id);
    enum store_result result = archive_row(store, log_end);
    if (result != STORE_OK)
        return result;
    bind_int(statement(store, ARCHIVE_LOG), 1, log_end->last_n);
    result = run_statement(store, ARCHIVE_LOG, "archiving a log");
    return result == STORE_OK ? drop_log(store, log_end, room_id) : result;
}

/* An archived log goes with its room (ON DELETE CASCADE). */
static enum store_result drop_room(struct sqlite_store *store, const char *room_id)
{
    const struct log_end *log_end = log_ends_find(&store->log_ends, log_ends_id(room_id));
    enum store_result result = log_end ? drop_log(store, log_end, room_id) : STORE_OK;
    if (result != STORE_OK)
        return result;
    bind_text(statement(store, DROP_ROOM), 1, room_id, strlen(room_id));
    return run_statement(store, DROP_ROOM, "dropping a room");
}

static enum store_result put_guest(struct sqlite_store *store, const char *room_id,
                                   uint64_t session)
{
    sqlite3_stmt *stmt = statement(store, LET_IN);
    struct row_hash hash = hash_guest(room_id, session);
    bind_text(stmt, 1, room_id, strlen(room_id));
    bind_int(stmt, 2, (int64_t)session);
    bind_blob(stmt, 3, hash.bytes, sizeof hash.bytes);
    return run_statement(store, LET_IN, "storing a guest");
}

static enum store_result drop_guest(struct sqlite_store *store, const char *room_id,
                                    uint64_t session)
{
    bind_text(statement(store, LET_OUT), 1, room_id, strlen(room_id));
    bind_int(statement(store, LET_OUT), 2, (int64_t)session);
    return run_statement(store, LET_OUT, "forgetting a guest");
}

/* The room may have been dropped by the same batch. */
static enum store_result let_in(struct sqlite_store *store, const char *room_id,
                                const struct store_guest *guest)
{
    enum store_result result = STORE_OK;
    if (guest->instead_of != 0)
        result = drop_guest(store, room_id, guest->instead_of);
    return result == STORE_OK ? put_guest(store, room_id, guest->session) : result;
}

/* ---- one session's matches become another one's */

static enum store_result hand_live_room(struct sqlite_store *store, const struct store_op *op)
{
    struct log_end *log_end = log_ends_find(&store->log_ends, log_ends_id(op->room_id));
    if (!log_end || op->epoch != (uint64_t)store->epoch)
        return refuse_op(store, STORE_REFUSED, "no such room to hand over:", op->room_id);
    change_remember(store, log_end->id, log_end);
    return room_row_hand(store, op->room_id, log_end, &op->u.hand);
}

/* ---- the bound of letters */

static enum store_result count_letters(struct sqlite_store *store, enum statement which,
                                       uint32_t bound)
{
    sqlite3_stmt *stmt = statement(store, which);
    bind_int(stmt, 1, bound);
    const int code = sqlite3_step(stmt);
    const int64_t count = code == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_reset(stmt);
    if (code != SQLITE_ROW)
        return database_fail(store->db, code, "counting letters", store->message);
    return count < bound ? STORE_OK
                         : refuse_op(store, STORE_CROWDED, "too many letters wait", NULL);
}

static enum store_result count_letters_to(struct sqlite_store *store, uint64_t addressee,
                                          int64_t first, int64_t last, uint32_t bound)
{
    sqlite3_stmt *stmt = statement(store, COUNT_LETTERS_TO);
    bind_int(stmt, 2, (int64_t)addressee);
    bind_int(stmt, 3, first);
    bind_int(stmt, 4, last);
    return count_letters(store, COUNT_LETTERS_TO, bound);
}

/* Of a new room there is no addressee yet. */
static enum store_result check_bound(struct sqlite_store *store, const struct store_op *op)
{
    enum store_result result = count_letters(store, COUNT_LETTERS, op->within.all);
    if (result != STORE_OK || op->kind != STORE_PUT_ROW)
        return result;
    const struct store_letter *letter = op->u.row.row;
    uint64_t first, last;
    if (store_letter_senders(letter->id, &first, &last))
        result = count_letters_to(store, letter->addressee, (int64_t)first, (int64_t)last,
                                  op->within.per_sender);
    return result != STORE_OK ? result
                              : count_letters_to(store, letter->addressee, INT64_MIN, INT64_MAX,
                                                 op->within.per_addressee);
}

/* ---- the batch */

/* What is gathered comes before anything else. */
static enum store_result apply_op(struct sqlite_store *store, const struct store_op *op)
{
    enum store_result result = op->kind == STORE_APPEND ? STORE_OK : appends_store(store);
    if (result == STORE_OK && op->within.all > 0)
        result = check_bound(store, op);
    if (result != STORE_OK)
        return result;
    switch (op->kind) {
    case STORE_PUT_SESSION:
        return put_session(store, &op->u.session);
    case STORE_DROP_SESSION:
        return drop_session(store, op->u.session_id);
    case STORE_PUT_ROOM:
        return put_room(store, &op->u.room);
    case STORE_APPEND:
        return append_event(store, op);
    case STORE_ARCHIVE_ROOM:
        return archive_room(store, op->room_id);
    case STORE_DROP_ROOM:
        return drop_room(store, op->room_id);
    case STORE_LET_IN:
        return let_in(store, op->room_id, &op->u.guest);
    case STORE_PUT_ROW:
        return row_put(store, &op->u.row);
    case STORE_DROP_ROW:
        return row_drop(store, op->u.row.table, op->u.row.row);
    case STORE_ERASE_NAMES:
        return names_erase(store, op->u.session_id);
    case STORE_HAND_ROOM:
        return hand_live_room(store, op);
    case STORE_HAND_MATCHES:
        return matches_hand(store, &op->u.hand);
    }
    assert(false && "no such kind of op");
    return STORE_FAILED;
}

static enum store_result check_epoch(struct sqlite_store *store)
{
    sqlite3_stmt *stmt = statement(store, READ_EPOCH);
    int code = sqlite3_step(stmt);
    int64_t epoch = code == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_reset(stmt);
    if (code != SQLITE_ROW)
        return database_fail(store->db, code == SQLITE_DONE ? SQLITE_CORRUPT : code,
                             "reading the epoch", store->message);
    if (epoch != store->epoch - !store->epoch_taken)
        return refuse_op(store, STORE_FENCED, "another server has opened the store", NULL);
    if (store->epoch_taken)
        return STORE_OK;
    bind_int(statement(store, TAKE_EPOCH), 1, store->epoch);
    return run_statement(store, TAKE_EPOCH, "taking the store");
}

static enum store_result begin_commit(struct sqlite_store *store)
{
    enum store_result result = run_statement(store, BEGIN, "beginning a commit");
    return result == STORE_OK ? check_epoch(store) : result;
}

static enum store_result end_commit(struct sqlite_store *store)
{
    enum store_result result =
        store_files_check(&store->files, database_log_bytes(store), store->message);
    if (result == STORE_OK)
        result = run_statement(store, COMMIT, "committing");
    store->epoch_taken |= result == STORE_OK;
    return result;
}

/* STORE_REFUSED, STORE_CROWDED: because of ops[*at]. */
static enum store_result write_batch(struct sqlite_store *store, const struct store_batch *batch,
                                     size_t *at)
{
    enum store_result result = begin_commit(store);
    if (result == STORE_OK && batch->count == 0)
        result = run_statement(store, PROBE, "probing");
    for (*at = 0; *at < batch->count && result == STORE_OK; *at += result == STORE_OK) {
        if (batch->results[*at] != STORE_OK)
            continue;
        result = apply_op(store, &batch->ops[*at]);
        if (result == STORE_TAKEN) {
            batch->results[*at] = result;
            result = STORE_OK;
        }
    }
    if (result == STORE_OK)
        result = appends_store(store);
    return result == STORE_OK ? end_commit(store) : result;
}

/* SQLite rolls back by itself after some errors, but not after all. */
static void roll_back(struct sqlite_store *store)
{
    if (!sqlite3_get_autocommit(store->db))
        statement_run(statement(store, ROLLBACK));
    changes_undo(store);
}

/* One try without what has been refused so far; *at is the op that is refused, if one is. */
static enum store_result try_commit(struct sqlite_store *store, const struct store_batch *batch,
                                    size_t *at)
{
    store->changes_count = store->appends.count = 0;
    enum store_result result = write_batch(store, batch, at);
    if (result != STORE_OK)
        roll_back(store);
    return result;
}

/*
 * A commit that fails in its last fsync has left whole frames behind the end of the write-ahead
 * log. This process ignores them, but one that recovers the log after a crash would take them for
 * committed. A write of our own on top of them makes the failure certain. If the disk does not
 * take that either, the next probe of the hub does it.
 */
static void overwrite_leftovers(struct sqlite_store *store)
{
    char message[STORE_MESSAGE_MAX];
    memcpy(message, store->message, sizeof message);
    size_t at;
    (void)try_commit(store, &(struct store_batch){0, NULL, NULL}, &at);
    memcpy(store->message, message, sizeof message);
}

enum store_result sqlite_store_commit(struct sqlite_store *store, const struct store_batch *batch)
{
    size_t at;
    enum store_result result;
    assert(store->loaded);
    if (!changes_reserve(store, batch->count))
        return refuse_op(store, STORE_FAILED, "out of memory", NULL);
    while ((result = try_commit(store, batch, &at)) == STORE_REFUSED || result == STORE_CROWDED) {
        if (result == STORE_CROWDED)
            store_batch_crowd(batch, at);
        else
            store_batch_refuse(batch, at);
    }
    if (result == STORE_FULL || result == STORE_FAILED)
        overwrite_leftovers(store);
    return result;
}

static bool ends_are_written(const struct sqlite_store *store)
{
    size_t at = 0;
    for (const struct log_end *log_end; (log_end = log_ends_next(&store->log_ends, &at));) {
        if (log_end->end_seq != log_end->seq)
            return false;
    }
    return true;
}

enum store_result commit_alone(struct sqlite_store *store,
                               enum store_result (*change)(struct sqlite_store *store, void *ctx),
                               void *ctx)
{
    store->changes_count = 0;
    enum store_result result = begin_commit(store);
    if (result == STORE_OK)
        result = change(store, ctx);
    if (result == STORE_OK)
        result = end_commit(store);
    if (result != STORE_OK)
        roll_back(store);
    return result;
}

static enum store_result put_ends(struct sqlite_store *store, void *ctx)
{
    (void)ctx;
    enum store_result result = STORE_OK;
    sqlite3_stmt *stmt = statement(store, PUT_END);
    size_t at = 0;
    for (const struct log_end *log_end;
         result == STORE_OK && (log_end = log_ends_next(&store->log_ends, &at));) {
        if (log_end->end_seq == log_end->seq)
            continue;
        bind_int(stmt, 1, log_end->key);
        bind_int(stmt, 2, (int64_t)log_end->seq);
        bind_blob(stmt, 3, log_end->hash.bytes, sizeof log_end->hash.bytes);
        result = run_statement(store, PUT_END, "storing the end of a log");
    }
    return result;
}

/* If it fails and a crash makes it true after all, it says nothing but what is durable. */
enum store_result commit_ends(struct sqlite_store *store)
{
    if (ends_are_written(store))
        return STORE_OK;
    enum store_result result = commit_alone(store, put_ends, NULL);
    if (result != STORE_OK)
        return result;
    size_t at = 0;
    for (struct log_end *log_end; (log_end = log_ends_next(&store->log_ends, &at));)
        log_end->end_seq = log_end->seq;
    return STORE_OK;
}

static enum store_result move_log(struct sqlite_store *store, char message[STORE_MESSAGE_MAX])
{
    int in_log = 0, moved = 0;
    int code =
        sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
    /* A reader (a backup) can keep the log from being reused, and a disk can be full: then try
     * again after as much more, not at every commit. */
    bool whole = code == SQLITE_OK && in_log == moved;
    store->tidy_frames = STORE_TIDY_FRAMES + (whole ? 0 : store->log_frames);
    if (code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY)
        return STORE_OK;
    return database_fail(store->db, code, "moving the log into the database", message);
}

/* The ends first, so that what is moved has them. That there is no space for them is no reason not
 * to move the log, which makes some. */
enum store_result sqlite_store_tidy(struct sqlite_store *store)
{
    if (store->log_frames < store->tidy_frames)
        return STORE_OK;
    enum store_result result = commit_ends(store);
    if (result != STORE_OK) {
        char ignored[STORE_MESSAGE_MAX]; /* what failed first is told */
        (void)move_log(store, ignored);
        return result;
    }
    return move_log(store, store->message);
}
