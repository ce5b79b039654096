/* What goes wrong, and how often: each fault is rare, and not all are in every world. */
#include "world.h"

enum {
    CHAOS_MS = 1000,
    FIRST_MS = 5000,
    DOWN_MAX_MS = 20000,
    STOP_MAX_MS = 60000,
    SHORT_STOP_MAX_MS = 9000,
    STOPS_OPENING = 6, /* so often as otherwise */
    PAUSE_MS = 20000,
    CUT_MAX_MS = 30000,
    BAD_MAX_MS = 8000,
    SLOW_LINK_MAX_MS = 20000,
    ALONE_LOSES = 300, /* in a thousand */
    WHILE_LETTERS = 8, /* the worst times are chosen so much more often */
    WHILE_RATING = 300,
    RATED_DIVIDES = 3,
    RATED_OFTEN = 5, /* it is thought of so much more often, as a match is soon in the book */
    RATED_SELDOM = 12,
};

/* ---- cuts */

static void block_way(struct world *world, unsigned from, unsigned at, int64_t ms)
{
    if (world_reaches(world, from, at))
        world->blocked_ms[from][at] = world->sim.now_ms + ms;
}

/* Or in one direction only. */
static void block(struct world *world, unsigned one, unsigned other, int64_t ms)
{
    const int64_t ways = world_between(world, 0, 9);
    if (ways > 0)
        block_way(world, one, other, ms);
    if (ways != 1)
        block_way(world, other, one, ms);
    if (ways <= 1)
        node_mark(SEEN_CUT_ONE_WAY);
    sim_log(&world->sim, "%u and %u are cut off for %lld ms%s", one, other, (long long)ms,
            ways == 0   ? ", to the first"
            : ways == 1 ? ", to the second"
                        : "");
}

static void cut_off(struct world *world, unsigned at)
{
    const int64_t ms = world_between(world, 500, CUT_MAX_MS);
    const unsigned other = (at + 1) % NODES;
    switch (world_between(world, 0, 3)) {
    case 0:
        node_mark(SEEN_CUT_FROM_DB);
        block(world, at, AT_DATABASE, ms);
        break;
    case 1:
        node_mark(SEEN_CUT_FROM_PEOPLE);
        block(world, at, AT_PEOPLE, ms);
        break;
    case 2:
        node_mark(SEEN_CUT_FROM_NODE);
        block(world, at, other, ms);
        links_deaf(world, at, other, ms);
        links_deaf(world, other, at, ms);
        break;
    default:
        links_cut(world, at, other);
        break;
    }
}

static void slow_link(struct world *world, unsigned at)
{
    node_mark(SEEN_SLOW_LINK);
    world->slow_from = at;
    world->slow_to = (at + 1) % NODES;
    world->slow_link_until_ms = world->sim.now_ms + world_between(world, 1000, SLOW_LINK_MAX_MS);
}

/* ---- nodes */

static void start_later(struct world *world, unsigned at)
{
    world_post(world, AT_WORLD, AT_WORLD, world_between(world, 100, DOWN_MAX_MS),
               (struct event){.c = WORLD_START, .a = at});
}

/* As if another node had fewer. */
static void give_back(struct world *world, unsigned at)
{
    const unsigned part = (unsigned)world_between(world, 0, world->parts - 1);
    struct holding *holding = &world->nodes[at].holdings.holding[part];
    if (holding->state != HOLDING_HAD)
        return;
    holding->state = HOLDING_LEAVING;
    part_drain(world, at, part);
    node_settle(world, at);
}

static void happen_to_node(struct world *world, unsigned at)
{
    const struct node *node = &world->nodes[at];
    const struct chances *chances = &world->chances;
    if (node->up && world_chance(world, chances->kill)) {
        node_kill(world, at);
        start_later(world, at);
    }
    if (world_chance(world, chances->stop))
        world->stop_in_pipeline = (int)at;
    if (node->up && !node->stopped && world_chance(world, chances->stop))
        node_stop(
            world, at,
            world_between(world, 1, world_chance(world, 500) ? STOP_MAX_MS : SHORT_STOP_MAX_MS));
    const bool runs = node->up && !node->stopped && !node->leaving;
    if (runs && world_chance(world, chances->give_back))
        give_back(world, at);
    if (runs && world_chance(world, chances->leave)) {
        node_leave(world, at);
        start_later(world, at);
    }
    if (node->up && world_chance(world, chances->conn))
        database_cut(world, at);
}

/* Stopped with a part's lock, and often nobody is there to end that but the part's owner, for so
 * long that it would be noticed. */
void faults_opening(struct world *world, unsigned at, unsigned part)
{
    const int owner = world->db.tables[part].row.node;
    if (world->calm_ms || !world_chance(world, STOPS_OPENING * world->chances.stop))
        return;
    node_stop(world, at, world_between(world, 1, STOP_MAX_MS));
    for (unsigned other = 0; other < NODES && world_chance(world, 800); other++) {
        if (other != at && (int)other != owner)
            block(world, other, AT_DATABASE, world_between(world, 1, CUT_MAX_MS));
    }
    if (world_chance(world, 500))
        world->pause_ms = world->sim.now_ms + PAUSE_MS;
}

/* ---- the database */

static void happen_to_database(struct world *world)
{
    struct database *db = &world->db;
    const unsigned chance = world->chances.db_fault;
    const int64_t now_ms = world->sim.now_ms;
    if (db->up && world_chance(world, chance))
        database_fails(world, world_chance(world, 400));
    /* When there is something to lose. */
    if (db->up && db->alone && db->wal_count > 0 && world_chance(world, ALONE_LOSES))
        database_fails(world, true);
    if (world_chance(world, chance))
        db->slow_until_ms = now_ms + world_between(world, 100, BAD_MAX_MS);
    if (world_chance(world, chance))
        db->lag_until_ms = now_ms + world_between(world, 100, BAD_MAX_MS);
    if (db->up && world_chance(world, world->chances.cancel))
        database_cancel(world);
}

/* ---- all */

static unsigned chance(struct world *world, unsigned most)
{
    return world_chance(world, 400) ? 0 : rng_scaled(&world->sim.rng, most + 1);
}

/* Else no match that was sought is over before all is calm. */
static void leave_time_to_play(struct chances *chances)
{
    chances->kill /= RATED_SELDOM;
    chances->stop /= RATED_SELDOM;
    chances->part_in_two /= RATED_SELDOM;
    chances->db_fault /= RATED_SELDOM;
    chances->leave /= RATED_SELDOM;
    chances->give_back /= RATED_SELDOM;
    chances->divide += RATED_DIVIDES;
}

void faults_init(struct world *world)
{
    world->chances = (struct chances){.kill = chance(world, 25),
                                      .stop = chance(world, 40),
                                      .part_in_two = chance(world, 60),
                                      .db_fault = chance(world, 30),
                                      .give_back = chance(world, 60),
                                      .leave = chance(world, 25),
                                      .slow_link = chance(world, 60),
                                      .conn = chance(world, 60),
                                      .cancel = chance(world, 200),
                                      .memory = chance(world, 10),
                                      .divide = chance(world, 16)};
    if (world->sim.rated)
        leave_time_to_play(&world->chances);
    world->db.alone = world_chance(world, 100);
    if (world->db.alone) {
        node_mark(SEEN_ALONE);
        world->chances.db_fault += 20; /* what can be lost then is what this world is about */
    }
    world_post(world, AT_WORLD, AT_WORLD, FIRST_MS, (struct event){.c = WORLD_CHAOS});
}

static unsigned weight_of_now(const struct world *world)
{
    const struct rated *rated = &world->sim.oracle.rated;
    if (world->sim.rated && rated->count == 0)
        return 0; /* what is about ratings waits for one */
    if (division_is_rating(world) && rated->count > (size_t)world->sim.divisions)
        return WHILE_RATING; /* once for each, or none would ever come there */
    return world->sim.oracle.letters.waiting > 0 ? WHILE_LETTERS : 1;
}

void faults_happen(struct world *world)
{
    const unsigned at = (unsigned)world_between(world, 0, NODES - 1);
    if (world->calm_ms)
        return;
    const int64_t most_ms = world->sim.rated ? CHAOS_MS / RATED_OFTEN : CHAOS_MS;
    world_post(world, AT_WORLD, AT_WORLD, world_between(world, 1, most_ms),
               (struct event){.c = WORLD_CHAOS});
    if (world->pause_ms > world->sim.now_ms)
        return;
    happen_to_node(world, at);
    if (world_chance(world, world->chances.part_in_two))
        cut_off(world, at);
    happen_to_database(world);
    if (world->sim.guests)
        visits_happen(world, (unsigned)world_between(world, 0, NODES - 1));
    if (world_chance(world, world->chances.divide * weight_of_now(world)))
        division_begin(world);
    if (world_chance(world, world->chances.slow_link))
        slow_link(world, at);
}

int64_t faults_end(struct world *world)
{
    int64_t until_ms = world->sim.now_ms;
    world->slow_link_until_ms = world->db.slow_until_ms = world->db.lag_until_ms = 0;
    for (unsigned from = 0; from < PLACES; from++) {
        for (unsigned at = 0; at < PLACES; at++) {
            if (world->blocked_ms[from][at] > until_ms)
                until_ms = world->blocked_ms[from][at];
        }
    }
    return until_ms;
}
