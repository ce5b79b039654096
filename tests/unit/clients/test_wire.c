/* A session with a server: what the client sends and when, and how it handles each answer. */
#include "suites.h"
#include "wire_stage.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const struct wire_room *room = wire_client_room(stage.client, "k3m9x0aq");
    ck_assert_int_eq(room->at_ms, 5);
    ck_assert(json_is_true(json_object_get(room->online, "0")));
    ck_assert_ptr_null(json_object_get(room->online, "2"));
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

/* As long as the server says; half a second if it does not. */
START_TEST(waits_as_it_is_told)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"", {HELLO}},
        {"\"op\":\"ping\"",
         {"{\"id\":$,\"error\":{\"code\":\"slow_down\",\"message\":\"!\",\"retry_ms\":1200}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op("ping"));
    const uint64_t begin = uv_hrtime();
    stage_run(&stage, 1);
    ck_assert_uint_ge((uv_hrtime() - begin) / 1000000, 1190);
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

/* A burst is sent at once, the rest waits for the rate; hello was the first request. */
static const struct {
    const char *limits;
    int sent;
} paces[] = {
    {"{\"requests_per_s\":0.001,\"requests_burst\":1}", 0},
    {"{\"requests_per_s\":0.001,\"requests_burst\":2}", 1},
    {"{\"requests_per_s\":0.001,\"requests_burst\":3}", 2},
    {"{\"requests_per_s\":0,\"requests_burst\":3}", 4}, /* no limit */
    {"{\"requests_per_s\":0.001,\"requests_burst\":0}", 4},
    {"{}", 4},
};

START_TEST(sends_what_the_pace_allows)
{
    char greeting[128];
    (void)snprintf(greeting, sizeof greeting, "{\"id\":$,\"ok\":{\"name\":\"Ana\",\"limits\":%s}}",
                   paces[_i].limits);
    const struct step script[] = {{"hello", {greeting}}, {"ping", {NULL}}, {"ping", {NULL}},
                                  {"ping", {NULL}},      {"ping", {NULL}}, {NULL, {NULL}}};
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage.asks_online = 4;
    while (stage.log_len == 0)
        uv_run(&stage.loop, UV_RUN_ONCE);
    ck_assert_int_eq(stage.sent, paces[_i].sent);
    ck_assert_int_eq(stage_timers(&stage), paces[_i].sent < 4);
    stage_go_on_until(&stage, (size_t)paces[_i].sent + 1);
    stage.script = NULL;
    stage_close(&stage, "online Ana; ");
}
END_TEST

/* Five may follow the hello. The answer to the first is long, and counts as two more. */
START_TEST(counts_a_long_answer)
{
    char answer[5000];
    (void)snprintf(answer, sizeof answer, "{\"id\":$,\"ok\":{\"text\":\"%0*d\"}}", 4100, 0);
    const struct step script[] = {
        {"hello",
         {"{\"id\":$,\"ok\":{\"name\":\"Ana\","
          "\"limits\":{\"requests_per_s\":0.001,\"requests_burst\":6}}}"}},
        {"ping", {answer}},
        {"ping", {NULL}},
        {"ping", {NULL}},
        {NULL, {NULL}}};
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    for (int i = 0; i < 4; i++)
        stage_ask(&stage, op("ping"));
    ck_assert_int_eq(stage.sent, 1 + 2);
    stage_go_on_until(&stage, 4);
    stage.script = NULL;
    stage_close(&stage, "online Ana; ok; ");
}
END_TEST

/* A room id that only begins like a subscribed one is another room. */
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

/* What is known of a room is let go with it, or with the client. */
START_TEST(lets_go_of_rooms)
{
    static const char other[] = "{\"id\":$,\"ok\":{\"room\":\"zzzzzzzz\",\"seq\":9,\"state\":{},"
                                "\"online\":{\"0\":true}}}";
    static const struct step script[] = {
        {"hello", {HELLO}}, {"join", {VIEW("3", "{}")}},
        {"join", {other}},  {"leave", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op_room("join"));
    stage_ask(&stage, op_room("join"));
    stage_run(&stage, 2);
    const struct wire_room *left = wire_client_room(stage.client, "k3m9x0aq");
    const struct wire_room *kept = wire_client_room(stage.client, "zzzzzzzz");
    json_t *const values[] = {json_incref(left->state), json_incref(left->online),
                              json_incref(kept->state), json_incref(kept->online)};
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq((int)values[i]->refcount, 2);
    stage_ask(&stage, op_room("leave"));
    stage_run(&stage, 1);
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq((int)values[i]->refcount, i < 2 ? 1 : 2);
    stage_close(&stage, stage.log);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq((int)values[i]->refcount, 1);
        json_decref(values[i]);
    }
}
END_TEST

/* Only a view makes a room known, not every answer that names one. */
START_TEST(knows_what_it_views)
{
    static const struct step script[] = {
        {"hello", {HELLO}},
        {"create", {"{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"state\":{}}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op("create"));
    stage_run(&stage, 1);
    ck_assert_ptr_null(wire_client_room(stage.client, "k3m9x0aq"));
    stage_close(&stage, "online Ana; ok; ");
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
    const struct wire_carrier carrier = wire_carrier_network(stage.context);
    for (int at = 0; at < 64; at++) {
        struct wire_client *other = wire_client_create(&carrier, &config, &stage_events, &stage);
        all |= wire_client_request(other, op("ping"), NULL, NULL);
        wire_client_destroy(other);
    }
    ck_assert_int_eq(all, (INT64_C(1) << 51) - 1);
    stage_close(&stage, "");
}
END_TEST

static int64_t wall_ms(void)
{
    uv_timeval64_t now;
    ck_assert_int_eq(uv_gettimeofday(&now), 0);
    return now.tv_sec * 1000 + now.tv_usec / 1000;
}

/* Pushes beside the state, and more rooms than the client has place for. */
START_TEST(knows_its_rooms)
{
    static const char view[] = "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":3,\"you\":"
                               "{\"seat\":2,\"host\":true},\"time\":7,\"state\":{}}}";
    static char others[WIRE_ROOMS_MAX][96];
    static struct step script[WIRE_ROOMS_MAX + 5] = {{"hello", {HELLO}}, {"join", {view}}};
    static struct stage stage;
    script[WIRE_ROOMS_MAX + 2] = (struct step){"leave", {"{\"id\":$,\"ok\":{}}"}};
    for (int at = 0; at < WIRE_ROOMS_MAX; at++) {
        (void)snprintf(others[at], sizeof others[at],
                       "{\"id\":$,\"ok\":{\"room\":\"room%04d\",\"seq\":1,\"state\":{}}}", at);
        script[2 + at] = (struct step){"join", {others[at]}};
    }
    script[WIRE_ROOMS_MAX + 3] = script[WIRE_ROOMS_MAX + 1];
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
    stage_ask(&stage, op_room("leave"));
    stage_run(&stage, 1);
    stage_ask(&stage, op_room("join"));
    stage_run(&stage, 1);
    ck_assert_ptr_nonnull(wire_client_room(stage.client, "room0063"));
    stage_close(&stage, stage.log);
}
END_TEST

/* No message of a server does harm: it is ignored, or the client asks again. */
START_TEST(hears_nonsense)
{
    static const struct step script[] = {
        {"\"op\":\"hello\"", {HELLO}},
        {"\"op\":\"ping\"",
         {"nonsense", "[]", "{\"error\":{\"code\":\"slow_down\"}}", "{\"id\":$}", "{\"push\":7}",
          "{\"push\":\"event\",\"room\":7,\"seq\":\"x\",\"patch\":[]}"}},
        {"\"op\":\"join\"",
         {"{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":\"x\",\"you\":7,\"online\":[],\"state\":"
          "[]}}",
          "{\"push\":\"presence\",\"room\":\"k3m9x0aq\",\"online\":{\"0\":7}}",
          "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":1,\"patch\":7}",
          "{\"id\":1,\"ok\":{}}", "{\"id\":\"x\",\"ok\":{}}"}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":7}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    wire_client_request(stage.client, op("ping"), NULL, NULL);
    stage_ask(&stage, op_room("join"));
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 2);
    ck_assert_uint_eq(wire_client_pending(stage.client), 1); /* the first, still unanswered */
    ck_assert_int_eq(stage_timers(&stage), 0);               /* it does not slow down */
    stage_close(&stage, "online Ana; ok; push presence k3m9x0aq 0; ok; ");
}
END_TEST

START_TEST(too_much_is_refused)
{
    static const struct step script[] = {{"\"op\":\"hello\"", {NULL}}, {NULL, {NULL}}};
    struct stage stage;
    char text[PROTOCOL_MESSAGE_BYTES + 1];
    stage_open(&stage, script, NULL, 0);
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(wire_client_request(stage.client, op(text), stage_on_reply, &stage), -1);
    for (int i = 0; i < WIRE_PENDING_MAX; i++)
        stage_ask(&stage, op("ping"));
    ck_assert_int_eq(wire_client_request(stage.client, op("ping"), stage_on_reply, &stage), -1);
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
    tcase_add_test(tcase, slows_down);
    tcase_add_test(tcase, waits_as_it_is_told);
    tcase_add_test(tcase, keeps_the_pace);
    tcase_add_test(tcase, counts_a_long_answer);
    tcase_add_loop_test(tcase, sends_what_the_pace_allows, 0, sizeof paces / sizeof paces[0]);
    tcase_add_test(tcase, leaves_what_it_says);
    tcase_add_test(tcase, lets_go_of_rooms);
    tcase_add_test(tcase, knows_what_it_views);
    tcase_add_test(tcase, ids_are_random);
    tcase_add_test(tcase, knows_its_rooms);
    tcase_add_test(tcase, hears_nonsense);
    tcase_add_test(tcase, too_much_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
