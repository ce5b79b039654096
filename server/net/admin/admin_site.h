/*
 * What the operator is shown of this process beside what the site has (site/operator.h), and its
 * draining.
 */
#ifndef NET_ADMIN_SITE_H
#define NET_ADMIN_SITE_H

#include <hub/admin.h>
#include <net/net.h>

struct served_part;

/* For the `status` of a node: its name, its parts, its keeper and its links. `ctx`: the net. */
void admin_site_status(void *ctx, struct writer *writer);
/* `drain`. What is about to be given back drains already, and goes on. */
enum admin_outcome admin_site_drain(struct net *net, const struct admin_request *request,
                                    struct buffer *line);

#endif
