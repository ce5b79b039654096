/* The guest book of the tests (../guests.h) at several nodes: who writes, and who reads it. */
#include "world.h"
#include <hub/part.h>

/* The part that the session is at home in, if the node serves it. */
static struct hub *home_at(const struct world *world, unsigned at, uint64_t session)
{
    const struct held_part *held = &world->nodes[at].parts[part_of_session(session, world->parts)];
    return part_speaks(held) && !held->lease_lost ? held->hub : NULL;
}

static uint64_t any_session(struct world *world)
{
    const struct letters *letters = &world->sim.oracle.letters;
    return letters->session_count > 0
               ? letters->sessions[rng_scaled(&world->sim.rng, (unsigned)letters->session_count)]
               : 0;
}

static void write_words(struct world *world, unsigned at)
{
    const uint64_t session = any_session(world), whom = any_session(world);
    struct guests *guests = &world->sim.oracle.guests;
    struct hub *hub = session ? home_at(world, at, session) : NULL;
    if (!hub)
        return;
    node_enter(world);
    hub_tick(hub, node_ms(world, &world->nodes[at]));
    if (world_chance(world, 400))
        guests_leave(guests, &world->sim.rng, hub, session);
    else
        guests_greet(guests, &world->sim.rng, hub, session, whom);
    node_exit(world);
}

/* ---- reading */

static void ask_for_words(struct world *world, unsigned at)
{
    static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, 10, 0, 0, 99};
    struct node *node = &world->nodes[at];
    struct guests *guests = &world->sim.oracle.guests;
    struct hub_http_answer answer;
    uint64_t ticket = 0;
    if (guests->ticket)
        return;
    node_enter(world);
    const bool answered =
        site_http_get(node->site, guests_page, address, node_ms(world, node), &answer, &ticket);
    node_exit(world);
    if (answered) {
        hub_http_release(&answer); /* not now */
        return;
    }
    guests_asked(guests, ticket);
    world->page_node = at;
    world->page_life = node->life;
}

/* Whoever is gone, or has stopped for long, answers nobody. */
void visits_read(struct world *world, unsigned at)
{
    struct guests *guests = &world->sim.oracle.guests;
    struct hub_http_answer answer;
    uint64_t ticket;
    while (site_http_next(world->nodes[at].site, &ticket, &answer)) {
        const char *wrong = NULL;
        const bool known = !world->lost; /* else a word of the page may be among what is lost */
        if (known && answer.status == 200 && ticket == guests->ticket && at == world->page_node)
            wrong = guests_check_page(guests, answer.body, answer.len);
        if (wrong)
            sim_fail(&world->sim, "%s", wrong);
        if (at == world->page_node)
            guests->ticket = 0;
        hub_http_release(&answer);
    }
}

void visits_happen(struct world *world, unsigned at)
{
    const struct node *node = &world->nodes[at];
    struct guests *guests = &world->sim.oracle.guests;
    if (guests->ticket && (!world->nodes[world->page_node].up ||
                           world->nodes[world->page_node].life != world->page_life))
        guests->ticket = 0;
    if (!world->sim.guests || !node->up || node->stopped || node->leaving)
        return;
    if (world_chance(world, 300))
        ask_for_words(world, at);
    else
        write_words(world, at);
    node_settle(world, at);
}

/* ---- when all is quiet */

void visits_check_end(struct world *world)
{
    const struct oracle *oracle = &world->sim.oracle;
    size_t stored = 0, aside = 0;
    for (unsigned part = 0; part < world->parts; part++) {
        stored += guests_stored(&oracle->guests, &world->db.tables[part].seen);
        aside += letters_aside_in(&world->db.tables[part].seen);
    }
    if (stored != guests_expected(&oracle->guests))
        sim_fail(&world->sim, "of %zu words of the guest book %zu are in the store",
                 guests_expected(&oracle->guests), stored);
    if (aside != letters_aside(&oracle->letters))
        sim_fail(&world->sim, "%zu letters were set aside, and %zu are there",
                 letters_aside(&oracle->letters), aside);
    if (aside > 0)
        node_mark(SEEN_LETTER_ASIDE);
}
