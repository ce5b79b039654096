/*
 * The embedded store: SQLite in one folder of its own, behind the interface of hub/store.h.
 *
 *     DIR/taluva.db  -wal  -shm     the store
 *     DIR/lock                      held while a server uses the store
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
 * A store in `directory`, not opened yet; NULL: out of memory. Opening makes the folder if need be
 * (folders with mode 0700, files with 0600), and migrates what is there to this program's version.
 * It fails with STORE_FENCED if another server has it, with STORE_NEWER if it is from a newer
 * version (then no byte of it was changed).
 */
struct store *sqlite_store_create(const char *directory);

/*
 * Copies the store in `directory`, as of one moment, to the new file `path`, whether a server is
 * using it or not. To restore it, put the copy in place of taluva.db.
 */
enum store_result sqlite_store_backup(const char *directory, const char *path,
                                      char message[static STORE_MESSAGE_MAX]);

#endif
