/* How a session recovers from lost connections, gaps, closes and refusals, and when it does not. */
#include "suites.h"
#include "wire_stage.h"
#include <client_internal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After a loss with a move pending: hello with the token, watch with `have`, the move with its id.
 */
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
    ck_assert_ptr_null(wire_client_room(stage.client, "k3m9x0aq"));
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

/* Tokens from before are tried until one is known. */
START_TEST(token_is_known_again)
{
    static const struct step script[] = {
        {"\"token\":\"old\"",
         {"{\"id\":$,\"error\":{\"code\":\"unknown_token\",\"message\":\"!\"}}"}},
        {"\"token\":\"older\"",
         {"{\"id\":$,\"error\":{\"code\":\"unknown_token\",\"message\":\"!\"}}"}},
        {"\"token\":\"oldest\"", {HELLO}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    static const char *const others[] = {"older", "oldest", NULL};
    struct stage stage;
    stage_open(&stage, script, "old", 0);
    stage.others = others;
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    stage_close(&stage, "forgotten; forgotten; token oldest; online Ana; ok; ");
}
END_TEST

/* Another program of the same player was first: what is asked is asked by their session. */
START_TEST(another_token_is_kept_already)
{
    static const struct step script[] = {
        {"\"op\":\"hello\",\"client\":\"test\",\"name\":\"Ana\"}", {HELLO_TOKEN}},
        {"\"token\":\"theirs\"", {HELLO}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage.kept = "theirs";
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    stage_close(&stage, "token s3cret; token theirs; online Ana; ok; ");
}
END_TEST

/* After a temporary refusal the client tries again. */
static const struct {
    const char *error;
    bool comes_back;
} refusals[] = {
    {"{\"code\":\"full\",\"message\":\"enough\"}", true},
    {"{\"code\":\"draining\",\"message\":\"enough\"}", true},
    {"{\"code\":\"store_failing\",\"message\":\"enough\"}", true},
    {"{\"code\":\"internal\",\"message\":\"enough\"}", true},
    {"{\"code\":\"slow_down\",\"message\":\"enough\"}", true},
    {"{\"code\":\"part_away\",\"message\":\"enough\"}", true},
    {"{\"code\":\"bad_field\",\"message\":\"enough\"}", false},
    /* A client that sent no token cannot have an unknown one. */
    {"{\"code\":\"unknown_token\",\"message\":\"enough\"}", false},
    {"{\"message\":\"enough\"}", false},
};

START_TEST(hello_is_refused)
{
    char answer[128];
    (void)snprintf(answer, sizeof answer, "{\"id\":$,\"error\":%s}", refusals[_i].error);
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
        ck_assert_ptr_null(stage.client->connection); /* which is freed soon */
        ck_assert_int_eq(stage_timers(&stage), 0);
        ck_assert_uint_eq(wire_client_pending(stage.client), 0);
        ck_assert_int_eq(wire_client_request(stage.client, op("ping"), stage_on_reply, &stage), -1);
    }
    ck_assert_str_eq(stage.why, "enough");
    while (fake_server_seen(stage.server)->closes == 0)
        uv_run(&stage.loop, UV_RUN_ONCE);
    ck_assert_int_eq(fake_server_seen(stage.server)->close_code, 1000);
    stage_close(&stage, refusals[_i].comes_back ? "offline -1; " : "error lost; failed; ");
}
END_TEST

/* Once online no timer is left that would close the connection; a lost connection is opened again.
 */
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
    wire_client_cut(stage.client); /* there is no connection */
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

static void run_until_offline(struct stage *stage)
{
    stage->retry_ms = 0;
    while (stage->retry_ms == 0)
        uv_run(&stage->loop, UV_RUN_ONCE);
}

/* What the client waits for need not be waited for. */
static void end_wait(struct stage *stage)
{
    uv_timer_set_repeat(stage->client->timer, 1);
    ck_assert_int_eq(uv_timer_again(stage->client->timer), 0);
}

START_TEST(backs_off_up_to_a_limit)
{
    enum { SOON = 5 };
    static const int64_t pauses_ms[] = {
        WIRE_BACKOFF_MIN_MS, 1000, 2000, 4000, 4000, 4000, 8000, 16000, 30000, 30000, 30000};
    struct stage stage;
    stage_open(&stage, NULL, NULL, 0);
    for (size_t at = 0; at < sizeof pauses_ms / sizeof pauses_ms[0]; at++) {
        if (at == SOON) /* it has been away for long */
            stage.client->away_since_ms -= WIRE_AWAY_LONG_MS;
        run_until_offline(&stage);
        ck_assert_int_ge(stage.retry_ms, pauses_ms[at] / 2);
        ck_assert_int_le(stage.retry_ms, pauses_ms[at]);
        end_wait(&stage);
    }
    stage_close(&stage, stage.log);
}
END_TEST

START_TEST(a_greeting_ends_the_back_off)
{
    static const struct step script[] = {{"hello", {HELLO, "!cut"}}, {NULL, {NULL}}};
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage.client->backoff_ms = 8000;
    run_until_offline(&stage);
    ck_assert_int_le(stage.retry_ms, WIRE_BACKOFF_MIN_MS);
    stage_close(&stage, "online Ana; offline -2; ");
}
END_TEST

/* Not before the server says, and soon after. */
START_TEST(comes_when_the_server_says)
{
    static const struct step script[] = {{"hello",
                                          {"{\"id\":$,\"error\":{\"code\":\"part_away\","
                                           "\"message\":\"enough\",\"retry_ms\":1234}}"}},
                                         {NULL, {NULL}}};
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    run_until_offline(&stage);
    ck_assert_int_eq(stage.retry_ms, 1234);
    stage_close(&stage, stage.log);
}
END_TEST

START_TEST(jitters)
{
    int seen[8] = {0};
    for (int at = 0; at < 1000; at++) {
        int64_t ms = client_jittered(6);
        ck_assert_int_ge(ms, 3);
        ck_assert_int_le(ms, 6);
        seen[ms]++;
    }
    for (int ms = 3; ms <= 6; ms++)
        ck_assert_int_gt(seen[ms], 0);
}
END_TEST

/* A server that takes the connection and says nothing is left, and asked again. */
START_TEST(greeting_is_late)
{
    static const struct step script[] = {
        {"hello", {NULL}},
        {"hello", {HELLO}},
        {"ping", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    stage_ask(&stage, op("ping"));
    stage_go_on_until(&stage, 1);
    ck_assert_int_eq(stage_timers(&stage), 1);
    ck_assert_uint_le(uv_timer_get_due_in(stage.client->timer), WIRE_GREETING_MS);
    end_wait(&stage);
    run_until_offline(&stage);
    ck_assert_str_eq(stage.why, "it takes the connection, but does not answer our greeting");
    while (fake_server_seen(stage.server)->closes == 0)
        uv_run(&stage.loop, UV_RUN_ONCE);
    stage_run(&stage, 1);
    stage_close(&stage, "offline -1; online Ana; ok; ");
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

/* All rooms are watched again before any other waiting request is sent. */
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

/* What the server's close code means for reconnecting. */
static const struct {
    int code, told;   /* libwebsockets takes those that it does not know for 1002 */
    int64_t pause_ms; /* at least; -1: it does not reconnect */
} closes[] = {
    {1000, 1000, 0},  {1001, 1001, 0},  {1002, 1002, 0}, {1003, 1003, -1},    {1007, 1007, -1},
    {1008, 1008, -1}, {1009, 1009, -1}, {1010, 1010, 0}, {1011, 1011, 0},     {1012, 1002, 0},
    {1013, 1002, 0},  {4001, 4001, 0},  {4002, 4002, 0}, {4003, 4003, 60000}, {4004, 4004, 0},
    {4005, 4005, -1}, {4006, 4006, -1},
};

START_TEST(is_closed)
{
    char close[16], log[64];
    (void)snprintf(close, sizeof close, "!close %d", closes[_i].code);
    const struct step script[] = {{"\"op\":\"hello\"", {close}}, {NULL, {NULL}}};
    struct stage stage;
    stage_open(&stage, script, NULL, 0);
    if (closes[_i].pause_ms < 0) {
        stage_ask(&stage, op("ping"));
        stage_run(&stage, 2);
        ck_assert_int_eq(stage_timers(&stage), 0);
        (void)snprintf(log, sizeof log, "%serror lost; failed; ",
                       closes[_i].code == 4006 ? "ended; " : "");
    } else {
        while (stage.retry_ms == 0)
            uv_run(&stage.loop, UV_RUN_ONCE);
        ck_assert_int_ge(stage.retry_ms, closes[_i].pause_ms);
        ck_assert(closes[_i].pause_ms > 0 || stage.retry_ms <= WIRE_BACKOFF_MIN_MS);
        ck_assert_int_eq(stage_timers(&stage), 1);
        (void)snprintf(log, sizeof log, "offline %d; ", closes[_i].told);
    }
    ck_assert_str_eq(stage.why, "enough");
    stage_close(&stage, log);
}
END_TEST

/* With the secret until it has a token of its own, and never with the one that is left behind. */
START_TEST(enters)
{
    static const struct step script[] = {
        {"\"client\":\"test\",\"pass\":\"s3cret\",\"secret\":\"", {"!cut"}},
        {"\"pass\":\"s3cret\",\"secret\":\"",
         {"{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"token\":\"own\",\"limits\":{}}}",
          "!cut"}},
        {"\"token\":\"own\"}", {HELLO}},
        {"\"op\":\"ping\"", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open_entering(&stage, script, "s3cret");
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    stage_close(&stage, "offline -2; token own; online Ana; offline -2; online Ana; ok; ");
}
END_TEST

START_TEST(enters_nowhere)
{
    static const struct step script[] = {
        {"\"pass\":\"s3cret\",\"secret\":\"",
         {"{\"id\":$,\"error\":{\"code\":\"unknown_pass\",\"message\":\"No.\"}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open_entering(&stage, script, "s3cret");
    stage_run(&stage, 1);
    ck_assert_str_eq(stage.why, "No.");
    stage_close(&stage, "failed; ");
}
END_TEST

START_TEST(loses_patience)
{
    struct stage stage;
    stage_open(&stage, NULL, NULL, INT64_C(3600000));
    stage_ask(&stage, op("ping"));
    run_until_offline(&stage); /* not at the first attempt */
    stage.client->patience_ms = 1;
    stage_run(&stage, 2);
    ck_assert_int_eq(stage_timers(&stage), 0);
    stage_close(&stage, "offline -1; error lost; failed; ");
}
END_TEST

START_TEST(loses_the_least_patience)
{
    struct stage stage;
    stage_open(&stage, NULL, NULL, 1);
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 2);
    ck_assert_ptr_nonnull(strstr(stage.log, "error lost; failed; "));
    stage_close(&stage, stage.log);
}
END_TEST

/* Patience begins with the loss, however long it was online before. */
START_TEST(patience_begins_anew)
{
    static const struct step script[] = {
        {"hello", {HELLO}}, {"ping", {"{\"id\":$,\"ok\":{}}"}},
        {"hello", {HELLO}}, {"ping", {"{\"id\":$,\"ok\":{}}"}},
        {NULL, {NULL}},
    };
    struct stage stage;
    stage_open(&stage, script, NULL, INT64_C(3600000));
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    ck_assert_uint_eq(stage.client->away_since_ms, 0);
    const uint64_t online_ms = uv_now(&stage.loop);
    uv_sleep(2);
    wire_client_cut(stage.client);
    run_until_offline(&stage);
    ck_assert_uint_gt(stage.client->away_since_ms, online_ms);
    stage_ask(&stage, op("ping"));
    stage_run(&stage, 1);
    stage_close(&stage, "online Ana; ok; offline -2; online Ana; ok; ");
}
END_TEST

Suite *wire_back_suite(void)
{
    Suite *suite = suite_create("wire_back");
    TCase *tcase = tcase_create("wire_back");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, resumes);
    tcase_add_test(tcase, mends_a_gap);
    tcase_add_test(tcase, room_is_gone);
    tcase_add_test(tcase, token_has_expired);
    tcase_add_test(tcase, token_is_known_again);
    tcase_add_test(tcase, another_token_is_kept_already);
    tcase_add_loop_test(tcase, hello_is_refused, 0, sizeof refusals / sizeof refusals[0]);
    tcase_add_test(tcase, cuts_and_comes_back);
    tcase_add_test(tcase, backs_off);
    tcase_add_test(tcase, backs_off_up_to_a_limit);
    tcase_add_test(tcase, a_greeting_ends_the_back_off);
    tcase_add_test(tcase, comes_when_the_server_says);
    tcase_add_test(tcase, jitters);
    tcase_add_test(tcase, greeting_is_late);
    tcase_add_test(tcase, resumes_a_gap);
    tcase_add_test(tcase, resumes_rooms_first);
    tcase_add_loop_test(tcase, is_closed, 0, sizeof closes / sizeof closes[0]);
    tcase_add_test(tcase, enters);
    tcase_add_test(tcase, enters_nowhere);
    tcase_add_test(tcase, loses_patience);
    tcase_add_test(tcase, loses_the_least_patience);
    tcase_add_test(tcase, patience_begins_anew);
    suite_add_tcase(suite, tcase);
    return suite;
}
