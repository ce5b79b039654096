/* The lock of the one server that uses a part of the site, for as long as it is connected. */
#ifndef POSTGRES_LOCK_H
#define POSTGRES_LOCK_H

#include "db.h"
#include <hub/store.h>
#include <postgres/store.h>

/* One try. Until the connection ends, or the transaction. */
enum lock_span { LOCK_SESSION, LOCK_TRANSACTION };
enum db_result lock_try(struct db *db, int64_t part, enum lock_span span, bool *taken);

/* Who has it, as a failure: DB_FAILED with POSTGRES_TAKEN. */
enum db_result lock_say_who(struct db *db, int64_t part);

/* Until the transaction ends: nobody else makes or changes the schema, or the number of parts. */
enum db_result lock_schema(struct db *db);

/*
 * As `name`, by which the connection is known: what is left of connections of that name, which the
 * database may not know to be lost yet, is ended. If another server has the lock, DB_FAILED with
 * POSTGRES_TAKEN after timeouts.lock_ms.
 */
enum db_result lock_take(struct db *db, int64_t part, const char *name);

/*
 * The same for who has the part's term and has lost its connection. Whoever has the lock and no
 * term when timeouts.lock_ms are over, as it is stopped perhaps, is ended before this fails, so
 * that the next try finds the lock free.
 */
enum db_result lock_take_again(struct db *db, int64_t part, const char *name);

/*
 * The same for who has listened to a server for long enough, or has read that it has ended. While
 * that is so the silent one's connections are ended, and when timeouts.lock_ms are over that of
 * whoever has the lock; then DB_FAILED with POSTGRES_TAKEN.
 */
enum db_result lock_take_from(struct db *db, int64_t part, const struct postgres_owner *silent);

/*
 * For a standby: returns when it has the lock (DB_OK), or the connection is lost. It waits until
 * the server before has said that it has ended, or has not committed for timeouts.silent_ms; then
 * its connections are ended. Its commits are counted in taluva.server, and no clock is compared.
 * Says once for whom it waits.
 */
enum db_result lock_await(struct db *db, int64_t part,
                          void (*say)(const char *event, const char *message,
                                      enum store_result result));

void lock_pause(int64_t ms);

#endif
