#include "client_internal.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/clean.h>

static void connect_now(struct wire_client *client);

static void client_fail(struct wire_client *client, const char *why)
{
    client->phase = CLIENT_FAILED;
    uv_timer_stop(client->timer);
    requests_lost(client, why);
    client->events.failed(client->user, why);
}

/* ---- waiting */

/* How long the server may still be away before the client gives up. */
static int64_t patience_left_ms(const struct wire_client *client)
{
    const int64_t away_ms = (int64_t)(client_now_ms(client) - client->away_since_ms);
    if (client->patience_ms <= 0)
        return INT64_MAX;
    return away_ms < client->patience_ms ? client->patience_ms - away_ms : 0;
}

/* `why`: of the latest attempt, "" if the server has closed without saying why. */
static void lose_patience(struct wire_client *client, const char *why)
{
    char text[256];
    snprintf(text, sizeof text, "the server cannot be reached%s%s", *why ? ": " : "", why);
    client_fail(client, text);
}

static void on_wait_over(uv_timer_t *timer)
{
    connect_now(timer->data);
}

enum { BANNED = 4005, DEVICE_ENDED = 4006 };

static const char *refused_with(int code)
{
    if (code == DEVICE_ENDED)
        return "this device was ended from another one of the same player";
    return code == BANNED ? "the operator of this server has banned you for a time"
                          : "the server refuses this client";
}

/*
 * How long to wait after a close code, see README.md, section 1. 0: the usual back-off, -1: do not
 * reconnect.
 *
 * 1002 should mean that our frames are wrong. But libwebsockets reports it for 1012 and 1013 as
 * well, which mean that the server restarts or is full, so the client reconnects.
 */
static int64_t pause_after(int code)
{
    switch (code) {
    case 1003:
    case 1007:
    case 1008:
    case 1009:
    case BANNED:
    case DEVICE_ENDED:
        return -1;
    case 4003:
        return 60 * 1000;
    default:
        return 0;
    }
}

int64_t client_jittered(int64_t ms)
{
    return ms / 2 + (int64_t)randombytes_uniform((uint32_t)(ms / 2 + 1));
}

static int64_t next_backoff(struct wire_client *client)
{
    const uint64_t away_ms = client_now_ms(client) - client->away_since_ms;
    const int64_t most_ms =
        away_ms < WIRE_AWAY_LONG_MS ? WIRE_BACKOFF_SOON_MS : WIRE_BACKOFF_MAX_MS;
    int64_t wait = client_jittered(client->backoff_ms);
    client->backoff_ms *= 2;
    if (client->backoff_ms > most_ms)
        client->backoff_ms = most_ms;
    return wait;
}

/*
 * At least `pause_ms`. The last attempt is made shortly before patience ends, so that no long wait
 * leads to nothing. -1: it is too late for another one.
 */
static int64_t next_wait(struct wire_client *client, int64_t pause_ms)
{
    enum { LAST_MS = 250 };
    const int64_t left_ms = patience_left_ms(client);
    int64_t wait_ms = next_backoff(client);
    if (left_ms > 2 * LAST_MS && wait_ms >= left_ms)
        wait_ms = left_ms - LAST_MS;
    if (wait_ms < pause_ms)
        wait_ms = pause_ms;
    return wait_ms < left_ms ? wait_ms : -1;
}

/* Not before `pause_ms`; below 0: not at all. */
static void client_lost_for(struct wire_client *client, int code, const char *reason, int64_t pause)
{
    uint64_t now = client_now_ms(client);
    client->connection = NULL;
    client->phase = CLIENT_OFFLINE;
    if (client->away_since_ms == 0)
        client->away_since_ms = now;
    requests_unsent(client);
    if (code == DEVICE_ENDED && client->events.ended)
        client->events.ended(client->user);
    if (pause < 0) {
        client_fail(client, *reason ? reason : refused_with(code));
        return;
    }
    int64_t wait = next_wait(client, pause);
    if (wait < 0) {
        lose_patience(client, reason);
        return;
    }
    uv_timer_start(client->timer, on_wait_over, (uint64_t)wait, 0);
    client->events.offline(client->user, code, reason, wait);
}

static void client_lost(struct wire_client *client, int code, const char *reason)
{
    client_lost_for(client, code, reason, pause_after(code));
}

/* ---- greeting */

static void on_greeting_late(uv_timer_t *timer)
{
    struct wire_client *client = timer->data;
    const char *why = client->carrier.waits_for(client->connection);
    client->carrier.close(client->connection);
    client_lost(client, WIRE_CLOSED_UNREACHABLE, why);
}

static void say_hello(struct wire_client *client)
{
    client->phase = CLIENT_GREETING;
    client->hello_id = client->next_id++;
    json_t *hello = json_pack("{s:I, s:s, s:s}", "id", (json_int_t)client->hello_id, "op", "hello",
                              "client", client->program);
    if (client->name)
        json_object_set_new(hello, "name", json_string(client->name));
    if (client->appeals)
        json_object_set_new(hello, "for", json_string("appeal"));
    if (client->pass) {
        json_object_set_new(hello, "pass", json_string(client->pass));
        json_object_set_new(hello, "secret", json_string(client->secret));
    } else if (client->token) {
        json_object_set_new(hello, "token", json_string(client->token));
    }
    char *bytes = json_dumps(hello, JSON_COMPACT);
    json_decref(hello);
    if (!bytes || !client->carrier.send(client->connection, bytes, strlen(bytes)))
        client->carrier.cut(client->connection);
    free(bytes); /* not shown to `sent`: it holds a secret */
}

static void on_opened(void *user)
{
    say_hello(user);
}

/* With it the same pass is answered again, should the answer be lost. */
static void make_up(char secret[static PROTOCOL_TOKEN_BYTES + 1])
{
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    randombytes_buf(bytes, sizeof bytes);
    token_encode(secret, bytes);
    sodium_memzero(bytes, sizeof bytes);
}

static void free_secret(char **secret)
{
    if (*secret)
        sodium_memzero(*secret, strlen(*secret));
    free(*secret);
    *secret = NULL;
}

/* Another one that is kept already, or NULL. */
static const char *keep_token(struct wire_client *client, const char *token)
{
    char *copy = strdup(token);
    if (!copy)
        return NULL;
    free_secret(&client->token);
    free_secret(&client->pass);
    sodium_memzero(client->secret, sizeof client->secret);
    client->token = copy;
    return client->events.token(client->user, token);
}

static void try_other(struct wire_client *client, const char *token)
{
    free_secret(&client->token);
    client->token = token ? strdup(token) : NULL;
    client->is_other = client->token;
}

/* Nobody has heard of the session that has just begun, and it is left. */
static void come_again_with(struct wire_client *client, const char *token)
{
    try_other(client, token);
    client->carrier.close(client->connection);
    client->connection = NULL;
    client->phase = CLIENT_OFFLINE;
    uv_timer_start(client->timer, on_wait_over, 0, 0);
}

static void take_greeting(struct wire_client *client, const json_t *ok)
{
    const char *token = json_string_value(json_object_get(ok, "token"));
    uv_timer_stop(client->timer);
    client->backoff_ms = WIRE_BACKOFF_MIN_MS;
    client->away_since_ms = 0;
    const char *other = token ? keep_token(client, token) : NULL;
    if (other) {
        come_again_with(client, other);
        return;
    }
    if (!token && client->is_other)
        (void)client->events.token(client->user, client->token);
    client->is_other = false;
    requests_limits(client, json_object_get(ok, "limits"));
    rooms_resume(client); /* goes out first: what else is asked about a room needs it watched */
    client->phase = CLIENT_ONLINE;
    client->events.online(client->user, ok);
    requests_flush(client);
}

/* Refusals that pass by themselves; the others would only come again. */
static bool is_temporary(const char *code)
{
    static const char *const codes[] = {"full",     "draining",  "store_failing",
                                        "internal", "slow_down", "part_away"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (strcmp(codes[i], code) == 0)
            return true;
    }
    return false;
}

static void not_greeted(struct wire_client *client, const json_t *error)
{
    const char *code = json_string_value(json_object_get(error, "code"));
    const char *text = json_string_value(json_object_get(error, "message"));
    if (code && strcmp(code, "unknown_token") == 0 && client->token) {
        try_other(client, client->events.forgotten(client->user));
        say_hello(client);
        return;
    }
    client->carrier.close(client->connection);
    if (code && is_temporary(code)) {
        const json_int_t retry_ms = json_integer_value(json_object_get(error, "retry_ms"));
        const int64_t pause_ms = retry_ms < 0                     ? 0
                                 : retry_ms > WIRE_BACKOFF_MAX_MS ? WIRE_BACKOFF_MAX_MS
                                                                  : (int64_t)retry_ms;
        client_lost_for(client, WIRE_CLOSED_UNREACHABLE, text ? text : code, pause_ms);
        return;
    }
    client->connection = NULL;
    if (client->events.refused)
        client->events.refused(client->user, error);
    client_fail(client, text ? text : "the server refused our hello");
}

/* ---- messages */

/* What it says of a room is known before its caller hears of it. */
static void answer_request(struct wire_client *client, const json_t *message)
{
    struct pending *request = requests_answered(client, message);
    if (!request)
        return;
    rooms_reply(client, request, message);
    requests_done(request, message);
}

static void on_reply(struct wire_client *client, const json_t *message)
{
    const json_t *id = json_object_get(message, "id");
    if (client->phase == CLIENT_GREETING) {
        const json_t *ok = json_object_get(message, "ok");
        if (ok && json_integer_value(id) == client->hello_id)
            take_greeting(client, ok);
        else if (!ok)
            not_greeted(client, json_object_get(message, "error"));
        return;
    }
    answer_request(client, message);
}

static void on_message(void *user, const char *bytes, size_t len)
{
    struct wire_client *client = user;
    json_t *message = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, NULL);
    if (!wire_clean(message)) {
        json_decref(message);
        message = NULL;
    }
    const char *push = json_string_value(json_object_get(message, "push"));
    bool greeting = client->phase == CLIENT_GREETING; /* its answer may hold the token */
    if (client->events.received && !(greeting && !push))
        client->events.received(client->user, bytes, len);
    if (push) {
        rooms_push(client, message);
    } else if (json_is_object(message)) {
        requests_charge(client, len);
        on_reply(client, message);
    }
    json_decref(message);
}

static void on_closed(void *user, int code, const char *reason)
{
    client_lost(user, code, reason);
}

/* ---- creating and destroying */

static void connect_now(struct wire_client *client)
{
    static const struct wire_socket_events events = {on_opened, on_message, on_closed};
    client->connection = client->carrier.open(client->carrier.ctx, &client->url, &events, client);
    if (!client->connection) {
        client_lost(client, WIRE_CLOSED_UNREACHABLE, "out of memory");
        return;
    }
    const int64_t left_ms = patience_left_ms(client);
    const int64_t limit_ms = left_ms < WIRE_GREETING_MS ? left_ms : WIRE_GREETING_MS;
    uv_timer_start(client->timer, on_greeting_late, (uint64_t)limit_ms, 0);
}

static bool copy_string(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return !from || *to;
}

static uv_timer_t *make_timer(struct wire_client *client)
{
    uv_timer_t *timer = malloc(sizeof *timer);
    if (!timer)
        return NULL;
    uv_timer_init(client->carrier.loop, timer);
    timer->data = client;
    return timer;
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle);
}

static void end_timer(uv_timer_t *timer)
{
    if (timer)
        uv_close((uv_handle_t *)timer, on_timer_closed);
}

/* 51 bits: exact in a double, and with space to count up. */
static int64_t random_id(void)
{
    uint64_t bits;
    randombytes_buf(&bits, sizeof bits);
    return (int64_t)(bits >> 13);
}

static bool client_init(struct wire_client *client, const struct wire_client_config *config)
{
    if (sodium_init() < 0)
        return false;
    client->url = config->url;
    client->patience_ms = config->patience_ms;
    client->appeals = config->appeals;
    client->backoff_ms = WIRE_BACKOFF_MIN_MS;
    /* Ids of one session never meet again. */
    client->next_id = random_id();
    client->away_since_ms = client_now_ms(client);
    client->timer = make_timer(client);
    client->pacer = make_timer(client);
    if (config->pass)
        make_up(client->secret);
    return client->timer && client->pacer && copy_string(&client->name, config->name) &&
           copy_string(&client->token, config->token) && copy_string(&client->pass, config->pass) &&
           copy_string(&client->program, config->program);
}

struct wire_client *wire_client_create(const struct wire_carrier *carrier,
                                       const struct wire_client_config *config,
                                       const struct wire_client_events *events, void *user)
{
    struct wire_client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    client->carrier = *carrier;
    client->events = *events;
    client->user = user;
    if (!client_init(client, config)) {
        wire_client_destroy(client);
        return NULL;
    }
    connect_now(client);
    return client;
}

void wire_client_destroy(struct wire_client *client)
{
    if (!client)
        return;
    if (client->connection)
        client->carrier.close(client->connection);
    end_timer(client->timer);
    end_timer(client->pacer);
    requests_release(client);
    rooms_release(client);
    free(client->name);
    free_secret(&client->token);
    free_secret(&client->pass);
    free(client->program);
    free(client);
}

bool wire_client_is_online(const struct wire_client *client)
{
    return client->phase == CLIENT_ONLINE;
}

uint64_t wire_client_gaps(const struct wire_client *client)
{
    return client->gaps;
}

void wire_client_cut(struct wire_client *client)
{
    if (client->connection)
        client->carrier.cut(client->connection);
}
