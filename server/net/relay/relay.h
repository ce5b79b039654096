/*
 * The links to other nodes (net/nodes.h): each carries frames, which are messages of their own,
 * both ways, in their order. Knows nodes, sockets and certificates, and no site: the two ends of
 * frames are functions.
 *
 *     relay          connects to other nodes, again and again
 *     relay_accept   the port for the other half of the nodes, and what strangers may cost
 *     relay_conn     a connection in libwebsockets: the proof of both ends, and silence
 *     relay_frames   what goes over it then
 *     relay_end      how it ends
 *     relay_nodes    which nodes there are
 *     relay_tls      files, and what a certificate says
 *
 * It has a libwebsockets of its own on the loop of net: there a name that a client of the page asks
 * for (SNI) leads to no virtual host of the links, and the other way round.
 */
#ifndef NET_RELAY_H
#define NET_RELAY_H

#include <net/net.h>
#include <net/nodes.h>
#include <stdbool.h>
#include <uv.h>

struct relay;

/* Where frames go and come from, as site/site.h has it. */
struct relay_ends {
    void *(*open)(void *ctx, const char *node); /* NULL: no memory */
    /* False: the link is to be closed. */
    bool (*receive)(void *ctx, void *end, const unsigned char *bytes, size_t len);
    unsigned char *(*output)(void *end, size_t *len); /* NULL: nothing waits */
    void (*sent)(void *end);                          /* what `output` gave */
    bool (*broken)(void *end);                        /* the link is to be closed */
    size_t (*queued)(void *end);                      /* bytes that wait */
    void (*close)(void *ctx, void *end);
};

struct relay_limits {
    int64_t strangers;        /* connections at once that have not proven who they are ... */
    int64_t strangers_per_s;  /* ... new ones, from addresses at which no node is known ... */
    int64_t neighbours;       /* ... and both from those of nodes, whom strangers keep not out */
    int64_t neighbours_per_s; /* a burst may be twice as many */
    int64_t proof_ms;         /* for the whole handshake */
    int64_t ping_ms;          /* of silence before a ping, and between pings */
    int64_t silent_ms;        /* a peer that says nothing for so long is dead */
    int64_t stuck_ms;     /* one that takes nothing of what waits for so long is as good as that */
    int64_t units_per_s;  /* of a link: a frame, and each kilobyte; then it is read later */
    int64_t retry_ms;     /* before the first attempt after a failure, then twice as much ... */
    int64_t retry_max_ms; /* ... up to this */
};
extern const struct relay_limits relay_usual;

enum { RELAY_FRAME_MAX = 2 << 20 };

/* `message` says what is wrong. Options, limits and ends are borrowed. */
enum net_result relay_create(uv_loop_t *loop, const struct net_relay_options *options,
                             const struct relay_limits *limits, const struct relay_ends *ends,
                             void *ctx, struct relay **relay, char message[static NET_MESSAGE_MAX]);
/*
 * Closes all links and the port. Then the loop is to run until it is dry, and relay_destroy to be
 * called. Both take NULL.
 */
void relay_close(struct relay *relay);
void relay_destroy(struct relay *relay);

/* These are the nodes now: links to others are closed. This node itself is left out. */
void relay_set_nodes(struct relay *relay, const struct net_relay_node nodes[], size_t count);
/* To be called after each look at the sockets: reads what else has come over the links. */
void relay_read(struct relay *relay);
/* Sends what the ends have. Cheap if they have nothing. */
void relay_flush(struct relay *relay);
/* Reads the files again; new connections use them, and links that they do not allow are closed. */
void relay_reload(struct relay *relay);

/* When the certificate of this node, as it was read last, ends, in seconds since 1970. */
int64_t relay_certificate_s(const struct relay *relay);
unsigned relay_port(const struct relay *relay);
bool relay_is_up(const struct relay *relay, const char *node);
struct net_relay_figures relay_figures(const struct relay *relay);

/* Since the node is known, over all links with it. */
struct relay_traffic {
    uint64_t frames_in, frames_out, bytes_in, bytes_out;
    uint64_t lost; /* links */
};
struct relay_neighbour {
    const char *node; /* borrowed until nodes are set */
    void *end;        /* of the link; NULL: there is none */
    int64_t up_ms;    /* for how long there is one */
    struct relay_traffic traffic;
};
size_t relay_neighbours(const struct relay *relay,
                        struct relay_neighbour list[static NET_RELAY_NODES_MAX]);

#endif
