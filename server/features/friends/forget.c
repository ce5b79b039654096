#include "forget.h"

#include "follow_table.h"
#include <hub/kernel.h>
#include <stdlib.h>

/* Who follows somebody no more when the batch is durable. */
struct losing {
    struct kernel_change change;
    uint64_t whom;
    size_t count;
    uint64_t followers[];
};

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct losing *losing = (const struct losing *)(const void *)change;
    (void)session;
    for (size_t at = 0; at < losing->count; at++)
        follows_drop(hub, losing->followers[at], losing->whom);
}

static void destroy_losing(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type losing_type = {.carry_out = carry_out,
                                                      .destroy = destroy_losing};

size_t forget_followed(struct hub *hub, uint64_t session, size_t max, bool *more)
{
    struct losing *losing = calloc(1, sizeof *losing + max * sizeof losing->followers[0]);
    *more = *more || !losing || follows_is_coming(hub, session);
    if (!losing)
        return 0;
    losing->change.type = &losing_type;
    losing->whom = session;
    losing->count = follows_find_followers(hub, session, losing->followers, max, more);
    for (size_t at = 0; at < losing->count; at++) {
        const struct follow_row row = {.session = losing->followers[at], .other = session};
        kernel_drop_row(hub, &follow_table, &row);
    }
    const size_t count = losing->count;
    if (count > 0)
        kernel_change_hub(hub, &losing->change);
    else
        free(losing);
    return count;
}
