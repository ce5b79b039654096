/* What must hold of several nodes, beside what ../check.c looks at. */
#include "world.h"
#include <hub/part.h>
#include <string.h>

/* The room that a message is about: false if it names none. */
static bool room_in(const char *text, size_t len, char room[static 9])
{
    static const char key[] = "\"room\":\"";
    const char *at = memmem(text, len, key, sizeof key - 1);
    if (!at || (size_t)(text + len - at) < sizeof key - 1 + 8)
        return false;
    memcpy(room, at + sizeof key - 1, 8);
    room[8] = '\0';
    return true;
}

/* Who has lost a part says nothing of it, once its next owner has said something. */
void check_owner(struct world *world, unsigned at, const char *text, size_t len)
{
    char room[9];
    /* Not the answers to hello and rooms, which say what several parts had said: see README.md. */
    if (memmem(text, len, "\"session\":", 10) || memmem(text, len, "\"ok\":{\"rooms\":", 14) ||
        !room_in(text, len, room))
        return;
    const unsigned part = part_of_room(room, world->parts);
    const struct held_part *held = &world->nodes[at].parts[part];
    struct table *table = &world->db.tables[part];
    if (!held->hub) {
        node_mark(SEEN_RELAYED);
        return;
    }
    if (held->term < table->told_term)
        sim_fail(&world->sim, "node %u, of term %llu, tells of room %s, and term %llu has: %.*s",
                 at, (unsigned long long)held->term, room, (unsigned long long)table->told_term,
                 (int)len, text);
    table->told_term = held->term;
}

void check_asked(const struct world *world, const char *text)
{
    char room[9];
    if (!room_in(text, strlen(text), room))
        return;
    const unsigned part = part_of_room(room, world->parts);
    for (unsigned at = 0; at < NODES; at++) {
        if (world->nodes[at].parts[part].hub)
            return;
    }
    node_mark(SEEN_WAITED_FOR_PART);
}

/* ---- when all is quiet */

static void check_part(struct world *world, unsigned part)
{
    const struct table *table = &world->db.tables[part];
    unsigned owners = 0;
    for (unsigned at = 0; at < NODES; at++) {
        const struct held_part *held = &world->nodes[at].parts[part];
        const bool serves = held->state == PART_SERVED || held->state == PART_DRAINING;
        owners += serves && held->term == table->row.term;
        if (serves && held->term != table->row.term)
            sim_fail(&world->sim, "node %u still serves part %u", at, part);
    }
    if (owners != 1)
        sim_fail(&world->sim, "part %u has %u owners", part, owners);
}

void check_served(struct world *world)
{
    for (unsigned part = 0; part < world->parts; part++)
        check_part(world, part);
}

void check_later(const struct world *world, struct expected *expected)
{
    const struct oracle *oracle = &world->sim.oracle;
    memset(expected, 0, sizeof *expected);
    for (unsigned i = 0; i < world->sim.client_count; i++) {
        for (size_t at = 0; at < CLIENT_ASKS; at++)
            expected->asks[i][at] = world->sim.clients[i].asks[at].id;
    }
    for (size_t i = 0; i < oracle->count && i < sizeof expected->counts / sizeof(size_t); i++)
        expected->counts[i] = oracle->rooms[i].count;
}

static void check_rooms(struct world *world, const struct client *client,
                        const struct expected *expected)
{
    const struct oracle *oracle = &world->sim.oracle;
    for (size_t at = 0; at < client->room_count; at++) {
        const struct client_room *room = &client->rooms[at];
        const struct truth *truth = oracle_room(oracle, room->id);
        const size_t i = truth ? (size_t)(truth - oracle->rooms) : SIZE_MAX;
        if (!room->following || i >= sizeof expected->counts / sizeof(size_t) || truth->dropped)
            continue;
        if (room->seq < expected->counts[i])
            sim_fail(&world->sim, "client %u holds seq %llu of room %s, which had %zu",
                     client->index, (unsigned long long)room->seq, room->id, expected->counts[i]);
    }
}

static void check_client(struct world *world, const struct client *client,
                         const struct expected *expected)
{
    if (client->wire < 0 || !client->greeted)
        sim_fail(&world->sim, "client %u is not connected", client->index);
    check_rooms(world, client, expected);
    for (size_t at = 0; at < CLIENT_ASKS; at++) {
        const struct ask *ask = &client->asks[at];
        if (ask->id && !ask->answer && ask->id == expected->asks[client->index][at])
            sim_fail(&world->sim, "client %u has no answer to %s", client->index, ask->text);
    }
}

void check_ends(struct world *world, const struct expected *expected)
{
    check_served(world);
    for (unsigned i = 0; i < world->sim.client_count; i++)
        check_client(world, &world->sim.clients[i], expected);
    for (size_t i = 0; i < world->sim.oracle.count; i++) {
        const struct truth *truth = &world->sim.oracle.rooms[i];
        const unsigned part = part_of_room(truth->id, world->parts);
        const struct model_room *stored = model_room(&world->db.tables[part].seen, truth->id);
        if (!truth->dropped && (!stored || stored->count != truth->count))
            sim_fail(&world->sim, "room %s is not in the store as it was written", truth->id);
    }
}

/* Nobody thinks here. */
void *thinkers_memory(size_t *size)
{
    *size = 0;
    return NULL;
}
