/* The schema `taluva`: what is in it, whose it is, and making it. */
#ifndef POSTGRES_SCHEMA_H
#define POSTGRES_SCHEMA_H

#include "db.h"

enum { POSTGRES_VERSION = 1 };

/* Makes it if there is nothing yet, and says of which version it is otherwise. On failure `problem`
 * and `message` say why. For who holds the lock. */
enum db_result schema_open(struct db *db);

#endif
