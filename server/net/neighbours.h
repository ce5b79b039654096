/* The links of the site to other nodes (relay.h), if there are to be any. */
#ifndef NET_NEIGHBOURS_H
#define NET_NEIGHBOURS_H

#include <net/net.h>
#include <stdbool.h>

struct net_relay_figures;

enum net_result neighbours_open(struct net *net, char message[static NET_MESSAGE_MAX]);
/* The loop is to run until it is dry between both. No effect where nothing was opened. */
void neighbours_close(struct net *net);
void neighbours_release(struct net *net);

/* Brings what the site has for other nodes on its way. */
void neighbours_flush(struct net *net);
void neighbours_reload(struct net *net);
/* False: no links are kept. */
bool neighbours_figures(const struct net *net, struct net_relay_figures *figures);

#endif
