/* What an operator asks of the database: one connection, for as long as it takes. */
#ifndef POSTGRES_COMMAND_H
#define POSTGRES_COMMAND_H

#include "db.h"
#include <postgres/parts.h>

/* What `work` has not committed is taken back when the connection is closed. */
enum postgres_problem command_run(const char *url, const char *name, struct postgres_said *said,
                                  enum db_result (*work)(struct db *db, void *ctx), void *ctx);

#endif
