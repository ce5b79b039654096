/* The lock of the one server that uses the database, for as long as it is connected. */
#ifndef POSTGRES_LOCK_H
#define POSTGRES_LOCK_H

#include "db.h"

/*
 * As `name`, by which the connection is known: what is left of connections of that name, which the
 * database may not know to be lost yet, is ended. If another server has the lock, DB_FAILED with
 * POSTGRES_TAKEN after patience.lock_ms.
 */
enum db_result lock_take(struct db *db, const char *name);

#endif
