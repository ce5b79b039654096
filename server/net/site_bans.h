/*
 * The bans of a site, which are kept for all its nodes by who keeps its parts (net_options,
 * change_bans): what holds is brought by net_bans, and all hubs here have it.
 */
#ifndef NET_SITE_BANS_H
#define NET_SITE_BANS_H

#include <stdbool.h>

struct hub;
struct net;

bool site_bans_init(struct net *net); /* before the loop; false: no mutex */
void site_bans_open(struct net *net); /* the loop is there */
void site_bans_close(struct net *net);
void site_bans_release(struct net *net);

/* What has come: before parts that have come later. */
void site_bans_read_mail(struct net *net);
/* Now and then: what could not be taken for want of memory. */
void site_bans_retry(struct net *net);
/* Before its part is served. False: out of memory, or the bans are not known yet. */
bool site_bans_give(const struct net *net, struct hub *hub);

#endif
