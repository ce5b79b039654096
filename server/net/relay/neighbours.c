/*
 * net_nodes comes from any thread: it leaves the list in a mailbox, in place of the one before, and
 * wakes the loop.
 */
#include "neighbours.h"

#include "net_private.h"
#include "parts/lease.h"
#include "relay.h"
#include <assert.h>
#include <net/clock.h>
#include <site/site.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char name[NET_RELAY_NAME_MAX + 1], address[NET_RELAY_ADDRESS_MAX + 1];
};

struct neighbours {
    struct relay *relay;
    uv_async_t mail;
    bool changed;     /* the links: it is to be told */
    uv_mutex_t mutex; /* all below */
    bool set;
    size_t count;
    struct entry list[NET_RELAY_NODES_MAX];
};

/* ---- the ends of links */

static void *end_open(void *ctx, const char *node)
{
    struct net *const net = ctx;
    struct site_link *const link = site_link_open(net->site, net_now_ms(net));
    if (link)
        site_link_set_node(link, node);
    net->neighbours->changed = true;
    net_touch(net);
    return link;
}

static bool end_receive(void *ctx, void *end, const unsigned char *bytes, size_t len)
{
    struct net *const net = ctx;
    net_touch(net);
    /* What can be said at once, like seats, is: so it is looked if it may be, after it was asked.
     */
    (void)lease_holds_back(net);
    return site_link_receive(end, bytes, len, net_now_ms(net));
}

static unsigned char *end_output(void *end, size_t *len)
{
    return site_link_output(end, len);
}

static void end_sent(void *end)
{
    site_link_sent(end);
}

static bool end_broken(void *end)
{
    return site_link_broken(end);
}

static size_t end_queued(void *end)
{
    return site_link_waiting(end);
}

static void end_close(void *ctx, void *end)
{
    struct net *const net = ctx;
    site_link_close(end, net_now_ms(net));
    net->neighbours->changed = true;
    net_touch(net);
}

static const struct relay_ends ends = {end_open,   end_receive, end_output, end_sent,
                                       end_broken, end_queued,  end_close};

/* ---- the mailbox */

void net_nodes(struct net *net, const struct net_relay_node nodes[], size_t count)
{
    struct neighbours *const mine = net->neighbours;
    if (!mine)
        return;
    uv_mutex_lock(&mine->mutex);
    mine->count = count < NET_RELAY_NODES_MAX ? count : NET_RELAY_NODES_MAX;
    for (size_t at = 0; at < mine->count; at++) {
        snprintf(mine->list[at].name, sizeof mine->list[at].name, "%s", nodes[at].name);
        snprintf(mine->list[at].address, sizeof mine->list[at].address, "%s", nodes[at].address);
    }
    mine->set = true;
    uv_mutex_unlock(&mine->mutex);
    uv_async_send(&mine->mail);
}

static void on_mail(uv_async_t *async)
{
    struct neighbours *const nodes = async->data;
    struct net_relay_node list[NET_RELAY_NODES_MAX];
    uv_mutex_lock(&nodes->mutex);
    for (size_t at = 0; at < nodes->count; at++)
        list[at] = (struct net_relay_node){nodes->list[at].name, nodes->list[at].address};
    /* It is read under the lock: nobody waits for it but who brings the next list. */
    if (nodes->set)
        relay_set_nodes(nodes->relay, list, nodes->count);
    nodes->set = false;
    uv_mutex_unlock(&nodes->mutex);
}

/* ---- what the loop does with them */

void neighbours_read(struct net *net)
{
    if (net->neighbours)
        relay_read(net->neighbours->relay);
}

/* The names of the nodes that there are links with, each with a space behind it. */
static void tell_links(const struct net *net)
{
    struct relay_neighbour links[NET_RELAY_NODES_MAX];
    const size_t count = relay_neighbours(net->neighbours->relay, links);
    char names[NET_RELAY_NODES_MAX * (NET_RELAY_NAME_MAX + 1) + 1] = "";
    size_t len = 0;
    for (size_t at = 0; at < count; at++) {
        if (links[at].end)
            len += (size_t)snprintf(names + len, sizeof names - len, "%s ", links[at].node);
    }
    if (net->options->links)
        net->options->links(net->options->part_ctx, names);
}

void neighbours_flush(struct net *net)
{
    if (!net->neighbours)
        return;
    relay_flush(net->neighbours->relay);
    if (net->neighbours->changed)
        tell_links(net);
    net->neighbours->changed = false;
}

void neighbours_reload(struct net *net)
{
    if (net->neighbours)
        relay_reload(net->neighbours->relay);
}

int64_t neighbours_certificate_s(const struct net *net)
{
    return net->neighbours ? relay_certificate_s(net->neighbours->relay) : 0;
}

bool neighbours_figures(const struct net *net, struct net_relay_figures *figures)
{
    if (net->neighbours)
        *figures = relay_figures(net->neighbours->relay);
    return net->neighbours;
}

size_t neighbours_list(const struct net *net, struct neighbour list[static NET_RELAY_NODES_MAX])
{
    struct relay_neighbour links[NET_RELAY_NODES_MAX];
    const size_t count = net->neighbours ? relay_neighbours(net->neighbours->relay, links) : 0;
    for (size_t at = 0; at < count; at++) {
        list[at] = (struct neighbour){.link = links[at]};
        if (!links[at].end)
            continue;
        list[at].queued = site_link_waiting(links[at].end);
        site_link_relayed(links[at].end, &list[at].relayed_out, &list[at].relayed_in);
    }
    return count;
}

/* ---- beginning and end */

enum net_result neighbours_open(struct net *net, char message[static NET_MESSAGE_MAX])
{
    const struct net_relay_options *const options = net->options->relay;
    if (!options)
        return NET_OK;
    assert(net->site);
    struct neighbours *const nodes = calloc(1, sizeof *nodes);
    if (!nodes)
        return NET_NO_MEMORY;
    if (uv_mutex_init(&nodes->mutex) != 0) {
        free(nodes);
        return NET_NO_MEMORY;
    }
    net->neighbours = nodes;
    uv_async_init(&net->loop, &nodes->mail, on_mail);
    nodes->mail.data = nodes;
    return relay_create(&net->loop, options, &relay_usual, &ends, net, &nodes->relay, message);
}

void neighbours_close(struct net *net)
{
    if (!net->neighbours)
        return;
    relay_close(net->neighbours->relay);
    uv_close((uv_handle_t *)&net->neighbours->mail, NULL);
}

void neighbours_release(struct net *net)
{
    if (!net->neighbours)
        return;
    relay_destroy(net->neighbours->relay);
    uv_mutex_destroy(&net->neighbours->mutex);
    free(net->neighbours);
    net->neighbours = NULL;
}

unsigned net_relay_port(const struct net *net)
{
    return net->neighbours ? relay_port(net->neighbours->relay) : 0;
}
