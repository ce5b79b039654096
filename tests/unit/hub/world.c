#include "world.h"

#include "../../support/failing_alloc.h"
#include "../../support/head_check.h"
#include <cards.h>
#include <check.h>
#include <registry/registry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- start and stop */

static void fill_random(void *ctx, void *bytes, size_t len)
{
    struct world *world = ctx;
    unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++) {
        world->random = world->random * UINT64_C(6364136223846793005) + 1442695040888963407;
        at[i] = (unsigned char)(world->random >> 56);
    }
}

static void start_hub(struct world *world)
{
    static const struct feature *const none[] = {NULL};
    store_tables_of(world->env.features ? world->env.features : none);
    world->hub = hub_create(&world->config, &world->env);
    ck_assert_ptr_nonnull(world->hub);
    ck_assert_int_eq(model_restore(&world->store, world->hub, world->now_ms), 0);
}

void world_init(struct world *world)
{
    memset(world, 0, sizeof *world);
    hub_config_init(&world->config);
    world->env = (struct hub_env){.random = fill_random,
                                  .ctx = world,
                                  .server = "test 1",
                                  .games = test_games,
                                  .features = registry,
                                  .parts = 1};
    world->now_ms = INT64_C(1790000000000);
    world->next_id = 1000;
    world->random = 42;
    world->host = 1;
    model_init(&world->store);
    start_hub(world);
}

void world_start(struct world *world)
{
    hub_destroy(world->hub);
    model_release(&world->store);
    start_hub(world);
}

static void lose_tabs(struct world *world)
{
    for (int tab = 0; tab < WORLD_TABS; tab++) {
        world_forget(world, tab);
        world->tabs[tab].link.open = false;
    }
}

void world_release(struct world *world)
{
    lose_tabs(world);
    hub_destroy(world->hub);
    model_release(&world->store);
}

void world_restart(struct world *world)
{
    lose_tabs(world);
    hub_destroy(world->hub);
    world->out = NULL;
    start_hub(world);
    world_settle(world);
}

/* ---- output of the hub */

static void receive(const struct world *world, struct tab *tab, const unsigned char *bytes,
                    size_t len)
{
    json_error_t error;
    json_t *message = json_loadb((const char *)bytes, len, 0, &error);
    ck_assert_msg(message, "not JSON: %s: %.*s", error.text, (int)len, (const char *)bytes);
    if (!hub_is_far) {
        const char *wrong = head_check(hub_output_head(world->hub, tab->link.peer), message);
        ck_assert_msg(!wrong, "the head has another %s: %.*s", wrong, (int)len,
                      (const char *)bytes);
    }
    if (tab->tape)
        (void)fprintf(tab->tape, "%lld %.*s\n", (long long)world->now_ms, (int)len,
                      (const char *)bytes);
    ck_assert(tab->count < INBOX);
    tab->inbox[tab->count++] = message;
}

static struct hub_link *link_at(void *ctx, size_t index)
{
    struct world *world = ctx;
    return index < WORLD_TABS ? &world->tabs[index].link : NULL;
}

static bool is_reading(void *ctx, size_t index, int close_code)
{
    const struct world *world = ctx;
    (void)close_code;
    return !world->tabs[index].deaf;
}

static void message(void *ctx, size_t index, const unsigned char *bytes, size_t len)
{
    struct world *world = ctx;
    receive(world, &world->tabs[index], bytes, len);
}

static void closed(void *ctx, size_t index, int close_code)
{
    struct world *world = ctx;
    struct tab *tab = &world->tabs[index];
    size_t len;
    bool slow = close_code == 4002;
    ck_assert(!slow || !hub_output(world->hub, tab->link.peer, &len));
    unsigned part;
    tab->close_code = close_code;
    tab->elsewhere =
        !hub_is_far && hub_elsewhere(world->hub, tab->link.peer, &part) ? (int)part : -1;
}

/* A test may have other peers than the tabs; they are ignored. */
static void deliver(struct world *world)
{
    const struct hub_driver driver = {.hub = world->hub,
                                      .ctx = world,
                                      .link_at = link_at,
                                      .is_reading = is_reading,
                                      .message = message,
                                      .closed = closed};
    (void)hub_driver_deliver(&driver, world->now_ms);
}

void world_commit(struct world *world, enum store_result result)
{
    const struct store_batch *batch = world->out;
    ck_assert_ptr_nonnull(batch);
    world->out = NULL;
    if (result == STORE_OK) {
        result = model_commit(&world->store, batch);
        ck_assert_msg(!world->store.complaint[0], "%s", world->store.complaint);
    }
    failing_alloc_enter();
    hub_batch_done(world->hub, result, 1500, world->now_ms);
    failing_alloc_leave();
    if (!world->out)
        world->out = hub_batch_take(world->hub);
    deliver(world);
}

static void take_pushes(struct world *world)
{
    struct hub_push_job job;
    while (hub_push_take(world->hub, &job, world->now_ms)) {
        ck_assert_uint_lt(world->pushed_count, PUSHED);
        world->pushed[world->pushed_count++] = job;
    }
}

static void take_notes(struct world *world)
{
    struct hub_note note;
    failing_alloc_enter();
    while (hub_note_take(world->hub, &note, world->now_ms)) {
        ck_assert_uint_lt(world->note_count, NOTES);
        world->notes[world->note_count++] = note;
    }
    failing_alloc_leave();
}

void world_settle(struct world *world)
{
    struct store_query query;
    char room[9];
    do {
        if (!world->out)
            world->out = hub_batch_take(world->hub);
        if (world->out && !world->held)
            world_commit(world, world->answer);
        failing_alloc_enter();
        while (hub_read_take(world->hub, room))
            model_read(&world->store, world->hub, room, world->now_ms);
        while (hub_query_take(world->hub, &query))
            model_query(&world->store, world->hub, &query, world->now_ms);
        failing_alloc_leave();
        deliver(world);
        take_notes(world);
        failing_alloc_enter();
        take_pushes(world);
        failing_alloc_leave();
        while (hub_deadline_ms(world->hub) <= world->now_ms) {
            failing_alloc_enter();
            hub_tick(world->hub, world->now_ms);
            failing_alloc_leave();
            take_notes(world); /* each is due until it is taken */
        }
        deliver(world);
        if (!world->out)
            world->out = hub_batch_take(world->hub);
    } while (world->out && !world->held);
}

void world_pass(struct world *world, int64_t ms)
{
    int64_t end_ms = world->now_ms + ms;
    world_settle(world);
    while (hub_deadline_ms(world->hub) <= end_ms) {
        int64_t due_ms = hub_deadline_ms(world->hub);
        world->now_ms = due_ms > world->now_ms ? due_ms : world->now_ms;
        failing_alloc_enter();
        hub_tick(world->hub, world->now_ms);
        failing_alloc_leave();
        world_settle(world);
    }
    world->now_ms = end_ms;
}

/* ---- tabs */

static int free_tab(struct world *world)
{
    int index = 0;
    while (world->tabs[index].link.open || world->tabs[index].count > 0)
        ck_assert_int_lt(++index, WORLD_TABS);
    memset(&world->tabs[index], 0, sizeof world->tabs[index]);
    return index;
}

int world_connect_from(struct world *world, unsigned host)
{
    const uint8_t ipv4[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = (uint8_t)host};
    const uint8_t ipv6[16] = {0x20, 1, 0xd, 0xb8, 0, (uint8_t)(host >> 8), 0, (uint8_t)host};
    const int index = free_tab(world);
    struct tab *tab = &world->tabs[index];
    failing_alloc_enter();
    const int refused =
        hub_connect(world->hub, host > UINT8_MAX ? ipv6 : ipv4, world->now_ms, &tab->link.peer);
    failing_alloc_leave();
    tab->link.open = refused == 0;
    return refused ? -1 : index;
}

int world_connect(struct world *world)
{
    return world_connect_from(world, world->host);
}

int world_connect_as(struct world *world, uint64_t session, const char *name, int *refused)
{
    const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = (uint8_t)world->host};
    const int index = free_tab(world);
    struct tab *tab = &world->tabs[index];
    failing_alloc_enter();
    *refused = hub_connect_as(world->hub, address, session, name, world->now_ms, &tab->link.peer);
    failing_alloc_leave();
    tab->link.open = *refused == 0;
    return *refused ? -1 : index;
}

void world_cut(struct world *world, int tab)
{
    world_forget(world, tab);
    failing_alloc_enter();
    hub_link_disconnect(&world->tabs[tab].link, world->hub, world->now_ms);
    failing_alloc_leave();
    world_settle(world);
}

int world_guest(struct world *world, const char *name)
{
    int tab = world_connect(world);
    ck_assert_int_ge(tab, 0);
    json_t *ok = world_ok(world, tab, "hello", "{s:s}", "name", name);
    (void)snprintf(world->tabs[tab].token, TOKEN_SPACE, "%s", str(ok, "token"));
    (void)snprintf(world->tabs[tab].session, CODE_SPACE, "%s", str(ok, "session"));
    ck_assert_uint_eq(strlen(world->tabs[tab].token), 43);
    json_decref(ok);
    return tab;
}

int world_back(struct world *world, int tab)
{
    char token[TOKEN_SPACE];
    memcpy(token, world->tabs[tab].token, sizeof token);
    int again = world_connect(world);
    ck_assert_int_ge(again, 0);
    json_t *ok = world_ok(world, again, "hello", "{s:s}", "token", token);
    ck_assert_str_eq(str(ok, "token"), "");
    memcpy(world->tabs[again].token, token, sizeof token);
    (void)snprintf(world->tabs[again].session, CODE_SPACE, "%s", str(ok, "session"));
    json_decref(ok);
    return again;
}

/* ---- requests */

void world_send(struct world *world, int tab, const char *text)
{
    ck_assert(world->tabs[tab].link.open);
    failing_alloc_enter();
    hub_receive(world->hub, world->tabs[tab].link.peer, text, strlen(text), world->now_ms);
    failing_alloc_leave();
}

static void post(struct world *world, int tab, int64_t id, const char *op, const char *format,
                 va_list args)
{
    json_error_t error;
    json_t *request = format[0] ? json_vpack_ex(&error, 0, format, args) : json_object();
    ck_assert_msg(request, "%s", error.text);
    json_object_set_new(request, "id", json_integer(id));
    json_object_set_new(request, "op", json_string(op));
    char *text = json_dumps(request, JSON_COMPACT);
    world_send(world, tab, text);
    free(text);
    json_decref(request);
}

int64_t world_post(struct world *world, int tab, const char *op, const char *format, ...)
{
    va_list args;
    int64_t id = world->next_id++;
    va_start(args, format);
    post(world, tab, id, op, format, args);
    va_end(args);
    return id;
}

void world_post_id(struct world *world, int tab, int64_t id, const char *op, const char *format,
                   ...)
{
    va_list args;
    va_start(args, format);
    post(world, tab, id, op, format, args);
    va_end(args);
}

static json_t *take(struct tab *tab, size_t at)
{
    json_t *message = tab->inbox[at];
    memmove(&tab->inbox[at], &tab->inbox[at + 1], (tab->count - at - 1) * sizeof(json_t *));
    tab->count--;
    return message;
}

json_t *world_reply(struct world *world, int tab, int64_t id)
{
    struct tab *one = &world->tabs[tab];
    for (size_t i = 0; i < one->count; i++) {
        const json_t *got = json_object_get(one->inbox[i], "id");
        if (json_is_integer(got) && json_integer_value(got) == id)
            return take(one, i);
    }
    return NULL;
}

void world_denied(struct world *world, int tab, int64_t id, const char *code)
{
    json_t *reply = world_reply(world, tab, id);
    ck_assert_msg(reply, "no reply to %lld", (long long)id);
    ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), code);
    json_decref(reply);
}

void world_granted(struct world *world, int tab, int64_t id)
{
    json_t *reply = world_reply(world, tab, id);
    ck_assert_msg(json_object_get(reply, "ok"), "%s", str(json_object_get(reply, "error"), "code"));
    json_decref(reply);
}

json_t *world_push(struct world *world, int tab, const char *push)
{
    struct tab *one = &world->tabs[tab];
    for (size_t i = 0; i < one->count; i++) {
        if (strcmp(str(one->inbox[i], "push"), push) == 0)
            return take(one, i);
    }
    return NULL;
}

size_t world_forget(struct world *world, int tab)
{
    struct tab *one = &world->tabs[tab];
    size_t count = one->count;
    for (size_t i = 0; i < count; i++)
        json_decref(one->inbox[i]);
    one->count = 0;
    return count;
}

static json_t *reply_to(struct world *world, int tab, int64_t id)
{
    world_settle(world);
    json_t *reply = world_reply(world, tab, id);
    ck_assert_msg(reply, "no reply to %lld", (long long)id);
    ck_assert_ptr_null(world_reply(world, tab, id));
    return reply;
}

static json_t *expect_ok(json_t *reply, const char *op)
{
    json_t *ok = json_object_get(reply, "ok");
    const json_t *error = json_object_get(reply, "error");
    ck_assert_msg(ok, "%s: %s: %s", op, str(error, "code"), str(error, "message"));
    json_incref(ok);
    json_decref(reply);
    return ok;
}

json_t *world_ok(struct world *world, int tab, const char *op, const char *format, ...)
{
    va_list args;
    int64_t id = world->next_id++;
    va_start(args, format);
    post(world, tab, id, op, format, args);
    va_end(args);
    return expect_ok(reply_to(world, tab, id), op);
}

void world_do(struct world *world, int tab, const char *op, const char *format, ...)
{
    va_list args;
    int64_t id = world->next_id++;
    va_start(args, format);
    post(world, tab, id, op, format, args);
    va_end(args);
    json_decref(expect_ok(reply_to(world, tab, id), op));
}

/* What passes says when, and nothing else does. */
static void take_refusal(struct world *world, const json_t *error)
{
    const char *code = str(error, "code");
    world->retry_ms = num(error, "retry_ms");
    if (strcmp(code, "slow_down") == 0 || strcmp(code, "banned") == 0 ||
        strcmp(code, "silenced") == 0 || strcmp(code, "seek_paused") == 0 ||
        strcmp(code, "chat_young") == 0)
        ck_assert_int_ge(world->retry_ms, 1);
    else
        ck_assert_int_eq(world->retry_ms, -1);
}

void world_refused(struct world *world, int tab, const char *code, const char *op,
                   const char *format, ...)
{
    va_list args;
    int64_t id = world->next_id++;
    va_start(args, format);
    post(world, tab, id, op, format, args);
    va_end(args);
    json_t *reply = reply_to(world, tab, id);
    const json_t *error = json_object_get(reply, "error");
    ck_assert_msg(error, "%s was accepted, not %s", op, code);
    ck_assert_str_eq(str(error, "code"), code);
    ck_assert_str_ne(str(error, "message"), "");
    take_refusal(world, error);
    json_decref(reply);
}

const char *str(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

json_int_t num(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

int world_until_refused(struct world *world, int tab, const char *code, const char *text)
{
    for (int count = 0; count < 2000; count++) {
        world_forget(world, tab);
        world_send(world, tab, text);
        world_settle(world);
        ck_assert_uint_ge(world->tabs[tab].count, 1);
        const json_t *reply = world->tabs[tab].inbox[world->tabs[tab].count - 1];
        const json_t *error = json_object_get(reply, "error");
        if (error && strcmp(str(error, "code"), code) == 0) {
            take_refusal(world, error);
            world_forget(world, tab);
            return count;
        }
    }
    return -1;
}

double world_figure(struct world *world, const char *line)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    char start[96];
    ck_assert(hub_get_from(1, world->hub, "/metrics", world->now_ms, &answer, &ticket));
    char *page = strndup((const char *)answer.body, answer.len);
    (void)snprintf(start, sizeof start, "\ntaluva_%s ", line);
    const char *at = strstr(page, start);
    double value = at ? strtod(at + strlen(start), NULL) : 0;
    free(page);
    hub_http_release(&answer);
    return value;
}

/* ---- rooms */

void world_table(struct world *world, struct table *table, int players, const char *format, ...)
{
    static const char *const names[] = {"Ana", "Bo", "Chi", "Dee", "Eli"};
    va_list args;
    json_error_t error;
    *table = (struct table){.players = players};
    va_start(args, format);
    json_t *members = format[0] ? json_vpack_ex(&error, 0, format, args) : json_object();
    va_end(args);
    ck_assert_msg(members, "%s", error.text);
    for (int i = 0; i < players; i++)
        table->tabs[i] = world_guest(world, names[i]);
    if (!json_object_get(members, "options"))
        json_object_set_new(members, "options", json_object());
    json_object_set_new(json_object_get(members, "options"), "players", json_integer(players));
    json_t *ok = world_ok(world, table->tabs[0], "create", "O", members);
    (void)snprintf(table->room, CODE_SPACE, "%s", str(ok, "room"));
    (void)snprintf(table->code, CODE_SPACE, "%s", str(ok, "code"));
    json_decref(ok);
    json_decref(members);
    for (int i = 0; i < players; i++) {
        if (table->code[0])
            world_do(world, table->tabs[i], "join", "{s:s,s:i,s:s}", "room", table->room, "seat", i,
                     "code", table->code);
        else
            world_do(world, table->tabs[i], "join", "{s:s,s:i}", "room", table->room, "seat", i);
    }
}

void world_begin(struct world *world, struct table *table)
{
    for (int i = 0; i < table->players; i++)
        world_do(world, table->tabs[i], "ready", "{s:s,s:b,s:s}", "room", table->room, "ready", 1,
                 "nonce", "00112233445566778899aabbccddeeff");
    world_do(world, table->tabs[0], "start", "{s:s}", "room", table->room);
}

static json_t *legal_moves(struct world *world, const struct table *table, int *mover)
{
    for (int i = 0; i < table->players; i++) {
        int64_t id = world_post(world, table->tabs[i], "moves", "{s:s}", "room", table->room);
        json_t *reply = reply_to(world, table->tabs[i], id);
        json_t *ok = json_object_get(reply, "ok");
        json_incref(ok);
        json_decref(reply);
        *mover = table->tabs[i];
        if (ok)
            return ok;
    }
    return NULL;
}

int world_move(struct world *world, const struct table *table)
{
    int mover;
    json_t *moves = legal_moves(world, table, &mover);
    if (!moves)
        return -1;
    const json_t *list = json_object_get(moves, "moves");
    const char *move = json_string_value(json_array_get(list, json_array_size(list) / 2));
    ck_assert_ptr_nonnull(move);
    world_do(world, mover, "move", "{s:s,s:s,s:b}", "room", table->room, "move", move, "confirm",
             1);
    json_decref(moves);
    world->now_ms += 200; /* to stay below the request rate */
    return mover;
}

void world_play_out(struct world *world, const struct table *table)
{
    for (int i = 0; i < 500; i++) {
        if (world_move(world, table) < 0)
            return;
        for (int seat = 0; seat < table->players; seat++)
            world_forget(world, table->tabs[seat]);
    }
    ck_abort_msg("the match does not end");
}
