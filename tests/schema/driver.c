#include "driver.h"

#include <assert.h>
#include <history/game_table.h>
#include <hub/hub.h>
#include <hub/push.h>
#include <hub/think.h>
#include <protocol/signature.h>
#include <registry/registry.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 8192 };

static struct hub *hub;
struct client clients[CLIENTS];
bool store_fails, lobby_talks;
enum { KEPT = 64 };
static struct store_letter letters[KEPT];
static char letter_texts[KEPT][STORE_LETTER_TEXT_MAX + 1];
static size_t letter_count, game_count;
static struct game_row over[KEPT]; /* in a ring */
static char game_texts[KEPT][GAME_TEXT_MAX];
/* Rows of features that borrow nothing. */
enum { ROWS_KEPT = 256 };
static struct {
    const struct store_table *table;
    alignas(max_align_t) uint8_t bytes[STORE_ROW_SIZE_MAX];
} rows[ROWS_KEPT];
static size_t row_count;
static int64_t now_ms = INT64_C(1790000000000);
static uint64_t random_state;
static int connections;

/* ---- random numbers: xorshift64*, the same on every platform */

static uint64_t random_word(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(2685821657736338717);
}

unsigned below(unsigned n)
{
    return (unsigned)((random_word() >> 33) % n);
}

static void random_bytes(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    for (size_t i = 0; i < len; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)(random_word() >> 56);
}

/* ---- output of the hub */

static void print(const struct client *client, const char *direction, const char *flags,
                  const char *bytes, size_t len)
{
    printf("{\"conn\":\"%d\",\"dir\":\"%s\"%s,\"msg\":%.*s}\n", client->number, direction, flags,
           (int)len, bytes);
}

static struct hub_link *link_at(void *ctx, size_t index)
{
    (void)ctx;
    return index < CLIENTS ? &clients[index].link : NULL;
}

static void take_message(void *ctx, size_t index, const unsigned char *bytes, size_t len)
{
    struct client *client = &clients[index];
    (void)ctx;
    print(client, "out", "", (const char *)bytes, len);
    json_t *message = json_loadb((const char *)bytes, len, 0, NULL);
    assert(message);
    if (json_object_get(message, "push")) {
        json_decref(message);
    } else {
        json_decref(client->reply);
        client->reply = message;
    }
}

void disconnect(struct client *client)
{
    hub_link_disconnect(&client->link, hub, now_ms);
}

enum { THINKING_BYTES = 32 << 20, THINKING_SIMULATIONS = 20 };

/* At once, as the store. */
static bool think(void)
{
    struct think_job *job = hub_think_take(hub);
    if (!job)
        return false;
    void *memory = malloc(THINKING_BYTES);
    hub_think_run(job, memory, THINKING_BYTES);
    free(memory);
    hub_think_done(hub, job, 100, now_ms);
    return true;
}

/* What the store remembers: letters, and the matches that have ended last. */
static void keep_letter(const struct store_letter *letter)
{
    assert(letter_count < KEPT);
    letters[letter_count] = *letter;
    memcpy(letter_texts[letter_count], letter->text, letter->text_len);
    letter_texts[letter_count++][letter->text_len] = '\0';
}

static void drop_letter(const struct store_letter *letter)
{
    size_t at = 0;
    while (letters[at].id != letter->id)
        at++;
    letter_count--;
    letters[at] = letters[letter_count];
    memcpy(letter_texts[at], letter_texts[letter_count], sizeof letter_texts[at]);
}

static void remember_game(const struct game_row *game)
{
    const size_t at = game_count++ % KEPT;
    over[at] = *game;
    memcpy(game_texts[at], game->text, game->text_len);
    over[at].text = game_texts[at];
}

static bool borrows(const struct store_table *table)
{
    size_t column = 0;
    while (column < table->count && table->columns[column].type != STORE_LENT &&
           table->columns[column].type != STORE_TEXT)
        column++;
    return column < table->count;
}

static void remember_row(const struct store_op *op)
{
    const struct store_table *table = op->u.row.table;
    size_t at = 0;
    if (borrows(table))
        return;
    while (at < row_count &&
           (rows[at].table != table || !store_same_key(table, rows[at].bytes, op->u.row.row)))
        at++;
    if (op->kind == STORE_DROP_ROW && at < row_count) {
        rows[at] = rows[--row_count];
    } else if (op->kind == STORE_PUT_ROW && at < ROWS_KEPT) {
        rows[at].table = table;
        memcpy(rows[at].bytes, op->u.row.row, table->size);
        row_count += at == row_count;
    }
}

static void remember(const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct store_op *op = &batch->ops[i];
        const bool row = op->kind == STORE_PUT_ROW || op->kind == STORE_DROP_ROW;
        if (op->kind == STORE_PUT_ROW && op->u.row.table == &game_table)
            remember_game(op->u.row.row);
        else if (row && op->u.row.table == &store_letter_table && op->kind == STORE_PUT_ROW)
            keep_letter(op->u.row.row);
        else if (row && op->u.row.table == &store_letter_table)
            drop_letter(op->u.row.row);
        else if (row)
            remember_row(op);
    }
}

static bool add_letters(struct store_query *query)
{
    bool done = true;
    for (size_t at = 0; at < letter_count && done; at++) {
        letters[at].text = letter_texts[at];
        done = letters[at].state != STORE_LETTER_WAITS || store_query_add(query, &letters[at]);
    }
    return done;
}

/* Those that have what was asked for, in the order in which they came, or the other way round. */
static bool add_rows(struct store_query *query)
{
    const struct store_index *index = query->index;
    bool done = true;
    for (size_t n = 0; n < row_count && done; n++) {
        const size_t at = index->descending ? row_count - 1 - n : n;
        bool same = rows[at].table == query->table;
        for (size_t column = 0; column < index->same && same; column++)
            same = store_same_value(&query->table->columns[index->columns[column]], rows[at].bytes,
                                    query->from);
        done = !same || store_query_add(query, rows[at].bytes);
    }
    return done;
}

/* The last one of the session. */
static bool add_game(struct store_query *query)
{
    const uint64_t session = ((const struct game_row *)(const void *)query->from)->session;
    const size_t last = game_count > 0 ? game_count - 1 : 0;
    for (size_t at = last; at < game_count && at + KEPT > last; at--) {
        if (over[at % KEPT].session == session)
            return store_query_add(query, &over[at % KEPT]);
    }
    return true;
}

static void answer_query(struct store_query *query)
{
    bool (*add)(struct store_query *) = query->table == &store_letter_table ? add_letters
                                        : query->table == &game_table       ? add_game
                                                                            : add_rows;
    const bool done = store_query_begin(query) && add(query);
    query->result = done ? STORE_OK : STORE_FAILED;
    hub_query_done(hub, query, now_ms);
    query->release(query);
}

static void commit_batches(void)
{
    const struct store_batch *batch;
    while ((batch = hub_batch_take(hub)) != NULL) {
        if (!store_fails)
            remember(batch);
        hub_batch_done(hub, store_fails ? STORE_FULL : STORE_OK, 100, now_ms);
    }
}

/* The store answers at once; it has no rooms to fetch. */
static void run_hub(void)
{
    const struct hub_driver driver = {.hub = hub, .link_at = link_at, .message = take_message};
    char room[9];
    commit_batches();
    while (hub_read_take(hub, room)) {
        struct store_room_read none = {0};
        hub_read_done(hub, room, STORE_OK, &none, now_ms);
    }
    struct store_query query;
    while (hub_query_take(hub, &query))
        answer_query(&query);
    commit_batches();
    while (think())
        commit_batches();
    bool all_known = hub_driver_deliver(&driver, now_ms);
    assert(all_known);
}

void pass(int64_t ms)
{
    int64_t until_ms = now_ms + ms;
    while (hub_deadline_ms(hub) <= until_ms) {
        if (hub_deadline_ms(hub) > now_ms)
            now_ms = hub_deadline_ms(hub);
        hub_tick(hub, now_ms);
        run_hub();
    }
    now_ms = until_ms;
    hub_tick(hub, now_ms);
    run_hub();
}

/* ---- input of the hub */

void connect_client(struct client *client)
{
    int refused = hub_link_connect(&client->link, hub, 1, now_ms);
    assert(refused == 0);
    client->number = ++connections;
}

void say(struct client *client, const char *text, bool valid)
{
    json_t *message = json_loads(text, 0, NULL);
    print(client, "in", valid ? "" : ",\"ok\":false", message ? text : "null",
          message ? strlen(text) : 4);
    json_decref(message);
    hub_receive(hub, client->link.peer, text, strlen(text), now_ms);
    run_hub();
    pass(60); /* to stay below the request rate */
}

void ask(struct client *client, const char *format, ...)
{
    char rest[MESSAGE_BYTES], text[MESSAGE_BYTES + 32];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    if (!client->link.open)
        return;
    (void)snprintf(text, sizeof text, "{\"id\":%lld,%s", (long long)client->id++, rest);
    say(client, text, true);
}

const json_t *ok_of(const struct client *client)
{
    return json_object_get(client->reply, "ok");
}

const char *ok_text(const struct client *client, const char *key)
{
    const char *text = json_string_value(json_object_get(ok_of(client), key));
    return text ? text : "";
}

/* ---- the server */

static bool any_endpoint(void *ctx, const char *endpoint)
{
    (void)ctx;
    (void)endpoint;
    return true;
}

void start_hub(const struct game_type *const *games, uint64_t seed)
{
    struct hub_config config;
    static const uint8_t key_seed[SIGNING_SEED_BYTES] = {7};
    static const struct hub_push push = {
        .key = "BP4z9KsN6nGRTbVYI_"
               "c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        .allowed = any_endpoint};
    static const char *const origins[] = {"https://taluva.example", NULL};
    static const struct hub_passkeys keys = {.rp_id = "taluva.example", .origins = origins};
    static struct record_signer signer; /* the same each time, as all that is random here */
    struct hub_env env = {.random = random_bytes,
                          .server = "taluvad 0.1.0",
                          .games = games,
                          .features = registry,
                          .signer = &signer,
                          .push = &push,
                          .passkeys = &keys,
                          .accounts = HUB_ACCOUNTS_OPEN,
                          .chat = lobby_talks ? HUB_CHAT_EVERYBODY : HUB_CHAT_OFF,
                          .parts = 1};
    record_signer_init(&signer, key_seed, now_ms / 1000);
    store_tables_of(registry);
    random_state = 2 * seed + 1;
    hub_config_init(&config);
    config.think_simulations = THINKING_SIMULATIONS;
    config.chat_age_ms = 0;
    hub = hub_create(&config, &env);
    assert(hub && hub_restored(hub, now_ms) == 0);
    hub_think_workers(hub, 1, THINKING_BYTES);
}

void drain_hub(void)
{
    hub_drain(hub, now_ms);
    run_hub();
}

void stop_hub(void)
{
    for (int i = 0; i < CLIENTS; i++) {
        if (clients[i].link.open)
            disconnect(&clients[i]);
        json_decref(clients[i].reply);
    }
    run_hub();
    hub_destroy(hub);
}
