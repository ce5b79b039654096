/*
 * How many of the finished matches that are kept come from one network, where there is a bound of
 * all of them (keep_solo_matches, keep_matches): beyond it the oldest go, whoever played them, so
 * one network with enough matches would push out those of all others. So an address or household
 * (origin.h) has a thirty-second of the places, and the widest network an eighth, since half of the
 * time for which such matches are kept; what is made there beyond that goes instead.
 *
 * Matches in which people of two networks have moved are nobody's alone, and are not counted; nor
 * is what nobody knows any more after a restart, or what comes from this machine itself. Those of
 * two sessions of one network are counted also where matches of people are kept without a bound:
 * one person can be both.
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
    struct origin_counts counts; /* of matches kept, halved now and then */
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
