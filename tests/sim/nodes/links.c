/*
 * Links between nodes: a cable has two ends, each of which may be gone while the other does not
 * know. The one with the lower number dials. A cable carries so much at once, and no more.
 */
#include "world.h"
#include <assert.h>
#include <links/frame.h>
#include <stdlib.h>
#include <string.h>

enum {
    DELAY_MAX_MS = 3,
    SLOW_MS = 800,
    DIAL_MAX_MS = 1000,
    WINDOW_BYTES = 2048,
    SILENT_MS = 6000, /* then an end gives the other up */
    HALF_OPEN_MAX_MS = 9000,
};

static struct cable_end *end_of(struct world *world, unsigned at, unsigned other)
{
    return &world->nodes[at].cables[other];
}

static void post_lost(struct world *world, unsigned from, unsigned at, unsigned other,
                      int64_t in_ms, uint64_t cable)
{
    world_post(world, from, at, in_ms,
               (struct event){.c = NODE_CABLE_LOST, .a = other, .b = cable});
}

/* ---- beginning and end */

static void close_end(struct world *world, unsigned at, unsigned other)
{
    struct cable_end *end = end_of(world, at, other);
    if (!end->link)
        return;
    if (end->under_way > 0)
        node_mark(SEEN_RELAY_CUT);
    site_link_close(end->link, node_ms(world, &world->nodes[at]));
    post_lost(world, at, other, at, world_between(world, 0, DELAY_MAX_MS) + 5, end->cable);
    *end = (struct cable_end){0};
}

static void open_end(struct world *world, unsigned at, unsigned other, uint64_t cable)
{
    struct cable_end *end = end_of(world, at, other);
    if (end->link)
        node_mark(SEEN_LINK_REPLACED);
    close_end(world, at, other);
    end->cable = cable;
    end->link = site_link_open(world->nodes[at].site, node_ms(world, &world->nodes[at]));
    assert(end->link);
}

static void dial(struct world *world, unsigned at, unsigned other)
{
    world_post(world, at, at, world_between(world, 300, DIAL_MAX_MS),
               (struct event){.c = NODE_DIAL, .a = other});
    if (!end_of(world, at, other)->link && world->nodes[other].up)
        world_post(world, at, other, world_between(world, 1, DELAY_MAX_MS),
                   (struct event){.c = NODE_ACCEPT, .a = at, .b = ++world->next_cable});
}

/* The answer goes before anything else. */
static void accept(struct world *world, unsigned at, unsigned other, uint64_t cable)
{
    const int64_t in_ms = world_between(world, 1, DELAY_MAX_MS);
    open_end(world, at, other, cable);
    end_of(world, at, other)->sent_ms = world->sim.now_ms + in_ms;
    world_post(world, at, other, in_ms, (struct event){.c = NODE_ACCEPTED, .a = at, .b = cable});
}

void links_start(struct world *world, unsigned at)
{
    for (unsigned other = 0; other < NODES; other++) {
        /* Who dials anew finds what the other still has; who is dialled waits. */
        if (at < other)
            world_post(world, at, at, world_between(world, 1, DIAL_MAX_MS),
                       (struct event){.c = NODE_DIAL, .a = other});
    }
}

void links_lost(struct world *world, unsigned at)
{
    for (unsigned other = 0; other < NODES; other++) {
        struct cable_end *end = end_of(world, at, other);
        if (!end->link)
            continue;
        const uint64_t cable = end->cable;
        close_end(world, at, other);
        post_lost(world, other, other, at, SILENT_MS, cable);
    }
}

/* Each end learns of it when it does. */
void links_cut(struct world *world, unsigned one, unsigned other)
{
    const unsigned ends[2] = {one, other};
    for (int i = 0; i < 2; i++) {
        const struct cable_end *end = end_of(world, ends[i], ends[1 - i]);
        const int64_t most_ms = world_chance(world, 300) ? HALF_OPEN_MAX_MS : 50;
        if (!end->link)
            continue;
        if (most_ms == HALF_OPEN_MAX_MS)
            node_mark(SEEN_HALF_OPEN);
        post_lost(world, ends[i], ends[i], ends[1 - i], world_between(world, 0, most_ms),
                  end->cable);
    }
}

/* It hears nothing of the other for a while. */
void links_deaf(struct world *world, unsigned at, unsigned other, int64_t ms)
{
    const struct cable_end *end = end_of(world, at, other);
    if (end->link && ms > SILENT_MS)
        post_lost(world, at, at, other, SILENT_MS + world_between(world, 0, 2000), end->cable);
}

/* ---- frames */

static void check_frame(struct world *world, unsigned at, const unsigned char *bytes, size_t len)
{
    struct frame frame;
    uint64_t count;
    if (!frame_read(&frame, bytes, len) || frame.kind != FRAME_TELL ||
        !frame_take(&frame, 4, &count))
        return;
    if (frame_take_bytes(&frame, 8 * count))
        check_relayed(world, at, (const char *)frame.at, frame.left);
}

static void send_frame(struct world *world, unsigned at, unsigned other, const unsigned char *bytes,
                       size_t len)
{
    struct cable_end *end = end_of(world, at, other);
    const int64_t now_ms = world->sim.now_ms;
    const bool slow =
        now_ms < world->slow_link_until_ms && at == world->slow_from && other == world->slow_to;
    int64_t at_ms = now_ms + world_between(world, 0, slow ? SLOW_MS : DELAY_MAX_MS);
    if (at_ms < end->sent_ms)
        at_ms = end->sent_ms;
    end->sent_ms = at_ms;
    end->under_way += len;
    sim_trace(&world->sim, bytes, len);
    if (world_mutant == MUTANT_FRAME_LOST && world_chance(world, 5))
        return;
    if (world_mutant == MUTANT_FRAMES_SWAPPED && world_chance(world, 20))
        at_ms += 20;
    for (int copies = world_mutant == MUTANT_FRAME_DOUBLED && world_chance(world, 10) ? 2 : 1;
         copies > 0; copies--) {
        char *copy = malloc(len + 1);
        assert(copy);
        memcpy(copy, bytes, len);
        world_post(
            world, at, other, at_ms - now_ms,
            (struct event){.c = NODE_FRAME, .a = at, .b = end->cable, .text = copy, .len = len});
    }
}

static void send_all(struct world *world, unsigned at, unsigned other)
{
    struct cable_end *end = end_of(world, at, other);
    const unsigned char *bytes;
    size_t len;
    while (end->under_way < WINDOW_BYTES && (bytes = site_link_output(end->link, &len)) != NULL) {
        check_frame(world, at, bytes, len);
        send_frame(world, at, other, bytes, len);
        site_link_sent(end->link);
    }
    if (site_link_output(end->link, &len))
        node_mark(SEEN_LINK_FULL);
    if (site_link_broken(end->link))
        close_end(world, at, other);
}

void links_send(struct world *world, unsigned at)
{
    for (unsigned other = 0; other < NODES; other++) {
        if (end_of(world, at, other)->link)
            send_all(world, at, other);
    }
}

static void receive(struct world *world, const struct event *event)
{
    const unsigned at = event->at, other = event->a;
    struct cable_end *end = end_of(world, at, other), *sender = end_of(world, other, at);
    if (sender->link && sender->cable == event->b) {
        if (sender->under_way >= WINDOW_BYTES) /* there is room again */
            world_post(world, at, other, 1, (struct event){.c = NODE_TICK});
        sender->under_way -= event->len < sender->under_way ? event->len : sender->under_way;
    }
    if (!end->link || (end->cable != event->b && world_mutant != MUTANT_OLD_CABLE)) {
        post_lost(world, at, other, at, 1, event->b); /* as the system answers */
        return;
    }
    node_enter(world);
    const bool goes_on = site_link_receive(end->link, (const unsigned char *)event->text,
                                           event->len, node_ms(world, &world->nodes[at]));
    node_exit(world);
    if (!goes_on)
        close_end(world, at, other);
}

void links_event(struct world *world, const struct event *event)
{
    const unsigned at = event->at, other = event->a;
    switch (event->c) {
    case NODE_DIAL:
        dial(world, at, other);
        break;
    case NODE_ACCEPT:
        accept(world, at, other, event->b);
        break;
    case NODE_ACCEPTED:
        open_end(world, at, other, event->b);
        break;
    case NODE_FRAME:
        receive(world, event);
        break;
    default:
        if (end_of(world, at, other)->link && end_of(world, at, other)->cable == event->b)
            close_end(world, at, other);
        break;
    }
}
