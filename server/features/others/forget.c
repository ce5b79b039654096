#include "forget.h"

#include "block_table.h"
#include <assert.h>
#include <hub/kernel.h>
#include <stdlib.h>

/* Lists that lose somebody when the batch is durable. */
struct losing {
    struct kernel_change change;
    uint64_t whom;
    size_t count;
    uint64_t lists[];
};

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct losing *losing = (const struct losing *)(const void *)change;
    (void)session;
    for (size_t at = 0; at < losing->count; at++) {
        struct session *owner = kernel_session_find(hub, losing->lists[at]);
        if (owner)
            blocks_drop(blocks_of(hub, owner), losing->whom);
    }
}

static void destroy_losing(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type losing_type = {.carry_out = carry_out,
                                                      .destroy = destroy_losing};

static bool has_blocked(const struct hub *hub, uint64_t list, uint64_t whom)
{
    const struct session *owner = kernel_session_find(hub, list);
    return owner && blocks_find(blocks_of(hub, owner), whom);
}

/* Of a session that is at home elsewhere there is no row here. */
static void find_lists(struct hub *hub, struct losing *losing, size_t max, bool *more)
{
    const uint64_t *entry; /* its key comes first */
    size_t at = 0;
    while ((entry = table_next(&others_of(hub)->lists, &at)) != NULL) {
        if (!has_blocked(hub, *entry, losing->whom))
            continue;
        if (losing->count == max) {
            *more = true;
            return;
        }
        losing->lists[losing->count++] = *entry;
        const struct block_row row = block_row_of(*entry, losing->whom);
        if (!kernel_is_elsewhere(hub, *entry))
            kernel_drop_row(hub, &block_table, &row);
    }
}

size_t forget_blocked(struct hub *hub, uint64_t session, size_t max, bool *more)
{
    struct losing *losing = calloc(1, sizeof *losing + max * sizeof losing->lists[0]);
    *more = *more || !losing || blocks_is_coming(hub, session);
    if (!losing)
        return 0;
    losing->change.type = &losing_type;
    losing->whom = session;
    find_lists(hub, losing, max, more);
    const size_t count = losing->count;
    if (count > 0)
        kernel_change_hub(hub, &losing->change);
    else
        free(losing);
    return count;
}
