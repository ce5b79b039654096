/*
 * What may be left out: lines of talk, presence, notices. Nobody is closed for what others say.
 *
 * Such a message is not queued to a connection that has more unsent than a share of its outbox,
 * which depends on the message: lines of watchers are left out first, then lines of players and
 * presence, then notices. The same holds for the outboxes of its address, and of all. When most of
 * what was unsent has been read, the connection is told (catch_up.h).
 */
#ifndef HUB_LEFT_OUT_H
#define HUB_LEFT_OUT_H

#include <stdbool.h>
#include <stdint.h>

struct blob;
struct conn;
struct hub;
struct hub_room;

enum left_out {
    LEFT_OUT_WATCHERS_LINE,
    LEFT_OUT_LINE,
    LEFT_OUT_PRESENCE,
    LEFT_OUT_STORE_NOTICE, /* store_failing, store_recovered */
    LEFT_OUT_NOTICE,
};

/* To every subscriber of the room that has place for it. */
void left_out_or_sent(struct hub *hub, const struct hub_room *hub_room, struct blob *blob,
                      enum left_out what);
/* The same, but not to who is not to hear that session. */
void left_out_or_said(struct hub *hub, const struct hub_room *hub_room, uint64_t speaker,
                      struct blob *blob, enum left_out what);
/* A notice about no room, to one connection. */
void left_out_or_noticed(struct hub *hub, struct conn *conn, struct blob *blob);

/* Has it, its address and the hub no more unsent than this part of what there may be? */
bool left_out_has_place(const struct hub *hub, const struct conn *conn, int64_t share);
/* Of what was left out for a subscription. */
static inline uint8_t left_out_mark(enum left_out what)
{
    return (uint8_t)(1U << what);
}

#endif
