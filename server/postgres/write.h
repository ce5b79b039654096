/*
 * One batch as one transaction, sent to the database at once: first every op is held against the
 * ends of the logs, then all statements are sent, then all answers are read.
 */
#ifndef POSTGRES_WRITE_H
#define POSTGRES_WRITE_H

#include "db.h"
#include "log_ends.h"
#include "part.h"

struct step {
    size_t op;   /* in the batch */
    int64_t key; /* of its room, if that is live */
};

/* A statement between the first two and the last. */
struct sent {
    size_t op;   /* of which it is */
    bool bounds; /* it fails if the op is not within its bound, by dividing by zero */
};

enum { EVENT_COLUMNS = 10 };

struct writing {
    struct step *steps;
    size_t count, size;
    struct sent *sent;
    size_t sent_count, sent_size;
    struct array columns[EVENT_COLUMNS];
    bool one_by_one; /* events, to find the one that is refused */
};
void writing_release(struct writing *writing);

enum write_result {
    WRITE_OK,
    WRITE_ALREADY, /* a batch of that number was written before */
    WRITE_FENCED,
    WRITE_BEHIND,  /* the database does not know batches that it had committed */
    WRITE_REFUSED, /* because of ops[*at] */
    WRITE_TAKEN,   /* ops[*at] claims what another row has */
    WRITE_CROWDED, /* ops[*at] is not within its bound */
    WRITE_CROSSED, /* it and a batch of another part waited for each other: try again */
    WRITE_FULL,
    WRITE_FAILED,
    WRITE_CORRUPT,
    WRITE_LOST, /* it may have been written or not */
};

/* Prepares the statements of a new connection, which is in pipeline mode from then on. */
enum db_result write_prepare(struct db *db);

struct write_request {
    const struct store_batch *batch; /* what its results refuse is left out */
    struct part part;
    int64_t term, number;
    int64_t *next_key; /* of the next room; those of different parts do not meet */
};

/* *at is set with WRITE_REFUSED, WRITE_TAKEN and WRITE_CROWDED. Changes the ends of the logs, to be
 * kept or taken back. */
enum write_result write_batch(struct db *db, struct writing *writing, struct pg_log_ends *log_ends,
                              const struct write_request *request, size_t *at);

#endif
