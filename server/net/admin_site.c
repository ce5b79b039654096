#include "admin_site.h"

#include "mute.h"
#include "neighbours.h"
#include "net_private.h"
#include "part.h"
#include "worker.h"
#include <hub/bans.h>
#include <hub/part.h>
#include <inttypes.h>
#include <net/clock.h>
#include <net/keeper.h>
#include <protocol/reply.h>
#include <site/site.h>
#include <stdio.h>

static enum admin_outcome refuse(struct refusal *refusal, const char *code, const char *text,
                                 const char *field)
{
    *refusal = (struct refusal){.code = code, .text = text, .field = field};
    return ADMIN_REFUSED;
}

/* ---- the parts that are here */

static struct served_part *part_of(const struct net *net, unsigned number)
{
    struct served_part *part = net->parts.first;
    while (part && (part->its.part != number || !part_works(part)))
        part = part->next;
    return part;
}

static size_t hubs_here(const struct net *net, struct hub *hubs[static PARTS_MAX])
{
    size_t count = 0;
    for (unsigned number = 0; number < site_count_parts(net->site); number++) {
        const struct served_part *part = part_of(net, number);
        if (part)
            hubs[count++] = part->hub;
    }
    return count;
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

void admin_site_mute_why(struct served_part *part, char why[static MUTE_WHY_BYTES])
{
    const struct net *net = part->net;
    why[0] = '\0';
    if (!mute_is(part))
        return;
    const uint64_t newer = site_part_seen(net->site, part->its.part).newer_term;
    const int64_t ms = net_clock_boot_ms() - worker_proven_ms(part->worker);
    if (hub_stopped(part->hub) == STORE_FENCED && newer > 0)
        snprintf(why, MUTE_WHY_BYTES, "fenced by term %" PRIu64, newer);
    else if (hub_stopped(part->hub) == STORE_FENCED)
        snprintf(why, MUTE_WHY_BYTES, "fenced: another node has opened it");
    else
        snprintf(why, MUTE_WHY_BYTES, "no commit acknowledged for %" PRId64 ".%" PRId64 " s",
                 ms / 1000, ms % 1000 / 100);
}

static void write_here(struct served_part *part, struct writer *writer)
{
    char why[MUTE_WHY_BYTES];
    admin_site_mute_why(part, why);
    writer_key_string(writer, "state", state_of(part));
    if (why[0])
        writer_key_string(writer, "mute", why);
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
static void write_site(void *ctx, struct writer *writer)
{
    const struct net *net = ctx;
    struct neighbour links[NET_RELAY_NODES_MAX];
    const size_t count = neighbours_list(net, links);
    if (net->options->node)
        writer_key_string(writer, "node", net->options->node);
    writer_key_int(writer, "clients", (int64_t)site_clients(net->site));
    writer_key_int(writer, "bans_revision", net->bans.now.revision);
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

/* ---- lists, and what all parts are told */

static enum admin_outcome look(struct net *net, const struct admin_request *request,
                               struct buffer *line)
{
    struct hub *hubs[PARTS_MAX];
    const struct admin_hubs all = {.hubs = hubs,
                                   .count = hubs_here(net, hubs),
                                   .server = net->options->server,
                                   .now_ms = net_now_ms(net),
                                   .draining = net->admin.drains || net->run.state != NET_SERVING,
                                   .status = site_is_lone(net->site) ? NULL : write_site,
                                   .ctx = net};
    hub_admin_look(&all, request, line);
    return ADMIN_DONE;
}

static void write_answer(const struct admin_request *request, struct buffer *line,
                         const char *const keys[], const int64_t values[], size_t count)
{
    struct writer writer;
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    for (size_t at = 0; at < count; at++)
        writer_key_int(&writer, keys[at], values[at]);
    reply_end(&writer);
    buffer_append_byte(line, '\n');
}

/* What is about to be given back drains already, and is not to stop that. */
static enum admin_outcome drain(struct net *net, const struct admin_request *request,
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

static enum admin_outcome announce(struct net *net, const struct admin_request *request,
                                   struct buffer *line)
{
    static const char *const keys[] = {"connections", "nodes"};
    struct hub *hubs[PARTS_MAX];
    const size_t count = hubs_here(net, hubs);
    int64_t told[2] = {0, (int64_t)site_announce(net->site, request->text)};
    for (size_t at = 0; at < count; at++)
        told[0] += (int64_t)hub_announce(hubs[at], request->text, net_now_ms(net));
    write_answer(request, line, keys, told, site_is_lone(net->site) ? 1 : 2);
    return ADMIN_DONE;
}

/* ---- of one room */

static enum admin_outcome ask_part(struct net *net, const struct admin_request *request,
                                   struct buffer *line, struct refusal *refusal,
                                   struct served_part **asked)
{
    const unsigned number = part_of_room(request->room, site_count_parts(net->site));
    const struct site_part seen = site_part_seen(net->site, number);
    *asked = part_of(net, number);
    if (*asked && net->admin.waits && admin_op_changes(request->op))
        return refuse(refusal, "busy", "Something else is being saved; try again in a moment.",
                      NULL);
    if (*asked)
        return hub_admin((*asked)->hub, request, net_now_ms(net), line, refusal);
    if (!seen.node)
        return refuse(refusal, "no_part",
                      "No node that can be reached has the part of that room now; try again.",
                      "room");
    snprintf(net->admin.said, sizeof net->admin.said, "Rooms of that part are at %s; ask there.",
             seen.node);
    return refuse(refusal, "elsewhere", net->admin.said, "room");
}

/* ---- bans */

/* Of a session whose home is elsewhere nobody here knows. */
static bool is_unknown(const struct net *net, const struct admin_request *request)
{
    const uint64_t session = request->target.session;
    const struct served_part *home =
        session ? part_of(net, part_of_session(session, site_count_parts(net->site))) : NULL;
    return home && request->op != ADMIN_LIFT && !hub_has_session(home->hub, session);
}

static enum admin_outcome show_bans(const struct net *net, const struct admin_request *request,
                                    struct buffer *line, struct refusal *refusal)
{
    const struct bans_text *now = &net->bans.now;
    *refusal = (struct refusal){.error = PROTOCOL_STORE_FAILING};
    if (net->options->change_bans && !now->text)
        return ADMIN_REFUSED;
    if (bans_text_show(now->text, now->len, request->id, net_now_ms(net), line))
        return ADMIN_DONE;
    *refusal = (struct refusal){.error = PROTOCOL_INTERNAL};
    return ADMIN_REFUSED;
}

static enum admin_outcome change_bans(struct net *net, const struct admin_request *request,
                                      struct refusal *refusal)
{
    const struct bans_text *now = &net->bans.now;
    struct buffer changed;
    if (net->admin.waits)
        return refuse(refusal, "busy", "Something else is being saved; try again in a moment.",
                      NULL);
    if (!net->options->change_bans || !now->text) {
        *refusal = (struct refusal){.error = PROTOCOL_STORE_FAILING};
        return ADMIN_REFUSED;
    }
    if (is_unknown(net, request))
        return refuse(refusal, "unknown_session", "There is no such session.", NULL);
    buffer_init(&changed, 0, ADMIN_ANSWER_BYTES);
    bool good = bans_text_change(now->text, now->len, request, net_now_ms(net),
                                 (size_t)net->options->bans, &changed, refusal);
    net->bans.closed = 0;
    if (good && !net->options->change_bans(net->options->part_ctx, buffer_payload(&changed),
                                           changed.len, now->revision)) {
        *refusal = (struct refusal){.error = PROTOCOL_STORE_FAILING};
        good = false;
    }
    buffer_release(&changed);
    return good ? ADMIN_WAITS : ADMIN_REFUSED;
}

enum admin_outcome admin_site_bans_kept(struct net *net, enum net_bans_kept kept,
                                        const struct admin_change *change, struct buffer *line,
                                        struct refusal *refusal)
{
    switch (kept) {
    case NET_BANS_KEPT:
        bans_text_changed(&change->request, change->asked_ms, net->bans.closed, line);
        return ADMIN_DONE;
    case NET_BANS_OTHERS:
        return refuse(refusal, "busy",
                      "The bans were changed at another node meanwhile; try again in a moment.",
                      NULL);
    case NET_BANS_FAILED:
        break;
    }
    *refusal = (struct refusal){.error = PROTOCOL_STORE_FAILING};
    return ADMIN_REFUSED;
}

/* ---- all of it */

enum admin_outcome admin_site_ask(struct net *net, const struct admin_request *request,
                                  struct buffer *line, struct refusal *refusal,
                                  struct served_part **asked)
{
    *asked = NULL;
    switch (request->op) {
    case ADMIN_STATUS:
    case ADMIN_ROOMS:
    case ADMIN_SESSIONS:
    case ADMIN_ADDRESSES:
        return look(net, request, line);
    case ADMIN_ROOM:
    case ADMIN_CLOSE:
        return ask_part(net, request, line, refusal, asked);
    case ADMIN_DRAIN:
        return drain(net, request, line);
    case ADMIN_ANNOUNCE:
        return announce(net, request, line);
    case ADMIN_BANS:
        return show_bans(net, request, line, refusal);
    case ADMIN_BAN:
    case ADMIN_SILENCE:
    case ADMIN_LIFT:
        return change_bans(net, request, refusal);
    case ADMIN_OP_COUNT:
        break;
    }
    *refusal = (struct refusal){.error = PROTOCOL_UNKNOWN_OP, .field = "op"};
    return ADMIN_REFUSED;
}
