#include "jump_keep.h"

#include "changes/change.h"
#include "hub_private.h"
#include "jump.h"
#include "waiting/batch.h"
#include <hub/store_tables.h>

void jumps_keep(struct hub *hub)
{
    struct batch *batch = hub->commit.filling;
    for (int at = 0; at < JUMPS_KEPT; at++) {
        struct jump *jump = &hub->jumps[at];
        const struct store_jump row = {hub->env.part, (uint64_t)at, jump->since_ms, jump->until_ms};
        if (jump->until_ms == 0 || jump->kept)
            continue;
        if (change_allowed(hub, 1) != PROTOCOL_OK || batch_reserve(batch, 1, 1, 0, 0) < 0)
            return; /* it is tried again */
        batch_put_row(batch, &store_jump_table, &row);
        batch_defer(batch, &(struct pending){.kind = PENDING_JUMP, .op = REQUEST_OPS});
        jump->kept = true;
    }
}
