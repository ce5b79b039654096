/* Making a net and releasing it again, without a hub: what it listens on, and each allocation that
 * fails. */
#define _GNU_SOURCE /* SO_DOMAIN */
#include "../../support/failing_alloc.h"
#include "../../support/scratch_path.h"
#include "suites.h"
#include "transport.h"
#include <net/log.h>
#include <net/net.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <site/site.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char *const nothing[] = {NULL};
static const char *const listens[] = {"127.0.0.1:0", "[::1]:0", NULL};
static const char *const proxies[] = {"10.0.0.0/8", "unix", "192.0.2.7", NULL};

static struct net_options options_of(const char *const *listen)
{
    struct net_options options = {
        .listen = listen, .origins = nothing, .proxies = proxies, .connections = 10};
    net_config_init(&options.config);
    log_set_level(LOG_ERROR);
    return options;
}

static int open_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++) {
        int copy = dup(fd);
        if (copy < 0)
            continue;
        close(copy);
        count++;
    }
    return count;
}

/* What accepted sockets inherit. Returns how many of the family listen. */
static int check_listeners(int family)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++) {
        int domain = 0, listens_ = 0, reuses = 0, at_once = 0, send_bytes = 0;
        socklen_t len = sizeof domain;
        if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) != 0 || domain != family)
            continue;
        ck_assert_int_eq(getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens_, &len), 0);
        ck_assert_int_eq(getsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reuses, &len), 0);
        ck_assert_int_eq(getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_bytes, &len), 0);
        ck_assert_int_eq(send_bytes, 2 * SOCKET_SEND_BYTES); /* as Linux counts it */
        if (family != AF_UNIX)
            ck_assert_int_eq(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &at_once, &len), 0);
        ck_assert_int_eq(reuses != 0, family != AF_UNIX);
        ck_assert_int_eq(at_once != 0, family != AF_UNIX);
        count += listens_;
    }
    return count;
}

static void check_url(const struct net *net, size_t at, const char *begin)
{
    const char *url = net_url(net, at);
    ck_assert_ptr_nonnull(url);
    ck_assert_msg(strncmp(url, begin, strlen(begin)) == 0, "%s", url);
    ck_assert_str_ne(url + strlen(begin), "0"); /* the port that the system chose */
}

START_TEST(test_made_and_released)
{
    char message[NET_MESSAGE_MAX];
    const struct net_options options = options_of(listens);
    struct net_clock clock;
    struct net *net;
    net_clock_init(&clock);
    for (int turn = 0, before = 0; turn < 3; turn++) {
        ck_assert_int_eq(net_create(&options, &clock, &net, message), NET_OK);
        check_url(net, 0, "http://127.0.0.1:");
        check_url(net, 1, "http://[::1]:");
        ck_assert_ptr_null(net_url(net, 2));
        ck_assert_int_eq(check_listeners(AF_INET), 1);
        ck_assert_int_eq(check_listeners(AF_INET6), 1);
        net_destroy(net);
        if (turn == 0)
            before = open_descriptors(); /* the libraries keep some of their own */
        ck_assert_int_eq(open_descriptors(), before);
    }
    net_destroy(NULL);
}
END_TEST

START_TEST(test_without_memory)
{
    const struct net_options options = options_of(listens);
    struct net_clock clock;
    bool failed = true;
    int refused = 0;
    net_clock_init(&clock);
    for (uint64_t nth = 1; failed; nth++) {
        char message[NET_MESSAGE_MAX] = "";
        struct net *net;
        failing_alloc_arm(nth, false);
        failing_alloc_enter();
        enum net_result result = net_create(&options, &clock, &net, message);
        failing_alloc_leave();
        (void)failing_alloc_disarm(&failed);
        ck_assert_int_eq(result == NET_OK, !failed);
        ck_assert_int_eq(net != NULL, !failed);
        if (failed)
            ck_assert_str_ne(message, "");
        if (result == NET_NO_MEMORY)
            ck_assert_str_eq(message, "out of memory");
        refused += result == NET_NO_MEMORY;
        net_destroy(net);
    }
    /* the net, proxies, counts, rates, the threads that think */
    ck_assert_int_ge(refused, 5);
}
END_TEST

static void no_random(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    memset(bytes, 1, len);
}

/* A hub is served whole, or not at all. */
START_TEST(test_serves_without_memory)
{
    static const struct game_type *const games[] = {NULL};
    static const struct store_engine engine = {.check = NULL}; /* nothing is asked of it */
    const struct hub_env env = {.random = no_random, .server = "test", .games = games, .parts = 1};
    struct net_options options = options_of(listens);
    struct store store = {.engine = &engine};
    struct hub_config config;
    struct net_clock clock;
    bool failed = true;
    int refused = 0;
    hub_config_init(&config);
    net_clock_init(&clock);
    struct hub *hub = hub_create(&config, &env);
    ck_assert_ptr_nonnull(hub);
    options.site = site_create(&site_usual);
    ck_assert_ptr_nonnull(options.site);
    const struct net_part part = {.hub = hub, .store = &store};
    for (uint64_t nth = 1; failed; nth++) {
        char message[NET_MESSAGE_MAX];
        struct net *net;
        ck_assert_int_eq(net_create(&options, &clock, &net, message), NET_OK);
        ck_assert(net_document(net, "bans", "", 0, 0));
        failing_alloc_arm(nth, false);
        failing_alloc_enter();
        enum net_result result = net_serve(net, &part);
        failing_alloc_leave();
        (void)failing_alloc_disarm(&failed);
        ck_assert_int_eq(result, failed ? NET_NO_MEMORY : NET_OK);
        refused += failed;
        net_destroy(net);
    }
    ck_assert_int_ge(refused, 3); /* the part, its worker, its checker */
    site_destroy(options.site);
    hub_destroy(hub);
}
END_TEST

/* What was opened before is closed again. */
START_TEST(test_listens_on_all_or_none)
{
    static const char *const taken[] = {"127.0.0.1:0", "192.0.2.1:80", NULL};
    char message[NET_MESSAGE_MAX];
    const struct net_options options = options_of(taken);
    struct net_clock clock;
    struct net *net;
    net_clock_init(&clock);
    for (int turn = 0, before = 0; turn < 3; turn++) {
        ck_assert_int_eq(net_create(&options, &clock, &net, message), NET_UNAVAILABLE);
        ck_assert_ptr_null(net);
        ck_assert_ptr_nonnull(strstr(message, "cannot listen on 192.0.2.1:80: "));
        if (turn == 0)
            before = open_descriptors();
        ck_assert_int_eq(open_descriptors(), before);
    }
}
END_TEST

/* "localhost" has 127.0.0.1 twice, and ::1; "mixed" has two addresses that are not ours. */
START_TEST(test_all_addresses_of_a_name)
{
    static const char *const names[] = {"localhost:0", "mixed:0", NULL};
    char message[NET_MESSAGE_MAX];
    const struct net_options options = options_of(names);
    struct net_clock clock;
    struct net *net;
    net_clock_init(&clock);
    ck_assert_int_eq(net_create(&options, &clock, &net, message), NET_OK);
    check_url(net, 0, "http://127.0.0.1:");
    check_url(net, 1, "http://[::1]:");
    check_url(net, 2, "http://127.0.0.1:");
    ck_assert_ptr_null(net_url(net, 3));
    ck_assert_str_eq(strrchr(net_url(net, 0), ':'), strrchr(net_url(net, 1), ':'));
    ck_assert_str_ne(strrchr(net_url(net, 0), ':'), strrchr(net_url(net, 2), ':'));
    net_destroy(net);
}
END_TEST

/* Another server has the port of one of its addresses. */
START_TEST(test_a_name_half_taken)
{
    char message[NET_MESSAGE_MAX], name[32];
    const char *const names[] = {name, NULL};
    const struct net_options options = options_of(names);
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    socklen_t len = sizeof address;
    struct net_clock clock;
    struct net *net;
    int other = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(other, (struct sockaddr *)&address, len), 0);
    ck_assert_int_eq(listen(other, 1), 0);
    ck_assert_int_eq(getsockname(other, (struct sockaddr *)&address, &len), 0);
    (void)snprintf(name, sizeof name, "localhost:%d", ntohs(address.sin6_port));
    net_clock_init(&clock);
    ck_assert_int_eq(net_create(&options, &clock, &net, message), NET_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(message, "in use"));
    ck_assert_int_eq(close(other), 0);
}
END_TEST

START_TEST(test_a_name_of_others)
{
    static const char *const names[] = {"127.0.0.1:0", "elsewhere:80", NULL};
    char message[NET_MESSAGE_MAX];
    const struct net_options options = options_of(names);
    struct net_clock clock;
    struct net *net;
    net_clock_init(&clock);
    ck_assert_int_eq(net_create(&options, &clock, &net, message), NET_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(message, "cannot listen on elsewhere:80: "));
}
END_TEST

/* The name of a socket that nobody listens on any more. */
static void leave_stale(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    close(fd);
}

START_TEST(test_a_stale_socket_is_replaced)
{
    char message[NET_MESSAGE_MAX], folder[SCRATCH_BYTES], where[80];
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(folder, "taluva-create", false)));
    snprintf(where, sizeof where, "unix:%s/socket", folder);
    const char *const path = where + strlen("unix:"), *const listen[] = {where, NULL};
    const struct net_options options = options_of(listen);
    struct net_clock clock;
    struct net *net;
    net_clock_init(&clock);
    for (int turn = 0, before = 0; turn < 3; turn++) {
        leave_stale(path);
        ck_assert_int_eq(net_create(&options, &clock, &net, message), NET_OK);
        ck_assert_str_eq(net_url(net, 0), where);
        ck_assert_int_eq(access(path, F_OK), 0);
        net_destroy(net);
        ck_assert_int_ne(access(path, F_OK), 0);
        if (turn == 0)
            before = open_descriptors();
        ck_assert_int_eq(open_descriptors(), before);
    }
    rmdir(folder);
}
END_TEST

Suite *create_suite(void)
{
    Suite *suite = suite_create("create");
    TCase *tests = tcase_create("create");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, test_made_and_released);
    tcase_add_test(tests, test_without_memory);
    tcase_add_test(tests, test_serves_without_memory);
    tcase_add_test(tests, test_listens_on_all_or_none);
    tcase_add_test(tests, test_all_addresses_of_a_name);
    tcase_add_test(tests, test_a_name_half_taken);
    tcase_add_test(tests, test_a_name_of_others);
    tcase_add_test(tests, test_a_stale_socket_is_replaced);
    suite_add_tcase(suite, tests);
    return suite;
}
