/* What a node of a site has for /metrics beside what a server has: its parts, and its links. */
#ifndef NET_METRICS_SITE_H
#define NET_METRICS_SITE_H

struct buffer;
struct net;

void metrics_site_write(const struct net *net, struct buffer *out);

#endif
