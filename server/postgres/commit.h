/* The store, and one batch of it brought to its end. */
#ifndef POSTGRES_COMMIT_H
#define POSTGRES_COMMIT_H

#include "db.h"
#include "log_ends.h"
#include "reader.h"
#include "write.h"

struct engine {
    struct store store;
    struct postgres_timeouts timeouts;
    struct url url;
    bool url_known;
    struct db db; /* of the commits */
    struct part part;
    bool sets_aside; /* as in postgres_options */
    bool takes_over; /* from whoever is in `silent` */
    struct postgres_owner silent;
    char node[POSTGRES_NODE_MAX + 1], relay[POSTGRES_RELAY_MAX + 1];
    int64_t term;             /* 0: none yet */
    int64_t taken_ms;         /* when that was asked for */
    int64_t ahead_of_boot_ms; /* the database's time, of the clock that says taken_ms */
    char name[64]; /* of this server in this term, as the database knows its connections */
    int64_t batch; /* the number of the last one that was written */
    /*
     * The next one was given up without knowing whether it was written, and its caller was told
     * that it failed. If it turns out that it was, the two do not agree any more.
     */
    bool given_up;
    int64_t next_key;
    struct pg_log_ends log_ends;
    struct writing writing;
    struct reader reader;
    int failed_commits; /* since the last one that succeeded */
};

enum store_result engine_commit_batch(struct engine *engine, const struct store_batch *batch);

#endif
