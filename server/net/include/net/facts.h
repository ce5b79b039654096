/* What a node tells the others of itself, for whoever looks at the site (`taluvad status`). */
#ifndef NET_FACTS_H
#define NET_FACTS_H

#include <stdint.h>

struct net_facts {
    int64_t set_aside;     /* damaged rooms in its parts, which are not served */
    int64_t jumps;         /* how often the system's clock was set since the start, ... */
    int64_t jumped_ms;     /* ... and by how much the last time */
    int64_t certificate_s; /* when the certificate of its links ends, since 1970; 0: it has none */
};

#endif
