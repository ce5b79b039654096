#include "owner.h"

#include "client.h"
#include "gather.h"
#include "link_out.h"
#include "port.h"
#include "route.h"
#include "site_private.h"
#include "web.h"
#include <assert.h>

/* Clients that talked with it come again, and find out what they have missed. */
static void end_ports(struct site *site, unsigned part)
{
    size_t at = 0;
    struct client *client;
    while ((client = client_next(&site->clients, &at)) != NULL) {
        struct port *port = port_find(client, part);
        if (port)
            gather_lost(site, port);
        port = port_find(client, part);
        if (!port)
            continue;
        if (!port->passing)
            site_close(site, client, CLOSE_RESTART);
        port_close(site, port);
    }
}

void site_serve(struct site *site, unsigned at, uint64_t term, struct hub *hub, int64_t now_ms)
{
    struct part *part = &site->parts[at];
    assert(at < site->config.parts && !part->hub);
    site_set_time(site, now_ms);
    if (part->link)
        owner_lost(site, at, part->link);
    part->hub = hub;
    part->term = term;
    for (struct site_link *link = site->links; link; link = link->next)
        link_tell_serve(link, at, term);
    route_all_waiting(site);
}

void site_leave(struct site *site, unsigned at, int64_t now_ms)
{
    struct part *part = &site->parts[at];
    assert(part->hub);
    site_set_time(site, now_ms);
    end_ports(site, at);
    web_part_ends(site, at);
    for (struct site_link *link = site->links; link; link = link->next) {
        link_drop_channels(link, at);
        link_tell_leave(link, at);
    }
    part->hub = NULL;
    part->held = false;
    part->lost_ms = site->now_ms;
}

/* If it is served here with an older term, the store is about to say so as well. */
void owner_found(struct site *site, unsigned at, struct site_link *link, uint64_t term)
{
    struct part *part = &site->parts[at];
    if (part->hub || term < part->term || part->link == link)
        return;
    if (part->link)
        owner_lost(site, at, part->link);
    part->link = link;
    part->term = term;
    route_all_waiting(site);
}

void owner_lost(struct site *site, unsigned at, const struct site_link *link)
{
    if (at >= site->config.parts || site->parts[at].link != link)
        return;
    end_ports(site, at);
    web_part_ends(site, at);
    site->parts[at].link = NULL;
    site->parts[at].lost_ms = site->now_ms;
}
