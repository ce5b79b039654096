/*
 * The embedded store: SQLite in one folder of its own, behind the shapes of hub/store.h.
 *
 *     DIR/taluva.db  -wal  -shm     the store
 *     DIR/lock                      held while a server uses the store
 *
 * A commit is durable when it returns STORE_OK (WAL, synchronous=FULL); when it fails nothing of it
 * is there and the next one may succeed. One server at a time: the lock keeps a second one out with
 * a message, and the epoch, taken one higher at every opening, fences a first one that lost the
 * lock without knowing it.
 *
 * Knows SQLite and the shapes of rows. Never asks the clock, starts no thread, prints nothing. A
 * store may be handed from thread to thread, but is used by one at a time.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <hub/store.h>
#include <stddef.h>
#include <stdint.h>

struct store;

enum { STORE_MESSAGE_MAX = 512 };

/*
 * Opens, and makes if need be, the store in `directory` (folders are made with mode 0700, files
 * with 0600), and migrates it to this program's version. On failure *store is NULL and `message`
 * says why: STORE_FENCED if another server has it, STORE_NEWER if it is from a newer version (then
 * no byte of it was changed).
 */
enum store_result store_open(const char *directory, struct store **store,
                             char message[static STORE_MESSAGE_MAX]);
void store_close(struct store *store);

/* Why the last call failed: a sentence for the log, without anything secret. */
const char *store_message(const struct store *store);

/* Receives rows; borrowed for the call. A result below 0 ends the loading and is handed up. */
struct store_sink {
    int (*session)(void *ctx, const struct store_session *session);
    int (*room)(void *ctx, const struct store_room *room);
    int (*event)(void *ctx, const char *room_id, const struct room_event *event);
    int (*guest)(void *ctx, const char *room_id, uint64_t session);
    void *ctx;
};

/*
 * Once, before the first commit: every session, then every room that is not archived, each followed
 * by its events, then the guests of all of them. STORE_CORRUPT if a log has a gap or belongs to no
 * room.
 */
enum store_result store_load(struct store *store, const struct store_sink *sink);

enum store_result store_commit(struct store *store, const struct store_batch *batch);

/*
 * What can wait until a commit has been reported: moves the write-ahead log into the database when
 * it has grown. Failing does no harm, it is tried again later.
 */
enum store_result store_tidy(struct store *store);

/* One archived room; `read.room` is NULL if there is none of that id. Destroy takes NULL. */
struct store_reading {
    struct store_room_read read;
    struct store_room room;
    struct room_event *events;
    char *text;
};
enum store_result store_read(struct store *store, const char *room_id,
                             struct store_reading **reading);
void store_reading_destroy(struct store_reading *reading);

/*
 * Copies the store in `directory`, as of one moment, to the new file `path`, whether a server is
 * using it or not. A copy put in place of taluva.db is a store.
 */
enum store_result store_backup(const char *directory, const char *path,
                               char message[static STORE_MESSAGE_MAX]);

#endif
