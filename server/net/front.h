/*
 * What clients are connected to: the one hub, or the site with its parts.
 */
#ifndef NET_FRONT_H
#define NET_FRONT_H

#include "net_private.h"
#include "part.h"
#include <site/site.h>

static inline struct site *front_site(const struct net *net)
{
    return net->options->site;
}

/* There is one for as long as there are clients. */
static inline struct hub *front_hub(const struct net *net)
{
    return net->parts.first->hub;
}

static inline int front_connect(struct net *net, const uint8_t address[static 16], int64_t now_ms,
                                struct hub_peer *peer)
{
    return front_site(net) ? site_connect(front_site(net), address, now_ms, peer)
                           : hub_connect(front_hub(net), address, now_ms, peer);
}

static inline void front_receive(struct net *net, struct hub_peer peer, const char *bytes,
                                 size_t len, int64_t now_ms)
{
    if (front_site(net))
        site_receive(front_site(net), peer, bytes, len, now_ms);
    else
        hub_receive(front_hub(net), peer, bytes, len, now_ms);
}

static inline void front_reject(struct net *net, struct hub_peer peer, int close_code)
{
    if (front_site(net))
        site_reject(front_site(net), peer, close_code);
    else
        hub_reject(front_hub(net), peer, close_code);
}

static inline void front_disconnect(struct net *net, struct hub_peer peer, int64_t now_ms)
{
    if (front_site(net))
        site_disconnect(front_site(net), peer, now_ms);
    else
        hub_disconnect(front_hub(net), peer, now_ms);
}

static inline bool front_next_ready(struct net *net, struct hub_peer *peer)
{
    return front_site(net) ? site_next_ready(front_site(net), peer)
                           : hub_next_ready(front_hub(net), peer);
}

static inline unsigned char *front_output(struct net *net, struct hub_peer peer, size_t *len)
{
    return front_site(net) ? site_output(front_site(net), peer, len)
                           : hub_output(front_hub(net), peer, len);
}

static inline void front_sent(struct net *net, struct hub_peer peer)
{
    if (front_site(net))
        site_sent(front_site(net), peer);
    else
        hub_sent(front_hub(net), peer);
}

static inline int front_close_code(const struct net *net, struct hub_peer peer)
{
    return front_site(net) ? site_close_code(front_site(net), peer)
                           : hub_close_code(front_hub(net), peer);
}

static inline bool front_http_get(struct net *net, const char *path,
                                  const uint8_t address[static 16], int64_t now_ms,
                                  struct hub_http_answer *answer, uint64_t *ticket)
{
    return front_site(net) ? site_http_get(front_site(net), path, address, now_ms, answer, ticket)
                           : hub_http_get(front_hub(net), path, address, now_ms, answer, ticket);
}

static inline bool front_http_next(struct net *net, uint64_t *ticket,
                                   struct hub_http_answer *answer)
{
    return front_site(net) ? site_http_next(front_site(net), ticket, answer)
                           : hub_http_next(front_hub(net), ticket, answer);
}

static inline void front_http_cancel(struct net *net, uint64_t ticket)
{
    if (front_site(net))
        site_http_cancel(front_site(net), ticket);
    else
        hub_http_cancel(front_hub(net), ticket);
}

#endif
