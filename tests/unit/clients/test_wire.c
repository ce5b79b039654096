/*
 * The session against a server that the test plays: what goes out, in which order, and what comes
 * of every answer, cut and refusal. A script line is "what the client must send" (a part of it) and
 * what the server then says.
 */
#include "suites.h"

#include "fake_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/client.h>

enum { SAY_MAX = 6 };

struct step {
    const char *wants; /* the client's next message holds this text */
    const char
        *says[SAY_MAX]; /* $ becomes the message's id; "!cut" and "!close N" end the connection */
};

struct stage {
    uv_loop_t loop;
    uv_timer_t limit;
    struct fake_server *server;
    struct wire_context *context;
    struct wire_client *client;
    const struct step *script;
    size_t at;
    json_int_t ids[WIRE_ROOMS_MAX + 2]; /* of the messages, in order */
    char log[4096];
    size_t log_len;
    int64_t retry_ms; /* of the last time it was offline */
    char why[64];     /* it was, or has failed */
    int sent;         /* what the client says it has sent */
    int asks_online;  /* so many pings as soon as it is online */
    int ended;        /* stop the loop when this many replies or failures have come */
    int want_end;
    int timers;
};

static void note(struct stage *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct stage *stage, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(stage->log + stage->log_len, sizeof(stage->log) - stage->log_len, format,
                        arguments);
    va_end(arguments);
    stage->log_len += (size_t)len;
    ck_assert_uint_lt(stage->log_len, sizeof(stage->log));
}

static void end_one(struct stage *stage)
{
    if (++stage->ended == stage->want_end)
        uv_stop(&stage->loop);
}

/* --- the server's side --- */

static void say(struct stage *stage, const char *text, json_int_t id)
{
    char line[2048];
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
            len += (size_t)snprintf(line + len, sizeof(line) - len, "%lld", (long long)id);
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
    ck_assert_msg(step->wants != NULL, "beyond the script: %s", text);
    ck_assert_msg(strstr(text, step->wants) != NULL, "wanted %s, got %s", step->wants, text);
    ck_assert_int_gt(id, 0);
    stage->ids[stage->at++] = id;
    for (size_t i = 0; i < SAY_MAX && step->says[i]; i++)
        say(stage, step->says[i], id);
    free(text);
}

/* --- the client's side --- */

static void on_reply(void *user, const json_t *ok, const json_t *error)
{
    if (ok)
        note(user, "ok; ");
    else
        note(user, "error %s; ", json_string_value(json_object_get(error, "code")));
    end_one(user);
}

static json_t *op(const char *name)
{
    return json_pack("{s:s}", "op", name);
}

static json_t *op_room(const char *name)
{
    return json_pack("{s:s, s:s}", "op", name, "room", "k3m9x0aq");
}

static void stage_ask(struct stage *stage, json_t *request)
{
    ck_assert_int_gt(wire_client_request(stage->client, request, on_reply, stage), 0);
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
    (void)snprintf(stage->why, sizeof(stage->why), "%s", reason);
    stage->retry_ms = retry_ms;
    note(user, "offline %d; ", code);
    ck_assert_int_ge(retry_ms, WIRE_BACKOFF_MIN_MS / 2);
    ck_assert_int_le(retry_ms, 60 * 1000);
}

static void on_failed(void *user, const char *why)
{
    struct stage *stage = user;
    (void)snprintf(stage->why, sizeof(stage->why), "%s", why);
    note(user, "failed; ");
    end_one(user);
}

static void on_token(void *user, const char *token)
{
    note(user, "token %s; ", token);
}

static void on_forgotten(void *user)
{
    note(user, "forgotten; ");
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

static const struct wire_client_events EVENTS = {
    .online = on_online,
    .offline = on_offline,
    .failed = on_failed,
    .token = on_token,
    .forgotten = on_forgotten,
    .view = on_view,
    .event = on_event,
    .push = on_push,
    .gone = on_gone,
    .sent = on_sent,
};

static void stage_open(struct stage *stage, const struct step *script, const char *token,
                       int64_t patience_ms)
{
    struct wire_client_config config = {
        .name = "Ana", .token = token, .program = "test", .patience_ms = patience_ms};
    memset(stage, 0, sizeof(*stage));
    stage->script = script;
    ck_assert_int_eq(uv_loop_init(&stage->loop), 0);
    uv_timer_init(&stage->loop, &stage->limit);
    stage->limit.data = stage;
    uv_timer_start(&stage->limit, on_limit, 20000, 0);
    if (script)
        stage->server = fake_server_create(&stage->loop, on_message, stage);
    ck_assert(wire_url_parse(&config.url, "127.0.0.1"));
    config.url.port = script ? (uint16_t)fake_server_port(stage->server) : 1;
    stage->context = wire_context_create(&stage->loop, NULL);
    stage->client = wire_client_create(stage->context, &config, &EVENTS, stage);
    ck_assert_ptr_nonnull(stage->client);
}

static void stage_run(struct stage *stage, int want_end)
{
    stage->want_end = want_end;
    stage->ended = 0;
    uv_run(&stage->loop, UV_RUN_DEFAULT);
}

static void stage_go_on_until(struct stage *stage, size_t at)
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

/* How many timers of the client are set. */
static int stage_timers(struct stage *stage)
{
    stage->timers = 0;
    uv_walk(&stage->loop, count_timer, stage);
    return stage->timers;
}

/* The whole script was played and the log is as expected; nothing is left on the loop. */
static void stage_close(struct stage *stage, const char *log)
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

#define HELLO "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"limits\":{}}}"
#define HELLO_TOKEN                                                                                \
    "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"token\":\"s3cret\",\"limits\":{}}}"
#define VIEW(seq, state)                                                                           \
    "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":" seq                                         \
    ",\"you\":{\"seat\":2},\"online\":{\"2\":true},\"time\":1,\"state\":" state "}}"
#define EVENT(seq, patch)                                                                          \
    "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":" seq                                       \
    ",\"at\":5,\"event\":{\"kind\":\"move\"},\"patch\":" patch "}"

START_TEST(asks_and_is_answered)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"", {HELLO_TOKEN}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{\"time\":1}}"}},
        {"\"op\":\"rooms\"", {"{\"id\":$,\"error\":{\"code\":\"full\",\"message\":\"!\"}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op("ping"));
    stage_ask(&stage, op("rooms"));
    stage_run(&stage, 2);
    ck_assert_int_eq(stage.ids[1], stage.ids[0] - 2); /* queued before hello was written */
    ck_assert_int_eq(stage.ids[2], stage.ids[0] - 1);
    ck_assert_uint_eq(wire_client_pending(stage.client), 0);
    stage_close(&stage, "token s3cret; online Ana; ok; error full; ");
}
END_TEST

START_TEST(patches_a_room)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"", {HELLO}},
        {"\"op\":\"join\"",
         {VIEW("3", "{\"a\":1,\"b\":{\"c\":2}}"), EVENT("4", "{\"b\":{\"c\":null,\"d\":3}}"),
          EVENT("4", "{\"a\":9}"), /* a repeat changes nothing */
          EVENT("5", "{\"a\":2}"),
          "{\"push\":\"presence\",\"room\":\"k3m9x0aq\",\"online\":{\"0\":true,\"2\":false}}",
          "{\"push\":\"said\",\"room\":\"zzzzzzzz\",\"seat\":1,\"text\":\"x\"}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {"\"op\":\"leave\"", {"{\"id\":$,\"ok\":{}}", EVENT("6", "{\"a\":3}")}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op_room("join"));
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 2);
    ck_assert_int_eq(wire_client_room(stage.client, "k3m9x0aq")->at_ms, 5);
    stage_ask(&stage, op_room("leave"));
    stage_run(&stage, 1);
    ck_assert_ptr_null(wire_client_room(stage.client, "k3m9x0aq"));
    ck_assert_uint_eq(wire_client_gaps(stage.client), 0);
    stage_close(&stage, "online Ana; view k3m9x0aq 3 seat 2 {\"a\":1,\"b\":{\"c\":2}}; ok; "
                        "event k3m9x0aq 4 seat 2 {\"a\":1,\"b\":{\"d\":3}}; "
                        "event k3m9x0aq 5 seat 2 {\"a\":2,\"b\":{\"d\":3}}; "
                        "push presence k3m9x0aq 1; push said - 0; ok; ok; ");
}
END_TEST

/* A cut with a move on its way: hello with the token, the room by `have`, the move with its id. */
START_TEST(resumes)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"", {HELLO_TOKEN}},
        {"\"op\":\"join\"", {VIEW("3", "{\"a\":1}")}},
        {"\"op\":\"move\"", {EVENT("4", "{\"a\":2}"), "!cut"}},
        {"\"token\":\"s3cret\"", {HELLO}},
        {"\"op\":\"watch\",\"room\":\"k3m9x0aq\",\"have\":4",
         {"{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":5,\"you\":{\"seat\":2},\"online\":{},"
          "\"time\":1}}",
          EVENT("5", "{\"a\":3}")}},
        {"\"op\":\"move\"", {"{\"id\":$,\"ok\":{\"seq\":4}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op_room("join"));
    stage_ask(&stage, op_room("move"));
    stage_run(&stage, 2);
    ck_assert_int_eq(stage.ids[2], stage.ids[5]);
    stage_close(&stage, "token s3cret; online Ana; view k3m9x0aq 3 seat 2 {\"a\":1}; ok; "
                        "event k3m9x0aq 4 seat 2 {\"a\":2}; offline -2; online Ana; "
                        "event k3m9x0aq 5 seat 2 {\"a\":3}; ok; ");
}
END_TEST

START_TEST(mends_a_gap)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"", {HELLO}},
        {"\"op\":\"join\"",
         {VIEW("3", "{\"a\":1}"), EVENT("5", "{\"a\":5}"), EVENT("6", "{\"a\":6}")}},
        {"\"op\":\"watch\",\"room\":\"k3m9x0aq\",\"have\":3",
         {VIEW("6", "{\"a\":6}"), EVENT("7", "{\"a\":7}")}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op_room("join"));
    stage_run(&stage, 1);
    while (stage.at < 3)
        uv_run(&stage.loop, UV_RUN_ONCE);
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    ck_assert_uint_eq(wire_client_gaps(stage.client), 1);
    stage_close(&stage,
                "online Ana; view k3m9x0aq 3 seat 2 {\"a\":1}; ok; "
                "view k3m9x0aq 6 seat 2 {\"a\":6}; event k3m9x0aq 7 seat 2 {\"a\":7}; ok; ");
}
END_TEST

START_TEST(room_is_gone)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"", {HELLO}},
        {"\"op\":\"join\"", {VIEW("3", "{}"), "!close 1001"}},
        {"\"op\":\"hello\"", {HELLO}},
        {"\"op\":\"watch\"",
         {"{\"id\":$,\"error\":{\"code\":\"unknown_room\",\"message\":\"!\"}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op_room("join"));
    stage_run(&stage, 1);
    while (stage.at < 4)
        uv_run(&stage.loop, UV_RUN_ONCE);
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    stage_close(&stage, "online Ana; view k3m9x0aq 3 seat 2 {}; ok; offline 1001; online Ana; "
                        "gone k3m9x0aq unknown_room; ok; ");
}
END_TEST

START_TEST(token_has_expired)
{
    static const struct step script[] = {
        {"\"token\":\"old\"",
         {"{\"id\":$,\"error\":{\"code\":\"unknown_token\",\"message\":\"!\"}}"}},
        {"\"op\":\"hello\",\"client\":\"test\",\"name\":\"Ana\"}", {HELLO_TOKEN}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, "old", 0);
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    stage_close(&stage, "forgotten; token s3cret; online Ana; ok; ");
}
END_TEST

/* A refusal that passes by itself is no reason to give up. */
static const struct {
    const char *error;
    bool comes_back;
} refusals[] = {
    {"{\"code\":\"full\",\"message\":\"enough\"}", true},
    {"{\"code\":\"draining\",\"message\":\"enough\"}", true},
    {"{\"code\":\"store_failing\",\"message\":\"enough\"}", true},
    {"{\"code\":\"internal\",\"message\":\"enough\"}", true},
    {"{\"code\":\"slow_down\",\"message\":\"enough\"}", true},
    {"{\"code\":\"bad_field\",\"message\":\"enough\"}", false},
    /* Without a token of ours there is none that could be unknown. */
    {"{\"code\":\"unknown_token\",\"message\":\"enough\"}", false},
    {"{\"message\":\"enough\"}", false},
};

START_TEST(hello_is_refused)
{
    char answer[128];
    (void)snprintf(answer, sizeof(answer), "{\"id\":$,\"error\":%s}", refusals[_i].error);
    const struct step script[] = {{"\"op\":\"hello\"", {answer}}, {NULL, {NULL}}};
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op("ping"));
    if (refusals[_i].comes_back) {
        while (stage.retry_ms == 0)
            uv_run(&stage.loop, UV_RUN_ONCE);
        ck_assert_int_eq(stage_timers(&stage), 1);
        ck_assert_uint_eq(wire_client_pending(stage.client), 1);
    } else {
        stage_run(&stage, 2);
        ck_assert_int_eq(stage_timers(&stage), 0);
        ck_assert_uint_eq(wire_client_pending(stage.client), 0);
        ck_assert_int_eq(wire_client_request(stage.client, op("ping"), on_reply, &stage), -1);
    }
    ck_assert_str_eq(stage.why, "enough");
    while (fake_server_seen(stage.server)->closes == 0)
        uv_run(&stage.loop, UV_RUN_ONCE);
    ck_assert_int_eq(fake_server_seen(stage.server)->close_code, 1000);
    stage_close(&stage, refusals[_i].comes_back ? "offline -1; " : "error lost; failed; ");
}
END_TEST

START_TEST(slows_down)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"", {HELLO}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"error\":{\"code\":\"slow_down\",\"message\":\"!\"}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    ck_assert_int_eq(stage.ids[1], stage.ids[2]);
    stage_close(&stage, "online Ana; ok; ");
}
END_TEST

/* Twenty a second, three at once, hello being one: five pings take three twentieths of a second. */
START_TEST(keeps_the_pace)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"",
         {"{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\","
          "\"limits\":{\"requests_per_s\":20,\"requests_burst\":3}}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    for (int i = 0; i < 5; i++)
        stage_ask(&stage, op("ping"));
    uint64_t begin = uv_hrtime();
    stage_run(&stage, 5);
    ck_assert_uint_ge((uv_hrtime() - begin) / 1000000, 140);
    stage_close(&stage, "online Ana; ok; ok; ok; ok; ok; ");
}
END_TEST

/* What the bucket holds goes out at once, the rest waits for it to fill. */
START_TEST(sends_what_the_pace_allows)
{
    static const struct step script[] = {
        {"hello",
         {"{\"id\":$,\"ok\":{\"name\":\"Ana\","
          "\"limits\":{\"requests_per_s\":0.001,\"requests_burst\":3}}}"}},
        {"ping", {"{\"id\":$,\"ok\":{}}"}},
        {"ping", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage.asks_online = 4;
    while (stage.sent == 0)
        uv_run(&stage.loop, UV_RUN_ONCE);
    ck_assert_int_eq(stage.sent, 2); /* hello was the third */
    ck_assert_int_eq(stage_timers(&stage), 1);
    stage_run(&stage, 2);
    ck_assert_uint_eq(wire_client_pending(stage.client), 2);
    stage_close(&stage, "online Ana; ok; ok; ");
}
END_TEST

/* Once online nothing is left that would cut the connection later; a cut is bridged. */
START_TEST(cuts_and_comes_back)
{
    static const struct step script[] = {
        {"hello", {HELLO}}, {"ping", {"{\"id\":$,\"ok\":{}}"}},
        {"hello", {HELLO}}, {"ping", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    ck_assert(!wire_client_is_online(stage.client));
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    ck_assert_int_eq(stage_timers(&stage), 0);
    ck_assert(wire_client_is_online(stage.client));
    wire_client_cut(stage.client);
    while (wire_client_is_online(stage.client))
        uv_run(&stage.loop, UV_RUN_ONCE);
    wire_client_cut(stage.client); /* which there is nothing of to cut */
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    stage_close(&stage, "online Ana; ok; offline -2; online Ana; ok; ");
}
END_TEST

/* The pauses double from the first to the longest, each times 0.5 to 1. */
START_TEST(backs_off)
{
    struct stage stage;
    int64_t longest_ms = WIRE_BACKOFF_MIN_MS;
    stage_open(&stage, NULL, NULL, 0);
    for (int attempt = 0; attempt < 3; attempt++, longest_ms *= 2) {
        stage.retry_ms = 0;
        while (stage.retry_ms == 0)
            uv_run(&stage.loop, UV_RUN_ONCE);
        ck_assert_int_ge(stage.retry_ms, longest_ms / 2);
        ck_assert_int_le(stage.retry_ms, longest_ms);
    }
    stage_close(&stage, "offline -1; offline -1; offline -1; ");
}
END_TEST

/* What asks for a view and is cut off goes out again, once. */
START_TEST(resumes_a_gap)
{
    static const struct step script[] = {
        {"hello", {HELLO}},
        {"join", {VIEW("3", "{\"a\":1}"), EVENT("5", "{\"a\":5}")}},
        {"\"op\":\"watch\",\"room\":\"k3m9x0aq\",\"have\":3", {"!cut"}},
        {"hello", {HELLO}},
        {"\"op\":\"watch\",\"room\":\"k3m9x0aq\",\"have\":3", {VIEW("5", "{\"a\":5}")}},
        {"ping", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op_room("join"));
    stage_run(&stage, 1);
    stage_go_on_until(&stage, 5);
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    ck_assert_int_eq(stage.ids[2], stage.ids[4]);
    stage_close(&stage, "online Ana; view k3m9x0aq 3 seat 2 {\"a\":1}; ok; offline -2; online Ana; "
                        "view k3m9x0aq 5 seat 2 {\"a\":5}; ok; ");
}
END_TEST

/* All rooms are watched again before anything else that waits goes out. */
START_TEST(resumes_rooms_first)
{
    static const char other[] = "{\"id\":$,\"ok\":{\"room\":\"zzzzzzzz\",\"seq\":9,\"state\":{}}}";
    static const struct step script[] = {
        {"hello", {HELLO}},
        {"join", {VIEW("3", "{}")}},
        {"join", {other}},
        {"move", {NULL}},
        {"move", {"!cut"}},
        {"hello", {HELLO}},
        {"\"op\":\"watch\",\"room\":\"k3m9x0aq\",\"have\":3", {NULL}},
        {"\"op\":\"watch\",\"room\":\"zzzzzzzz\",\"have\":9", {NULL}},
        {"move", {NULL}},
        {"move", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op_room("join"));
    stage_ask(&stage, op_room("join"));
    stage_run(&stage, 2);
    stage_ask(&stage, op_room("move"));
    stage_ask(&stage, op_room("move"));
    stage_run(&stage, 1);
    ck_assert_int_eq(stage.ids[3], stage.ids[8]);
    ck_assert_int_eq(stage.ids[4], stage.ids[9]);
    ck_assert_uint_eq(wire_client_pending(stage.client), 3);
    stage_close(&stage, stage.log);
}
END_TEST

/* A room's name that only begins as that of a room of ours is another's. */
START_TEST(leaves_what_it_says)
{
    static const struct step script[] = {
        {"hello", {HELLO}},
        {"join", {VIEW("3", "{}")}},
        {"leave", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op_room("join"));
    stage_ask(&stage, json_pack("{s:s, s:s}", "op", "leave", "room", "k3m9x0aqZ"));
    stage_run(&stage, 2);
    ck_assert_ptr_nonnull(wire_client_room(stage.client, "k3m9x0aq"));
    stage_close(&stage, "online Ana; view k3m9x0aq 3 seat 2 {}; ok; ok; ");
}
END_TEST

/* Every one of 51 bits is set in one of 64 random ids, and none above. */
START_TEST(ids_are_random)
{
    struct stage stage;
    struct wire_client_config config = {.program = "test"};
    int64_t all = 0;
    stage_open(&stage, NULL, NULL, 0);
    ck_assert(wire_url_parse(&config.url, "127.0.0.1:1"));
    for (int at = 0; at < 64; at++) {
        struct wire_client *other = wire_client_create(stage.context, &config, &EVENTS, &stage);
        all |= wire_client_request(other, op("ping"), NULL, NULL);
        wire_client_destroy(other);
    }
    ck_assert_int_eq(all, (INT64_C(1) << 51) - 1);
    stage_close(&stage, "");
}
END_TEST

/* What the server's code means for coming back. */
static const struct {
    int code, told;   /* libwebsockets takes those that it does not know for 1002 */
    int64_t pause_ms; /* at the least; -1: it does not come back */
} closes[] = {
    {1000, 1000, 0},  {1001, 1001, 0},  {1002, 1002, 0}, {1003, 1003, -1},    {1007, 1007, -1},
    {1008, 1008, -1}, {1009, 1009, -1}, {1010, 1010, 0}, {1011, 1011, 0},     {1012, 1002, 0},
    {1013, 1002, 0},  {4001, 4001, 0},  {4002, 4002, 0}, {4003, 4003, 60000}, {4004, 4004, 0},
};

START_TEST(is_closed)
{
    char close[16], log[64];
    (void)snprintf(close, sizeof(close), "!close %d", closes[_i].code);
    const struct step script[] = {{"\"op\":\"hello\"", {close}}, {NULL, {NULL}}};
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    if (closes[_i].pause_ms < 0) {
        stage_ask(&stage, op("ping"));
        stage_run(&stage, 2);
        ck_assert_int_eq(stage_timers(&stage), 0);
        (void)snprintf(log, sizeof(log), "error lost; failed; ");
    } else {
        while (stage.retry_ms == 0)
            uv_run(&stage.loop, UV_RUN_ONCE);
        ck_assert_int_ge(stage.retry_ms, closes[_i].pause_ms);
        ck_assert(closes[_i].pause_ms > 0 || stage.retry_ms <= WIRE_BACKOFF_MIN_MS);
        ck_assert_int_eq(stage_timers(&stage), 1);
        (void)snprintf(log, sizeof(log), "offline %d; ", closes[_i].told);
    }
    ck_assert_str_eq(stage.why, "enough");
    stage_close(&stage, log);
}
END_TEST

static int64_t wall_ms(void)
{
    uv_timeval64_t now;
    ck_assert_int_eq(uv_gettimeofday(&now), 0);
    return now.tv_sec * 1000 + now.tv_usec / 1000;
}

/* What is told beside the state, and what there is no place for. */
START_TEST(knows_its_rooms)
{
    static const char view[] = "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":3,\"you\":"
                               "{\"seat\":2,\"host\":true},\"time\":7,\"state\":{}}}";
    static char others[WIRE_ROOMS_MAX][96];
    static struct step script[WIRE_ROOMS_MAX + 3] = {{"hello", {HELLO}}, {"join", {view}}};
    static struct stage stage;
    for (int at = 0; at < WIRE_ROOMS_MAX; at++) {
        (void)snprintf(others[at], sizeof(others[at]),
                       "{\"id\":$,\"ok\":{\"room\":\"room%04d\",\"seq\":1,\"state\":{}}}", at);
        script[2 + at] = (struct step){"join", {others[at]}};
    }
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op_room("join"));
    int64_t before_ms = wall_ms();
    stage_run(&stage, 1);
    const struct wire_room *room = wire_client_room(stage.client, "k3m9x0aq");
    ck_assert(room->host);
    ck_assert_int_eq(room->at_ms, 7);
    ck_assert_int_le(7 - room->ahead_ms, wall_ms());
    ck_assert_int_ge(7 - room->ahead_ms, before_ms);
    for (int at = 0; at < WIRE_ROOMS_MAX; at++) {
        stage_ask(&stage, op_room("join"));
        stage_run(&stage, 1);
    }
    ck_assert_int_eq(WIRE_ROOMS_MAX, 64);
    ck_assert_ptr_nonnull(wire_client_room(stage.client, "room0062"));
    ck_assert_ptr_null(wire_client_room(stage.client, "room0063")); /* one too many */
    stage_close(&stage, stage.log);
}
END_TEST

START_TEST(loses_patience)
{
    struct stage stage;
    stage_open(&stage, NULL, NULL, 300);
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 2);
    ck_assert_ptr_nonnull(strstr(stage.log, "error lost; failed; ")); /* after some attempts */
    stage_close(&stage, stage.log);
}
END_TEST

/* Nothing that a server says may harm: it is ignored, or answered by another question. */
START_TEST(hears_nonsense)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"", {HELLO}},
        {"\"op\":\"ping\"",
         {"nonsense", "[]", "{\"id\":\"x\",\"ok\":{}}", "{\"id\":$}", "{\"push\":7}",
          "{\"push\":\"event\",\"room\":7,\"seq\":\"x\",\"patch\":[]}"}},
        {"\"op\":\"join\"",
         {"{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":\"x\",\"you\":7,\"online\":[],\"state\":"
          "[]}}",
          "{\"push\":\"presence\",\"room\":\"k3m9x0aq\",\"online\":{\"0\":7}}",
          "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":1,\"patch\":7}",
          "{\"id\":1,\"ok\":{}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":7}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    wire_client_request(stage.client, op("ping"), NULL, NULL);
    stage_ask(&stage, op_room("join"));
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 2);
    stage_close(&stage, "online Ana; ok; push presence k3m9x0aq 0; ok; ");
}
END_TEST

START_TEST(too_much_is_refused)
{
    static const struct step script[] = {{"\"op\":\"hello\"", {NULL}}, {NULL, {NULL}}};
    struct stage stage;
    char text[PROTOCOL_MESSAGE_BYTES + 1];
    stage_open(&stage, script, NULL, 0);
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    ck_assert_int_eq(wire_client_request(stage.client, op(text), on_reply, &stage), -1);
    for (int i = 0; i < WIRE_PENDING_MAX; i++)
        stage_ask(&stage, op("ping"));
    ck_assert_int_eq(wire_client_request(stage.client, op("ping"), on_reply, &stage), -1);
    while (stage.at < 1)
        uv_run(&stage.loop, UV_RUN_ONCE);
    stage_close(&stage, "");
}
END_TEST

Suite *wire_suite(void)
{
    Suite *suite = suite_create("wire");
    TCase *tcase = tcase_create("wire");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, asks_and_is_answered);
    tcase_add_test(tcase, patches_a_room);
    tcase_add_test(tcase, resumes);
    tcase_add_test(tcase, mends_a_gap);
    tcase_add_test(tcase, room_is_gone);
    tcase_add_test(tcase, token_has_expired);
    tcase_add_loop_test(tcase, hello_is_refused, 0, sizeof(refusals) / sizeof(refusals[0]));
    tcase_add_test(tcase, slows_down);
    tcase_add_test(tcase, keeps_the_pace);
    tcase_add_test(tcase, sends_what_the_pace_allows);
    tcase_add_test(tcase, cuts_and_comes_back);
    tcase_add_test(tcase, backs_off);
    tcase_add_test(tcase, resumes_a_gap);
    tcase_add_test(tcase, resumes_rooms_first);
    tcase_add_test(tcase, leaves_what_it_says);
    tcase_add_test(tcase, ids_are_random);
    tcase_add_loop_test(tcase, is_closed, 0, sizeof(closes) / sizeof(closes[0]));
    tcase_add_test(tcase, knows_its_rooms);
    tcase_add_test(tcase, loses_patience);
    tcase_add_test(tcase, hears_nonsense);
    tcase_add_test(tcase, too_much_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
