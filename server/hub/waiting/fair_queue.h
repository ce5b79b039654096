/*
 * A queue towards the store, in which many addresses stand: rooms, rows.
 *
 *     allow --> add --> waits ---- take ----> the store is asked for it ---- leave -->
 *                          '------ gives way: leave -->
 *
 * The store is asked for few at once (FAIR_QUEUE_OUT), so that those that wait have turns: by IPv4
 * address, or by /48. One of these has at most half of the places. When all are taken, the latest
 * of where most are from gives way to somebody from where fewer are, even with this one.
 *
 * What waits is part of a larger struct of whoever adds it, which has what is asked for.
 */
#ifndef HUB_FAIR_QUEUE_H
#define HUB_FAIR_QUEUE_H

#include "limits/origin.h"
#include "limits/turns.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough to keep a store busy; whoever comes waits for no more, and for their turn. */
enum { FAIR_QUEUE_OUT = 8 };

struct hub;

struct queued {
    struct queued *next;
    struct origin origin; /* zeros: nobody's, who neither gives way nor makes others do so */
    uint32_t turn;
    bool taken; /* the store is asked for it */
};

struct fair_queue {
    /* Tells whoever waits, and frees it, which has left the queue; set by read_done.c. */
    void (*gives_way)(struct hub *hub, struct queued *queued);
    struct queued *first; /* those that are taken, then by turns, and in each as they came */
    size_t count, out;
    struct turns turns;
    struct origin_counts origins;
};

/* Is there one of so many places? If *instead gives way, which the caller is to refuse; or NULL. */
bool fair_queue_allow(const struct fair_queue *queue, const struct origin *origin, int64_t most,
                      struct queued **instead);
void fair_queue_add(struct fair_queue *queue, struct queued *queued, const struct origin *origin);
/* It is from there as well: if its turn is earlier so, it is theirs. */
void fair_queue_share(struct fair_queue *queue, struct queued *queued, const struct origin *origin);
/* Whose turn it is; NULL: nobody waits, or the store is asked for enough. */
struct queued *fair_queue_next(const struct fair_queue *queue);
void fair_queue_take(struct fair_queue *queue, struct queued *queued);
void fair_queue_leave(struct fair_queue *queue, struct queued *queued);

#endif
