#include "write_turn.h"

#include "connection.h"
#include "http/bearer.h"
#include "net_private.h"
#include "parts/lease.h"
#include "peers.h"
#include "ws/ws.h"
#include <site/site.h>

enum { WRITES_PER_TURN = 32 }; /* to sockets: some 10 us each */

void write_turn_begin(struct net *net)
{
    net->run.writes = 0;
}

/* At the end nobody is to wait any more. */
static bool may_write_more(const struct net *net)
{
    return net->run.state != NET_SERVING || net->run.writes < WRITES_PER_TURN;
}

static void flush_peer(struct net *net, struct hub_peer peer)
{
    struct connection *connection = peers_find(net, peer);
    if (connection && connection->state == CONNECTION_WS)
        ws_flush(connection);
    else if (connection)
        bearer_flush(connection);
}

void write_turn_go_on(struct net *net)
{
    struct hub_peer peer;
    while (!lease_holds_back(net) && may_write_more(net) && site_next_ready(net->site, &peer))
        flush_peer(net, peer);
}

bool write_turn_leaves(struct net *net)
{
    return !lease_holds_back(net) && site_is_ready(net->site);
}
