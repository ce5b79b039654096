/*
 * How many of the finished matches that are kept come from one network, where there is a bound of
 * all of them (keep_solo_matches, keep_matches): beyond it the oldest go, whoever played them, so
 * one network with enough matches would push out those of all others. So an address or household
 * (origin.h) has a thirty-second of the places, and the widest network an eighth, since half of the
 * time for which such matches are kept; what is made there beyond that goes instead.
 *
 * Matches in which two people have moved are counted too where such are kept without a bound: one
 * person can be both, from one network or from two (a line has an IPv4 address and a /48 as a
 * rule). Those of two networks are nobody's alone, and are counted for the two together, as a
 * network's. What nobody knows any more after a restart is not counted, nor what comes from this
 * machine itself.
 */
#ifndef HUB_KEPT_SHARE_H
#define HUB_KEPT_SHARE_H

#include "limits/origin.h"
#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct hub_room;

enum { KEPT_TOO_MANY_MAX = 256 }; /* that wait to go; of more the rest stays */

struct kept_share {
    struct origin_counts counts;   /* of matches kept, halved now and then */
    uint32_t pairs[ORIGIN_SHARES]; /* the same of two networks, by both */
    int64_t halved_ms;
    char too_many[KEPT_TOO_MANY_MAX][PROTOCOL_ROOM_BYTES + 1]; /* rooms that are to go */
    size_t count;
};

/* A match has been put away from memory, durably. */
void kept_share_note(struct hub *hub, const struct hub_room *hub_room);
bool kept_share_has_named(const struct hub *hub);
/* One that is to go. */
void kept_share_take(struct hub *hub, char room_id[static PROTOCOL_ROOM_BYTES + 1]);
/* The store could not let it go. */
void kept_share_again(struct hub *hub, const char room_id[static PROTOCOL_ROOM_BYTES + 1]);

#endif
