#include "jump.h"

#include "hub_private.h"
#include <string.h>

void jump_note(struct hub *hub, int64_t since_ms, int64_t until_ms)
{
    memmove(&hub->jumps[0], &hub->jumps[1], (JUMPS_KEPT - 1) * sizeof hub->jumps[0]);
    hub->jumps[JUMPS_KEPT - 1] = (struct jump){since_ms, until_ms};
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
