/*
 * The operator's Unix socket: who may ask, lines in, lines out, one request at a time for each
 * connection. What is asked is the site's (site/operator.h); protocol/admin.md describes the lines.
 *
 * The kernel says who is at the other end. Root, the server's own user and members of its group
 * may ask, whatever the mode of the socket. Who does not read the answer in time is cut, and when
 * there are too many connections the one that has been idle longest makes room.
 */
#ifndef NET_ADMIN_H
#define NET_ADMIN_H

#include <net/net.h>

/*
 * Listens at options->admin, unless that is NULL. A socket that a dead server has left there is
 * replaced. A socket that nobody asked for is not worth failing for: then it is logged only.
 */
enum net_result admin_open(struct net *net, char message[NET_MESSAGE_MAX]);
/* Gives out the answer that waited, if it is there. */
void admin_pump(struct net *net);
void admin_close(struct net *net); /* and all connections; also what was never opened */

#endif
