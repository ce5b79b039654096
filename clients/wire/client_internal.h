/*
 * What the three parts of a client share: client.c (the connection), request.c (requests and
 * replies), room.c (subscribed rooms).
 */
#ifndef WIRE_CLIENT_INTERNAL_H
#define WIRE_CLIENT_INTERNAL_H

#include <protocol/encoding.h>
#include <wire/client.h>

enum client_phase {
    CLIENT_OFFLINE, /* waits, or connects */
    CLIENT_GREETING,
    CLIENT_ONLINE,
    CLIENT_FAILED
};

/* A request from the moment it is queued to its reply. */
struct pending {
    struct pending *next;
    int64_t id;
    char *bytes; /* as they are sent */
    size_t len;
    char op[16];
    char room[PROTOCOL_ROOM_BYTES + 1];
    bool sent; /* on the present connection */
    wire_reply_fn *reply;
    void *user;
};

/* Requests may be sent at the server's pace: `level` grows by `per_s` up to `burst`. */
struct bucket {
    double level, per_s, burst;
    uint64_t at_ms;
};

struct wire_client {
    struct wire_carrier carrier;
    struct wire_client_events events;
    void *user;
    struct wire_url url;
    char *name, *token, *program;
    bool is_other; /* `token` is not the one that was kept */
    bool appeals;
    char *pass;                            /* until there is a token; NULL: none */
    char secret[PROTOCOL_TOKEN_BYTES + 1]; /* made up for the use of `pass` */
    enum client_phase phase;
    void *connection;       /* of the carrier; NULL: none */
    uv_timer_t *timer;      /* of the phase: back-off, time for the greeting */
    uv_timer_t *pacer;      /* sends what had to wait */
    uint64_t away_since_ms; /* by the loop's clock, 0: not away */
    int64_t patience_ms, backoff_ms;
    int64_t next_id, hello_id;
    struct pending *first, *last;
    size_t pending_count;
    struct bucket bucket;
    struct wire_room *rooms;
    size_t room_count;
    uint64_t gaps;
};

/* request.c */
void requests_unsent(struct wire_client *client); /* after a cut: all are to be sent again */
void requests_flush(struct wire_client *client);
void requests_last_to_front(struct wire_client *client);
void requests_limits(struct wire_client *client, const json_t *limits);
void requests_charge(struct wire_client *client, size_t answer_bytes);
/* The request that a reply answers, no longer pending; NULL: none, or it goes out once more. */
struct pending *requests_answered(struct wire_client *client, const json_t *reply);
void requests_done(struct pending *request, const json_t *reply); /* its caller is told */
void requests_lost(struct wire_client *client, const char *why);
void requests_release(struct wire_client *client);

/* room.c */
void rooms_reply(struct wire_client *client, const struct pending *request, const json_t *reply);
void rooms_push(struct wire_client *client, const json_t *push);
void rooms_resume(struct wire_client *client);
void rooms_release(struct wire_client *client);

static inline uint64_t client_now_ms(const struct wire_client *client)
{
    return uv_now(client->carrier.loop);
}

/* client.c */
int64_t client_jittered(int64_t ms); /* from half of it up to all of it, by chance */

#endif
