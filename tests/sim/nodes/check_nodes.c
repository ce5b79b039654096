/* What must hold of several nodes, beside what ../check.c looks at. */
#include "world.h"
#include <hub/part.h>
#include <string.h>

/* In so much time of calm a part has an owner that may speak. */
enum { OWNED_MS = 10000, SEEN_MS = 2000 };
/* A keeper's question without an answer for so long was lost with what it was asked of: then
 * nothing is seen until it is asked again. */
enum { LOST_MS = 1000 };

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

/* The part of a room of which a message says something; -1: none. */
static int part_told_of(const struct world *world, const char *text, size_t len)
{
    char room[9];
    /* Not what is put together of what several parts had said before: see told.c. Nor finished
     * matches, which the part of a session reads in the database, whosever the rooms were; nor of
     * which room was found for it, or rated, which a letter has told that part. */
    if (world->lost || memmem(text, len, "\"session\":", 10) ||
        memmem(text, len, "{\"push\":\"found\"", 15) ||
        memmem(text, len, "{\"push\":\"rated\"", 15) || memmem(text, len, "\"rooms\":[", 9) ||
        memmem(text, len, "\"games\":[", 9) || !room_in(text, len, room))
        return -1;
    return (int)part_of_room(room, world->parts);
}

/*
 * Who has lost a part says nothing of it, once its next owner has said something; and nothing at
 * all when it has not heard for so long that it is its owner that there may be another.
 */
void check_owner(struct world *world, unsigned at, const char *text, size_t len)
{
    const int part = part_told_of(world, text, len);
    if (part < 0)
        return;
    const struct held_part *held = &world->nodes[at].parts[part];
    struct table *table = &world->db.tables[part];
    if (!part_speaks(held)) {
        node_mark(SEEN_RELAYED);
        return;
    }
    if (world->sim.now_ms - held->proven_ms >= POSTGRES_LEASE_MS)
        sim_fail(&world->sim, "node %u has lost its lease, and tells of part %d: %.*s", at, part,
                 (int)len, text);
    if (held->term < table->told_term)
        sim_fail(&world->sim, "node %u, of term %llu, tells of part %d, and term %llu has: %.*s",
                 at, (unsigned long long)held->term, part, (unsigned long long)table->told_term,
                 (int)len, text);
    table->told_term = held->term;
}

/* What has waited for a link may be older: whoever gets it knows whether it is too old. */
void check_relayed(struct world *world, unsigned at, const char *text, size_t len)
{
    const int part = part_told_of(world, text, len);
    if (part < 0)
        return;
    const struct held_part *held = &world->nodes[at].parts[part];
    struct table *table = &world->db.tables[part];
    if (part_speaks(held) && !held->lease_lost && held->term > table->told_term)
        table->told_term = held->term;
}

void check_asked(const struct world *world, const char *text)
{
    char room[9];
    if (!room_in(text, strlen(text), room))
        return;
    const unsigned part = part_of_room(room, world->parts);
    for (unsigned at = 0; at < NODES; at++) {
        if (part_speaks(&world->nodes[at].parts[part]))
            return;
    }
    node_mark(SEEN_WAITED_FOR_PART);
}

/* ---- what is written */

/* Each is of the term that has the part, and has the number after the one before. */
void check_written(struct world *world, const struct tx *tx)
{
    struct row *written = &world->db.tables[tx->part].written;
    if (tx->number == 0) {
        if (tx->term <= written->term)
            sim_fail(&world->sim, "part %u: term %llu comes after %llu", tx->part,
                     (unsigned long long)tx->term, (unsigned long long)written->term);
        *written = (struct row){.term = tx->term, .node = (int)tx->node};
        return;
    }
    if (tx->term != written->term || (int)tx->node != written->node)
        sim_fail(&world->sim, "part %u: term %llu writes, and term %llu has it", tx->part,
                 (unsigned long long)tx->term, (unsigned long long)written->term);
    if (tx->number != written->batch + 1)
        sim_fail(&world->sim, "part %u, term %llu: batch %lld comes after %lld", tx->part,
                 (unsigned long long)tx->term, (long long)tx->number, (long long)written->batch);
    written->batch = tx->number;
}

/* ---- what was lost */

void check_lost(struct world *world)
{
    for (unsigned at = 0; at < NODES; at++) {
        for (unsigned part = 0; part < world->parts; part++) {
            struct held_part *held = &world->nodes[at].parts[part];
            const struct row *row = &world->db.tables[part].row;
            held->lost |= held->hub && (row->term < held->term || (row->term == held->term &&
                                                                   row->batch < held->done_number));
        }
    }
}

void check_noticed(struct world *world)
{
    for (unsigned at = 0; at < NODES; at++) {
        for (unsigned part = 0; part < world->parts; part++) {
            if (world->nodes[at].parts[part].lost)
                sim_fail(&world->sim, "node %u has not noticed what part %u has lost", at, part);
        }
    }
}

/* ---- owners */

static bool can_serve(const struct world *world, unsigned at)
{
    const struct node *node = &world->nodes[at];
    return node->up && !node->stopped && !node->leaving && world_reaches(world, at, AT_DATABASE) &&
           world_reaches(world, AT_DATABASE, at);
}

static bool has_owner(const struct world *world, unsigned part)
{
    for (unsigned at = 0; at < NODES; at++) {
        const struct held_part *held = &world->nodes[at].parts[part];
        if (can_serve(world, at) && part_speaks(held) && !held->lease_lost &&
            held->term == world->db.tables[part].row.term)
            return true;
    }
    return false;
}

static bool asks_in_vain(const struct world *world, unsigned at)
{
    const struct node *node = &world->nodes[at];
    return can_serve(world, at) && node->asking && world->sim.now_ms - node->asked_ms > LOST_MS;
}

static void mix(uint64_t *number, uint64_t value)
{
    *number = (*number ^ value) * UINT64_C(1099511628211);
}

/* Another number when anything of it has changed; 0: no part can have an owner. */
static uint64_t condition(const struct world *world)
{
    const struct database *db = &world->db;
    uint64_t number = 1;
    bool any = false, in_vain = false;
    mix(&number, db->fails);
    for (unsigned at = 0; at < NODES; at++) {
        const struct node *node = &world->nodes[at];
        any |= can_serve(world, at);
        in_vain |= asks_in_vain(world, at);
        mix(&number, 2 * node->life + can_serve(world, at));
        mix(&number, node->stops);
    }
    const int64_t now_ms = world->sim.now_ms;
    return any && !in_vain && db->up && db->slow_until_ms <= now_ms && db->lag_until_ms <= now_ms
               ? number
               : 0;
}

/* Who can look at the rows sees there that its part was taken, whatever its store waits for. */
static void check_seen(struct world *world, unsigned at, unsigned part)
{
    struct held_part *held = &world->nodes[at].parts[part];
    const int64_t now_ms = world->sim.now_ms;
    const bool taken = part_speaks(held) && held->term < world->db.tables[part].row.term;
    if (!taken || !can_serve(world, at))
        held->taken_ms = 0;
    else if (held->taken_ms == 0)
        held->taken_ms = now_ms;
    else if (!world->lost && now_ms - held->taken_ms > SEEN_MS &&
             now_ms - world->trouble_ms > SEEN_MS)
        sim_fail(&world->sim, "node %u does not see that part %u was taken", at, part);
}

void check_owned(struct world *world)
{
    const int64_t now_ms = world->sim.now_ms;
    const uint64_t now = condition(world);
    if (now == 0 || now != world->condition)
        world->trouble_ms = now_ms;
    world->condition = now;
    for (unsigned part = 0; part < world->parts; part++) {
        struct table *table = &world->db.tables[part];
        if (has_owner(world, part))
            table->unowned_ms = now_ms;
        if (!world->lost && now_ms - world->trouble_ms > OWNED_MS &&
            now_ms - table->unowned_ms > OWNED_MS)
            sim_fail(&world->sim, "part %u has had no owner for %lld ms, %lld of them calm", part,
                     (long long)(now_ms - table->unowned_ms),
                     (long long)(now_ms - world->trouble_ms));
        for (unsigned at = 0; at < NODES; at++)
            check_seen(world, at, part);
    }
}

/* ---- when all is quiet */

static void check_part(struct world *world, unsigned part)
{
    const struct table *table = &world->db.tables[part];
    unsigned owners = 0;
    for (unsigned at = 0; at < NODES; at++) {
        const struct held_part *held = &world->nodes[at].parts[part];
        owners += part_speaks(held) && held->term == table->row.term;
        if (part_speaks(held) && held->term != table->row.term)
            sim_fail(&world->sim, "node %u still serves part %u", at, part);
    }
    if (owners > 1)
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
        expected->away[i] = world->sim.clients[i].back_off_ms > world->sim.now_ms;
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
    if (expected->away[client->index])
        return;
    if (client->wire < 0 || !client->greeted)
        sim_fail(&world->sim, "client %u is not connected", client->index);
    check_rooms(world, client, expected);
    for (size_t at = 0; at < CLIENT_ASKS; at++) {
        const struct ask *ask = &client->asks[at];
        if (ask->id && !ask->answer && ask->id == expected->asks[client->index][at])
            sim_fail(&world->sim, "client %u has no answer to %s", client->index, ask->text);
    }
}

static void check_counted(struct world *world)
{
    const uint64_t counted = letters_counted(&world->sim.oracle.letters);
    uint64_t stored = 0;
    for (unsigned part = 0; part < world->parts; part++)
        stored += letters_stored(&world->db.tables[part].seen);
    if (stored != counted)
        sim_fail(&world->sim, "%llu matches are counted, and %llu letters said so",
                 (unsigned long long)stored, (unsigned long long)counted);
}

static void check_ratings(struct world *world)
{
    const struct rated *rated = &world->sim.oracle.rated;
    const char *wrong = oracle_check_rated(&world->sim.oracle);
    const struct behaved *behaved = &world->sim.oracle.behaved;
    size_t agreeing = 0, behaving = 0;
    for (unsigned part = 0; part < world->parts; part++) {
        agreeing += rated_agreeing(rated, &world->db.tables[part].seen);
        behaving += behaved_agreeing(behaved, &world->db.tables[part].seen);
    }
    for (size_t at = 0; at < rated->count; at++) {
        node_mark(SEEN_MATCH_RATED);
        if (rated->matches[at].match.sides < rated->matches[at].match.seats)
            node_mark(SEEN_TEAMS_RATED);
    }
    if (!wrong && agreeing != rated_expected(rated))
        wrong = "what is kept of ratings is not what the book says";
    if (!wrong && behaving != behaved_expected(behaved))
        wrong = "what is kept of how people behave is not what was said";
    for (unsigned part = 0; part < world->parts && !wrong; part++)
        wrong = oracle_check_placed(&world->sim.oracle, &world->db.tables[part].seen);
    if (wrong)
        sim_fail(&world->sim, "%s", wrong);
}

void check_ends(struct world *world, const struct expected *expected)
{
    check_served(world);
    for (unsigned i = 0; i < world->sim.client_count; i++)
        check_client(world, &world->sim.clients[i], expected);
    documents_check_end(world);
    if (world->sim.oracle.letters.waiting > 0)
        sim_fail(&world->sim, "%zu letters were never applied", world->sim.oracle.letters.waiting);
    visits_check_end(world);
    check_counted(world);
    check_ratings(world);
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
