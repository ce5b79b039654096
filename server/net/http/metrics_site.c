#include "metrics_site.h"

#include "net_private.h"
#include "parts/lease.h"
#include "parts/part.h"
#include "relay/neighbours.h"
#include "threads/worker.h"
#include <hub/prometheus.h>
#include <inttypes.h>
#include <net/clock.h>

/* ---- links */

struct link_row {
    const char *name, *type, *help;
    uint64_t (*value)(const struct neighbour *link);
};

#define LINK_VALUE(name, expression)                                                               \
    static uint64_t name(const struct neighbour *link)                                             \
    {                                                                                              \
        return expression;                                                                         \
    }
LINK_VALUE(link_up, link->link.end != NULL)
LINK_VALUE(link_lost, link->link.traffic.lost)
LINK_VALUE(link_waiting, link->queued)
#undef LINK_VALUE

static const struct link_row link_rows[] = {
    {"link_up", "gauge", "1 while there is a link with that node.", link_up},
    {"link_lost_total", "counter", "Links with that node that were cut off.", link_lost},
    {"link_waiting_bytes", "gauge", "Bytes that wait for the link.", link_waiting},
};
enum { LINK_ROWS = sizeof link_rows / sizeof link_rows[0] };

/* Two counters, one each way. */
static void write_ways(const struct neighbour links[], size_t count, const char *name,
                       const char *help, void (*get)(const struct neighbour *, uint64_t[2]),
                       struct buffer *out)
{
    uint64_t ways[2];
    prometheus_head(out, name, "counter", help);
    for (size_t at = 0; at < count; at++) {
        get(&links[at], ways);
        for (int way = 0; way < 2; way++)
            prometheus_line(out, "taluva_%s{node=\"%s\",way=\"%s\"} %" PRIu64 "\n", name,
                            links[at].link.node, way == 0 ? "in" : "out", ways[way]);
    }
}

static void frames_of(const struct neighbour *link, uint64_t ways[2])
{
    ways[0] = link->link.traffic.frames_in;
    ways[1] = link->link.traffic.frames_out;
}

static void bytes_of(const struct neighbour *link, uint64_t ways[2])
{
    ways[0] = link->link.traffic.bytes_in;
    ways[1] = link->link.traffic.bytes_out;
}

static void relayed_of(const struct neighbour *link, uint64_t ways[2])
{
    ways[0] = link->relayed_in;
    ways[1] = link->relayed_out;
}

/* Names of nodes have no signs that would have to be escaped. */
static void write_links(const struct neighbour links[], size_t count, struct buffer *out)
{
    for (size_t row = 0; row < LINK_ROWS; row++) {
        prometheus_head(out, link_rows[row].name, link_rows[row].type, link_rows[row].help);
        for (size_t at = 0; at < count; at++)
            prometheus_labelled(out, link_rows[row].name, "node", links[at].link.node,
                                link_rows[row].value(&links[at]));
    }
    write_ways(links, count, "link_frames_total", "Frames by node and way.", frames_of, out);
    write_ways(links, count, "link_bytes_total", "Bytes of frames by node and way.", bytes_of, out);
    write_ways(links, count, "link_relayed_total",
               "Messages of clients there for rooms here, and of clients here for rooms there, "
               "since the link is up.",
               relayed_of, out);
}

/* ---- parts */

/* Both reasons, so that there is always a sample of each. */
static void write_lease(struct served_part *part, struct buffer *out)
{
    const bool lost = lease_is_lost(part), fenced = hub_stopped(part->hub) == STORE_FENCED;
    prometheus_line(out, "taluva_part_lease_lost{part=\"%u\",why=\"silent\"} %d\n", part->its.part,
                    lost && !fenced);
    prometheus_line(out, "taluva_part_lease_lost{part=\"%u\",why=\"fenced\"} %d\n", part->its.part,
                    lost && fenced);
}

static void write_age(struct served_part *part, struct buffer *out)
{
    const int64_t ms = net_clock_boot_ms() - worker_proven_ms(part->worker);
    prometheus_line(out, "taluva_part_acknowledged_age_seconds{part=\"%u\"} %.3f\n", part->its.part,
                    (double)ms * 1e-3);
}

static void write_each(const struct net *net, struct buffer *out,
                       void (*write)(struct served_part *part, struct buffer *out))
{
    for (struct served_part *part = net->parts.first; part; part = part->next) {
        if (part_works(part))
            write(part, out);
    }
}

void metrics_site_write(const struct net *net, struct buffer *out)
{
    struct neighbour links[NET_RELAY_NODES_MAX];
    prometheus_head(out, "part_lease_lost", "gauge",
                    "1 while nothing is said of that part here: silent, its store acknowledges "
                    "nothing; fenced, another node has opened it.");
    write_each(net, out, write_lease);
    prometheus_head(out, "part_acknowledged_age_seconds", "gauge",
                    "Since the last commit of that part that was acknowledged was sent.");
    write_each(net, out, write_age);
    write_links(links, neighbours_list(net, links), out);
}
