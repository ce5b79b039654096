/*
 * Who has a part: a hub of this process, or the node at the other end of a link. And what
 * is at the other end of each peer of that hub: a client of this node, or a channel of another.
 */
#ifndef SITE_SITE_PART_H
#define SITE_SITE_PART_H

#include <hub/hub.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct channel;
struct port;
struct site_link;

struct peer_end { /* one of them, or none */
    struct port *port;
    struct channel *channel;
};

struct part {
    struct hub *hub;            /* here; */
    struct site_link *link;     /* or there; neither: nobody has it, as far as known */
    bool held;                  /* nothing is fetched from the hub */
    uint64_t term;              /* of who has it, or had it last */
    int64_t lost_ms;            /* since when nobody has it, if somebody had it */
    struct peer_end *peer_ends; /* by the index of a peer of the hub */
    size_t size;
};

static inline bool part_is_served(const struct part *part)
{
    return part->hub || part->link;
}

/*
 * May what its hub has for clients be told? What a hub says that another node has taken the part
 * from is for nobody: whoever has it now says what has become of it all.
 */
static inline bool part_tells(const struct part *part)
{
    return part->hub && !part->held && hub_stopped(part->hub) != STORE_FENCED;
}

/* So that a peer of that index has an end. <0: out of memory. */
int part_reserve(struct part *part, uint32_t index);

#endif
