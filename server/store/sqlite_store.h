/*
 * The SQLite store as blocking calls, for the engine (engine.c) and the store's own tests.
 *
 * A commit is durable when it returns STORE_OK (WAL, synchronous=FULL); when it fails nothing of it
 * is there and the next one may succeed. A store may be handed from thread to thread, but is used
 * by one at a time; sqlite_store_check_later and sqlite_store_stop_check are the exceptions.
 */
#ifndef STORE_SQLITE_STORE_H
#define STORE_SQLITE_STORE_H

#include <store/store.h>

struct sqlite_store;

/*
 * Opens, and makes if need be, the store in `directory` (folders are made with mode 0700, files
 * with 0600), and migrates it to this program's version. On failure *store is NULL and `message`
 * says why: STORE_FENCED if another server has it, STORE_NEWER if it is from a newer version, and
 * STORE_CORRUPT if the structure of the file is damaged (then no byte of it was changed; a file of
 * more than STORE_CHECKED_BYTES is left to sqlite_store_check_later).
 */
enum { STORE_CHECKED_BYTES = 64 << 20 };
enum store_result sqlite_store_open(const char *directory, struct sqlite_store **store,
                                    char message[static STORE_MESSAGE_MAX]);
/* With another bound. */
enum store_result sqlite_store_open_checking(const char *directory, int64_t checked_bytes,
                                             struct sqlite_store **store,
                                             char message[static STORE_MESSAGE_MAX]);
/* The engine with that bound. */
struct store *sqlite_store_create_checking(const char *directory, int64_t checked_bytes);
void sqlite_store_close(struct sqlite_store *store);

/*
 * On a thread of its own, while the store is used by another one: STORE_CORRUPT with a
 * message if the structure of the file is damaged, STORE_FAILED if that could not be found out or
 * it was stopped; STORE_OK at once if the opening checked it. It reads the file as it was when it
 * began: until it ends, the write-ahead log grows by all that is committed, as beside a backup.
 */
enum store_result sqlite_store_check_later(struct sqlite_store *store,
                                           char message[static STORE_MESSAGE_MAX]);
/* From any thread: the check ends at once. The store is closed only when it has returned. */
void sqlite_store_stop_check(struct sqlite_store *store);

/* Why the last call failed: a sentence for the log, without anything secret. */
const char *sqlite_store_message(const struct sqlite_store *store);

/* The epoch that it took when it was opened. */
uint64_t sqlite_store_epoch(const struct sqlite_store *store);

/*
 * Once, before the first commit: hands over all that is live, as `open` of the interface does.
 * STORE_CORRUPT if a log has a gap or belongs to no room.
 */
enum store_result sqlite_store_load(struct sqlite_store *store, const struct store_sink *sink);

/* Refusals of single rooms are in the batch's results; then sqlite_store_message says why. */
enum store_result sqlite_store_commit(struct sqlite_store *store, const struct store_batch *batch);

/*
 * What can wait until a commit has been reported: moves the write-ahead log into the database when
 * it has grown. Failing does no harm, it is tried again later.
 */
enum store_result sqlite_store_tidy(struct sqlite_store *store);

/*
 * The same: makes the file of the log longer when it is nearly full, so that the next commits need
 * not. Failing does no harm.
 */
void sqlite_store_reserve(struct sqlite_store *store);

/*
 * How many rows were left out because they are damaged or belong to nothing; the message says
 * which.
 */
size_t sqlite_store_left_out(const struct sqlite_store *store);

/* One archived room; `rows.room` is NULL if there is none of that id. Destroy takes NULL. */
struct sqlite_reading {
    struct store_room_read rows;
    struct store_room room;
    struct room_event *events;
    char *text;
    uint64_t guests[STORE_GUESTS_MAX];
};
enum store_result sqlite_store_read(struct sqlite_store *store, const char *room_id,
                                    struct sqlite_reading **reading);
void sqlite_reading_destroy(struct sqlite_reading *reading);

/* A page of described rows: fills in the rows and `release`. */
enum store_result sqlite_store_query(struct sqlite_store *store, struct store_query *query);

/* A step of letting finished rooms go: fills in all but `done` and `ctx`. */
enum store_result sqlite_store_trim(struct sqlite_store *store, struct store_trim *trim);

#endif
