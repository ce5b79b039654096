/* What guests are told of a room in all, held against what `past` says that they were to be told.
 */
#ifndef TOLD_H
#define TOLD_H

#include "nodes.h"

json_t *told_events(int guest); /* as they came */
void told_release(void);
/* Takes all that has come; the room's events are kept. */
void told_listen(struct nodes *nodes, const char *room, int guest);
/* They are as `past` has them, from the first that came to the last that there is. */
void told_check(struct nodes *nodes, const char *room, int guest);

/* The only reply to that request, a new reference; its error, "" if it was done. */
json_t *told_reply(struct nodes *nodes, int guest, int64_t id);
void told_check_reply(struct nodes *nodes, int guest, int64_t id, const char *error);

/* A guest of node 0 who is at home in that part. */
int guest_of_part(struct nodes *nodes, unsigned part, const char *name);

#endif
