/*
 * What a turn of the loop reads of clients. Of one address it reads so many times at once
 * (reads_per_turn); what its other connections have sent is set aside, each one's by itself, and
 * they are not listened to until it is read. Each turn reads as many of these, and addresses take
 * turns (hub/address_turns.h). So who alone has sent something is read in the turn in which it
 * comes, however many others of another address have too, and a turn is short.
 */
#ifndef NET_READ_TURN_H
#define NET_READ_TURN_H

#include <stdbool.h>
#include <stddef.h>

struct connection;
struct net;

void read_turn_init(struct net *net);
void read_turn_begin(struct net *net);

/*
 * Is what has come from it to be read now? If not it is kept until the connection has its turn. If
 * its group has more than there is memory for, those that have most of it are cut, and if nobody
 * has more than this one it is read now.
 */
bool read_turn_allows(struct connection *connection, const unsigned char *bytes, size_t len);

/*
 * Whose turn it is: what was set aside, which the caller frees, and is to be read now. NULL: nobody
 * waits, or this turn has read enough.
 */
struct connection *read_turn_next(struct net *net, unsigned char **bytes, size_t *len);

/* Is something left for the next turn? */
bool read_turn_leaves(const struct net *net);

#endif
