#include "node.h"

#include "../postgres/fixture.h"
#include <scratch.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const struct keeper_pace pace = {.look_ms = 50,
                                 .beat_ms = 200,
                                 .silent_ms = 5000,
                                 .settle_ms = 400,
                                 .between_ms = 50,
                                 .retry_ms = 100,
                                 .retry_max_ms = 400,
                                 .damaged_ms = 60000,
                                 .forget_ms = 1000};

static pthread_mutex_t site = PTHREAD_MUTEX_INITIALIZER;
static const struct node *who[PARTS]; /* serves it, of this process */

void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* ---- what a keeper asks for */

static enum store_result open_part(void *ctx, const struct postgres_owner *silent,
                                   struct keeper_part *opened,
                                   char message[static STORE_MESSAGE_MAX])
{
    static const struct postgres_timeouts timeouts = {
        .connect_ms = 2000, .answer_ms = 5000, .settle_ms = 2000, .lock_ms = 1000};
    struct node *node = ctx;
    const struct postgres_options options = {.timeouts = &timeouts,
                                             .silent = silent,
                                             .part = opened->part,
                                             .parts = PARTS,
                                             .node = node->name,
                                             .relay = ""};
    pthread_mutex_lock(&node->mutex);
    const enum store_result fails = opened->part == 0 ? node->fails : STORE_OK;
    node->tries += opened->part == 0;
    ck_assert_int_ge(node->bans_revision, 0); /* nothing is opened before they are known */
    pthread_mutex_unlock(&node->mutex);
    if (fails != STORE_OK)
        return fails;
    FILE *out = fopen("/dev/null", "w");
    const struct store_sink sink = dump_sink(out);
    opened->store = postgres_store_create(fixture_url(), &options);
    ck_assert(out && opened->store);
    const enum store_result result = opened->store->engine->open(opened->store, &sink, message);
    fclose(out);
    if (result != STORE_OK)
        opened->store->engine->close(opened->store);
    else
        opened->term = (uint64_t)postgres_store_term(opened->store);
    pthread_mutex_lock(&node->mutex);
    node->opened += result == STORE_OK;
    pthread_mutex_unlock(&node->mutex);
    return result;
}

static void close_part(void *ctx, struct keeper_part *part)
{
    struct node *node = ctx;
    part->store->engine->close(part->store);
    pthread_mutex_lock(&node->mutex);
    node->closed++;
    pthread_mutex_unlock(&node->mutex);
}

static void set_who(unsigned part, const struct node *from, const struct node *to)
{
    pthread_mutex_lock(&site);
    ck_assert_ptr_eq(who[part], from);
    who[part] = to;
    pthread_mutex_unlock(&site);
}

static void give(void *ctx, const struct keeper_part *part)
{
    struct node *node = ctx;
    set_who(part->part, NULL, node);
    pthread_mutex_lock(&node->mutex);
    ck_assert(!node->serves[part->part]);
    node->parts[part->part] = *part;
    node->serves[part->part] = true;
    node->asked[part->part] = false;
    pthread_mutex_unlock(&node->mutex);
}

static void take_back(void *ctx, unsigned part)
{
    struct node *node = ctx;
    pthread_mutex_lock(&node->mutex);
    node->asked[part] = true;
    pthread_mutex_unlock(&node->mutex);
}

static void lost(void *ctx, unsigned part, uint64_t term)
{
    struct node *node = ctx;
    pthread_mutex_lock(&node->mutex);
    node->lost[part] = term;
    pthread_mutex_unlock(&node->mutex);
}

static void hear_of_nodes(void *ctx, const struct keeper_node nodes[], size_t count)
{
    struct node *node = ctx;
    char links[sizeof node->others] = "";
    size_t len = 0, links_len = 0;
    pthread_mutex_lock(&node->mutex);
    node->others[0] = '\0';
    for (size_t at = 0; at < count; at++) {
        len += (size_t)snprintf(node->others + len, sizeof node->others - len, "%s=%s ",
                                nodes[at].name, nodes[at].relay);
        links_len +=
            (size_t)snprintf(links + links_len, sizeof links - links_len, "%s ", nodes[at].name);
    }
    const bool unreached = node->unreached;
    pthread_mutex_unlock(&node->mutex);
    keeper_links(node->keeper, unreached ? "" : links);
}

static const char *const documents[] = {"bans", "other", NULL};

static bool hear_of_other(struct node *node, const char *text, size_t len, int64_t revision)
{
    pthread_mutex_lock(&node->mutex);
    ck_assert_uint_lt(len, sizeof node->other);
    memcpy(node->other, text, len + 1);
    node->other_revision = revision;
    pthread_mutex_unlock(&node->mutex);
    keeper_document_holds(node->keeper, "other", revision);
    return true;
}

static bool hear_of_document(void *ctx, const char *name, const char *text, size_t len,
                             int64_t revision)
{
    struct node *node = ctx;
    if (strcmp(name, "bans") != 0)
        return hear_of_other(node, text, len, revision);
    pthread_mutex_lock(&node->mutex);
    ck_assert_uint_lt(len, sizeof node->bans);
    const bool takes = node->bans_refused == 0;
    if (takes) {
        memcpy(node->bans, text, len + 1);
        node->bans_revision = revision;
    } else {
        node->bans_refused--;
    }
    const bool holds = takes && !node->slow;
    pthread_mutex_unlock(&node->mutex);
    if (holds)
        keeper_document_holds(node->keeper, name, revision);
    return takes;
}

static void document_kept(void *ctx, const char *name, enum store_result result)
{
    struct node *node = ctx;
    (void)name;
    pthread_mutex_lock(&node->mutex);
    node->bans_kept = result;
    pthread_mutex_unlock(&node->mutex);
}

static void is_replaced(void *ctx, const char *message)
{
    struct node *node = ctx;
    ck_assert_ptr_nonnull(strstr(message, "another process is the node"));
    pthread_mutex_lock(&node->mutex);
    node->replaced++;
    pthread_mutex_unlock(&node->mutex);
}

static char said[96]; /* of documents, last; and how often: */
static int times_heard;

const char *last_said(void)
{
    return said;
}

int count_said(void)
{
    pthread_mutex_lock(&site);
    const int count = times_heard;
    pthread_mutex_unlock(&site);
    return count;
}

/* Also for whoever looks why a test has failed. */
static void say(const char *event, const char *message, enum store_result result)
{
    if (strncmp(event, "document_", 9) == 0) {
        pthread_mutex_lock(&site);
        snprintf(said, sizeof said, "%s: %s", event, message);
        times_heard++;
        pthread_mutex_unlock(&site);
    }
    if (result != STORE_OK)
        fprintf(stderr, "%s: %s\n", event, message);
}

/* ---- who serves */

static void is_committed(struct store_commit *commit)
{
    (void)commit;
}

static void end_part(struct node *node, unsigned part, enum store_result why)
{
    set_who(part, node, NULL);
    pthread_mutex_lock(&node->mutex);
    node->serves[part] = false;
    pthread_mutex_unlock(&node->mutex);
    keeper_ended(node->keeper, part, why);
}

static void serve_part(struct node *node, unsigned part, bool drains)
{
    static const struct store_batch nothing = {0};
    pthread_mutex_lock(&node->mutex);
    const bool serves = node->serves[part], asked = node->asked[part];
    const bool lost = node->lost[part] > node->parts[part].term, waits = node->waits;
    struct store *store = node->parts[part].store;
    pthread_mutex_unlock(&node->mutex);
    if (serves && lost)
        end_part(node, part, STORE_FENCED);
    if (!serves || lost || waits)
        return;
    struct store_commit commit = {.batch = &nothing, .done = is_committed};
    store->engine->commit(store, &commit);
    if (commit.result == STORE_FENCED || (commit.result == STORE_OK && (asked || drains)))
        end_part(node, part, commit.result);
}

static void *serve(void *ctx)
{
    struct node *node = ctx;
    bool stops = false;
    while (!stops) {
        pthread_mutex_lock(&node->mutex);
        stops = node->stops;
        pthread_mutex_unlock(&node->mutex);
        for (unsigned part = 0; part < PARTS; part++)
            serve_part(node, part, stops);
        pause_ms(20);
    }
    return NULL;
}

void prepare(struct node *node, const char *name)
{
    const struct membership_self self = {name, name, "1.0"};
    const struct keeper_callbacks callbacks = {.ctx = node,
                                               .open = open_part,
                                               .close = close_part,
                                               .give = give,
                                               .take_back = take_back,
                                               .lost = lost,
                                               .nodes = hear_of_nodes,
                                               .documents = documents,
                                               .document = hear_of_document,
                                               .document_kept = document_kept,
                                               .replaced = is_replaced,
                                               .say = say};
    *node = (struct node){.name = name, .bans_revision = -1, .other_revision = -1, .bans_kept = 1};
    pthread_mutex_init(&node->mutex, NULL);
    node->keeper = keeper_create(fixture_url(), PARTS, &self, &pace, &callbacks);
    ck_assert_ptr_nonnull(node->keeper);
}

void start(struct node *node)
{
    char message[STORE_MESSAGE_MAX];
    ck_assert_msg(keeper_start(node->keeper, message) == STORE_OK, "%s", message);
    ck_assert_int_eq(pthread_create(&node->server, NULL, serve, node), 0);
}

void end(struct node *node)
{
    pthread_mutex_lock(&node->mutex);
    node->stops = true;
    pthread_mutex_unlock(&node->mutex);
    pthread_join(node->server, NULL);
    keeper_stop(node->keeper);
    for (unsigned part = 0; part < PARTS; part++) {
        if (node->serves[part])
            set_who(part, node, NULL);
    }
    keeper_leave(node->keeper);
    keeper_destroy(node->keeper);
    ck_assert_int_eq(node->opened, node->closed);
    pthread_mutex_destroy(&node->mutex);
}

struct keeper_figures figures_of(struct node *node)
{
    struct keeper_figures figures;
    keeper_figures(node->keeper, &figures);
    return figures;
}

void until_it_has(struct node *node, unsigned parts)
{
    for (int tries = 0; tries < 3000 && figures_of(node).had != parts; tries++)
        pause_ms(20);
    ck_assert_uint_eq(figures_of(node).had, parts);
}

void begin_nodes(void)
{
    memset(who, 0, sizeof who);
    times_heard = 0;
    fixture_begin();
    fixture_divide(PARTS);
}
