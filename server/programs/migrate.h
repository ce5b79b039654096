/* `taluvad migrate`: the schema of a PostgreSQL database, and an embedded store into it. */
#ifndef SERVER_MIGRATE_H
#define SERVER_MIGRATE_H

#include "options.h"

/*
 * Without a file: makes the schema in an empty database, or brings it to this program's version,
 * and says what it is. With one: copies that. An exit status; what is wrong has been said.
 */
int migrate(const struct options *options);

#endif
