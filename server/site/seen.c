/* What the operator of this node sees of the site, and tells it (site/site.h). */
#include "links/link_out.h"
#include "site_private.h"
#include <assert.h>
#include <stdio.h>

void site_drain(struct site *site, bool drains)
{
    site->drains = drains;
}

void site_cut_off(struct site *site, bool cut_off)
{
    site->cut_off = cut_off;
}

struct site_part site_part_seen(const struct site *site, unsigned at)
{
    assert(at < site->config.parts);
    const struct part *part = &site->parts[at];
    struct site_part seen = {
        .here = part->hub, .node = part->link ? part->link->node : NULL, .term = part->term};
    for (const struct site_link *link = site->links; part->hub && link; link = link->next) {
        if (link->serves[at] > part->term && link->serves[at] > seen.newer_term)
            seen.newer_term = link->serves[at];
    }
    return seen;
}

bool site_is_lone(const struct site *site)
{
    return site->config.lone;
}

const struct feature *const *site_features(const struct site *site)
{
    return site->config.features;
}

unsigned site_count_parts(const struct site *site)
{
    return site->config.parts;
}

size_t site_clients(const struct site *site)
{
    return site->clients.count;
}

void site_link_set_node(struct site_link *link, const char *node)
{
    (void)snprintf(link->node, sizeof link->node, "%s", node);
}

void site_link_relayed(const struct site_link *link, uint64_t *out, uint64_t *in)
{
    *out = link->relayed_out;
    *in = link->relayed_in;
}
