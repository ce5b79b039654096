/* A node that is connected to without being one: what is said of it is the same whatever comes
 * first of that it refuses, that it says so, and that the connection is gone. */
#include "relay/relay_tls.h"
#include "relay_suites.h"
#include "relay_world.h"
#include <net/probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DIAL_MS = 60000 };

static int port_fd;
static struct net_relay_node dialled;
static char address[32];

static void listen_for_one(void)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof own;
    port_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(port_fd, (struct sockaddr *)&own, len), 0);
    ck_assert_int_eq(listen(port_fd, 1), 0);
    ck_assert_int_eq(getsockname(port_fd, (struct sockaddr *)&own, &len), 0);
    snprintf(address, sizeof address, "127.0.0.1:%u", ntohs(own.sin_port));
    dialled = (struct net_relay_node){.name = "a", .address = address};
}

/* ---- the other one, in a process of its own */

/* Instead of saying why: the connection is reset. */
static int reset(int believed, X509_STORE_CTX *judgement)
{
    SSL *const ssl = X509_STORE_CTX_get_ex_data(judgement, SSL_get_ex_data_X509_STORE_CTX_idx());
    const struct linger now = {.l_onoff = 1};
    if (believed)
        return 1;
    setsockopt(SSL_get_fd(ssl), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(SSL_get_fd(ssl));
    return 0;
}

static void be_node(const char *ca, SSL_verify_cb judge)
{
    struct relay_tls tls = {0};
    struct place *const place = place_new("a", "good", "a");
    char byte, message[NET_MESSAGE_MAX];
    snprintf(place->ca, sizeof place->ca, "%s/%s/ca.pem", world_folder, ca);
    if (!relay_tls_read(&tls, &place->options, message))
        _exit(EXIT_FAILURE);
    SSL_CTX *const context = SSL_CTX_new(TLS_server_method());
    relay_tls_prepare(&tls, context);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, judge);
    const int fd = accept(port_fd, NULL, NULL);
    SSL *const ssl = SSL_new(context);
    SSL_set_fd(ssl, fd);
    if (SSL_accept(ssl) == 1)
        (void)SSL_read(ssl, &byte, 1);
    _exit(EXIT_SUCCESS);
}

static bool dial_for(int64_t wait_ms, char message[static NET_MESSAGE_MAX])
{
    struct place *const place = place_new("b", "good", "b");
    struct net_probe *const probe = net_probe_create(&place->options, message);
    ck_assert_msg(probe, "%s", message);
    const bool reached = net_probe_dial(probe, &dialled, wait_ms, message);
    net_probe_destroy(probe);
    place_end(place);
    close(port_fd);
    return reached;
}

/* Such a one is dialled. */
static bool dial(const char *ca, SSL_verify_cb judge, char message[static NET_MESSAGE_MAX])
{
    int status;
    listen_for_one();
    const pid_t pid = fork();
    if (pid == 0)
        be_node(ca, judge);
    const bool reached = dial_for(DIAL_MS, message);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    return reached;
}

START_TEST(reaches_who_believes_this_node)
{
    char message[NET_MESSAGE_MAX];
    ck_assert_msg(dial("good", NULL, message), "%s", message);
}
END_TEST

START_TEST(tells_who_does_not_believe_this_node)
{
    char message[NET_MESSAGE_MAX];
    ck_assert(!dial("other", NULL, message));
    ck_assert_msg(strstr(message, "does not accept the certificate of this node: ") &&
                      strstr(message, "alert"),
                  "%s", message);
}
END_TEST

START_TEST(does_not_reach_who_refuses_without_a_word)
{
    char message[NET_MESSAGE_MAX];
    ck_assert(!dial("other", reset, message));
    ck_assert_str_eq(message, "it does not accept the certificate of this node: it has ended the"
                              " connection");
}
END_TEST

START_TEST(tells_who_says_nothing)
{
    char message[NET_MESSAGE_MAX];
    listen_for_one(); /* nobody takes it */
    ck_assert(!dial_for(50, message));
    ck_assert_str_eq(message, "no answer in time");
}
END_TEST

Suite *probe_suite(void)
{
    Suite *const suite = suite_create("probe");
    TCase *const tests = tcase_create("dialled");
    tcase_set_timeout(tests, 180);
    tcase_add_checked_fixture(tests, world_begin, world_end);
    tcase_add_test(tests, reaches_who_believes_this_node);
    tcase_add_test(tests, tells_who_does_not_believe_this_node);
    tcase_add_test(tests, does_not_reach_who_refuses_without_a_word);
    tcase_add_test(tests, tells_who_says_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
