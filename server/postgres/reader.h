/*
 * A thread with a connection of its own, for what is read while others commit, and for letting go
 * what nobody reads. A connection that is
 * lost is made again, and what was asked is asked again, once.
 */
#ifndef POSTGRES_READER_H
#define POSTGRES_READER_H

#include "db.h"
#include "part.h"
#include <pthread.h>

struct reader_job;

struct reader {
    struct db db;
    const struct store *store; /* for its warnings */
    struct part part;
    char name[72];
    pthread_t thread;
    bool started;
    pthread_mutex_t mutex; /* all below */
    pthread_cond_t changed;
    struct reader_job *first, **last;
    bool ending;
};

/* False: out of memory, or of threads. Connects when it is asked for something first. */
bool reader_start(struct reader *reader, const struct store *store, struct part part,
                  const struct url *url, const struct postgres_timeouts *timeouts,
                  const char *name);
/* Nothing is under way. Also of one that was not started. */
void reader_end(struct reader *reader);

void reader_read(struct reader *reader, struct store_read *read);
void reader_query(struct reader *reader, struct store_query *query);
void reader_trim(struct reader *reader, struct store_trim *trim);

#endif
