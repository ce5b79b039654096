/*
 * Is the structure of the file whole: its pages and trees, not what the rows say? SQLite answers it
 * by reading all of the file.
 */
#ifndef STORE_STRUCTURE_H
#define STORE_STRUCTURE_H

#include <hub/store.h>
#include <sqlite3.h>
#include <stdatomic.h>

/*
 * STORE_CORRUPT with a message if it is not, STORE_FAILED if that could not be found out: the disk
 * does not give a page, or sqlite3_interrupt was called.
 */
enum store_result structure_check(sqlite3 *db, char message[STORE_MESSAGE_MAX]);

/* The same beside a store in use: on a thread and a connection of its own. All zero: not needed. */
struct structure_check {
    sqlite3 *db;
    atomic_bool stopped;
};

/* The file at `path` is open. On failure there is a message, and nothing to release. */
enum store_result structure_check_init(struct structure_check *check, const char *path,
                                       char message[STORE_MESSAGE_MAX]);
void structure_check_release(struct structure_check *check);

/* STORE_FAILED also if it was stopped. */
enum store_result structure_check_run(struct structure_check *check,
                                      char message[STORE_MESSAGE_MAX]);
/* From any thread: a run that is under way, or begins later, ends at once. */
void structure_check_stop(struct structure_check *check);

#endif
