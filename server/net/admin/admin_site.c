#include "admin_site.h"

#include "net_private.h"
#include "parts/lease.h"
#include "parts/part.h"
#include "relay/neighbours.h"
#include "threads/worker.h"
#include <hub/part.h>
#include <inttypes.h>
#include <net/clock.h>
#include <net/keeper.h>
#include <protocol/reply.h>
#include <site/documents.h>
#include <stdio.h>

/* ---- the parts that are here */

static struct served_part *part_of(const struct net *net, unsigned number)
{
    struct served_part *part = net->parts.first;
    while (part && (part->its.part != number || !part_works(part)))
        part = part->next;
    return part;
}

/* ---- status */

static const char *state_of(const struct served_part *part)
{
    switch (part->state) {
    case PART_SERVING:
        return "served";
    case PART_DRAINING:
        return "given back";
    case PART_LEFT:
    case PART_ENDING:
    case PART_JOINING:
        break;
    }
    return "left";
}

/* Why a part here says nothing; "": it has its lease. */
enum { LEASE_WHY_BYTES = 80 };
static void find_lease_why(struct served_part *part, char why[static LEASE_WHY_BYTES])
{
    const struct net *net = part->net;
    why[0] = '\0';
    if (!lease_is_lost(part))
        return;
    const uint64_t newer = site_part_seen(net->site, part->its.part).newer_term;
    const int64_t ms = net_clock_boot_ms() - worker_proven_ms(part->worker);
    if (hub_stopped(part->hub) == STORE_FENCED && newer > 0)
        snprintf(why, LEASE_WHY_BYTES, "fenced by term %" PRIu64, newer);
    else if (hub_stopped(part->hub) == STORE_FENCED)
        snprintf(why, LEASE_WHY_BYTES, "fenced: another node has opened it");
    else
        snprintf(why, LEASE_WHY_BYTES, "no commit acknowledged for %" PRId64 ".%" PRId64 " s",
                 ms / 1000, ms % 1000 / 100);
}

static void write_here(struct served_part *part, struct writer *writer)
{
    char why[LEASE_WHY_BYTES];
    find_lease_why(part, why);
    writer_key_string(writer, "state", state_of(part));
    if (why[0])
        writer_key_string(writer, "lease_lost", why);
    writer_key_int(writer, "acknowledged_ms", net_clock_boot_ms() - worker_proven_ms(part->worker));
    hub_admin_part(part->hub, writer);
}

static void write_part(const struct net *net, unsigned number, struct writer *writer)
{
    const struct site_part seen = site_part_seen(net->site, number);
    struct served_part *here = part_of(net, number);
    const char *self = net->options->node ? net->options->node : "";
    writer_object(writer);
    writer_key_int(writer, "part", number);
    if (here || seen.node)
        writer_key_string(writer, "at", here ? self : seen.node);
    writer_key_int(writer, "term", (int64_t)seen.term);
    if (here)
        write_here(here, writer);
    else
        writer_key_string(writer, "state", seen.node ? "elsewhere" : "nobody's");
    writer_end(writer);
}

static void write_link(const struct neighbour *at, struct writer *writer)
{
    const struct relay_traffic *traffic = &at->link.traffic;
    writer_object(writer);
    writer_key_string(writer, "node", at->link.node);
    writer_key_bool(writer, "up", at->link.end);
    writer_key_int(writer, "up_ms", at->link.up_ms);
    writer_key_int(writer, "lost", (int64_t)traffic->lost);
    writer_key_int(writer, "frames_in", (int64_t)traffic->frames_in);
    writer_key_int(writer, "frames_out", (int64_t)traffic->frames_out);
    writer_key_int(writer, "bytes_in", (int64_t)traffic->bytes_in);
    writer_key_int(writer, "bytes_out", (int64_t)traffic->bytes_out);
    writer_key_int(writer, "waiting", (int64_t)at->queued);
    writer_key_int(writer, "relayed_out", (int64_t)at->relayed_out);
    writer_key_int(writer, "relayed_in", (int64_t)at->relayed_in);
    writer_end(writer);
}

static void write_keeper(const struct net *net, struct writer *writer)
{
    struct net_keeper keeper = {0};
    if (!net->options->keeper)
        return;
    net->options->keeper(net->options->part_ctx, &keeper);
    writer_key_int(writer, "beat_ms", keeper.since_beat_ms);
    writer_key_int(writer, "opened", (int64_t)keeper.opened);
    writer_key_int(writer, "taken_over", (int64_t)keeper.taken_over);
    writer_key_int(writer, "given_up", (int64_t)keeper.given_up);
    writer_key_int(writer, "lost", (int64_t)keeper.lost);
    writer_key_int(writer, "failed", (int64_t)keeper.failed);
}

/* What a site has beside what a hub has. */
void admin_site_status(void *ctx, struct writer *writer)
{
    const struct net *net = ctx;
    struct neighbour links[NET_RELAY_NODES_MAX];
    const size_t count = neighbours_list(net, links);
    if (net->options->node)
        writer_key_string(writer, "node", net->options->node);
    writer_key_int(writer, "clients", (int64_t)site_clients(net->site));
    writer_key_int(writer, "bans_revision", site_document_revision(net->site, "bans"));
    write_keeper(net, writer);
    writer_key_array(writer, "parts");
    for (unsigned number = 0; number < site_count_parts(net->site); number++)
        write_part(net, number, writer);
    writer_end(writer);
    writer_key_array(writer, "links");
    for (size_t at = 0; at < count; at++)
        write_link(&links[at], writer);
    writer_end(writer);
}

/* ---- drain */

/* What is about to be given back drains already, and is not to stop that. */
enum admin_outcome admin_site_drain(struct net *net, const struct admin_request *request,
                                    struct buffer *line)
{
    struct writer writer;
    net->admin.drains = !request->cancel;
    site_drain(net->site, net->admin.drains);
    for (struct served_part *part = net->parts.first; part; part = part->next) {
        if (part->state == PART_SERVING)
            (request->cancel ? hub_drain_cancel : hub_drain)(part->hub, net_now_ms(net));
    }
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    writer_key_bool(&writer, "draining", net->admin.drains);
    reply_end(&writer);
    buffer_append_byte(line, '\n');
    return ADMIN_DONE;
}
