#include "peers.h"

#include "connection.h"
#include "net_private.h"
#include <stdlib.h>
#include <string.h>

static bool peers_reserve(struct net *net, uint32_t index)
{
    if (index < net->peers.size)
        return true;
    size_t size = net->peers.size ? net->peers.size : 64;
    while (size <= index)
        size *= 2;
    struct connection **peers = realloc(net->peers.connections, size * sizeof *peers);
    if (!peers)
        return false;
    memset(peers + net->peers.size, 0, (size - net->peers.size) * sizeof *peers);
    net->peers.connections = peers;
    net->peers.size = size;
    return true;
}

bool peers_add(struct connection *connection, struct hub_peer peer)
{
    if (!peers_reserve(connection->net, peer.index))
        return false;
    connection->peer = peer;
    connection->net->peers.connections[peer.index] = connection;
    return true;
}

void peers_remove(struct connection *connection)
{
    if (connection->peer.generation != 0)
        connection->net->peers.connections[connection->peer.index] = NULL;
    connection->peer = (struct hub_peer){0, 0};
}

struct connection *peers_find(const struct net *net, struct hub_peer peer)
{
    struct connection *connection =
        peer.index < net->peers.size ? net->peers.connections[peer.index] : NULL;
    return connection && connection->peer.generation == peer.generation ? connection : NULL;
}
