#include "read_turn.h"

#include "connection.h"
#include "net_private.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* What is set aside at most, of a group and in all. */
enum { UNREAD_BYTES_OF_GROUP = 1 << 20, UNREAD_BYTES_MAX = 16 << 20 };

void read_turn_init(struct net *net)
{
    randombytes_buf(net->reads.key, sizeof net->reads.key);
}

void read_turn_begin(struct net *net)
{
    memset(net->reads.of_group, 0, sizeof net->reads.of_group);
    net->reads.late = 0;
}

/* In all it is full for a group that has some already. */
static bool is_full(const struct net *net, uint8_t group, size_t len)
{
    const size_t of_group = net->connections.unread_of_group[group];
    return of_group + len > UNREAD_BYTES_OF_GROUP ||
           (of_group > 0 && net->connections.unread_bytes + len > UNREAD_BYTES_MAX);
}

static struct connection *fullest_of(const struct net *net, uint8_t group)
{
    struct connection *fullest = NULL;
    for (struct address_turn *turn = net->connections.unread.groups[group].first; turn;
         turn = turn->next) {
        struct connection *connection = connection_of_turn(turn);
        if (!fullest || connection->unread_len > fullest->unread_len)
            fullest = connection;
    }
    return fullest;
}

/* Whoever has filled the group is cut: those of it that have more set aside than this one would. */
static bool make_place(const struct connection *newcomer, uint8_t group, size_t len)
{
    const struct net *net = newcomer->net;
    while (is_full(net, group, len)) {
        struct connection *fullest = fullest_of(net, group);
        if (!fullest || fullest == newcomer || fullest->unread_len <= newcomer->unread_len + len)
            return false;
        connection_cut(fullest);
    }
    return true;
}

bool read_turn_allows(struct connection *connection, const unsigned char *bytes, size_t len)
{
    struct net *net = connection->net;
    const uint8_t group = address_group_of(net->reads.key, connection->address.bytes);
    if (!connection->unread && net->reads.of_group[group] < net->config.reads_per_turn) {
        net->reads.of_group[group]++;
        return true;
    }
    if (make_place(connection, group, len) && connection_set_aside(connection, group, bytes, len))
        return false;
    if (connection->unread) /* order is all */
        connection_cut(connection);
    return connection->state != CONNECTION_CUT;
}

struct connection *read_turn_next(struct net *net, unsigned char **bytes, size_t *len)
{
    if (net->reads.late >= net->config.reads_per_turn)
        return NULL;
    struct address_turn *turn = address_turns_pop(&net->connections.unread);
    if (!turn)
        return NULL;
    net->reads.late++;
    return connection_take_unread(turn, bytes, len);
}

bool read_turn_leaves(const struct net *net)
{
    return net->connections.unread.count > 0;
}
