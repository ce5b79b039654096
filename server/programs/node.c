#include "node.h"

#include <keeper/keeper.h>
#include <net/facts.h>
#include <net/keeper.h>
#include <postgres/parts.h>
#include <registry/registry.h>
#include <signal.h>
#include <site/site.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/bans.h>
#include <sysexits.h>
#include <unistd.h>

/* For a lock_ms whoever takes a part tries to get its lock from who has been silent. */
static const struct postgres_timeouts timeouts = {
    .connect_ms = 5000,
    .answer_ms = 15000,
    .settle_ms = 10000,
    .lock_ms = 2000,
};

/* From any thread. */
static void log_result(const char *event, const char *message, enum store_result result)
{
    if (result == STORE_OK)
        log_text(LOG_INFO, event, "what", message);
    else
        log_text_number(LOG_ERROR, event, "why", message, "result", result);
}

/* ---- what the keeper asks for, on its threads */

static enum store_result fill_part(const struct node *node, struct keeper_part *opened,
                                   char message[static STORE_MESSAGE_MAX])
{
    const struct store_sink sink = hub_sink(opened->hub);
    enum store_result result = opened->store->engine->open(opened->store, &sink, message);
    if (result == STORE_OK)
        result = hub_maker_restore(&node->maker, opened->hub, message);
    opened->term = (uint64_t)postgres_store_term(opened->store);
    return result;
}

/* The store first, as others wait for it. */
static void close_part(void *ctx, struct keeper_part *part)
{
    (void)ctx;
    if (part->store)
        part->store->engine->close(part->store);
    hub_destroy(part->hub);
    *part = (struct keeper_part){.part = part->part};
}

static enum store_result open_part(void *ctx, const struct postgres_owner *silent,
                                   struct keeper_part *opened,
                                   char message[static STORE_MESSAGE_MAX])
{
    struct node *node = ctx;
    const struct options *options = node->maker.options;
    const struct postgres_options how = {.timeouts = &timeouts,
                                         .silent = silent,
                                         .part = opened->part,
                                         .parts = node->parts,
                                         .sets_aside = opened->sets_aside,
                                         .node = options->node,
                                         .relay = options->relay ? options->relay : ""};
    enum store_result result = STORE_FAILED;
    snprintf(message, STORE_MESSAGE_MAX, "out of memory");
    opened->hub = hub_maker_create(&node->maker, opened->part, node->parts);
    opened->store = opened->hub ? postgres_store_create(node->url, &how) : NULL;
    if (opened->store) {
        opened->store->warn = log_result;
        message[0] = '\0';
        result = fill_part(node, opened, message);
    }
    if (result != STORE_OK)
        close_part(node, opened);
    return result;
}

static void give_part(void *ctx, const struct keeper_part *part)
{
    struct node *node = ctx;
    net_give(node->net, &(struct net_part){.part = part->part,
                                           .term = part->term,
                                           .hub = part->hub,
                                           .store = part->store,
                                           .proven_ms = postgres_store_taken_ms(part->store)});
}

static void take_back(void *ctx, unsigned part)
{
    struct node *node = ctx;
    net_take_back(node->net, part);
}

static void lose_part(void *ctx, unsigned part, uint64_t term)
{
    struct node *node = ctx;
    net_lost(node->net, part, term);
}

static void hear_of_links(void *ctx, const char *names)
{
    const struct node *node = ctx;
    keeper_links(node->keeper, names);
}

static void hear_of_facts(void *ctx, const struct net_facts *facts)
{
    const struct node *node = ctx;
    keeper_facts(node->keeper, &(struct membership_facts){.set_aside = facts->set_aside,
                                                          .jumps = facts->jumps,
                                                          .jumped_ms = facts->jumped_ms,
                                                          .certificate_s = facts->certificate_s});
}

/* Other nodes have the same time, whatever the clocks of their machines say. */
static void take_time(void *ctx, int64_t ahead_ms)
{
    const struct node *node = ctx;
    net_clock_set(node->maker.clock, net_clock_ms(node->maker.clock) - ahead_ms);
}

static void cut_off(void *ctx, bool is_cut_off)
{
    const struct node *node = ctx;
    net_cut_off(node->net, is_cut_off);
}

static void hear_of_nodes(void *ctx, const struct keeper_node nodes[], size_t count)
{
    const struct node *node = ctx;
    struct net_relay_node found[NET_RELAY_NODES_MAX];
    size_t linked = 0;
    for (size_t at = 0; at < count; at++) {
        log_text(LOG_INFO, "node", "name", nodes[at].name);
        if (nodes[at].relay[0] && linked < NET_RELAY_NODES_MAX)
            found[linked++] = (struct net_relay_node){nodes[at].name, nodes[at].relay};
    }
    net_nodes(node->net, found, linked);
}

/* ---- bans: they are the whole site's, and each hub gets them of the net */

static const char BANS[] = "bans";
static const char *const documents[] = {BANS, NULL};

enum old_bans {
    OLD_NONE,
    OLD_ASKED, /* they are being kept, and what is kept then is heard of instead of these */
    OLD_WAIT   /* they cannot be read, or be kept, now: nothing is served without them */
};

static enum old_bans ask_for_old(struct node *node, const char *text, size_t len)
{
    if (!hub_maker_reads(BANS, text, len))
        return OLD_WAIT;
    return keeper_change_document(node->keeper, BANS, text, len, 0) ? OLD_ASKED : OLD_WAIT;
}

/* Nobody has changed them yet: those of a server that was alone before hold on. */
static enum old_bans take_old_bans(struct node *node)
{
    char message[STORE_MESSAGE_MAX] = "the bans of the server that was alone cannot be read", *text;
    size_t len;
    const enum store_result result = bans_load(node->maker.options->data, &text, &len, message);
    enum old_bans old = result == STORE_OK ? OLD_NONE : OLD_WAIT;
    if (text)
        old = ask_for_old(node, text, len);
    if (old == OLD_WAIT && !node->old_failed)
        log_result("bans_failed", message, result == STORE_OK ? STORE_CORRUPT : result);
    node->old_failed = old == OLD_WAIT;
    free(text);
    return old;
}

/* What was readable last holds on; a change that is made to that is to replace this revision, so
 * that the operator can repair it. Without any nothing is served. It is never taken: should memory
 * be all that was missing, it can be read when it is told again. */
static void say_damaged(struct node *node, const char *name, int64_t revision)
{
    if (node->bans_damaged != revision + 1)
        log_text_number(LOG_ERROR, "bans_damaged", "what",
                        node->bans_known ? "the last readable ones hold on"
                                         : "nothing is served before they can be read",
                        "revision", (long long)revision);
    node->bans_damaged = revision + 1;
    if (node->bans_known)
        net_document_damaged(node->net, name, revision);
}

static bool hear_of_document(void *ctx, const char *name, const char *text, size_t len,
                             int64_t revision)
{
    struct node *node = ctx;
    if (!hub_maker_reads(name, text, len)) {
        say_damaged(node, name, revision);
        return false;
    }
    const enum old_bans old = revision == 0 && len == 0 ? take_old_bans(node) : OLD_NONE;
    node->takes_old = node->takes_old || old == OLD_ASKED;
    if (old != OLD_NONE)
        return false;
    const bool taken = net_document(node->net, name, text, len, revision);
    node->bans_known = node->bans_known || taken;
    return taken;
}

/* No operator has asked for the old ones. */
static void document_kept(void *ctx, const char *name, enum store_result result)
{
    struct node *node = ctx;
    (void)name;
    if (node->takes_old) {
        node->takes_old = false;
        return;
    }
    net_document_kept(node->net, result == STORE_OK        ? DOCUMENT_KEPT
                                 : result == STORE_REFUSED ? DOCUMENT_LATE
                                 : result == STORE_FENCED  ? DOCUMENT_OTHERS
                                                           : DOCUMENT_FAILED);
}

static bool change_document(void *ctx, const char *name, const char *text, size_t len,
                            int64_t revision)
{
    const struct node *node = ctx;
    return keeper_change_document(node->keeper, name, text, len, revision);
}

static void document_holds(void *ctx, const char *name, int64_t revision)
{
    const struct node *node = ctx;
    keeper_document_holds(node->keeper, name, revision);
}

/* The net ends as if it was asked to: what is left is given back. */
static void is_replaced(void *ctx, const char *message)
{
    struct node *node = ctx;
    (void)message;
    atomic_store(&node->replaced, true);
    kill(getpid(), SIGTERM);
}

/* ---- what the net says, on its thread */

static void part_ended(void *ctx, const struct net_part *part, enum store_result why)
{
    struct node *node = ctx;
    keeper_ended(node->keeper, part->part, why);
}

static void say_figures(void *ctx, struct net_keeper *said)
{
    const struct node *node = ctx;
    struct keeper_figures figures;
    keeper_figures(node->keeper, &figures);
    *said = (struct net_keeper){.opened = figures.opened,
                                .taken_over = figures.taken_over,
                                .given_up = figures.given_up,
                                .lost = figures.lost,
                                .failed = figures.failed,
                                .since_beat_ms = figures.since_beat_ms,
                                .clock_ahead_ms = figures.ahead_ms};
}

/* ---- begin and end */

static int fail_because(const char *why, int status)
{
    fprintf(stderr, "taluvad: %s\n", why);
    return status;
}

static int ask_for_parts(struct node *node)
{
    struct postgres_said said;
    const enum postgres_problem problem = postgres_parts_get(node->url, &node->parts, &said);
    return problem == POSTGRES_FINE ? EX_OK
                                    : store_database_failed(said.name, problem, said.message);
}

static int find_relay_files(struct node *node)
{
    const struct options *options = node->maker.options;
    return !options->relay || node_files_find(&node->files, options)
               ? EX_OK
               : fail_because("--relay needs --relay-cert, --relay-key and --relay-ca", EX_USAGE);
}

static struct site *create_site(const struct node *node)
{
    const struct options *options = node->maker.options;
    struct site_config config = site_usual;
    config.parts = node->parts;
    config.features = registry;
    config.clients = (size_t)options->hub.connections;
    config.message_bytes = (size_t)options->hub.message_bytes;
    randombytes_buf(config.groups_key, sizeof config.groups_key);
    return site_create(&config);
}

int node_open(struct node *node, const struct store_choice *choice, const struct hub_maker *maker)
{
    const struct options *options = maker->options;
    const struct membership_self self = {.name = options->node,
                                         .relay = options->relay ? options->relay : "",
                                         .version = TALUVA_VERSION};
    const struct keeper_callbacks callbacks = {.ctx = node,
                                               .open = open_part,
                                               .close = close_part,
                                               .give = give_part,
                                               .take_back = take_back,
                                               .lost = lose_part,
                                               .nodes = hear_of_nodes,
                                               .clock = take_time,
                                               .cut_off = cut_off,
                                               .documents = documents,
                                               .document = hear_of_document,
                                               .document_kept = document_kept,
                                               .replaced = is_replaced,
                                               .say = log_result};
    node->maker = *maker;
    node->url = choice->where;
    int status = find_relay_files(node);
    if (status == EX_OK)
        status = ask_for_parts(node);
    if (status != EX_OK)
        return status;
    node->site = create_site(node);
    if (node->site)
        node->keeper = keeper_create(node->url, node->parts, &self, &keeper_usual, &callbacks);
    return node->keeper ? EX_OK : fail_because("out of memory", EX_OSERR);
}

void node_options(struct node *node, struct net_options *options)
{
    options->site = node->site;
    options->relay = node->files.relay.name ? &node->files.relay : NULL;
    options->part_ended = part_ended;
    options->links = hear_of_links;
    options->facts = hear_of_facts;
    options->keeper = say_figures;
    options->change_document = change_document;
    options->document_holds = document_holds;
    options->node = node->maker.options->node;
    options->part_ctx = node;
}

int node_start(struct node *node, struct net *net)
{
    char message[STORE_MESSAGE_MAX];
    node->net = net;
    const enum store_result result = keeper_start(node->keeper, message);
    node->started = result == STORE_OK;
    if (node->started)
        return EX_OK;
    return fail_because(message, result == STORE_FENCED ? EX_TEMPFAIL : EX_UNAVAILABLE);
}

int node_stop(struct node *node, int status)
{
    if (node->started)
        keeper_stop(node->keeper);
    return atomic_load(&node->replaced) ? EX_TEMPFAIL : status;
}

void node_close(struct node *node)
{
    if (node->started)
        keeper_leave(node->keeper);
    keeper_destroy(node->keeper);
    site_destroy(node->site);
}
