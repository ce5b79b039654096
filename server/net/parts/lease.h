/*
 * A server has a lease of its store. When it is lost, others may have taken the store: then the
 * server says nothing of what it holds.
 *
 * Others take the store of a server that commits nothing for some time. So what it holds may be
 * said only for a shorter time after the last commit that was acknowledged, counted from when that
 * was sent, by a clock that goes on while the program or the machine stands still. Each piece of
 * output asks before it goes out; what is held back goes out when a commit is acknowledged again.
 * If the store is found taken it never does.
 *
 * Each part has a lease of its own: while that is lost nothing is fetched from it (site_hold).
 * Whoever fetches looks at the clock after what is answered was received, for between the two the
 * program may have stood still; what stands still after that look says only what was so when it was
 * asked.
 *
 * The page, the metrics and the operator's socket answer all the same.
 */
#ifndef NET_LEASE_H
#define NET_LEASE_H

#include <stdbool.h>

struct net;
struct served_part;

/* What is asked for is refused with this. */
extern const char lease_lost_text[];

bool lease_is_lost(struct served_part *part);
/* Is nothing at all to go out to clients, as the one part of a lone server has lost its lease? Also
 * looks at all parts. */
bool lease_holds_back(struct net *net);
/* True once it is over, of any part: what was held back is to go out. */
bool lease_comes_back(struct net *net);

#endif
