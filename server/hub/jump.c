#include "jump.h"

#include "hub_private.h"
#include <hub/store.h>

static struct jump *earliest(struct hub *hub)
{
    struct jump *found = &hub->jumps[0];
    for (int at = 1; at < JUMPS_KEPT; at++) {
        if (hub->jumps[at].until_ms < found->until_ms)
            found = &hub->jumps[at];
    }
    return found;
}

static int64_t latest_ms(const struct hub *hub)
{
    int64_t until_ms = 0;
    for (int at = 0; at < JUMPS_KEPT; at++)
        until_ms = hub->jumps[at].until_ms > until_ms ? hub->jumps[at].until_ms : until_ms;
    return until_ms;
}

void jump_restore(struct hub *hub, const struct store_jump *row)
{
    if (row->place < JUMPS_KEPT && row->part == hub->env.part)
        hub->jumps[row->place] = (struct jump){row->since_ms, row->until_ms, true};
}

void jump_note(struct hub *hub, int64_t since_ms, int64_t until_ms)
{
    const int64_t known_ms = latest_ms(hub);
    const int64_t from_ms = since_ms > known_ms ? since_ms : known_ms;
    if (from_ms > 0 && jump_uncounted_ms(from_ms, until_ms) > 0)
        *earliest(hub) = (struct jump){from_ms, until_ms, false};
}

void jumps_not_kept(struct hub *hub)
{
    for (int at = 0; at < JUMPS_KEPT; at++)
        hub->jumps[at].kept = false;
}

int64_t jump_uncounted_ms(int64_t since_ms, int64_t until_ms)
{
    enum { COUNTED_MS = 86400000 };
    const int64_t pause_ms = until_ms - since_ms;
    return pause_ms > COUNTED_MS ? pause_ms - COUNTED_MS : 0;
}

int64_t jumps_uncounted_ms(const struct hub *hub, int64_t since_ms)
{
    int64_t uncounted_ms = 0;
    for (int at = 0; at < JUMPS_KEPT; at++) {
        const struct jump *jump = &hub->jumps[at];
        const int64_t from_ms = since_ms > jump->since_ms ? since_ms : jump->since_ms;
        uncounted_ms += jump_uncounted_ms(from_ms, jump->until_ms);
    }
    return uncounted_ms;
}
