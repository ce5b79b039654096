/*
 * What other threads say of the bans (net_bans): it is brought to the site.
 */
#ifndef NET_SITE_BANS_H
#define NET_SITE_BANS_H

#include <stdbool.h>

struct net;

bool site_bans_init(struct net *net); /* before the loop; false: no mutex */
void site_bans_open(struct net *net); /* the loop is there */
void site_bans_close(struct net *net);
void site_bans_release(struct net *net);

/* What has come: before parts that have come later. */
void site_bans_read_mail(struct net *net);
/* Now and then: what could not be taken for want of memory. */
void site_bans_retry(struct net *net);

#endif
