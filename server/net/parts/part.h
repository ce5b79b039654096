/*
 * A part that is served: its hub, and what stands around it.
 */
#ifndef NET_PART_H
#define NET_PART_H

#include <hub/pacing.h>
#include <net/net.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct checker;
struct worker;

/*
 * parts.c:
 *
 *     SERVING --to be given back--> DRAINING --stored, or takes long--> LEFT --stored--+
 *        |                             |                                 |             |
 *        '--------- its store is of no use, or it takes too long --------'--> ENDING <-'
 *                                                                               |
 *                 gone <-- its threads have ended -- JOINING <--nothing is out--'
 */
enum part_state {
    PART_SERVING,
    PART_DRAINING, /* of a lone server: nothing new is begun */
    PART_LEFT,     /* it has no clients any more; what they have done is being stored */
    PART_ENDING,   /* what was given to threads comes back */
    PART_JOINING,
};

struct served_part {
    struct net *net;
    struct served_part *next;
    struct net_part its; /* as the caller gave it */
    struct hub *hub;     /* of `its` */
    struct worker *worker;
    struct checker *checker;
    struct pacing pacing;  /* of commits */
    uint64_t serial;       /* of all that were ever served */
    int64_t ticked_ms;     /* its hub, last */
    size_t thinking;       /* of its questions, how many are with the thinkers */
    bool lease_lost;       /* lease.c: something may have been held back since */
    int64_t lease_from_ms; /* by net_clock_boot_ms */
    enum part_state state;
    int64_t leave_ms, end_ms; /* when the state is left even if not everything is stored */
    enum store_result why;    /* it ends */
    uv_work_t joining;
};

/* NULL: out of memory, or no threads. */
struct served_part *part_create(struct net *net, const struct net_part *part);
/* Ends its threads, which may take as long as its store takes. */
void part_join(struct served_part *part);
/* It was joined. */
void part_free(struct served_part *part);

/* NULL: it has ended. */
struct served_part *part_find(const struct net *net, uint64_t serial);

/* Does its hub still begin something? */
static inline bool part_works(const struct served_part *part)
{
    return part->state <= PART_DRAINING;
}

/* May its hub still have something to store? */
static inline bool part_stores(const struct served_part *part)
{
    return part->state <= PART_LEFT;
}

#endif
