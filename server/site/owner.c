#include "owner.h"

#include "answers/gather.h"
#include "clients/client.h"
#include "http/web.h"
#include "links/link_out.h"
#include "messages/arrive.h"
#include "messages/resume.h"
#include "messages/route.h"
#include "operator/operator.h"
#include "parts/port.h"
#include "site_private.h"
#include <assert.h>

/* What they were told still goes out. Then each is without a peer in that part. */
static void lose_ports(struct site *site, unsigned part)
{
    size_t at = 0;
    struct client *client;
    while ((client = client_next(&site->clients, &at)) != NULL) {
        struct port *port = port_find(client, part);
        if (port && !port->lost)
            arrive_rest(site, port);
        port = port_find(client, part);
        if (port && !port->lost)
            gather_lost(site, port);
        port = port_find(client, part);
        if (port && !port->lost)
            port_detach(site, port);
    }
}

static void lose_part(struct site *site, unsigned part)
{
    lose_ports(site, part);
    web_part_ends(site, part);
    site->parts[part].lost_ms = site->now_ms;
}

/* Who has it now, if anybody does, is known. */
static void settle_ports(struct site *site, unsigned part)
{
    size_t at = 0;
    struct client *client;
    while ((client = client_next(&site->clients, &at)) != NULL) {
        struct port *port = port_find(client, part);
        if (port && port->lost)
            resume_lost(site, port);
        port = port_find(client, part);
        if (port && port->lost && part_is_served(&site->parts[part]))
            resume_port(site, port);
    }
    route_all_waiting(site);
}

/* Another node may have said already that it has the part. */
static void look_for_owner(struct site *site, unsigned at)
{
    struct part *part = &site->parts[at];
    part->hub = NULL;
    part->held = false;
    part->link = NULL;
    for (struct site_link *link = site->links; link; link = link->next) {
        if (link->serves[at] > part->term) {
            part->link = link;
            part->term = link->serves[at];
        }
    }
}

void site_serve(struct site *site, unsigned at, uint64_t term, struct hub *hub, int64_t now_ms)
{
    struct part *part = &site->parts[at];
    assert(at < site->config.parts && !part->hub);
    site_set_time(site, now_ms);
    if (part->link)
        lose_part(site, at);
    part->link = NULL;
    part->hub = hub;
    part->term = term;
    for (struct site_link *link = site->links; link; link = link->next)
        link_tell_serve(link, at, term);
    settle_ports(site, at);
}

void site_leave(struct site *site, unsigned at, int64_t now_ms)
{
    assert(site->parts[at].hub);
    site_set_time(site, now_ms);
    lose_part(site, at);
    for (struct site_link *link = site->links; link; link = link->next) {
        link_fetch_all(link, at);
        link_drop_channels(link, at);
        link_tell_leave(link, at);
    }
    operator_part_left(site, at);
    look_for_owner(site, at);
    settle_ports(site, at);
}

/* If it is served here with an older term, the store is about to say so as well. */
void owner_found(struct site *site, unsigned at, struct site_link *link, uint64_t term)
{
    struct part *part = &site->parts[at];
    link->serves[at] = term;
    if (part->hub || term < part->term || part->link == link)
        return;
    if (part->link)
        lose_part(site, at);
    part->link = link;
    part->term = term;
    settle_ports(site, at);
}

void owner_lost(struct site *site, unsigned at, struct site_link *link)
{
    if (at >= site->config.parts)
        return;
    link->serves[at] = 0;
    if (site->parts[at].link != link)
        return;
    lose_part(site, at);
    look_for_owner(site, at);
    settle_ports(site, at);
}
