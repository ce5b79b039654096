/*
 * A server in this process: clients of wire/client.h play on it as on any other.
 */
#include "suites.h"
#include <local/server.h>
#include <string.h>
#include <taluva/game.h>
#include <totem/game.h>
#include <wire/client.h>

enum { CLIENTS = 2, LIMIT_MS = 60000 };

static const struct game_type *const TYPES[] = {&game_type_taluva, &game_type_totem, NULL};

struct stage;

struct seat {
    struct stage *stage;
    struct wire_client *client;
    int onlines, offlines, views, events;
    char error[64]; /* the code of the last refusal; "": granted */
    json_t *ok;     /* the last answer */
};

struct stage {
    uv_loop_t loop;
    uv_timer_t limit;
    struct local_server *server;
    struct seat seats[CLIENTS];
    char room[PROTOCOL_ROOM_BYTES + 1];
    bool in_call; /* a client is being called: it must not call back */
};

static void on_online(void *user, const json_t *ok)
{
    struct seat *seat = user;
    ck_assert(!seat->stage->in_call);
    ck_assert_str_eq(json_string_value(json_object_get(ok, "server")), "test 1");
    seat->onlines++;
    uv_stop(&seat->stage->loop);
}

static void on_offline(void *user, int code, const char *reason, int64_t retry_ms)
{
    struct seat *seat = user;
    (void)reason;
    (void)retry_ms;
    ck_assert(!seat->stage->in_call);
    ck_assert_int_eq(code, WIRE_CLOSED_LOST);
    seat->offlines++;
}

static void on_failed(void *user, const char *why)
{
    (void)user;
    ck_abort_msg("a client gave up: %s", why);
}

static const char *on_token(void *user, const char *token)
{
    (void)user;
    ck_assert_str_ne(token, "");
    return NULL;
}

static const char *on_forgotten(void *user)
{
    (void)user;
    ck_abort_msg("the session is unknown");
    return NULL;
}

static void on_view(void *user, const struct wire_room *room)
{
    struct seat *seat = user;
    (void)room;
    seat->views++;
}

static void on_event(void *user, const struct wire_room *room, const json_t *push)
{
    struct seat *seat = user;
    (void)room;
    (void)push;
    ck_assert(!seat->stage->in_call);
    seat->events++;
    uv_stop(&seat->stage->loop);
}

static void on_push(void *user, const struct wire_room *room, const json_t *push)
{
    const struct seat *seat = user;
    (void)room;
    (void)push;
    uv_stop(&seat->stage->loop);
}

static void on_gone(void *user, const char *room, const json_t *error)
{
    (void)user;
    (void)error;
    ck_abort_msg("room %s is gone", room);
}

static void on_limit(uv_timer_t *timer)
{
    (void)timer;
    ck_abort_msg("it takes too long");
}

static void open_stage(struct stage *stage)
{
    static const struct wire_client_events events = {
        .online = on_online,
        .offline = on_offline,
        .failed = on_failed,
        .token = on_token,
        .forgotten = on_forgotten,
        .view = on_view,
        .event = on_event,
        .push = on_push,
        .gone = on_gone,
    };
    static const char *const names[CLIENTS] = {"Ana", "Bo"};
    const struct local_server_config config = {.games = TYPES, .name = "test 1"};
    memset(stage, 0, sizeof *stage);
    ck_assert_int_eq(uv_loop_init(&stage->loop), 0);
    uv_timer_init(&stage->loop, &stage->limit);
    uv_timer_start(&stage->limit, on_limit, LIMIT_MS, 0);
    stage->server = local_server_create(&stage->loop, &config);
    ck_assert_ptr_nonnull(stage->server);
    const struct wire_carrier carrier = local_server_carrier(stage->server);
    for (int i = 0; i < CLIENTS; i++) {
        const struct wire_client_config client = {.name = names[i], .program = "test"};
        struct seat *seat = &stage->seats[i];
        seat->stage = stage;
        seat->client = wire_client_create(&carrier, &client, &events, seat);
        ck_assert_ptr_nonnull(seat->client);
    }
}

/* Nothing is left on the loop. */
static void close_stage(struct stage *stage)
{
    for (int i = 0; i < CLIENTS; i++) {
        wire_client_destroy(stage->seats[i].client);
        json_decref(stage->seats[i].ok);
    }
    local_server_destroy(stage->server);
    uv_close((uv_handle_t *)&stage->limit, NULL);
    uv_run(&stage->loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&stage->loop), 0);
}

/* Until something was heard. */
static void go_on(struct stage *stage)
{
    uv_run(&stage->loop, UV_RUN_DEFAULT);
}

static void on_reply(void *user, const json_t *ok, const json_t *error)
{
    struct seat *seat = user;
    const char *code = json_string_value(json_object_get(error, "code"));
    ck_assert(!seat->stage->in_call);
    snprintf(seat->error, sizeof seat->error, "%s", code ? code : "");
    json_decref(seat->ok);
    seat->ok = ok ? json_deep_copy(ok) : json_object();
    uv_stop(&seat->stage->loop);
}

/* The answer; "" in `error` if it was granted. */
static const json_t *ask(struct stage *stage, int who, json_t *request)
{
    struct seat *seat = &stage->seats[who];
    json_decref(seat->ok);
    seat->ok = NULL;
    stage->in_call = true;
    ck_assert_int_ge(wire_client_request(seat->client, request, on_reply, seat), 0);
    stage->in_call = false;
    while (!seat->ok)
        go_on(stage);
    return seat->ok;
}

static const json_t *ask_room(struct stage *stage, int who, const char *op)
{
    return ask(stage, who, json_pack("{s:s,s:s}", "op", op, "room", stage->room));
}

static const struct wire_room *room_of(const struct stage *stage, int who)
{
    return wire_client_room(stage->seats[who].client, stage->room);
}

static bool phase_is(const struct stage *stage, const char *phase)
{
    return json_equal(json_object_get(room_of(stage, 0)->state, "phase"),
                      json_object_get(room_of(stage, 1)->state, "phase")) &&
           strcmp(json_string_value(json_object_get(room_of(stage, 0)->state, "phase")), phase) ==
               0;
}

/* Both clients and one computer of this level. */
static void begin(struct stage *stage, int level)
{
    json_t *request = json_pack("{s:s,s:s,s:{s:i,s:i}}", "op", "create", "game", "taluva",
                                "options", "players", 3, "tiles", 24);
    const json_t *made = ask(stage, 0, request);
    snprintf(stage->room, sizeof stage->room, "%s",
             json_string_value(json_object_get(made, "room")));
    ask_room(stage, 0, "join");
    ask_room(stage, 1, "join");
    ask(stage, 0, json_pack("{s:s,s:s,s:i}", "op", "bot", "room", stage->room, "level", level));
    for (int i = 0; i < CLIENTS; i++)
        ask(stage, i, json_pack("{s:s,s:s,s:b}", "op", "ready", "room", stage->room, "ready", 1));
    ask_room(stage, 0, "start");
    ck_assert_str_eq(stage->seats[0].error, "");
    while (!phase_is(stage, "playing"))
        go_on(stage);
}

/* The client whose seat acts; -1: the computer's. */
static int acting(const struct stage *stage)
{
    const json_t *acts = json_object_get(room_of(stage, 0)->state, "acting");
    const int seat = (int)json_integer_value(json_array_get(acts, 0));
    for (int i = 0; i < CLIENTS; i++) {
        if (room_of(stage, i)->seat == seat)
            return i;
    }
    return -1;
}

/* Any legal move. */
static void move(struct stage *stage, int who)
{
    const json_t *legal = ask_room(stage, who, "moves");
    const json_t *first = json_array_get(json_object_get(legal, "moves"), 0);
    if (!first)
        return; /* it was told late that it is another's turn */
    ask(stage, who,
        json_pack("{s:s,s:s,s:s,s:b}", "op", "move", "room", stage->room, "move",
                  json_string_value(first), "confirm", 1));
    ck_assert_str_eq(stage->seats[who].error, "");
}

static void play_on(struct stage *stage)
{
    const int who = acting(stage);
    if (who < 0)
        go_on(stage);
    else
        move(stage, who);
}

START_TEST(a_match_is_played)
{
    struct stage stage;
    open_stage(&stage);
    begin(&stage, 2);
    while (!phase_is(&stage, "over"))
        play_on(&stage);
    const json_t *record = json_object_get(ask_room(&stage, 1, "record"), "record");
    ck_assert_ptr_nonnull(strstr(json_string_value(record), "[Server \"test 1\"]"));
    ck_assert_ptr_nonnull(strstr(json_string_value(record), "[Result"));
    ck_assert_int_eq(stage.seats[0].onlines + stage.seats[1].onlines, 2);
    ck_assert_int_eq(stage.seats[0].offlines + stage.seats[1].offlines, 0);
    ck_assert(json_equal(room_of(&stage, 0)->state, room_of(&stage, 1)->state));
    close_stage(&stage);
}
END_TEST

START_TEST(refused_as_elsewhere)
{
    struct stage stage;
    open_stage(&stage);
    begin(&stage, 1);
    while (acting(&stage) < 0)
        go_on(&stage);
    const int who = acting(&stage);
    ask(&stage, who,
        json_pack("{s:s,s:s,s:s}", "op", "move", "room", stage.room, "move", "hut@99,99"));
    ck_assert_str_ne(stage.seats[who].error, "");
    ask_room(&stage, 1 - who, "moves");
    ck_assert_str_eq(stage.seats[1 - who].error, "not_your_turn");
    ask(&stage, 0, json_pack("{s:s,s:s}", "op", "watch", "room", "zzzzzzzz"));
    ck_assert_str_eq(stage.seats[0].error, "unknown_room");
    close_stage(&stage);
}
END_TEST

/* As after a lost connection: the same session, seat and state. */
START_TEST(comes_back_after_a_cut)
{
    struct stage stage;
    open_stage(&stage);
    begin(&stage, 1);
    const int64_t seq = room_of(&stage, 0)->seq;
    stage.in_call = true;
    wire_client_cut(stage.seats[0].client);
    stage.in_call = false;
    while (stage.seats[0].onlines < 2)
        go_on(&stage);
    ck_assert_int_eq(stage.seats[0].offlines, 1);
    ck_assert_int_eq(room_of(&stage, 0)->seat, 0);
    ck_assert_int_ge(room_of(&stage, 0)->seq, seq);
    while (acting(&stage) != 0)
        play_on(&stage);
    move(&stage, 0);
    close_stage(&stage);
}
END_TEST

static bool is_online(const struct stage *stage, int who, const char *seat)
{
    return json_is_true(json_object_get(room_of(stage, who)->online, seat));
}

/* The others are told that somebody is gone. */
START_TEST(one_leaves)
{
    struct stage stage;
    open_stage(&stage);
    begin(&stage, 1);
    while (!is_online(&stage, 0, "1"))
        go_on(&stage);
    wire_client_destroy(stage.seats[1].client);
    stage.seats[1].client = NULL;
    while (is_online(&stage, 0, "1"))
        go_on(&stage);
    close_stage(&stage);
}
END_TEST

/* The answer to a question that is thought about is not waited for. */
START_TEST(ends_while_it_thinks)
{
    struct stage stage;
    open_stage(&stage);
    begin(&stage, 6);
    while (acting(&stage) >= 0)
        play_on(&stage);
    uv_run(&stage.loop, UV_RUN_NOWAIT);
    close_stage(&stage);
}
END_TEST

START_TEST(ends_before_it_begins)
{
    struct stage stage;
    open_stage(&stage);
    close_stage(&stage);
    ck_assert_int_eq(stage.seats[0].onlines, 0);
    local_server_destroy(NULL);
}
END_TEST

Suite *local_suite(void)
{
    Suite *suite = suite_create("local");
    TCase *tcase = tcase_create("local");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, a_match_is_played);
    tcase_add_test(tcase, refused_as_elsewhere);
    tcase_add_test(tcase, comes_back_after_a_cut);
    tcase_add_test(tcase, one_leaves);
    tcase_add_test(tcase, ends_while_it_thinks);
    tcase_add_test(tcase, ends_before_it_begins);
    suite_add_tcase(suite, tcase);
    return suite;
}
