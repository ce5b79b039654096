/*
 * The embedded store: SQLite in one folder of its own, behind the interface of hub/store.h.
 *
 *     DIR/taluva.db  -wal  -shm     the store
 *     DIR/lock                      held while a server uses the store
 *     DIR/signing-keys              what records are signed with: store/signing.h
 *     DIR/push-key                  by which push services know the server: store/push_key.h
 *     DIR/taluva.db.before-N        what was the store before something was restored
 *
 * One server at a time: a second one is refused because of the lock, and the epoch, which goes up
 * at every opening, stops a first one that has lost the lock without noticing.
 *
 * Knows SQLite and the shapes of rows. Never asks the clock, starts no thread, prints nothing:
 * every request is done before its call returns.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <hub/store.h>

/*
 * Once in a program, before the first store, and before its threads: SQLite does not count its
 * memory, which takes a lock for each allocation, two of them for each row of a commit.
 */
void sqlite_store_prepare(void);

/*
 * A store in `directory`, not opened yet; NULL: out of memory. Opening makes the folder if need be
 * (folders with mode 0700, files with 0600), and migrates what is there to this program's version.
 * It fails with STORE_FENCED if another server has it, with STORE_NEWER if it is from a newer
 * version (then no byte of it was changed).
 */
struct store *sqlite_store_create(const char *directory);

/*
 * Copies the store in `directory`, as of one moment, to the new file `path`, whether a server is
 * using it or not. A file that is there is left alone, or replaced once the copy is whole. Restore
 * it with sqlite_store_restore.
 */
enum store_result sqlite_store_backup(const char *directory, const char *path, bool replace,
                                      char message[static STORE_MESSAGE_MAX]);

/* Is there no store in `directory`, nor one that is being restored, though the keys in `keys` say
 * that there was one? */
bool sqlite_store_missing(const char *directory, const char *keys);

/*
 * Puts a copy of the file `copy`, which may have a log (-wal) that a crash left, in place of the
 * store in `directory`. All steps are done, or none: what is cut short once the new file is whole
 * is finished by the next opening. `copy` stays as it is. The store that was there is kept, with
 * its log: `before` is its new name, "" if there was none.
 *
 * STORE_FENCED: a server uses the store. STORE_REFUSED: `copy` is the store itself.
 */
enum { STORE_PATH_MAX = 4096 };
enum store_result sqlite_store_restore(const char *directory, const char *copy,
                                       char before[static STORE_PATH_MAX],
                                       char message[static STORE_MESSAGE_MAX]);

/*
 * Hands over what can be read of the store in the file `path`, as opening it would, and its
 * archived rooms after that; their sink is called for rooms, events and damage only. Damage outside
 * of rooms is reported to `finding`, one sentence each. Writes nothing. The file may be a store,
 * with or without the log (-wal) that a crash left, or a copy; older versions are read too.
 *
 * STORE_OK: it was checked, and all damage was reported. STORE_FENCED: a server is using it.
 * STORE_CORRUPT: it is not a store, or empty, or there is a log without a store.
 */
struct store_check {
    struct store_sink live, archived;
    void (*finding)(void *ctx, const char *what);
    void *ctx;
};
enum store_result sqlite_store_check(const char *path, const struct store_check *check,
                                     char message[static STORE_MESSAGE_MAX]);

/*
 * For a server whose store is elsewhere: makes the folder, where its keys are, and has it
 * for as long as *lock_fd is open. STORE_FENCED: another server uses it.
 */
enum store_result store_folder_take(const char *directory, int *lock_fd,
                                    char message[static STORE_MESSAGE_MAX]);

/* The name of the file in a store's folder. False: too long. */
bool sqlite_store_path(const char *directory, char *path, size_t size);

/*
 * The latest time that anything in the store at this path is stamped with, 0 if there is nothing;
 * also while a server uses it. STORE_FAILED with a message if it cannot be read. It reads all of
 * it, which takes a while.
 */
enum store_result sqlite_store_latest(const char *path, int64_t *latest_ms,
                                      char message[static STORE_MESSAGE_MAX]);

#endif
