#include "duel_table.h"

#include <hub/store_tables.h>
#include <identity/identity.h>
#include <protocol/merge_patch.h>
#include <stdlib.h>
#include <string.h>
#include <taluva/game.h>
#include <time.h>

static const struct game_type *const games[] = {&game_type_taluva, NULL};

static int64_t now_ms(const struct duel_table *table)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return INT64_C(1790000000000) + (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 -
           table->begun_ms;
}

static void draw(void *ctx, void *bytes, size_t len)
{
    struct duel_table *table = ctx;
    unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++) {
        table->random = table->random * UINT64_C(6364136223846793005) + 1442695040888963407;
        at[i] = (unsigned char)(table->random >> 56);
    }
}

/* ---- what comes from the server */

static void take_view(struct duel_link *link, const json_t *ok)
{
    json_t *state = json_object_get(ok, "state");
    if (!state)
        return;
    json_decref(link->state);
    link->state = json_deep_copy(state);
    link->seq = json_integer_value(json_object_get(ok, "seq"));
}

static void take_event(struct duel_link *link, const json_t *push)
{
    const int64_t seq = json_integer_value(json_object_get(push, "seq"));
    if (seq != link->seq + 1)
        return;
    if (!link->state)
        link->state = json_object();
    (void)merge_patch(&link->state, json_object_get(push, "patch"));
    link->seq = seq;
}

static void on_message(void *ctx, size_t index, const unsigned char *bytes, size_t len)
{
    struct duel_table *table = ctx;
    struct duel_link *link = &table->links[index];
    json_t *message = json_loadb((const char *)bytes, len, 0, NULL);
    const bool is_hello = json_object_get(json_object_get(message, "ok"), "token") != NULL;
    if (json_object_get(message, "id")) {
        json_decref(link->reply);
        link->reply = json_incref(message);
        take_view(link, json_object_get(message, "ok"));
    } else if (json_object_get(message, "patch")) {
        take_event(link, message);
    }
    if (table->heard && !is_hello)
        table->heard(table->ctx, index, message, (const char *)bytes, len);
    json_decref(message);
}

static struct hub_link *link_at(void *ctx, size_t index)
{
    struct duel_table *table = ctx;
    return index < DUEL_LINKS ? &table->links[index].link : NULL;
}

/* Everything that is due. */
static void settle(struct duel_table *table)
{
    const struct hub_driver driver = {
        .hub = table->hub, .ctx = table, .link_at = link_at, .message = on_message};
    const struct store_batch *batch;
    struct store_query query;
    char room[9];
    if (hub_deadline_ms(table->hub) <= now_ms(table))
        hub_tick(table->hub, now_ms(table));
    while ((batch = hub_batch_take(table->hub)))
        hub_batch_done(table->hub, model_commit(&table->store, batch), 0, now_ms(table));
    while (hub_read_take(table->hub, room))
        model_read(&table->store, table->hub, room, now_ms(table));
    while (hub_query_take(table->hub, &query))
        model_query(&table->store, table->hub, &query, now_ms(table));
    (void)hub_driver_deliver(&driver, now_ms(table));
}

/* ---- what goes to it */

int64_t duel_table_id(struct duel_table *table, size_t link)
{
    return table->links[link].next_id++;
}

void duel_table_send(struct duel_table *table, size_t link, const json_t *request)
{
    char *text = json_dumps(request, JSON_COMPACT);
    json_decref(table->links[link].reply);
    table->links[link].reply = NULL;
    if (text && table->links[link].link.open)
        hub_receive(table->hub, table->links[link].link.peer, text, strlen(text), now_ms(table));
    free(text);
    settle(table);
}

const json_t *duel_table_ask(struct duel_table *table, size_t link, json_t *request)
{
    json_object_set_new(request, "id", json_integer(duel_table_id(table, link)));
    duel_table_send(table, link, request);
    json_decref(request);
    return table->links[link].reply;
}

const json_t *duel_table_hello(struct duel_table *table, size_t link, const char *name)
{
    if (hub_link_connect(&table->links[link].link, table->hub, 1, now_ms(table)) != 0)
        return NULL;
    const json_t *reply = duel_table_ask(
        table, link, json_pack("{s:s, s:s, s:s}", "op", "hello", "name", name, "client", "duel"));
    return json_object_get(reply, "ok");
}

/* ---- the server */

bool duel_table_init(struct duel_table *table, uint64_t seed)
{
    memset(table, 0, sizeof *table);
    table->random = seed;
    table->begun_ms = now_ms(table) - INT64_C(1790000000000);
    hub_config_init(&table->config);
    table->config.requests_per_s = 1000000; /* a program may ask as fast as it likes */
    table->config.requests_burst = 1000000;
    table->config.requests_per_address_per_s = 1000000;
    table->config.requests_per_address_burst = 1000000;
    table->config.work_per_s = 1000000;
    table->config.work_burst = 1000000;
    static const struct feature *const features[] = {&feature_identity, NULL};
    const struct hub_env env = {.random = draw,
                                .ctx = table,
                                .server = "taluva-duel",
                                .games = games,
                                .features = features,
                                .parts = 1};
    store_tables_of(features);
    model_init(&table->store);
    table->hub = hub_create(&table->config, &env);
    return table->hub && model_restore(&table->store, table->hub, now_ms(table)) == 0;
}

void duel_table_release(struct duel_table *table)
{
    for (size_t i = 0; i < DUEL_LINKS; i++) {
        json_decref(table->links[i].reply);
        json_decref(table->links[i].state);
    }
    hub_destroy(table->hub);
    model_release(&table->store);
}
