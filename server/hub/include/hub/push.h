/*
 * Web Push: people are told that it is their turn while no client of theirs watches the match.
 *
 * A feature decides who is to be told and when, and keeps where their browsers take messages; it
 * knows no socket and no cryptography. Threads of the hub's caller send:
 *
 *     loop: hub_push_take --> a thread posts to the push service --> loop: hub_push_done
 *
 * There is one message for a turn and a browser. It is due config.push_after_ms after the turn
 * began, if the match is slow: it has no clock, or one that gives push_slow_s or more for a move.
 * Nothing is sent if the player has moved by then or watches the room. What is due while the server
 * is down is not sent.
 */
#ifndef HUB_PUSH_H
#define HUB_PUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

enum {
    HUB_PUSH_ENDPOINT_MAX = 512,
    HUB_PUSH_POINT_BYTES = 65,
    HUB_PUSH_AUTH_BYTES = 16,
    HUB_PUSH_TEXT_MAX = 1024,
};

/* Part of hub_env; outlives the hub. */
struct hub_push {
    const char *key; /* the server's public key, as browsers want it */
    /* May messages be sent to this endpoint? It is not longer than HUB_PUSH_ENDPOINT_MAX. */
    bool (*allowed)(void *ctx, const char *endpoint);
    void *ctx;
};

/* One message. */
struct hub_push_job {
    uint64_t ticket;
    char endpoint[HUB_PUSH_ENDPOINT_MAX + 1];
    uint8_t point[HUB_PUSH_POINT_BYTES];
    uint8_t auth[HUB_PUSH_AUTH_BYTES];
    char topic[9]; /* a later message with the same one takes the place of this one */
    char text[HUB_PUSH_TEXT_MAX]; /* JSON, see protocol/README.md */
    size_t text_len;
};

enum hub_push_outcome {
    HUB_PUSH_TAKEN,   /* by the push service */
    HUB_PUSH_GONE,    /* the browser takes no messages any more: it is forgotten */
    HUB_PUSH_REFUSED, /* for good */
    HUB_PUSH_LATER,   /* not now: it is tried again, a few times */
    HUB_PUSH_OUTCOMES
};

/* The next one that is due; false: none is, or config.push_at_once are under way. */
bool hub_push_take(struct hub *hub, struct hub_push_job *job, int64_t now_ms);
/* Once for each that was taken. `retry_after_ms`: what the service asks for; 0: nothing. */
void hub_push_done(struct hub *hub, uint64_t ticket, enum hub_push_outcome outcome,
                   int64_t retry_after_ms, int64_t now_ms);

#endif
