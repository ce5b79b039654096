/* Which part a client's message is for; and what waits until it can be sent there. */
#ifndef SITE_ROUTE_H
#define SITE_ROUTE_H

#include <stddef.h>

struct client;
struct site;

void route_message(struct site *site, struct client *client, const char *bytes, size_t len);
/* After something has changed: what waited is tried again in its order, or refused if it is time.
 */
void route_waiting(struct site *site, struct client *client);
void route_all_waiting(struct site *site); /* of all clients */

#endif
