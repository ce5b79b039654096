/*
 * The document of a site (hub/store_document.h) at its nodes, the welcome of the guest book: put in
 * place of a revision by one of those who want to, the guest book of a part or an operator, read
 * with each beat, and answered when it holds at all nodes that live. Real: the site, what is said
 * of documents in a beat, and when one holds elsewhere. A model: the rest of the keeper's thread
 * (server/keeper/documents.c), and the table, which is never lost.
 */
#include "../../../server/keeper/documents.h"
#include "../../support/guest_book.h"
#include "world.h"
#include <assert.h>
#include <hub/document.h>
#include <site/documents.h>
#include <site/operator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char NAME[] = "welcome";
enum { CHANGE = 60, BY_FEATURE = 500, UNHEARD_MS = 5000, NUMBER = 16 }; /* in a thousand; digits */

const struct feature *const documents_features[] = {&guest_book_beside, NULL};

/* Behind its version. */
static uint64_t number_of(const char *text)
{
    const char *line = strchr(text, '\n');
    return line ? strtoull(line + 1, NULL, 16) : 0;
}

void documents_start(struct node *node)
{
    node->document = (struct followed_text){.held = -1};
}

/* ---- at the database */

struct put {
    struct site_text text;
};

static void answer_put(struct world *world, const struct event *event, bool kept, int64_t revision)
{
    world_post(world, AT_DATABASE, event->a, world_between(world, 1, 20),
               (struct event){.c = NODE_PUT, .a = event->a, .b = (uint64_t)revision, .len = kept});
}

void documents_put(struct world *world, const struct event *event)
{
    const struct put *put = (const struct put *)(const void *)event->text;
    struct site_text *there = &world->db.document;
    const bool kept = there->revision == (int64_t)event->b || world_mutant == MUTANT_DOCUMENT_BLIND;
    if (kept && (int64_t)event->b != there->revision)
        sim_fail(&world->sim, "revision %lld of a document is written over by who had %lld",
                 (long long)there->revision, (long long)event->b);
    if (kept)
        *there = (struct site_text){there->revision + 1, put->text.number};
    else
        node_mark(SEEN_DOCUMENT_OTHERS);
    sim_log(&world->sim, "node %u puts the document: %s, revision %lld", event->a,
            kept ? "kept" : "others did", (long long)there->revision);
    if (world_chance(world, 100))
        node_mark(SEEN_DOCUMENT_UNHEARD);
    else
        answer_put(world, event, kept, there->revision);
}

/* ---- at a node */

/* The guest book's, if it has asked for the change, is answered. */
static void answer(struct world *world, struct node *node, enum document_kept kept)
{
    if (!node->document.by_feature)
        return;
    node->document.by_feature = false;
    if (kept == DOCUMENT_KEPT)
        node_mark(SEEN_DOCUMENT_BY_FEATURE);
    node_enter(world);
    site_document_kept(node->site, kept);
    node_exit(world);
}

/* What could not be taken is told again with a later beat. */
static void tell(struct world *world, struct node *node, const struct site_text *document)
{
    char text[GUEST_WELCOME_BYTES] = "", welcome[NUMBER + 1];
    const int64_t now_ms = node_ms(world, node);
    if (document->revision == node->document.held)
        return;
    if (document->revision < node->document.held)
        sim_fail(&world->sim, "a node reads revision %lld of a document, and has %lld",
                 (long long)document->revision, (long long)node->document.held);
    (void)snprintf(welcome, sizeof welcome, "%016llx", (unsigned long long)document->number);
    if (document->revision > 0)
        guest_welcome_write(text, welcome);
    node_enter(world);
    const bool taken =
        site_document(node->site, NAME, text, strlen(text), document->revision, now_ms);
    node_exit(world);
    if (!taken)
        return;
    node->document.held = document->revision;
    node->document.number = document->revision > 0 ? document->number : 0;
    node->document.excused = false;
}

void documents_saw(struct world *world, unsigned at, const struct seen_rows *seen)
{
    struct node *node = &world->nodes[at];
    if (!seen->beaten)
        return;
    const bool once = world_mutant == MUTANT_DOCUMENT_ONCE && node->document.known;
    if (!once && (node->document.held < seen->document.revision || node->document.held < 0))
        tell(world, node, &seen->document);
    const bool said = seen->said >= 0 || world_mutant == MUTANT_DOCUMENT_UNSAID;
    node->document.known |= said && node->document.held >= seen->document.revision;
}

/* Who is taken for dead may have an older one, until it is heard of again. */
static void told(struct world *world, unsigned at, int64_t revision)
{
    struct node *node = &world->nodes[at];
    node_mark(SEEN_DOCUMENT_TOLD);
    sim_log(&world->sim, "node %u: revision %lld of the document holds", at, (long long)revision);
    node->document.spreading = 0;
    if (revision > world->document_told)
        world->document_told = revision;
    for (size_t i = 0; i < node->watch.look.nodes; i++) {
        const unsigned other = (unsigned)(node->watch.look.node[i].name[1] - '0');
        struct node *dead = &world->nodes[other];
        dead->document.excused |= dead->document.held < revision &&
                                  !membership_lives(&node->watch, i, node->holdings.pace.silent_ms);
    }
}

static void spread(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    const int64_t revision = node->document.spreading, now_ms = world->sim.now_ms;
    const int64_t silent_ms = node->holdings.pace.silent_ms;
    const bool seen = node->watch.look.at_ms > node->document.since_ms;
    if (seen &&
        (world_mutant == MUTANT_DOCUMENT_EARLY ||
         documents_hold_elsewhere(&node->watch, node->holdings.self, silent_ms, NAME, revision))) {
        told(world, at, revision);
        answer(world, node, DOCUMENT_KEPT);
    } else if (now_ms - node->document.since_ms >= silent_ms + 2 * node->holdings.pace.beat_ms) {
        node_mark(SEEN_DOCUMENT_LATE);
        node->document.spreading = 0;
        answer(world, node, DOCUMENT_LATE);
    }
}

/* Some part that the node serves; NULL: it serves none. */
static struct hub *any_part(const struct world *world, struct node *node)
{
    for (unsigned part = 0; part < world->parts; part++) {
        if (part_speaks(&node->parts[part]) && !node->parts[part].lease_lost)
            return node->parts[part].hub;
    }
    return NULL;
}

/* True: the guest book of one of its parts has asked for a change, perhaps for one of before. */
static bool ask_feature(struct world *world, struct node *node, uint64_t *number)
{
    struct hub_document_asked asked;
    char welcome[NUMBER + 1];
    struct hub *hub = any_part(world, node);
    (void)snprintf(welcome, sizeof welcome, "%016llx", (unsigned long long)*number);
    if (!hub)
        return false;
    node_enter(world);
    (void)guest_book_welcome(hub, welcome);
    const bool asks = site_document_asked(node->site, &asked, node_ms(world, node));
    node_exit(world);
    if (asks && asked.revision != node->document.held)
        sim_fail(&world->sim, "a guest book changes revision %lld, and its node has %lld",
                 (long long)asked.revision, (long long)node->document.held);
    if (asks)
        *number = number_of(asked.text);
    return asks;
}

/* Somebody wants it to be another one. */
static void change(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    struct put *put = malloc(sizeof *put);
    uint64_t number = rng_next(&world->sim.rng);
    assert(put);
    node->document.by_feature =
        world_chance(world, BY_FEATURE) && ask_feature(world, node, &number);
    put->text = (struct site_text){0, number};
    node->document.putting = true;
    node->document.since_ms = world->sim.now_ms;
    world_post(world, at, AT_DATABASE, world_between(world, 0, 20),
               (struct event){
                   .c = DB_PUT, .a = at, .b = (uint64_t)node->document.held, .text = (char *)put});
}

void documents_looked(struct world *world, unsigned at)
{
    struct node *node = &world->nodes[at];
    const struct followed_text *document = &node->document;
    if (document->putting && world->sim.now_ms - document->since_ms >= UNHEARD_MS) {
        node->document.putting = false;
        answer(world, node, DOCUMENT_FAILED);
    }
    if (document->spreading > 0)
        spread(world, at);
    else if (!document->putting && document->known && !world->calm_ms &&
             world_chance(world, CHANGE))
        change(world, at);
}

void documents_event(struct world *world, const struct event *event)
{
    struct node *node = &world->nodes[event->at];
    if (!node->document.putting)
        return; /* it has not been waited for */
    node->document.putting = false;
    if (event->len == 0 || (int64_t)event->b != node->document.held + 1) {
        answer(world, node, event->len == 0 ? DOCUMENT_OTHERS : DOCUMENT_LATE);
        return;
    }
    const struct site_text kept = {(int64_t)event->b, world->db.document.number};
    tell(world, node, &kept);
    if (node->document.held != kept.revision) { /* it cannot be read yet */
        answer(world, node, DOCUMENT_LATE);
        return;
    }
    node->document.spreading = kept.revision;
    node->document.since_ms = world->sim.now_ms;
}

/* ---- what must hold */

/* The guest books of all its parts go by what the node has. */
static void check_welcomes(struct world *world, unsigned at)
{
    const struct node *node = &world->nodes[at];
    for (unsigned part = 0; part < world->parts; part++) {
        const struct held_part *held = &node->parts[part];
        const char *welcome = part_speaks(held) ? guest_book_welcomed(held->hub) : "";
        if (!welcome || (part_speaks(held) && strtoull(welcome, NULL, 16) != node->document.number))
            sim_fail(&world->sim, "the guest book of part %u at node %u goes by another document",
                     part, at);
    }
}

static bool speaks(const struct world *world, const struct node *node)
{
    for (unsigned part = 0; part < world->parts; part++) {
        if (part_speaks(&node->parts[part]) && !node->parts[part].lease_lost)
            return true;
    }
    return false;
}

void documents_check(struct world *world)
{
    for (unsigned at = 0; at < NODES; at++) {
        const struct node *node = &world->nodes[at];
        if (!node->up || node->stopped || node->leaving)
            continue;
        if (node->document.held >= 0 &&
            site_document_revision(node->site, NAME) != node->document.held)
            sim_fail(&world->sim, "node %u has another revision of the document than it knows", at);
        check_welcomes(world, at);
        if (speaks(world, node) && !node->document.excused &&
            node->document.held < world->document_told)
            sim_fail(&world->sim, "node %u goes by revision %lld of a document; %lld was answered",
                     at, (long long)node->document.held, (long long)world->document_told);
    }
}

void documents_check_end(struct world *world)
{
    for (unsigned at = 0; at < NODES; at++) {
        if (world->nodes[at].up && world->nodes[at].document.held != world->db.document.revision)
            sim_fail(&world->sim,
                     "node %u has revision %lld of a document at the end; %lld is there", at,
                     (long long)world->nodes[at].document.held,
                     (long long)world->db.document.revision);
    }
}
