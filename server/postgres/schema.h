/* The schema `taluva`: what is in it, whose it is, and making it. */
#ifndef POSTGRES_SCHEMA_H
#define POSTGRES_SCHEMA_H

#include "db.h"

/* What this program knows, and brings a schema to. */
enum { POSTGRES_VERSION = 6 };

/* Makes it if there is nothing yet, and brings it to this version if it is of an earlier one. One
 * of a later version is used if that says that this version can. On failure `problem` and `message`
 * say why. */
enum db_result schema_open(struct db *db);

/* Changes nothing. 0: there is none yet. Fails as schema_open does. */
enum db_result schema_look(struct db *db, int64_t *version);

#endif
