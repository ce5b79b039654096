/*
 * The node of the desk is killed, and nothing else goes wrong: those who seek a match are found one
 * by another node within five seconds, whenever that happens. They are at home in other parts, and
 * wait in rows of the desk's alone.
 */
#include "../../support/model_rows.h"
#include "../worlds.h"
#include "world.h"
#include <base/program.h>
#include <pairing/offer.h>
#include <stdio.h>
#include <waiting/waiting.h>

enum {
    WORLDS = 60,
    BEGIN_MS = 20000,   /* by then all parts are served */
    ANY_TIME_MS = 4000, /* of what a node does again and again */
    SEEK_MS = 5000,     /* so long it may take */
    DESK = 0,           /* its part */
};

static unsigned node_of_desk(const struct world *world)
{
    unsigned at = 0;
    while (at < NODES && !part_speaks(&world->nodes[at].parts[DESK]))
        at++;
    return at;
}

/* Of a session of the next part. */
static void put_seek(struct world *world, uint64_t number)
{
    struct table *desk = &world->db.tables[DESK];
    struct seek_row row = {.session = number * world->parts + 1,
                           .since_ms = world->sim.now_ms,
                           .said_ms = world->sim.now_ms,
                           .sizes = 1 << 2,
                           .apart = ""};
    (void)snprintf(row.handle, sizeof row.handle, "who%u", (unsigned)number);
    (void)snprintf(row.name, sizeof row.name, "Who");
    const struct store_row seek = {.table = &seek_table, .row = &row};
    model_put_row(&desk->seen, &seek);
    model_put_row(&desk->safe, &seek);
}

/* How long it took, in milliseconds. */
static int64_t run(struct world *world)
{
    struct sim *sim = &world->sim;
    world->quick = true;
    world_begin(world);
    world_pass(world, sim->now_ms + BEGIN_MS + world_between(world, 0, ANY_TIME_MS));
    const unsigned at = node_of_desk(world);
    if (at == NODES)
        sim_fail(sim, "nobody has the desk");
    put_seek(world, 1);
    put_seek(world, 2);
    node_kill(world, at);
    const int64_t killed_ms = sim->now_ms;
    while (model_rows(&world->db.tables[DESK].safe, &offer_table) < 2) {
        world_pass(world, sim->now_ms + 1);
        if (sim->now_ms - killed_ms > SEEK_MS)
            sim_fail(sim, "two who seek wait for more than %d ms after the desk's node was killed",
                     SEEK_MS);
    }
    return sim->now_ms - killed_ms;
}

int main(void)
{
    int64_t longest_ms = 0;
    unsigned ran = 0;
    program_begin();
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        const struct sim_plan plan = {.seed = seed};
        struct world *world = world_create(&plan);
        if (world->parts > 1) { /* else nobody is at home in another part */
            const int64_t took_ms = run(world);
            longest_ms = took_ms > longest_ms ? took_ms : longest_ms;
            ran++;
        }
        world_destroy(world);
    }
    printf("%u worlds: two who seek were found a table within %d ms\n", ran, (int)longest_ms);
    return program_end("sim-desk", ran > WORLDS / 2 ? 0 : 1);
}
