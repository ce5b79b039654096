/*
 * What a node needs for its links, looked at without being one: its files, the address at which it
 * is to be listened, the other nodes. For `taluvad check-node`; everything here waits.
 */
#ifndef NET_PROBE_H
#define NET_PROBE_H

#include <net/net.h>
#include <net/nodes.h>
#include <stdbool.h>

struct net_probe;

/* Reads the files. NULL: `message` says what is wrong with them. Options are borrowed. */
struct net_probe *net_probe_create(const struct net_relay_options *options,
                                   char message[static NET_MESSAGE_MAX]);
void net_probe_destroy(struct net_probe *probe); /* takes NULL */

/* When the certificate ends, in seconds since 1970. */
int64_t net_probe_certificate_s(const struct net_probe *probe);
/* Why other nodes will not believe it, as text that stays valid; NULL: they will. */
const char *net_probe_why_not(const struct net_probe *probe);

/* Listens where the node is to. False: `message` says why it cannot. */
bool net_probe_listen(struct net_probe *probe, char message[static NET_MESSAGE_MAX]);
/* Waits for somebody who connects and proves to be one of these; its place, -1: nobody did. */
int net_probe_take(struct net_probe *probe, const struct net_relay_node nodes[], size_t count,
                   int64_t wait_ms);

/* Connects to a node: each proves who it is. False: `message` says why that fails. */
bool net_probe_dial(struct net_probe *probe, const struct net_relay_node *node, int64_t wait_ms,
                    char message[static NET_MESSAGE_MAX]);

#endif
