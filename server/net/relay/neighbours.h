/* The links of the site to other nodes (relay.h), if there are to be any. */
#ifndef NET_NEIGHBOURS_H
#define NET_NEIGHBOURS_H

#include "relay.h"
#include <net/net.h>
#include <stdbool.h>

enum net_result neighbours_open(struct net *net, char message[static NET_MESSAGE_MAX]);
/* The loop is to run until it is dry between both. No effect where nothing was opened. */
void neighbours_close(struct net *net);
void neighbours_release(struct net *net);

/* After each look at the sockets: reads what else has come from other nodes. */
void neighbours_read(struct net *net);
/* Brings what the site has for other nodes on its way. */
void neighbours_flush(struct net *net);
void neighbours_reload(struct net *net);
/* When the certificate of this node ends, in seconds since 1970; 0: no links are kept. */
int64_t neighbours_certificate_s(const struct net *net);
/* False: no links are kept. */
bool neighbours_figures(const struct net *net, struct net_relay_figures *figures);

struct neighbour {
    struct relay_neighbour link;
    size_t queued;                    /* bytes that wait for it */
    uint64_t relayed_out, relayed_in; /* messages of clients here and there, since it is up */
};
/* How many other nodes are known; 0 also if no links are kept. */
size_t neighbours_list(const struct net *net, struct neighbour list[static NET_RELAY_NODES_MAX]);

#endif
