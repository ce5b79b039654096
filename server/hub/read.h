/*
 * Finished rooms that have left the memory: fetched from the store when somebody asks for one, and
 * the requests that wait for it.
 */
#ifndef HUB_READ_H
#define HUB_READ_H

#include "call.h"

/* The call goes on when its room has been fetched; or is refused. */
void read_wait(const struct call *call);
/* The same for a record over HTTP. False: too many wait. */
bool read_wait_http(struct hub *hub, const char *room_id, uint64_t ticket);
void reads_release(struct hub *hub);

#endif
