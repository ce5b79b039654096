/*
 * Connections: slots with generations, outboxes, and the mark that a connection is to be closed.
 */
#ifndef HUB_CONN_H
#define HUB_CONN_H

#include "blob.h"
#include "timer.h"
#include <hub/bucket.h>
#include <hub/hub.h>
#include <protocol/buffer.h>
#include <stdbool.h>
#include <stdint.h>

struct address;
struct hub;
struct session;
struct subscription;

enum {
    CLOSE_NOT_UTF8 = 1007,
    CLOSE_TOO_LONG = 1009,
    CLOSE_SERVER_FAULT = 1011,
    CLOSE_RESTART = 1012,
    CLOSE_FULL = 1013,
    CLOSE_NO_HELLO = 4001,
    CLOSE_SLOW_READER = 4002,
    CLOSE_FLOOD = 4003,
    CLOSE_IDLE = 4004,
    CLOSE_BANNED = 4005,
    CLOSE_DEVICE_ENDED = 4006,
};

/* A ring of blobs. */
struct outbox {
    struct blob **ring;
    uint32_t first, count, size;
    uint32_t bytes;
};

/*
 *      FREE --conn_open--> OPEN --conn_close--> CLOSING
 *        ^                  |                      |
 *        '----------------- conn_free -------------'
 */
enum conn_state {
    CONN_FREE,    /* a slot that is nobody's */
    CONN_OPEN,    /* requests are taken from it, messages sent to it */
    CONN_CLOSING, /* marked: nothing is taken or sent any more; has a close_code */
};

struct conn {
    struct hub_peer peer;
    struct session *session;
    struct conn *session_next;
    uint32_t device; /* of the session: that it came with */
    uint8_t scopes;  /* enum protocol_scope: what it may ask */
    struct address *address;
    struct subscription *subscriptions;
    struct outbox outbox;
    uint32_t pending_bytes;       /* of answers that wait for the store; at most half an outbox */
    struct bucket rate, refusals; /* requests; slow_down beyond their rate */
    struct timer timer;           /* hello, then idle */
    int64_t opened_ms;
    int64_t active_ms;                    /* last request */
    int64_t hello_due_ms;                 /* until when it may be without; 0: as long as all */
    int64_t probed_ms;                    /* see probe.h; 0: it has answered since */
    uint64_t received_bytes, sent_bytes;  /* of messages */
    struct conn *ready_next, *ready_prev; /* in the queue of the ready; ready_next: of the free */
    struct conn *marked_next;
    uint16_t subscription_count;
    uint16_t close_code; /* 0, or why it is CONN_CLOSING */
    uint8_t elsewhere;   /* 1 and the part where its hello is answered; 0: here */
    enum conn_state state;
    bool left_out;         /* it has a subscription with some left out, or notices; left_out.h */
    bool notices_left_out; /* about no room */
    bool kept;             /* it is not idle (hub_keep) */
    bool quiet;            /* it says and hears nothing (hub_set_quiet) */
    bool probe_wanted;     /* it is to be asked for a sign of life */
    bool hurries;          /* there is something in its outbox that it waits for (hub_hurries) */
    bool ready; /* in the queue of those that have something to be written, or are to be closed */
};

struct conns {
    struct conn **slabs;
    unsigned char **states; /* what features have of each, by slab; NULL: nothing */
    uint32_t slab_count;
    struct conn *free;
    uint32_t count;
    struct conn *ready_first, *ready_last;
    struct conn *marked; /* to be closed */
    size_t outbox_bytes; /* of all */
};

/* NULL: no connection has this handle any more. */
struct conn *conn_of(const struct hub *hub, struct hub_peer peer);

/* Where what features have of it begins; zeros when it is opened. */
unsigned char *conn_states(const struct hub *hub, const struct conn *conn);

/* NULL: all slots are in use, or no memory. */
struct conn *conn_open(struct hub *hub, const uint8_t ip[static 16]);
/* The slot is free again. It has been detached. */
void conn_free(struct hub *hub, struct conn *conn);
/* All that are open: `*at` starts as 0. */
struct conn *conn_next(const struct hub *hub, uint32_t *at);
/* All of them have been detached. */
void conns_release(struct hub *hub);

/*
 * Marks it: nothing more is taken from it or sent to it; what is in its outbox still is, except to
 * a slow reader. The first code counts.
 */
void conn_close(struct hub *hub, struct conn *conn, int code);
void conns_close(struct hub *hub, int code); /* all that are open */
/* Its hello is answered in that part, so that it is no client that is closed. */
void conn_redirect(struct hub *hub, struct conn *conn, unsigned part);

/* Takes a reference of its own. Beyond config.outbox_bytes the connection is closed (4002). */
void conn_send(struct hub *hub, struct conn *conn, struct blob *blob);
/* The same of an event, to one that only looks on. */
void conn_send_watcher(struct hub *hub, struct conn *conn, struct blob *blob);
/* Sends what is in the buffer and gives up the reference; a failed buffer closes (1011). */
void conn_send_buffer(struct hub *hub, struct conn *conn, struct buffer *buffer,
                      const struct hub_head *head);

struct blob *conn_first(const struct conn *conn); /* NULL: nothing unsent */
void conn_sent(struct hub *hub, struct conn *conn);
struct conn *conn_pop_ready(struct hub *hub);
/* Whoever writes to it is to ask it for a sign of life (probe.h). */
void conn_want_probe(struct hub *hub, struct conn *conn);

void conn_arm_timer(struct hub *hub, struct conn *conn);
void conn_due(struct hub *hub, struct conn *conn);

#endif
