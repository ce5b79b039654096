/*
 * A copy put in place of a store: all of it, or nothing.
 *
 * The new file lies whole beside the store, as taluva.db.restored-N, before anything is moved: with
 * that name it is decided. What was the store is then taluva.db.before-N, with its logs, and the
 * new file is the store. Whoever takes the lock next finishes what was cut short in between.
 */
#ifndef STORE_RESTORE_H
#define STORE_RESTORE_H

#include <hub/store.h>
#include <stdbool.h>

/* For who holds the lock. Nothing to finish is STORE_OK. */
enum store_result restore_finish(const char *directory, char message[STORE_MESSAGE_MAX]);

/* STORE_REFUSED if `path` is a store's file for which a restore has been decided and not finished:
 * it is about to be replaced. */
enum store_result restore_check_done(const char *path, char message[STORE_MESSAGE_MAX]);

#endif
