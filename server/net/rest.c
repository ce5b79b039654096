#include "rest.h"

#include "net_private.h"
#include "parts/part.h"
#include <hub/pacing.h>
#include <net/clock.h>

/* At the end nobody is to wait any more. */
bool rest_commit_is_due(const struct served_part *part)
{
    return part->net->run.state != NET_SERVING || part->state != PART_SERVING ||
           pacing_due_us(&part->pacing, hub_batch_ops(part->hub)) <= net_clock_monotonic_us();
}

/* Nothing of it waits for the store: it is no reason to rest, nor not to. */
static bool is_calm(const struct served_part *part)
{
    return !part_stores(part) || hub_drained(part->hub);
}

/* While a commit is under way only if the interval is long: with very many moves each look at the
 * sockets finds some anyway, and they are better read before the next one begins. */
static bool may_rest(const struct served_part *part)
{
    if (part->net->run.state != NET_SERVING || part->state != PART_SERVING)
        return false;
    return hub_batch_ready(part->hub) ? !rest_commit_is_due(part) : pacing_is_long(&part->pacing);
}

/* What is sent when a commit is back may be answered at once, so then the sockets are looked at. */
static int64_t rests_until_us(const struct served_part *part, int64_t now_us)
{
    const struct pacing *pacing = &part->pacing;
    return hub_batch_ready(part->hub) ? pacing_look_us(pacing, hub_batch_ops(part->hub), now_us)
                                      : pacing_due_us(pacing, 0);
}

int64_t rest_until_us(const struct net *net, int64_t now_us)
{
    int64_t all_us = 0;
    for (const struct served_part *part = net->parts.first; part; part = part->next) {
        if (is_calm(part))
            continue;
        const int64_t until_us = rests_until_us(part, now_us);
        if (until_us <= now_us || !may_rest(part))
            return 0;
        if (all_us == 0 || until_us < all_us)
            all_us = until_us;
    }
    return all_us;
}
