/* What others are to know of this node. */
#ifndef NET_TELL_FACTS_H
#define NET_TELL_FACTS_H

struct net;

/* Now and then: looks, and tells what has changed (net_options.facts). */
void net_facts_look(struct net *net);

#endif
