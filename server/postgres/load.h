/* Hands over all that is live of a part, when a server starts. */
#ifndef POSTGRES_LOAD_H
#define POSTGRES_LOAD_H

#include "db.h"
#include "log_ends.h"
#include "part.h"

struct loaded {
    size_t left_out; /* rows that are damaged; `why` says which the last was of */
    char why[64];
};

/*
 * The store's result; the message is the connection's. Fills in where the logs end. A room with
 * events of a later version is handed over as damaged if `sets_aside`; else nothing is opened:
 * STORE_NEWER.
 */
enum store_result load_rows(struct db *db, struct part part, bool sets_aside,
                            const struct store_sink *sink, struct pg_log_ends *log_ends,
                            struct loaded *loaded);

#endif
