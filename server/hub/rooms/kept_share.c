#include "kept_share.h"

#include "hub_private.h"
#include "hub_room.h"
#include "limits/origin.h"
#include <assert.h>
#include <room/result.h>
#include <string.h>

enum {
    OF_HOUSEHOLD = 32, /* that part of all places, but at least so many */
    LEAST = 8,
    OF_NETWORK = 8,
    DAY_MS = 24 * 3600 * 1000,
};

/* Of this part: the places that networks have shares of. Of matches in which two have met there may
 * be any number; then the shares are those of matches without. 0: of these there may be too. */
static uint64_t places_for(const struct hub *hub, bool met)
{
    const uint64_t all = (uint64_t)hub->config.keep_matches;
    const uint64_t solo = (uint64_t)hub->config.keep_solo_matches;
    const uint64_t most = all && (met || !solo || all < solo) ? all : solo;
    return (most + hub->env.parts - 1) / hub->env.parts;
}

static uint64_t share_of(uint64_t all, int width)
{
    const uint64_t share = all / (width == ORIGIN_WIDEST ? OF_NETWORK : OF_HOUSEHOLD);
    return share > LEAST ? share : LEAST;
}

static bool has_share(const struct origin_counts *counts, const struct origin *origin, uint64_t all)
{
    for (int width = 0; width < ORIGIN_WIDTHS; width++) {
        if (counts->of[width][origin->at[width]] >= share_of(all, width))
            return false;
    }
    return true;
}

/* What is kept goes by age too: so nobody is held to what they played for ever. */
static void halve_counts(struct hub *hub)
{
    enum { HALF_OF_DEFAULT = 45 };
    const int64_t half_days = (hub->config.keep_solo_days + 1) / 2;
    const int64_t half_ms = (half_days ? half_days : HALF_OF_DEFAULT) * (int64_t)DAY_MS;
    struct kept_share *kept = &hub->kept_share;
    if (kept->halved_ms == 0)
        kept->halved_ms = hub->now_ms;
    if (hub->now_ms - kept->halved_ms < half_ms)
        return;
    kept->halved_ms = hub->now_ms;
    for (int width = 0; width < ORIGIN_WIDTHS; width++) {
        for (size_t at = 0; at < ORIGIN_SHARES; at++)
            kept->counts.of[width][at] /= 2;
    }
    for (size_t at = 0; at < ORIGIN_SHARES; at++)
        kept->pairs[at] /= 2;
}

/* Whichever of the two has made the room. */
static size_t pair_of(uint16_t one, uint16_t other)
{
    const uint32_t lower = one < other ? one : other, higher = one < other ? other : one;
    return (lower * UINT32_C(40503) + higher) % ORIGIN_SHARES;
}

/* Counts it where it comes from, unless there are as many as may be. */
static bool count_kept(struct kept_share *kept, const struct origin *origin, uint16_t other,
                       uint64_t all)
{
    uint32_t *const pair = &kept->pairs[pair_of(origin->at[ORIGIN_WIDEST], other)];
    const bool is_kept =
        other ? *pair < share_of(all, ORIGIN_WIDEST) : has_share(&kept->counts, origin, all);
    if (is_kept && other)
        ++*pair;
    else if (is_kept)
        origin_add(&kept->counts, origin);
    return is_kept;
}

void kept_share_again(struct hub *hub, const char room_id[static PROTOCOL_ROOM_BYTES + 1])
{
    struct kept_share *kept = &hub->kept_share;
    if (kept->count < KEPT_TOO_MANY_MAX)
        memcpy(kept->too_many[kept->count++], room_id, sizeof kept->too_many[0]);
}

void kept_share_note(struct hub *hub, const struct hub_room *hub_room)
{
    const bool met = room_has_met(hub_room->room);
    const uint64_t all = places_for(hub, met);
    if (all == 0 || hub_room->from_here || !origin_is_known(&hub_room->origin))
        return;
    halve_counts(hub);
    if (!count_kept(&hub->kept_share, &hub_room->origin, met ? hub_room->other : 0, all))
        kept_share_again(hub, hub_room->id);
}

bool kept_share_has_named(const struct hub *hub)
{
    return hub->kept_share.count > 0;
}

void kept_share_take(struct hub *hub, char room_id[static PROTOCOL_ROOM_BYTES + 1])
{
    struct kept_share *kept = &hub->kept_share;
    assert(kept->count > 0);
    memcpy(room_id, kept->too_many[--kept->count], sizeof kept->too_many[0]);
}
