/*
 * What the files of relay share. Who calls whom:
 *
 *     relay -> relay_accept -> relay_conn -> relay_frames -> relay_end -> relay_nodes
 *                              relay_conn -> relay_tls
 */
#ifndef NET_RELAY_PRIVATE_H
#define NET_RELAY_PRIVATE_H

#include "relay.h"
#include "relay_tls.h"
#include "sockets/acceptor.h"
#include "sockets/listen_address.h"
#include <hub/bucket.h>
#include <uv.h>

#define RELAY_SUBPROTOCOL "taluva.relay.2"

enum {
    RELAY_TICK_MS = 100,
    RELAY_MESSAGE_BYTES = 16000, /* with what WebSocket and TLS add, one record */
    RELAY_RECORDS_A_TURN = 256,  /* that are read of a link */
    RELAY_SAID_MS = 30000,       /* before the same is logged again */
    RELAY_LISTENERS_MAX = LISTEN_ADDRESSES_MAX,
};

struct lws;
struct lws_context;
struct lws_vhost;
struct relay;

struct relay_node {
    char name[NET_RELAY_NAME_MAX + 1];
    char host[INET6_ADDRSTRLEN]; /* "": its address is none */
    uint16_t port;
    bool listed;              /* while a new list is read */
    struct relay_conn *link;  /* NULL: none */
    struct relay_conn *trial; /* of ours, under way */
    int64_t due_ms, wait_ms;  /* when it is tried again, and how long after that one */
    int64_t said_ms;          /* when it was logged last that it cannot be reached */
    struct relay_traffic traffic;
};

/*
 *     connected, or accepted -> RELAY_PROVING --both are who they say--> RELAY_LINK --+
 *                                    |                                               |
 *                                    +----------------> RELAY_GONE <-----------------+
 *
 * A connection that is gone waits for libwebsockets to let go of it.
 */
enum relay_state { RELAY_PROVING, RELAY_LINK, RELAY_GONE };

struct relay_conn {
    struct relay *relay;
    struct relay_conn *next, **self;
    struct lws *wsi;
    bool *destroyed; /* set when it is */
    enum relay_state state;
    bool dialled, near;      /* by us; from an address at which a node is known */
    bool counted;            /* among those that have not proven who they are */
    struct relay_node *node; /* NULL: not known yet */
    void *end;               /* of the link, see struct relay_ends */
    int64_t ticks, silent;   /* since it began, and since something came */
    int64_t stuck;           /* in ticks: nothing of what waits has gone out */
    int64_t units;           /* may be read until the next tick */
    bool paused;
    bool received; /* since relay_conn_read: there may be more */
    enum net_relay_refusal refusal;
    char why[96]; /* "": nothing is known */
    unsigned char *input;
    size_t input_len, input_size;
};

struct relay {
    uv_loop_t *loop;
    const struct net_relay_options *options;
    const struct relay_limits *limits;
    const struct relay_ends *ends;
    void *ctx;
    struct lws_context *lws;
    struct lws_vhost *vhost;
    struct relay_tls tls;
    SSL_CTX *client, *server; /* the second is libwebsockets' */
    struct relay_node *nodes[NET_RELAY_NODES_MAX];
    size_t nodes_count;
    struct relay_conn *conns;
    struct acceptor listeners[RELAY_LISTENERS_MAX];
    size_t listeners_count;
    uv_timer_t tick;
    bool timed, closing;
    int64_t unproven[2]; /* of strangers, of neighbours */
    struct bucket arrivals[2], said;
    uint64_t unsaid;
    struct net_relay_figures figures;
};

#endif
