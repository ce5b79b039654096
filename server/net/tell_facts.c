#include "tell_facts.h"

#include "net_private.h"
#include "parts/part.h"
#include "relay/neighbours.h"
#include <net/clock.h>

static int64_t count_set_aside(const struct net *net)
{
    size_t rooms = 0;
    for (const struct served_part *part = net->parts.first; part; part = part->next)
        rooms += part_works(part) ? hub_damaged(part->hub) : 0;
    return (int64_t)rooms;
}

static bool are_same(const struct net_facts *one, const struct net_facts *other)
{
    return one->set_aside == other->set_aside && one->jumps == other->jumps &&
           one->certificate_s == other->certificate_s;
}

void net_facts_look(struct net *net)
{
    net_clock_look(net->clock);
    const struct net_facts facts = {.set_aside = count_set_aside(net),
                                    .jumps = net->clock->jumps,
                                    .jumped_ms = net->clock->jumped_ms,
                                    .certificate_s = neighbours_certificate_s(net)};
    if (!net->options->facts || are_same(&facts, &net->facts))
        return;
    net->facts = facts;
    net->options->facts(net->options->part_ctx, &facts);
}
