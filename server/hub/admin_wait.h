/*
 * The one request of the operator that waits for the store.
 */
#ifndef HUB_ADMIN_WAIT_H
#define HUB_ADMIN_WAIT_H

#include "operator/admin_letters.h"
#include <hub/admin_request.h>
#include <protocol/buffer.h>
#include <protocol/reply.h>
#include <stdbool.h>

struct hub;
struct hub_room;

/*
 *     ADMIN_NOTHING --begin--> ADMIN_WAITING --stored, or not--> ADMIN_ANSWERED --taken--> NOTHING
 */
enum admin_wait_state { ADMIN_NOTHING, ADMIN_WAITING, ADMIN_ANSWERED };

struct admin_wait {
    enum admin_wait_state state;
    bool stored;
    struct refusal refusal; /* why nothing was done, if that was found out while it waited */
    bool refused;
    struct buffer line; /* the answer, if it is known before; empty: what the change was about */
    struct admin_request request;
    struct admin_letters letters;
    bool page_wanted; /* rows are to be asked for before (admin_feature.h) */
    unsigned page;    /* of those that its feature asks for */
};

/* To be called when all that it waits for is in the batch. */
void admin_wait_begin(struct hub *hub, const struct admin_request *request);
/* That is the answer once it is stored, unless nothing waits any more. Copies it. */
void admin_wait_answer(struct hub *hub, const struct buffer *line);
/* The store has said that there is nothing to be done. */
void admin_wait_refuse(struct hub *hub, const struct refusal *refusal);
/* The same of what is in the batch, whose end it waits for. */
void admin_wait_refuse_later(struct hub *hub, const struct refusal *refusal);
/* Says it to those in the room, if there is one. */
void admin_wait_done(struct hub *hub, const struct hub_room *hub_room, bool stored);
/* Nothing waits any more. */
void admin_wait_end(struct hub *hub);

#endif
