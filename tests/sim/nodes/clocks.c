/*
 * No clock of a match is charged for the time in which nobody served its part. By the world's
 * clock, from one durable event of a room to the next; what a batch waits for is allowed for.
 */
#include "../client.h"
#include "world.h"
#include <hub/part.h>
#include <stdio.h>
#include <string.h>

/* A batch whose answer was lost is waited for up to ten seconds (settle_ms,
 * server/programs/node.c). */
enum { SLACK_MS = 15000, APART_MS = 10000 };

/*
 * Who is stopped again and again is behind all others. A real node that differs from the database
 * by more than APART_MS gives its parts back; here it keeps them, and what it has stamped is
 * charged by those who know better.
 */
static int64_t slack_ms(const struct world *world)
{
    return SLACK_MS + (world->apart_ms > APART_MS ? world->apart_ms - APART_MS : 0);
}

/* -1: there is no such clock, or one that begins anew with each turn. */
static int64_t left_of(const struct truth *truth, unsigned seat)
{
    char name[8];
    (void)snprintf(name, sizeof name, "%u", seat);
    const json_t *clock = json_object_get(truth->state, "clock");
    const json_t *left = json_object_get(json_object_get(clock, "seats"), name);
    return strcmp(text_of(clock, "kind"), "fischer") == 0 ? number_of(left, "left_ms") : -1;
}

static void check_seat(struct world *world, const struct truth *truth, unsigned seat,
                       const struct timed *timed)
{
    const struct table *table = &world->db.tables[part_of_room(truth->id, world->parts)];
    const int64_t charged_ms = timed->left_ms[seat] - left_of(truth, seat);
    const int64_t gap_ms = table->gap_ms - timed->gap_ms;
    const int64_t served_ms = world->sim.now_ms - timed->at_ms - gap_ms;
    if (timed->left_ms[seat] < 0 || left_of(truth, seat) < 0)
        return;
    if (gap_ms > SLACK_MS && charged_ms > 0)
        node_mark(SEEN_CLOCK_COMPARED);
    if (charged_ms > served_ms + slack_ms(world))
        sim_fail(&world->sim,
                 "room %s: seat %u is charged %lld ms, and its part was served for %lld ms",
                 truth->id, seat, (long long)charged_ms, (long long)served_ms);
}

static void check_room(struct world *world, const char *id)
{
    const struct truth *truth = oracle_room(&world->sim.oracle, id);
    const size_t at = truth ? (size_t)(truth - world->sim.oracle.rooms) : TOLD_ROOMS;
    if (at >= TOLD_ROOMS)
        return;
    struct timed *timed = &world->timed[at];
    for (unsigned seat = 0; seat < TIMED_SEATS && timed->at_ms; seat++)
        check_seat(world, truth, seat, timed);
    timed->at_ms = world->sim.now_ms;
    timed->gap_ms = world->db.tables[part_of_room(id, world->parts)].gap_ms;
    for (unsigned seat = 0; seat < TIMED_SEATS; seat++)
        timed->left_ms[seat] = left_of(truth, seat);
}

void clocks_written(struct world *world, const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->ops[i].kind == STORE_APPEND && batch->results[i] == STORE_OK)
            check_room(world, batch->ops[i].room_id);
    }
}

/* What nobody has served of a room's part goes with the room. */
void clocks_divided(struct world *world, unsigned before, unsigned parts)
{
    for (size_t at = 0; at < world->sim.oracle.count && at < TOLD_ROOMS; at++) {
        const char *id = world->sim.oracle.rooms[at].id;
        world->timed[at].gap_ms += world->db.tables[part_of_room(id, parts)].gap_ms -
                                   world->db.tables[part_of_room(id, before)].gap_ms;
    }
}

static bool is_served(const struct world *world, unsigned part)
{
    for (unsigned at = 0; at < NODES; at++) {
        const struct node *node = &world->nodes[at];
        const struct held_part *held = &node->parts[part];
        /* Clocks go on in a part that is left and cannot write its last batch yet. */
        if (node->up && !node->stopped && held->hub &&
            held->term == world->db.tables[part].row.term)
            return true;
    }
    return false;
}

static void watch_clocks(struct world *world)
{
    int64_t least_ms = INT64_MAX, most_ms = INT64_MIN;
    for (unsigned at = 0; at < NODES; at++) {
        const struct node *node = &world->nodes[at];
        const int64_t clocks_ms[] = {node->skew_ms, node->system_ms};
        for (unsigned which = 0; which < 2; which++) {
            least_ms = clocks_ms[which] < least_ms ? clocks_ms[which] : least_ms;
            most_ms = clocks_ms[which] > most_ms ? clocks_ms[which] : most_ms;
        }
    }
    if (most_ms - least_ms > world->apart_ms)
        world->apart_ms = most_ms - least_ms;
}

void clocks_watch(struct world *world, int64_t ms)
{
    watch_clocks(world);
    for (unsigned part = 0; part < world->parts; part++) {
        if (!is_served(world, part))
            world->db.tables[part].gap_ms += ms;
    }
}
