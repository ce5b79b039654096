/*
 * The links of a node to the other nodes of its site, as the program that starts it sees them.
 *
 * Two nodes have one link: a WebSocket (taluva.relay.2) over TLS in which both prove who they are,
 * by certificates that the site's own CA has issued and that have the node's name as a DNS name.
 * The node whose name comes first in byte order connects to the other.
 *
 * Nodes that have no subprotocol in common have no link: who connects is refused (`request`), says
 * so and tries again, and players at the one do not reach the parts of the other. So a version
 * that speaks another one (site/links/frame.h says when that must be) offers and takes both.
 */
#ifndef NET_NODES_H
#define NET_NODES_H

#include <stddef.h>
#include <stdint.h>

enum {
    NET_RELAY_NODES_MAX = 64, /* of a site, without this one */
    NET_RELAY_NAME_MAX = 63,
    NET_RELAY_ADDRESS_MAX = 255,
};

/* Strings are borrowed; none is NULL. */
struct net_relay_options {
    const char *name;       /* of this node: letters, digits, '-' and '.' */
    const char *listen;     /* "ADDRESS:PORT"; port 0: any free */
    const char *cert, *key; /* PEM files: this node's, for both directions */
    const char *ca;         /* PEM file: who issues the certificates of nodes */
};

struct net_relay_node {
    const char *name, *address; /* "ADDRESS:PORT" or "[ADDRESS]:PORT", in numbers */
};

/* Why a connection to the relay port came to nothing. */
#define NET_RELAY_REFUSALS(ROW)                                                                    \
    ROW(RATE, "rate")               /* too many at a time, before anything is read */              \
    ROW(FULL, "full")               /* too many that have not proven who they are */               \
    ROW(HANDSHAKE, "handshake")     /* ended before it had: no TLS, no certificate, no request */  \
    ROW(CERTIFICATE, "certificate") /* not of this CA, expired, or for something else */           \
    ROW(NAME, "name")               /* it is another one's */                                      \
    ROW(UNKNOWN, "unknown")         /* not a node of the site */                                   \
    ROW(ROLE, "role")               /* a node that is to be connected to, not to connect */        \
    ROW(REQUEST, "request")         /* not for a link */                                           \
    ROW(SLOW, "slow")               /* time was over before it had proven who it is */             \
    ROW(MEMORY, "memory")
enum net_relay_refusal {
#define NET_RELAY_REFUSAL(id, name) RELAY_REFUSED_##id,
    NET_RELAY_REFUSALS(NET_RELAY_REFUSAL)
#undef NET_RELAY_REFUSAL
        RELAY_REFUSALS
};
extern const char *const net_relay_refusal_names[RELAY_REFUSALS];

struct net_relay_figures {
    uint64_t nodes, links, queued_bytes; /* now: known, linked; what waits for links */
    uint64_t opened, lost, replaced;     /* links, since the start */
    uint64_t dialled, unreachable;       /* attempts of ours, and those that came to nothing */
    uint64_t refused[RELAY_REFUSALS];
    uint64_t accept_failures; /* of the system; each was followed by a pause */
    uint64_t frames_in, frames_out, bytes_in, bytes_out;
};

#endif
