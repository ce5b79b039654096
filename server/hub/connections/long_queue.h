/*
 * Long answers (records, pasts, views, lists) that have to wait because what the server has for
 * them is used up (price.h): they are made in turn by address, as there is something again.
 *
 * When the queue is full, whoever waits last makes room for who would come before: that is one of
 * the address that has most waiting. A request that waits is answered, or refused with `slow_down`,
 * or its connection is gone.
 */
#ifndef HUB_LONG_QUEUE_H
#define HUB_LONG_QUEUE_H

#include "limits/turns.h"
#include <hub/hub.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conn;
struct hub;

struct long_waiting {
    struct long_waiting *next;
    uint32_t turn;
    uint16_t share;
    struct hub_peer peer;
    struct request request; /* without options and passkey */
};

struct long_queue {
    struct long_waiting *first; /* by turns */
    size_t count;
    struct turns turns;
};

/* May the connection be answered now? Not before what it has asked, and what waits. */
bool long_queue_passes(const struct hub *hub, const struct conn *conn);
/*
 * The request waits; it is copied. False: it has no place there, or there is no memory. *instead,
 * the caller's, has lost its place and is to be refused; NULL: nobody has.
 */
bool long_queue_add(struct hub *hub, const struct conn *conn, const struct request *request,
                    struct long_waiting **instead);
/* Takes out whose turn it is, for the caller to answer and free. NULL: nobody may be answered. */
struct long_waiting *long_queue_take(struct hub *hub);
/* Takes out a `watch` of that connection, for the caller to refuse and free. NULL: none waits. */
struct long_waiting *long_queue_take_watch(struct hub *hub, const struct conn *conn);
/* The peer is gone. */
void long_queue_forget(struct hub *hub, struct hub_peer peer);
int64_t long_queue_deadline_ms(const struct hub *hub); /* INT64_MAX: nobody waits */
void long_queue_release(struct hub *hub);

#endif
