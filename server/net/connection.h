/*
 * One socket that was accepted, and what every protocol on it shares: counting, writing, ending.
 *
 *     accepted -> CONNECTION_REQUEST <--keep-alive--> CONNECTION_ANSWER ----+
 *                      |                                        | last answer written
 *                      +--upgrade--> CONNECTION_WS --close frame----> CONNECTION_ENDING --peer
 * closes--> gone
 *                                                               |
 *     from every state: too slow, silent, dead, or to make room +----------> CONNECTION_CUT ----->
 * gone
 *
 * Connections in CONNECTION_WS are found by the index of their hub_peer. All others are on one
 * list, which is looked through at every sweep for those whose time is over.
 */
#ifndef NET_CONNECTION_H
#define NET_CONNECTION_H

#include "sockets/address.h"
#include "ws/ws_frame.h"
#include <hub/address_turns.h>
#include <hub/bucket.h>
#include <hub/hub.h>

struct answer;
struct lws;
struct net;
struct upload;

enum connection_state {
    CONNECTION_REQUEST, /* HTTP: a request is waited for, or a part of it or of its body is here */
    CONNECTION_ANSWER,  /* HTTP: its answer is waited for or being sent */
    CONNECTION_WS,      /* a WebSocket that the hub knows */
    CONNECTION_ENDING,  /* the last bytes go out, nothing more is read, the peer is to close */
    CONNECTION_CUT,     /* will be destroyed before the loop waits again */
};

struct connection {
    struct net *net;
    struct lws *wsi;                 /* NULL until libwebsockets has taken the socket */
    struct connection *next, **back; /* the list of those whose time is limited */
    struct address address;          /* as far as known, behind proxies */
    int64_t since_ms; /* REQUEST: waits; ANSWER: last progress; WS: last input; ENDING: began */
    enum connection_state state;
    bool proxied; /* it came from a trusted proxy */
    bool quiet;   /* WS: it has come to a name where nobody talks */
    bool is_http; /* it counts among the HTTP connections, and, if not proxied, those of its address
                   */
    bool deaf;    /* WS: its input is ignored, as it is to be closed */
    bool probed;  /* WS: the hub waits for a sign of life */
    bool paused;  /* nothing is read while what was written waits for the kernel */
    bool shut;    /* no more will be written, and the peer knows */
    struct address_turn turn; /* while something of it is set aside */
    unsigned char *unread;    /* that, or NULL */
    uint32_t unread_len;
    bool *destroyed; /* set when it is, while it is being adopted */
    uint16_t input_len, input_size;
    char *input; /* HTTP: requests not yet read; WS: a message that is in pieces; or NULL */

    struct answer *answer; /* HTTP */
    struct upload *upload; /* HTTP, of a request whose body is not all here; or NULL */
    size_t held;           /* of memory for these alone; counted in net->connections.http_bytes */
    struct hub_peer peer;  /* WS; {0, 0} if the hub does not know it */
    struct ws_reader reader;
    struct bucket controls; /* control frames of the peer */
};

/* NULL: out of memory. It is on the list. */
struct connection *connection_create(struct net *net, const struct address *address, bool proxied);
/* Its answer and its peer must have been forgotten. */
void connection_destroy(struct connection *connection);

/* Upgraded: it counts among HTTP connections no longer and its time is no longer limited. */
void connection_leave_http(struct connection *connection);

/* Keeps bytes of the peer for later; false: out of memory, or more than `most` in all. */
bool connection_keep_input(struct connection *connection, const void *bytes, size_t len,
                           size_t most);
void connection_drop_input(struct connection *connection,
                           size_t len); /* the first `len` bytes of it */

/*
 * Sets aside what has come from it, behind what already is: it is not listened to until that is
 * taken. It has its turn in net->connections.unread, among its group. False: out of memory, and
 * nothing has changed.
 */
bool connection_set_aside(struct connection *connection, uint8_t group, const unsigned char *bytes,
                          size_t len);
struct connection *connection_of_turn(struct address_turn *turn);
/* What was set aside of the one whose turn it is, for the caller to free. */
struct connection *connection_take_unread(struct address_turn *turn, unsigned char **bytes,
                                          size_t *len);

/* Memory for what is asked by HTTP, counted until it is let go of. */
void connection_hold(struct connection *connection, size_t len);
void connection_let_go(struct connection *connection);

/*
 * Hands bytes to the kernel. What it does not take at once is copied and sent later; until then
 * nothing is read from the peer, so that it cannot cause unlimited output. False: dead, and cut.
 */
bool connection_write(struct connection *connection, const unsigned char *bytes, size_t len);
bool connection_is_writing(
    const struct connection *connection); /* something waits for the kernel */
/* Asks for an event when nothing waits any more. */
void connection_ask_writable(struct connection *connection);
/* When the socket has become writable: false if something still waits. */
bool connection_resume(struct connection *connection);

/* When all is written, tells the peer that it was the last. */
void connection_end(struct connection *connection);
void connection_cut(struct connection *connection); /* at once */

#endif
