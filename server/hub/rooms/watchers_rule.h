/* How much all who look on in a room may say, for one of them. */
#ifndef HUB_WATCHERS_RULE_H
#define HUB_WATCHERS_RULE_H

#include <hub/bucket.h>

struct address;
struct hub;
struct hub_room;

/* Of hub_room.watchers_say: half of it is left to other addresses than who has said the last line.
 */
struct bucket_rule watchers_rule(const struct hub *hub, const struct hub_room *hub_room,
                                 const struct address *address);

#endif
