#include "wire_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(struct stage *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct stage *stage, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(stage->log + stage->log_len, sizeof stage->log - stage->log_len, format,
                        arguments);
    va_end(arguments);
    stage->log_len += (size_t)len;
    ck_assert_uint_lt(stage->log_len, sizeof stage->log);
}

static void end_one(struct stage *stage)
{
    if (++stage->ended == stage->want_end)
        uv_stop(&stage->loop);
}

/* ---- the server's side */

static void say(struct stage *stage, const char *text, json_int_t id)
{
    char line[8192];
    size_t len = 0;
    if (strcmp(text, "!cut") == 0) {
        fake_server_close(stage->server, 0, "");
        return;
    }
    if (strncmp(text, "!close ", 7) == 0) {
        fake_server_close(stage->server, atoi(text + 7), "enough");
        return;
    }
    for (; *text; text++) {
        if (*text == '$')
            len += (size_t)snprintf(line + len, sizeof line - len, "%lld", (long long)id);
        else
            line[len++] = *text;
    }
    line[len] = '\0';
    fake_server_send(stage->server, line, 7);
}

static void on_message(void *user, int connection, const json_t *message)
{
    struct stage *stage = user;
    const struct step *step = &stage->script[stage->at];
    char *text = json_dumps(message, JSON_COMPACT);
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    (void)connection;
    ck_assert_msg(step->wants, "beyond the script: %s", text);
    ck_assert_msg(strstr(text, step->wants), "wanted %s, got %s", step->wants, text);
    ck_assert_int_gt(id, 0);
    ck_assert_uint_lt(stage->at, STEPS_MAX);
    stage->ids[stage->at++] = id;
    for (size_t i = 0; i < SAY_MAX && step->says[i]; i++)
        say(stage, step->says[i], id);
    free(text);
}

/* ---- the client's side */

void stage_on_reply(void *user, const json_t *ok, const json_t *error)
{
    if (ok)
        note(user, "ok; ");
    else
        note(user, "error %s; ", json_string_value(json_object_get(error, "code")));
    end_one(user);
}

json_t *op(const char *name)
{
    return json_pack("{s:s}", "op", name);
}

json_t *op_room(const char *name)
{
    return json_pack("{s:s, s:s}", "op", name, "room", "k3m9x0aq");
}

void stage_ask(struct stage *stage, json_t *request)
{
    ck_assert_int_gt(wire_client_request(stage->client, request, stage_on_reply, stage), 0);
}

static void on_online(void *user, const json_t *ok)
{
    struct stage *stage = user;
    note(stage, "online %s; ", json_string_value(json_object_get(ok, "name")));
    for (int at = 0; at < stage->asks_online; at++)
        stage_ask(stage, op("ping"));
}

static void on_offline(void *user, int code, const char *reason, int64_t retry_ms)
{
    struct stage *stage = user;
    (void)snprintf(stage->why, sizeof stage->why, "%s", reason);
    stage->retry_ms = retry_ms;
    note(user, "offline %d; ", code);
    ck_assert_int_ge(retry_ms, WIRE_BACKOFF_MIN_MS / 2);
    ck_assert_int_le(retry_ms, 60 * 1000);
}

static void on_failed(void *user, const char *why)
{
    struct stage *stage = user;
    (void)snprintf(stage->why, sizeof stage->why, "%s", why);
    note(user, "failed; ");
    end_one(user);
}

static const char *on_token(void *user, const char *token)
{
    struct stage *stage = user;
    const char *kept = stage->kept;
    note(stage, "token %s; ", token);
    stage->kept = NULL;
    return kept;
}

static const char *on_forgotten(void *user)
{
    struct stage *stage = user;
    note(stage, "forgotten; ");
    return stage->others && *stage->others ? *stage->others++ : NULL;
}

static void on_ended(void *user)
{
    note(user, "ended; ");
}

static void show_room(struct stage *stage, const char *what, const struct wire_room *room)
{
    char *state = json_dumps(room->state, JSON_COMPACT | JSON_SORT_KEYS);
    note(stage, "%s %s %lld seat %d %s; ", what, room->id, (long long)room->seq, room->seat, state);
    free(state);
}

static void on_view(void *user, const struct wire_room *room)
{
    show_room(user, "view", room);
}

static void on_event(void *user, const struct wire_room *room, const json_t *push)
{
    (void)push;
    show_room(user, "event", room);
}

static void on_push(void *user, const struct wire_room *room, const json_t *push)
{
    note(user, "push %s %s %zu; ", json_string_value(json_object_get(push, "push")),
         room ? room->id : "-", room ? json_object_size(room->online) : 0);
}

static void on_gone(void *user, const char *room, const json_t *error)
{
    note(user, "gone %s %s; ", room, json_string_value(json_object_get(error, "code")));
}

static void on_limit(uv_timer_t *timer)
{
    const struct stage *stage = timer->data;
    ck_abort_msg("too slow; the log: %s", stage->log);
}

static void on_sent(void *user, const char *bytes, size_t len)
{
    struct stage *stage = user;
    (void)bytes;
    (void)len;
    stage->sent++;
}

const struct wire_client_events stage_events = {
    .online = on_online,
    .offline = on_offline,
    .failed = on_failed,
    .token = on_token,
    .forgotten = on_forgotten,
    .ended = on_ended,
    .view = on_view,
    .event = on_event,
    .push = on_push,
    .gone = on_gone,
    .sent = on_sent,
};

static void open_with(struct stage *stage, const struct step *script,
                      struct wire_client_config config)
{
    memset(stage, 0, sizeof *stage);
    stage->script = script;
    ck_assert_int_eq(uv_loop_init(&stage->loop), 0);
    uv_timer_init(&stage->loop, &stage->limit);
    stage->limit.data = stage;
    uv_timer_start(&stage->limit, on_limit, 20000, 0);
    if (script)
        stage->server = fake_server_create(&stage->loop, on_message, stage);
    ck_assert(wire_url_parse(&config.url, "127.0.0.1"));
    config.url.port = script ? (uint16_t)fake_server_port(stage->server) : 1;
    stage->context = wire_context_create(&stage->loop, NULL, WIRE_ANSWER_S);
    const struct wire_carrier carrier = wire_carrier_network(stage->context);
    stage->client = wire_client_create(&carrier, &config, &stage_events, stage);
    ck_assert_ptr_nonnull(stage->client);
}

void stage_open(struct stage *stage, const struct step *script, const char *token,
                int64_t patience_ms)
{
    open_with(stage, script,
              (struct wire_client_config){
                  .name = "Ana", .token = token, .program = "test", .patience_ms = patience_ms});
}

void stage_open_entering(struct stage *stage, const struct step *script, const char *pass)
{
    open_with(stage, script,
              (struct wire_client_config){.token = "left", .pass = pass, .program = "test"});
}

void stage_run(struct stage *stage, int want_end)
{
    stage->want_end = want_end;
    stage->ended = 0;
    uv_run(&stage->loop, UV_RUN_DEFAULT);
}

void stage_go_on_until(struct stage *stage, size_t at)
{
    while (stage->at < at)
        uv_run(&stage->loop, UV_RUN_ONCE);
}

static void count_timer(uv_handle_t *handle, void *any)
{
    struct stage *stage = any;
    if (handle->type == UV_TIMER && handle->data == stage->client && uv_is_active(handle))
        stage->timers++;
}

int stage_timers(struct stage *stage)
{
    stage->timers = 0;
    uv_walk(&stage->loop, count_timer, stage);
    return stage->timers;
}

void stage_close(struct stage *stage, const char *log)
{
    ck_assert_msg(!stage->script || !stage->script[stage->at].wants, "the client did not send %s",
                  stage->script ? stage->script[stage->at].wants : "");
    ck_assert_str_eq(stage->log, log);
    wire_client_destroy(stage->client);
    wire_context_destroy(stage->context);
    if (stage->server)
        fake_server_destroy(stage->server);
    uv_close((uv_handle_t *)&stage->limit, NULL);
    uv_run(&stage->loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&stage->loop), 0);
}
