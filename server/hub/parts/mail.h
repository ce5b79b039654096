/*
 * Letters for this part (hub/letter.h): when they are looked for, applied and dropped.
 *
 *             wanted            take            page            the batch is durable
 *     nothing -----> to be asked ----> asked ---------> applied -------------------> nothing, or
 *                                                                       the next page is asked for
 *
 * One page is under way at a time, from the question until all that it led to is durable. So none
 * is seen again whose end is on its way to the store. The pages of one round follow each other;
 * each round begins with the oldest there is, as letters do not become visible in their order.
 */
#ifndef HUB_MAIL_H
#define HUB_MAIL_H

#include <hub/letter.h>
#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct batch;
struct hub;

/* Letters of a page, which go into one batch. */
enum { MAIL_PAGE = 32, MAIL_TRIES = 3 };

struct mail_failure {
    uint64_t addressee, id;
    unsigned count; /* how often the store has refused what it leads to; 0: none is known */
};

/* Letters that were looked at and could not be applied yet. */
struct mail_waiting {
    size_t count;
    int64_t since_ms; /* when the oldest was sent */
};

struct mail {
    bool wanted;                   /* there may be some: a round begins as soon as it can */
    bool going;                    /* a round is under way */
    bool asked;                    /* a page of it is */
    enum store_letter_state state; /* of those that the round is about */
    bool behind;                   /* the next page is behind `last` */
    struct store_letter last;      /* its text is gone */
    bool left, moved;              /* in this round some were left where they are; some were not */
    int64_t due_ms;                /* when the next round is to begin; INT64_MAX: none is planned */
    int64_t looked_ms;             /* when a round began */
    const struct batch *batch;     /* that has what the last page led to; NULL: none */
    size_t in_batch;               /* letters there */
    struct mail_waiting waiting, found; /* by the last whole round, and by this one */
    struct mail_failure failures[MAIL_PAGE];
    size_t next_failure;
    uint64_t put_back; /* that were set aside, and wait again as somebody knows them now */
    uint64_t sent, applied, set_aside, refused; /* since the start */
    uint64_t crowded; /* what would have led to more of them, and was refused */
};

void mail_init(struct hub *hub);
/* All that is live has been restored: letters are looked for, also those that were set aside as
 * nobody knew them. */
void mail_begin(struct hub *hub);

/* Are those that were set aside left alone, until the store has failed? */
bool mail_leaves_aside(const struct hub *hub);
/* That one is tried as if it never had been. */
void mail_forget_failure(struct hub *hub, const struct store_letter *letter);

/* There may be letters. */
void mail_wake(struct hub *hub);
int64_t mail_deadline_ms(const struct hub *hub);
void mail_tick(struct hub *hub);

/* The page to be asked for; false: none is. And what the store has answered. */
bool mail_take(struct hub *hub, struct store_query *query);
void mail_received(struct hub *hub, const struct store_query *query);

/* The batch is durable, but for what its results refuse: tells other parts of the letters in it. */
void mail_stored(struct hub *hub, const struct batch *batch);
/* The batch has been stored but for what is refused: how much of it, as too many letters wait. */
void mail_count_crowded(struct hub *hub, const struct batch *batch);
/* Nothing of what is in batches is. */
void mail_undone(struct hub *hub);

/* <0: out of memory, or too many in the batch. */
int mail_send(struct hub *hub, const struct kernel_letter *letter);

#endif
