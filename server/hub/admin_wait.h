/*
 * The one change of the operator that waits: for the store, or for the file of the bans.
 */
#ifndef HUB_ADMIN_WAIT_H
#define HUB_ADMIN_WAIT_H

#include "ban_list.h"
#include <hub/admin_request.h>
#include <stdbool.h>

struct hub;
struct hub_room;

/*
 *     ADMIN_NOTHING --begin--> ADMIN_WAITING --stored, or not--> ADMIN_ANSWERED --taken--> NOTHING
 *                   --save--> ADMIN_SAVING --saved, or not--> NOTHING
 */
enum admin_wait_state { ADMIN_NOTHING, ADMIN_WAITING, ADMIN_ANSWERED, ADMIN_SAVING };

struct admin_wait {
    enum admin_wait_state state;
    bool stored;
    struct admin_request request;
    struct ban_list bans; /* ADMIN_SAVING: as they are to be */
};

/* To be called when all that it waits for is in the batch. */
void admin_wait_begin(struct hub *hub, const struct admin_request *request);
/* The bans are to become these, which are taken over. */
void admin_wait_save(struct hub *hub, const struct admin_request *request, struct ban_list *bans);
void admin_wait_release(struct hub *hub);
/* Says it to those in the room, if there is one. */
void admin_wait_done(struct hub *hub, const struct hub_room *hub_room, bool stored);

#endif
