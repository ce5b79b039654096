/*
 * A site is divided anew: `taluvad parts N` (server/postgres/parts.c). The operator has all nodes
 * ended, and tries until nobody has the lock of a part. What was written by then is there, in other
 * parts and under new terms: letters that nobody has applied, batches whose answer nobody has got.
 *
 * It is a model of what the queries make of it, as the unit tests' is (model_divide.h). It is made
 * at once, on both disks. Nodes that are stopped are killed before.
 */
#include "../../support/model_divide.h"
#include "../../support/model_rows.h"
#include "world.h"
#include <assert.h>
#include <rows/rows.h>
#include <string.h>
#include <tables/account_table.h>

enum {
    TRY_MS = 250,
    TRIES_MS = 22000,
    HURRY_OF = 16,
    START_MAX_MS = 3000,
    END_MAX_MS = 9000, /* between the first node that is ended and the last */
};

bool division_is_rating(const struct world *world)
{
    const struct rated *rated = &world->sim.oracle.rated;
    return rated->count > 0 && rated->matches[rated->count - 1].n == 0;
}

/* ---- ending all nodes */

static void end_node(struct world *world, unsigned at)
{
    const struct node *node = &world->nodes[at];
    if (!node->up || node->leaving)
        return;
    if (!node->stopped && !division_is_rating(world) && world_chance(world, 500))
        node_leave(world, at);
    else
        node_kill(world, at);
}

static int64_t begun_ms(const struct division *division)
{
    return division->until_ms - TRIES_MS;
}

/* One of HURRY_OF operators does not try on when no node is there any more: by the time at which it
 * was begun, which is as good as chance. */
static bool is_given_up(const struct world *world)
{
    const struct division *division = &world->division;
    bool any = false;
    for (unsigned at = 0; at < NODES; at++)
        any |= world->nodes[at].up;
    return world->sim.now_ms >= division->until_ms || (!any && begun_ms(division) % HURRY_OF == 0);
}

static void try_again(struct world *world)
{
    world_post(world, AT_WORLD, AT_WORLD, TRY_MS, (struct event){.c = WORLD_DIVIDE});
}

void division_begin(struct world *world)
{
    unsigned parts = (unsigned)world_between(world, 1, PARTS - 1);
    parts += parts >= world->parts;
    if (world->division.parts != 0)
        return;
    sim_log(&world->sim, "the site is to have %u parts instead of %u", parts, world->parts);
    world->division =
        (struct division){.parts = parts,
                          .at_once = world_chance(world, 500) || division_is_rating(world),
                          .until_ms = world->sim.now_ms + TRIES_MS};
    division_event(world);
}

/* One after the other, so that for a while others have their parts; or all at once. */
static bool is_any_up(struct world *world)
{
    const struct division *division = &world->division;
    bool any = false;
    for (unsigned at = 0; at < NODES; at++) {
        if (division->at_once || world_chance(world, 40) ||
            begun_ms(division) + END_MAX_MS < world->sim.now_ms)
            end_node(world, at);
        any |= world->nodes[at].up;
    }
    return any;
}

static void start_nodes(struct world *world)
{
    world->division = (struct division){0};
    for (unsigned at = 0; at < NODES; at++)
        world_post(world, AT_WORLD, AT_WORLD, world_between(world, 1, START_MAX_MS),
                   (struct event){.c = WORLD_START, .a = at});
}

/* ---- may it be divided? */

static bool is_locked(const struct world *world)
{
    bool locked = false;
    for (unsigned part = 0; part < world->parts; part++)
        locked |= world->db.tables[part].lock != 0 || world->db.tables[part].row_lock != 0;
    return locked && world_mutant != MUTANT_DIVIDED_BUSY;
}

/* Who has not said that it has ended may be there, without its connection. */
static bool was_given_up(const struct world *world)
{
    for (unsigned part = 0; part < world->parts; part++) {
        const struct row *row = &world->db.tables[part].row;
        if (row->term > 0 && row->batch != POSTGRES_GIVEN_UP)
            return false;
    }
    return true;
}

/* All that was written before is at the standby, as this is. */
static bool may_divide(struct world *world)
{
    struct division *division = &world->division;
    const int64_t now_ms = world->sim.now_ms;
    if (is_any_up(world) || !world->db.up || world->db.wal_count > 0 || is_locked(world)) {
        division->free_ms = 0;
        return false;
    }
    if (division->free_ms == 0)
        division->free_ms = now_ms;
    return was_given_up(world) || now_ms - division->free_ms >= POSTGRES_SILENT_MS ||
           world_mutant == MUTANT_DIVIDED_BUSY;
}

/* ---- dividing */

static void drop_all(struct model_store *store, const struct store_table *table)
{
    const void *row;
    while ((row = model_nth(store, table, 0)) != NULL)
        model_drop_row(store, &(struct store_row){.table = table, .row = row});
}

/* What a mutant leaves behind. */
static void leave_behind(struct model_store *store)
{
    if (world_mutant == MUTANT_DIVIDED_LETTERS)
        drop_all(store, &store_letter_table);
    if (world_mutant == MUTANT_DIVIDED_CLAIMS)
        drop_all(store, &account_table);
    if (world_mutant == MUTANT_DIVIDED_WORDS)
        drop_all(store, &guest_word_table);
    if (world_mutant == MUTANT_DIVIDED_RATINGS)
        drop_all(store, &rating_table);
    if (world_mutant == MUTANT_DIVIDED_BOOK)
        drop_all(store, &book_end_table);
}

/* A match that is over, and in no book yet. */
static bool has_unrated(const struct model_store *store)
{
    const struct store_letter *letter;
    for (size_t at = 0; (letter = model_nth(store, &store_letter_table, at)); at++) {
        if (strcmp(letter->kind, "ratings.match") == 0)
            return true;
    }
    return false;
}

static void note_what_waits(const struct model_store *store)
{
    if (model_rows(store, &store_letter_table) > 0)
        node_mark(SEEN_DIVIDED_LETTERS);
    if (model_rows(store, &account_table) > 0)
        node_mark(SEEN_DIVIDED_CLAIMS);
    if (model_rows(store, &rating_table) > 0)
        node_mark(SEEN_DIVIDED_RATED);
    if (has_unrated(store))
        node_mark(SEEN_DIVIDED_UNRATED);
}

typedef struct model_store *store_of_table(struct table *table);

static struct model_store *seen_of(struct table *table)
{
    return &table->seen;
}

static struct model_store *safe_of(struct table *table)
{
    return &table->safe;
}

/* A row that is handed out to the part of its hash as well is not. */
static void forget_misplaced(struct model_store *to, unsigned part, unsigned parts)
{
    const struct credential_row *row;
    size_t at = 0;
    while ((row = model_nth(to, &credential_table, at)) != NULL) {
        if (row->session % parts == part)
            at++;
        else
            model_drop_row(to, &(struct store_row){.table = &credential_table, .row = row});
    }
}

static void divide_stores(struct world *world, store_of_table *store_of, unsigned parts)
{
    struct model_store from[PARTS], to[PARTS];
    struct table *tables = world->db.tables;
    for (unsigned part = 0; part < PARTS; part++) {
        from[part] = *store_of(&tables[part]);
        from[part].next = NULL;
        leave_behind(&from[part]);
        model_init(&to[part]);
    }
    model_divide(from, world->parts, to, parts);
    for (unsigned part = 0; part < PARTS; part++) {
        if (world_mutant == MUTANT_DIVIDED_SECRETS && part < parts)
            forget_misplaced(&to[part], part, parts);
        *store_of(&tables[part]) = to[part];
        store_of(&tables[part])->next = store_of(&tables[(part + 1) % PARTS]);
    }
}

/* A new term, which is no one's. */
static void begin_table(struct world *world, struct table *table)
{
    table->row = (struct row){++world->db.next_term, POSTGRES_GIVEN_UP, -1};
    table->safe_row = table->row;
    table->written = (struct row){.term = table->row.term};
    table->told_term = 0;
    table->unowned_ms = world->sim.now_ms;
    model_release(&table->base);
    model_copy(&table->safe, &table->base);
}

static void divide(struct world *world)
{
    struct database *db = &world->db;
    const unsigned parts = world->division.parts;
    sim_log(&world->sim, "the site has %u parts instead of %u", parts, world->parts);
    node_mark(SEEN_DIVIDED);
    if (!was_given_up(world))
        node_mark(SEEN_DIVIDED_BUSY);
    for (unsigned part = 0; part < world->parts; part++)
        note_what_waits(&db->tables[part].safe);
    clocks_divided(world, world->parts, parts);
    divide_stores(world, seen_of, parts);
    divide_stores(world, safe_of, parts);
    world->parts = world->site_config.parts = parts;
    world->sim.divisions++;
    for (unsigned part = 0; part < PARTS; part++)
        begin_table(world, &db->tables[part]);
    db->log_count = 0;
    if (world_mutant == MUTANT_DIVIDED_DOCUMENT && db->document.revision > 0)
        db->document.revision--;
}

void division_event(struct world *world)
{
    struct division *division = &world->division;
    if (division->parts == 0 || world->lost)
        return;
    if (may_divide(world)) {
        divide(world);
        start_nodes(world);
    } else if (is_given_up(world)) {
        node_mark(SEEN_NOT_DIVIDED);
        start_nodes(world);
    } else {
        try_again(world);
    }
}

void division_give_up(struct world *world)
{
    world->division = (struct division){0};
}
