/*
 * One socket that was accepted, and what every protocol on it shares: counting, writing, ending.
 *
 *     accepted -> LINK_REQUEST <--keep-alive--> LINK_ANSWER ----+
 *                      |                                        | last answer written
 *                      +--upgrade--> LINK_WS --close frame----> LINK_ENDING --peer closes--> gone
 *                                                               |
 *     from every state: too slow, silent, dead, or to make room +----------> LINK_CUT -----> gone
 *
 * Links in LINK_WS are found by the index of their hub_peer. All others are on one list, which is
 * looked through at every sweep for those whose time is over.
 */
#ifndef NET_LINK_H
#define NET_LINK_H

#include "sockets/address.h"
#include "ws/ws_frame.h"
#include <hub/bucket.h>
#include <hub/hub.h>

struct answer;
struct lws;
struct net;
struct upload;

enum link_state {
    LINK_REQUEST, /* HTTP: a request is waited for, or a part of it or of its body is here */
    LINK_ANSWER,  /* HTTP: its answer is waited for or being sent */
    LINK_WS,      /* a WebSocket that the hub knows */
    LINK_ENDING,  /* the last bytes go out, nothing more is read, the peer is to close */
    LINK_CUT,     /* will be destroyed before the loop waits again */
};

struct link {
    struct net *net;
    struct lws *wsi;           /* NULL until libwebsockets has taken the socket */
    struct link *next, **back; /* the list of those whose time is limited */
    struct address address;    /* as far as known, behind proxies */
    int64_t since_ms; /* REQUEST: waits; ANSWER: last progress; WS: last input; ENDING: began */
    enum link_state state;
    bool proxied;    /* it came from a trusted proxy */
    bool is_http;    /* it counts among the HTTP links, and, if not proxied, those of its address */
    bool deaf;       /* WS: its input is ignored, as it is to be closed */
    bool probed;     /* WS: the hub waits for a sign of life */
    bool paused;     /* nothing is read while what was written waits for the kernel */
    bool shut;       /* no more will be written, and the peer knows */
    bool *destroyed; /* set when it is, while it is being adopted */
    uint16_t input_len, input_size;
    char *input; /* HTTP: requests not yet read; WS: a message that is in pieces; or NULL */

    struct answer *answer; /* HTTP */
    struct upload *upload; /* HTTP, of a request whose body is not all here; or NULL */
    size_t held;           /* of memory for these alone; counted in net->links.http_bytes */
    struct hub_peer peer;  /* WS; {0, 0} if the hub does not know it */
    struct ws_reader reader;
    struct bucket controls; /* control frames of the peer */
};

/* NULL: out of memory. It is on the list. */
struct link *link_create(struct net *net, const struct address *address, bool proxied);
/* Its answer and its peer must have been forgotten. */
void link_destroy(struct link *link);

/* Upgraded: it counts among HTTP links no longer and its time is no longer limited. */
void link_leave_http(struct link *link);

/* Keeps bytes of the peer for later; false: out of memory, or more than `most` in all. */
bool link_keep_input(struct link *link, const void *bytes, size_t len, size_t most);
void link_drop_input(struct link *link, size_t len); /* the first `len` bytes of it */

/* Memory for what is asked by HTTP, counted until it is let go of. */
void link_hold(struct link *link, size_t len);
void link_let_go(struct link *link);

/*
 * Hands bytes to the kernel. What it does not take at once is copied and sent later; until then
 * nothing is read from the peer, so that it cannot cause unlimited output. False: dead, and cut.
 */
bool link_write(struct link *link, const unsigned char *bytes, size_t len);
bool link_is_writing(const struct link *link); /* something waits for the kernel */
/* Asks for an event when nothing waits any more. */
void link_ask_writable(struct link *link);
/* When the socket has become writable: false if something still waits. */
bool link_resume(struct link *link);

/* When all is written, tells the peer that it was the last. */
void link_end(struct link *link);
void link_cut(struct link *link); /* at once */

#endif
