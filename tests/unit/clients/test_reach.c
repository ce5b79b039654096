/*
 * A server that cannot be reached: why, in words; host names that are looked up, or not in time;
 * and that a client does not try for longer than its patience.
 */
#include "raw_server.h"
#include "suites.h"
#include "wire_stage.h"
#include <client_internal.h>
#include <errno.h>
#include <lookup.h>
#include <pthread.h>
#include <socket_internal.h>
#include <stdio.h>
#include <string.h>
#include <unreachable.h>

/* ---- texts */

static const struct {
    struct unreachable_facts facts;
    const char *text;
} answers[] = {
    {{.tls = true, .certificate = "expired", .handshake = true},
     "its certificate is not accepted (expired)"},
    {{.tls = true, .handshake = true},
     "TLS fails with it; an address without TLS begins with ws://"},
    {{.status = 101}, "its answer is not that of a WebSocket"},
    {{.status = 404}, "a web server answers, but has no WebSocket at this path (HTTP 404)"},
    {{.status = 401}, "a web server answers, but does not let us in (HTTP 401)"},
    {{.status = 403}, "a web server answers, but does not let us in (HTTP 403)"},
    {{.status = 200, .closed = true}, "a web server answers, but not as a WebSocket (HTTP 200)"},
    {{.status = 499}, "a web server answers, but not as a WebSocket (HTTP 499)"},
    {{.status = 500}, "the server, or a proxy before it, is not ready (HTTP 500)"},
    {{.status = 301, .location = "/x"}, "it points elsewhere, to /x (HTTP 301)"},
    {{.late = true}, "it does not answer"},
    {{0}, "its answer is not HTTP"},
    {{.closed = true},
     "it closes the connection without a proper answer; an address with TLS begins with wss://"},
    {{.tls = true, .closed = true}, "it closes the connection without a proper answer"},
};

START_TEST(answers_in_words)
{
    char text[UNREACHABLE_TEXT];
    unreachable_answer(text, &answers[_i].facts);
    ck_assert_str_eq(text, answers[_i].text);
}
END_TEST

START_TEST(errors_in_words)
{
    char text[UNREACHABLE_TEXT];
    unreachable_connect(text, ECONNREFUSED);
    ck_assert_str_eq(text, "connection refused, no server listens at this port");
    unreachable_connect(text, ETIMEDOUT);
    ck_assert_str_eq(text, "it does not answer");
    unreachable_connect(text, ENETUNREACH);
    ck_assert_ptr_nonnull(strstr(text, "there is no way to it through the network (Network is"));
    unreachable_connect(text, EHOSTUNREACH);
    ck_assert_ptr_nonnull(strstr(text, "there is no way to it through the network (No route"));
    unreachable_connect(text, ECONNRESET);
    ck_assert_str_eq(text, "Connection reset by peer");
    unreachable_name(text, EAI_NONAME);
    ck_assert_str_eq(text, "no host of this name is known");
    unreachable_name(text, EAI_AGAIN);
    ck_assert_str_eq(text, "its name cannot be looked up, as no name server answers");
    unreachable_name(text, EAI_FAIL);
    ck_assert_str_eq(text,
                     "its name cannot be looked up (Non-recoverable failure in name resolution)");
}
END_TEST

/* ---- one attempt */

struct attempt {
    uv_loop_t loop;
    uv_timer_t limit;
    struct wire_context *context;
    struct wire_socket *socket;
    int opened, closed;
    int code; /* of the close */
    char reason[UNREACHABLE_TEXT];
};

static void on_opened(void *user)
{
    ((struct attempt *)user)->opened++;
}

static void on_message(void *user, const char *bytes, size_t len)
{
    (void)user;
    (void)bytes;
    (void)len;
}

static void on_closed(void *user, int code, const char *reason)
{
    struct attempt *attempt = user;
    attempt->closed++;
    attempt->code = code;
    attempt->socket = NULL;
    (void)snprintf(attempt->reason, sizeof attempt->reason, "%s", reason);
}

static const struct wire_socket_events EVENTS = {on_opened, on_message, on_closed};

static void on_limit(uv_timer_t *timer)
{
    (void)timer;
    ck_abort_msg("too slow");
}

static void attempt_init(struct attempt *attempt, unsigned answer_s)
{
    *attempt = (struct attempt){0};
    ck_assert_int_eq(uv_loop_init(&attempt->loop), 0);
    uv_timer_init(&attempt->loop, &attempt->limit);
    uv_timer_start(&attempt->limit, on_limit, 60000, 0);
    attempt->context = wire_context_create(&attempt->loop, NULL, answer_s);
    ck_assert_ptr_nonnull(attempt->context);
}

static struct wire_socket *attempt_open(struct attempt *attempt, const char *host, int port)
{
    struct wire_url url = {.port = (uint16_t)port, .path = "/ws"};
    (void)snprintf(url.host, sizeof url.host, "%s", host);
    attempt->socket = wire_socket_open(attempt->context, &url, &EVENTS, attempt);
    ck_assert_ptr_nonnull(attempt->socket);
    return attempt->socket;
}

#define UNTIL(stage, condition)                                                                    \
    do {                                                                                           \
        while (!(condition))                                                                       \
            uv_run(&(stage)->loop, UV_RUN_ONCE);                                                   \
    } while (0)

static void attempt_release(struct attempt *attempt)
{
    wire_context_destroy(attempt->context);
    uv_close((uv_handle_t *)&attempt->limit, NULL);
    uv_run(&attempt->loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&attempt->loop), 0);
}

#define HEAD(status) "HTTP/1.1 " status "\r\nContent-Length: 0\r\n"

static const struct {
    const char *answer;
    bool closes;
    const char *reason;
} servers[] = {
    {HEAD("404 Not Found") "\r\n", false,
     "a web server answers, but has no WebSocket at this path (HTTP 404)"},
    {HEAD("200 OK") "\r\n", true, "a web server answers, but not as a WebSocket (HTTP 200)"},
    {HEAD("401 Unauthorized") "\r\n", true,
     "a web server answers, but does not let us in (HTTP 401)"},
    {HEAD("502 Bad Gateway") "\r\n", true,
     "the server, or a proxy before it, is not ready (HTTP 502)"},
    {HEAD("302 Found") "Location: ws://127.0.0.1:1/ws\r\n\r\n", false,
     "it points elsewhere, to ws://127.0.0.1:1/ws (HTTP 302)"},
    {"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
     "Sec-WebSocket-Accept: x\r\n\r\n",
     false, "its answer is not that of a WebSocket"},
    {"220 mail.example ESMTP\r\n", true,
     "it closes the connection without a proper answer; an address with TLS begins with wss://"},
    {"", true,
     "it closes the connection without a proper answer; an address with TLS begins with wss://"},
    {NULL, false, "it does not answer"},
};

START_TEST(says_why)
{
    struct attempt attempt;
    struct raw_server raw = {.answer = servers[_i].answer, .closes = servers[_i].closes};
    attempt_init(&attempt, raw.answer ? 60 : 1);
    attempt_open(&attempt, "127.0.0.1", raw_server_open(&raw, &attempt.loop));
    UNTIL(&attempt, attempt.closed);
    ck_assert_int_eq(attempt.code, WIRE_CLOSED_UNREACHABLE);
    ck_assert_str_eq(attempt.reason, servers[_i].reason);
    raw_server_close(&raw);
    attempt_release(&attempt);
}
END_TEST

START_TEST(is_refused)
{
    struct attempt attempt;
    attempt_init(&attempt, 60);
    attempt_open(&attempt, "127.0.0.1", 1);
    UNTIL(&attempt, attempt.closed);
    ck_assert_int_eq(attempt.code, WIRE_CLOSED_UNREACHABLE);
    ck_assert_str_eq(attempt.reason, "connection refused, no server listens at this port");
    attempt_release(&attempt);
}
END_TEST

/* What fails at once libwebsockets does not tell; still the socket has to end. */
START_TEST(fails_at_once)
{
    static struct attempt attempt; /* as libwebsockets leaves a handle on its loop */
    attempt_init(&attempt, 60);
    ck_assert(wire_context_source(attempt.context, "203.0.113.1")); /* not ours */
    attempt_open(&attempt, "127.0.0.1", 1);
    UNTIL(&attempt, attempt.closed);
    ck_assert_int_eq(attempt.code, WIRE_CLOSED_UNREACHABLE);
    ck_assert_str_eq(attempt.reason,
                     "no connection to it can be opened from here; is there a network?");
    wire_context_destroy(attempt.context); /* forgets a handle of such a connection on the loop */
}
END_TEST

/* ---- names */

/* What the thread of a resolver waits for, how often it was called, and not as it should be. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool open;
    int begun, ended, astray;
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0, 0, 0};

static void gate_shut(void)
{
    pthread_mutex_lock(&gate.mutex);
    gate.open = false;
    gate.begun = gate.ended = gate.astray = 0;
    pthread_mutex_unlock(&gate.mutex);
}

static void gate_open(void)
{
    pthread_mutex_lock(&gate.mutex);
    gate.open = true;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
}

static void gate_await(const int *count, int wanted)
{
    pthread_mutex_lock(&gate.mutex);
    while (*count < wanted)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    ck_assert_int_eq(gate.astray, 0);
    pthread_mutex_unlock(&gate.mutex);
}

/*
 * Hangs until the gate is opened, like a name server that is silent. It asserts nothing itself: its
 * thread can outlive its test, and between tests Check has no file to note an assertion in.
 */
static void resolve_at_gate(const char *host, struct lookup_result *result)
{
    pthread_mutex_lock(&gate.mutex);
    gate.begun++;
    gate.astray += strcmp(host, "gate.example") != 0;
    pthread_cond_broadcast(&gate.changed);
    while (!gate.open)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    gate.ended++;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
    result->count = 1;
    (void)snprintf(result->addresses[0], LOOKUP_ADDRESS, "127.0.0.1");
}

static void resolve_none(const char *host, struct lookup_result *result)
{
    (void)host;
    result->error = EAI_NONAME;
}

/* Three addresses, of which nobody listens on the first two. */
static void resolve_three(const char *host, struct lookup_result *result)
{
    (void)host;
    result->count = 3;
    (void)snprintf(result->addresses[0], LOOKUP_ADDRESS, "127.0.0.9");
    (void)snprintf(result->addresses[1], LOOKUP_ADDRESS, "::1");
    (void)snprintf(result->addresses[2], LOOKUP_ADDRESS, "127.0.0.1");
}

START_TEST(no_such_host)
{
    struct attempt attempt;
    attempt_init(&attempt, 60);
    lookups_resolve_with(attempt.context->lookups, resolve_none);
    attempt_open(&attempt, "nobody.invalid", 1);
    UNTIL(&attempt, attempt.closed);
    ck_assert_int_eq(attempt.code, WIRE_CLOSED_UNREACHABLE);
    ck_assert_str_eq(attempt.reason, "no host of this name is known");
    attempt_release(&attempt);
}
END_TEST

START_TEST(tries_each_address)
{
    struct attempt attempt;
    struct raw_server raw = {.answer = HEAD("404 Not Found") "\r\n"};
    attempt_init(&attempt, 60);
    lookups_resolve_with(attempt.context->lookups, resolve_three);
    const int port = raw_server_open(&raw, &attempt.loop);
    attempt_open(&attempt, "three.example", port);
    UNTIL(&attempt, attempt.closed);
    ck_assert(raw.accepted);
    ck_assert_ptr_nonnull(strstr(attempt.reason, "HTTP 404"));
    raw_server_close(&raw);
    uv_run(&attempt.loop, UV_RUN_NOWAIT);
    /* Now nobody is at any of them. */
    attempt.closed = 0;
    attempt_open(&attempt, "three.example", port);
    UNTIL(&attempt, attempt.closed);
    ck_assert_str_ne(attempt.reason, "");
    attempt_release(&attempt);
}
END_TEST

/* Several sockets wait for one thread; one that is closed meanwhile hears nothing. */
START_TEST(looks_up_once)
{
    struct attempt attempt;
    struct raw_server raw = {.answer = HEAD("404 Not Found") "\r\n"};
    attempt_init(&attempt, 60);
    lookups_resolve_with(attempt.context->lookups, resolve_at_gate);
    const int port = raw_server_open(&raw, &attempt.loop);
    struct wire_socket *first = attempt_open(&attempt, "gate.example", port);
    struct wire_socket *second = attempt_open(&attempt, "gate.example", 1);
    attempt_open(&attempt, "gate.example", 1);
    uv_run(&attempt.loop, UV_RUN_NOWAIT);
    gate_await(&gate.begun, 1);
    ck_assert_str_eq(wire_socket_waits_for(first), "the look-up of its name takes too long");
    wire_socket_close(second);
    gate_open();
    UNTIL(&attempt, attempt.closed == 2);
    ck_assert_int_eq(gate.begun, 1);
    raw_server_close(&raw);
    attempt_release(&attempt);
}
END_TEST

/* Nobody waits for the thread of a look-up that hangs, neither the end of the client. */
START_TEST(abandons_a_look_up)
{
    struct attempt attempt;
    attempt_init(&attempt, 60);
    lookups_resolve_with(attempt.context->lookups, resolve_at_gate);
    attempt_open(&attempt, "gate.example", 1);
    uv_run(&attempt.loop, UV_RUN_NOWAIT);
    gate_await(&gate.begun, 1);
    attempt_release(&attempt);
    ck_assert_int_eq(attempt.closed, 0);
    ck_assert_int_eq(gate.ended, 0);
    gate_open(); /* the thread ends by itself, without the loop */
    gate_await(&gate.ended, 1);
}
END_TEST

/* An answer that has come, and is not yet heard when all is over. */
START_TEST(abandons_an_answer)
{
    struct attempt attempt;
    attempt_init(&attempt, 60);
    lookups_resolve_with(attempt.context->lookups, resolve_at_gate);
    attempt_open(&attempt, "gate.example", 1);
    uv_run(&attempt.loop, UV_RUN_NOWAIT);
    gate_open();
    gate_await(&gate.ended, 1);
    attempt_release(&attempt);
    ck_assert_int_eq(attempt.closed, 0);
}
END_TEST

static void on_nothing(void *user, const char *host, const struct lookup_result *result)
{
    (void)host;
    (void)result;
    ++*(int *)user;
}

/* However many names there are: so many threads, and no more. */
START_TEST(look_ups_are_bounded)
{
    uv_loop_t loop;
    int done = 0;
    char host[32];
    ck_assert_int_eq(uv_loop_init(&loop), 0);
    struct lookups *lookups = lookups_create(&loop, on_nothing, &done);
    gate_open();
    lookups_resolve_with(lookups, resolve_none);
    for (int at = 0; at < LOOKUP_AT_ONCE_MAX; at++) {
        (void)snprintf(host, sizeof host, "%d.example", at);
        ck_assert(lookups_ask(lookups, host));
    }
    ck_assert(lookups_ask(lookups, host)); /* which is under way */
    ck_assert(!lookups_ask(lookups, "more.example"));
    while (done < LOOKUP_AT_ONCE_MAX)
        uv_run(&loop, UV_RUN_ONCE);
    ck_assert(lookups_ask(lookups, "more.example"));
    lookups_destroy(lookups);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(done, LOOKUP_AT_ONCE_MAX);
    ck_assert_int_eq(uv_loop_close(&loop), 0);
}
END_TEST

START_TEST(asks_the_system)
{
    static const struct {
        const char *host;
        bool is_address;
    } hosts[] = {
        {"127.0.0.1", true},          {"::1", true}, {"fe80::1", true}, {"localhost", false},
        {"127.0.0.1.example", false}, {"1", false}};
    for (size_t at = 0; at < sizeof hosts / sizeof hosts[0]; at++)
        ck_assert_int_eq(lookup_is_address(hosts[at].host), hosts[at].is_address);
    struct lookup_result result = {0};
    lookup_resolve("127.0.0.1", &result);
    ck_assert_int_eq(result.error, 0);
    ck_assert_int_eq(result.count, 1);
    ck_assert_str_eq(result.addresses[0], "127.0.0.1");
    result = (struct lookup_result){0};
    lookup_resolve("not a name", &result);
    ck_assert_int_ne(result.error, 0);
    ck_assert_int_eq(result.count, 0);
}
END_TEST

/* ---- patience */

struct session {
    uv_loop_t loop;
    struct wire_context *context;
    struct wire_client *client;
    char why[256];
    int offline, failed;
};

static void session_offline(void *user, int code, const char *reason, int64_t retry_ms)
{
    struct session *session = user;
    (void)reason;
    (void)retry_ms;
    ck_assert_int_eq(code, WIRE_CLOSED_UNREACHABLE);
    session->offline++;
}

static void session_failed(void *user, const char *why)
{
    struct session *session = user;
    session->failed++;
    (void)snprintf(session->why, sizeof session->why, "%s", why);
}

static void session_init(struct session *session)
{
    *session = (struct session){0};
    ck_assert_int_eq(uv_loop_init(&session->loop), 0);
    session->context = wire_context_create(&session->loop, NULL, WIRE_ANSWER_S);
}

static void session_begin(struct session *session, const char *host, int port, int64_t patience_ms)
{
    static const struct wire_client_events events = {.offline = session_offline,
                                                     .failed = session_failed};
    struct wire_client_config config = {.url = {.port = (uint16_t)port, .path = "/ws"},
                                        .program = "test",
                                        .patience_ms = patience_ms};
    (void)snprintf(config.url.host, sizeof config.url.host, "%s", host);
    const struct wire_carrier carrier = wire_carrier_network(session->context);
    session->client = wire_client_create(&carrier, &config, &events, session);
}

/* What is to be seen while the client waits may take as long as it likes: its time stands still. */
static void session_begin_patiently(struct session *session, int port)
{
    session_begin(session, "127.0.0.1", port, INT64_C(3600000));
    uv_timer_stop(session->client->timer);
}

/* All of it is over at once. */
static void patience_ends(struct session *session)
{
    session->client->patience_ms = 1;
    session->client->timer->timer_cb(session->client->timer);
}

static void session_release(struct session *session)
{
    wire_client_destroy(session->client);
    wire_context_destroy(session->context);
    uv_run(&session->loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&session->loop), 0);
}

START_TEST(patience_with_a_look_up)
{
    struct session session;
    session_init(&session);
    lookups_resolve_with(session.context->lookups, resolve_at_gate);
    session_begin(&session, "gate.example", 1, 300);
    ck_assert_uint_le(uv_timer_get_due_in(session.client->timer), 300);
    UNTIL(&session, session.failed);
    ck_assert_str_eq(session.why,
                     "the server cannot be reached: the look-up of its name takes too long");
    session_release(&session);
    gate_open();
    gate_await(&gate.ended, 1);
}
END_TEST

START_TEST(patience_with_a_silent_server)
{
    struct session session;
    struct raw_server raw = {0};
    session_init(&session);
    session_begin_patiently(&session, raw_server_open(&raw, &session.loop));
    UNTIL(&session, raw.accepted);
    patience_ends(&session);
    ck_assert_int_eq(session.failed, 1);
    ck_assert_str_eq(session.why, "the server cannot be reached: it does not answer");
    raw_server_close(&raw);
    session_release(&session);
}
END_TEST

static void ignore_message(void *user, int connection, const json_t *message)
{
    (void)connection;
    (void)message;
    ++*(int *)user;
}

/* It is a WebSocket, and does not greet. */
START_TEST(patience_with_a_rude_server)
{
    struct session session;
    int heard = 0;
    session_init(&session);
    struct fake_server *server = fake_server_create(&session.loop, ignore_message, &heard);
    session_begin_patiently(&session, fake_server_port(server));
    UNTIL(&session, heard > 0);
    patience_ends(&session);
    ck_assert_int_eq(session.failed, 1);
    ck_assert_int_eq(heard, 1);
    ck_assert_str_eq(session.why, "the server cannot be reached: it takes the connection, but does "
                                  "not answer our greeting");
    wire_client_destroy(session.client);
    session.client = NULL;
    fake_server_destroy(server);
    session_release(&session);
}
END_TEST

/* The reason of the last attempt is told, and no attempt is announced that is not made. */
START_TEST(patience_with_nobody)
{
    struct session session;
    session_init(&session);
    session_begin_patiently(&session, 1);
    UNTIL(&session, session.offline > 0);
    session.client->timer->timer_cb(session.client->timer); /* the next attempt */
    uv_timer_stop(session.client->timer);
    session.client->patience_ms = 1; /* ends meanwhile */
    UNTIL(&session, session.failed);
    ck_assert_str_eq(session.why, "the server cannot be reached: connection refused, no server "
                                  "listens at this port");
    ck_assert_int_eq(session.offline, 1);
    session_release(&session);
}
END_TEST

Suite *reach_suite(void)
{
    Suite *suite = suite_create("reach");
    TCase *tcase = tcase_create("reach");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, gate_shut, NULL);
    tcase_add_loop_test(tcase, answers_in_words, 0, sizeof answers / sizeof answers[0]);
    tcase_add_test(tcase, errors_in_words);
    tcase_add_loop_test(tcase, says_why, 0, sizeof servers / sizeof servers[0]);
    tcase_add_test(tcase, is_refused);
    tcase_add_test(tcase, fails_at_once);
    tcase_add_test(tcase, no_such_host);
    tcase_add_test(tcase, tries_each_address);
    tcase_add_test(tcase, looks_up_once);
    tcase_add_test(tcase, abandons_a_look_up);
    tcase_add_test(tcase, abandons_an_answer);
    tcase_add_test(tcase, look_ups_are_bounded);
    tcase_add_test(tcase, asks_the_system);
    tcase_add_test(tcase, patience_with_a_look_up);
    tcase_add_test(tcase, patience_with_a_silent_server);
    tcase_add_test(tcase, patience_with_a_rude_server);
    tcase_add_test(tcase, patience_with_nobody);
    suite_add_tcase(suite, tcase);
    return suite;
}
