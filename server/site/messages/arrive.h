/* What comes back for a client, by one of its ports. */
#ifndef SITE_ARRIVE_H
#define SITE_ARRIVE_H

#include <hub/facts.h>
#include <stddef.h>

struct hub_head;
struct port;
struct site;

/* Its hub has something for it, or wants it closed. The port may be gone afterwards. */
void arrive(struct site *site, struct port *port);
/* Everything that has come, as its part is about to be lost. The port may be gone afterwards. */
void arrive_rest(struct site *site, struct port *port);
/* The same of a port at the other end of a link. */
void arrive_told(struct site *site, struct port *port, const struct hub_head *head,
                 struct facts facts, const unsigned char *bytes, size_t len);
void arrive_closed(struct site *site, struct port *port, int code);
void arrive_elsewhere(struct site *site, struct port *port, unsigned part); /* hub_elsewhere */

#endif
