/* Posting to a push service on loopback that takes messages, refuses them, or means harm. */
#include "service.h"
#include "suites.h"
#include <push/post.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct service *service;
static struct push_poster *poster;
static struct push_target target;
static struct push_answer answer;
static char endpoint[128];
static const uint8_t BODY[] = {1, 2, 0, 3, 0xff};

static void begin(bool tls)
{
    signal(SIGPIPE, SIG_IGN); /* as the server does */
    char message[PUSH_MESSAGE_MAX] = "";
    ck_assert_msg(push_posting_begin(message), "%s", message);
    service = service_start(tls);
    poster = push_poster_create();
    ck_assert_ptr_nonnull(poster);
    target = (struct push_target){.named = true};
}

static void end(void)
{
    push_poster_destroy(poster); /* first: the service waits for its connections */
    service_stop(service);
    push_posting_end();
}

static struct push_post post_to(const char *start, const char *path)
{
    snprintf(endpoint, sizeof endpoint, "%s:%d%s", start, service_port(service), path);
    return (struct push_post){.endpoint = endpoint,
                              .target = &target,
                              .authorization = "vapid t=a.b.c, k=d",
                              .topic = "k3m9x0aq",
                              .body = BODY,
                              .body_len = sizeof BODY,
                              .ttl_s = 86400,
                              .timeout_ms = 60000};
}

static void post(const char *path)
{
    const struct push_post post = post_to("http://127.0.0.1", path);
    push_post(poster, &post, &answer);
}

static void check_line(const char *request, const char *line)
{
    ck_assert_msg(strstr(request, line), "%s in %s", line, request);
}

START_TEST(what_the_service_is_sent)
{
    char request[REQUEST_MAX];
    begin(false);
    post("/201");
    ck_assert_int_eq(answer.outcome, PUSH_TAKEN);
    ck_assert_int_eq(answer.status, 201);
    const size_t len = service_request(service, request);
    check_line(request, "POST /201 HTTP/1.1\r\n");
    check_line(request, "\r\nAuthorization: vapid t=a.b.c, k=d\r\n");
    check_line(request, "\r\nContent-Encoding: aes128gcm\r\n");
    check_line(request, "\r\nTTL: 86400\r\n");
    check_line(request, "\r\nUrgency: normal\r\n");
    check_line(request, "\r\nTopic: k3m9x0aq\r\n");
    ck_assert_mem_eq(request + len - sizeof BODY, BODY, sizeof BODY);
    end();
}
END_TEST

static const struct {
    const char *path;
    enum push_outcome outcome;
    int status;
    int64_t retry_after_s;
} answers[] = {
    {"/201", PUSH_TAKEN, 201, 0},          {"/404", PUSH_GONE, 404, 0},
    {"/410", PUSH_GONE, 410, 0},           {"/400", PUSH_REFUSED, 400, 0},
    {"/403", PUSH_REFUSED, 403, 0},        {"/429", PUSH_LATER, 429, 7},
    {"/500", PUSH_LATER, 500, 0},          {"/503", PUSH_LATER, 503, PUSH_RETRY_MAX_S},
    {"/redirect", PUSH_REFUSED, 307, 0},   {"/garbage", PUSH_LATER, 0, 0},
    {"/nothing", PUSH_LATER, 0, 0},        {"/endless-body", PUSH_TAKEN, 201, 0},
    {"/endless-head", PUSH_TAKEN, 201, 0},
};

/* And after each of them the same poster posts as before. */
START_TEST(what_services_answer)
{
    begin(false);
    post(answers[_i].path);
    ck_assert_int_eq(answer.outcome, answers[_i].outcome);
    ck_assert_int_eq(answer.status, answers[_i].status);
    ck_assert_int_eq(answer.retry_after_s, answers[_i].retry_after_s);
    ck_assert_int_eq(answer.why[0] != '\0', answers[_i].status == 0);
    ck_assert_int_eq(service_visits(service), 1); /* no redirect is followed */
    post("/201");
    ck_assert_int_eq(answer.outcome, PUSH_TAKEN);
    end();
}
END_TEST

/* One that never answers: the call returns. */
START_TEST(a_service_that_says_nothing)
{
    begin(false);
    struct push_post slow = post_to("http://127.0.0.1", "/slow");
    slow.timeout_ms = 200;
    push_post(poster, &slow, &answer);
    ck_assert_int_eq(answer.outcome, PUSH_LATER);
    ck_assert_int_eq(answer.status, 0);
    post("/201");
    ck_assert_int_eq(answer.outcome, PUSH_TAKEN);
    end();
}
END_TEST

/* A server that is to stop does not wait for one. */
START_TEST(a_post_that_is_cancelled)
{
    const atomic_bool cancel = true;
    begin(false);
    struct push_post slow = post_to("http://127.0.0.1", "/slow");
    slow.cancel = &cancel;
    push_post(poster, &slow, &answer);
    ck_assert_int_eq(answer.outcome, PUSH_LATER);
    end();
}
END_TEST

START_TEST(nobody_listens)
{
    begin(false);
    const struct push_post lost = post_to("http://127.0.0.1", "/201");
    service_stop(service);
    push_post(poster, &lost, &answer);
    ck_assert_int_eq(answer.outcome, PUSH_LATER);
    service = service_start(false);
    end();
}
END_TEST

static const char *const inside[] = {"https://127.0.0.1", "https://localhost"};

/* A name that leads into the operator's own network, whoever has made it lead there. */
START_TEST(private_addresses_are_not_connected_to)
{
    begin(false);
    target.named = false;
    const struct push_post hidden = post_to(inside[_i], "/201");
    push_post(poster, &hidden, &answer);
    ck_assert_int_eq(answer.outcome, PUSH_LATER);
    ck_assert_str_eq(answer.why, "its address is not public");
    ck_assert_int_eq(service_visits(service), 0);
    end();
}
END_TEST

START_TEST(only_origins_that_are_named_may_do_without_tls)
{
    begin(false);
    target.named = false;
    post("/201");
    ck_assert_int_eq(answer.status, 0);
    ck_assert_int_eq(service_visits(service), 0);
    end();
}
END_TEST

/* ---- TLS */

START_TEST(a_certificate_that_is_trusted)
{
    begin(true);
    struct push_post secure = post_to("https://localhost", "/201");
    secure.ca = service_certificate(service);
    push_post(poster, &secure, &answer);
    ck_assert_int_eq(answer.outcome, PUSH_TAKEN);
    end();
}
END_TEST

START_TEST(a_certificate_that_nobody_trusts)
{
    char request[REQUEST_MAX];
    begin(true);
    const struct push_post secure = post_to("https://localhost", "/201");
    push_post(poster, &secure, &answer);
    ck_assert_int_eq(answer.outcome, PUSH_LATER);
    ck_assert_int_eq(answer.status, 0);
    ck_assert_uint_eq(service_request(service, request), 0);
    end();
}
END_TEST

START_TEST(a_certificate_for_another_name)
{
    char request[REQUEST_MAX];
    begin(true);
    struct push_post secure = post_to("https://127.0.0.1", "/201");
    secure.ca = service_certificate(service);
    push_post(poster, &secure, &answer);
    ck_assert_int_eq(answer.status, 0);
    ck_assert_uint_eq(service_request(service, request), 0);
    end();
}
END_TEST

/* ---- proxies */

/* What the environment says is for other programs: addresses could not be checked behind a proxy.
 */
START_TEST(no_proxy_of_the_environment_is_used)
{
    begin(false);
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("https_proxy", "http://127.0.0.1:1", 1);
    setenv("all_proxy", "http://127.0.0.1:1", 1);
    post("/201");
    ck_assert_int_eq(answer.outcome, PUSH_TAKEN);
    end();
}
END_TEST

Suite *post_suite(void)
{
    Suite *suite = suite_create("posting");
    TCase *tests = tcase_create("services");
    tcase_add_test(tests, what_the_service_is_sent);
    tcase_add_loop_test(tests, what_services_answer, 0, (int)(sizeof answers / sizeof answers[0]));
    tcase_add_test(tests, a_service_that_says_nothing);
    tcase_add_test(tests, a_post_that_is_cancelled);
    tcase_add_test(tests, nobody_listens);
    tcase_add_loop_test(tests, private_addresses_are_not_connected_to, 0,
                        (int)(sizeof inside / sizeof inside[0]));
    tcase_add_test(tests, only_origins_that_are_named_may_do_without_tls);
    tcase_add_test(tests, a_certificate_that_is_trusted);
    tcase_add_test(tests, a_certificate_that_nobody_trusts);
    tcase_add_test(tests, a_certificate_for_another_name);
    tcase_add_test(tests, no_proxy_of_the_environment_is_used);
    suite_add_tcase(suite, tests);
    return suite;
}
