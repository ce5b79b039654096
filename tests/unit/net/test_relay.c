/* Links between nodes over real sockets, with certificates by the documented commands. */
#include "../../support/run_suites.h"
#include "relay_suites.h"
#include "relay_world.h"
#include <check.h>
#include <libwebsockets.h>
#include <net/log.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- frames */

START_TEST(links_nodes_that_prove_who_they_are)
{
    start_both();
    WORLD_UNTIL(both_up());
    const struct net_relay_figures figures = relay_figures(a->relay);
    ck_assert_uint_eq(figures.nodes, 1);
    ck_assert_uint_eq(figures.links, 1);
    ck_assert_uint_eq(figures.opened, 1);
    ck_assert_uint_eq(figures.dialled, 1);
    ck_assert_uint_eq(relay_figures(b->relay).dialled, 0);
}
END_TEST

static void same_frames(const struct place *from, const struct place *to)
{
    ck_assert_uint_eq(to->in_count, from->out_count);
    for (size_t at = 0; at < to->in_count; at++) {
        ck_assert_uint_eq(to->in[at].len, from->out[at].len);
        ck_assert_uint_eq(to->in[at].byte, from->out[at].byte);
    }
}

START_TEST(brings_frames_in_order_whatever_their_length)
{
    static const size_t lengths[] = {1,
                                     3,
                                     9,
                                     15990,
                                     15995,
                                     15996,
                                     15997,
                                     16000,
                                     16384,
                                     70000,
                                     1000000,
                                     RELAY_FRAME_MAX - 1,
                                     RELAY_FRAME_MAX,
                                     2,
                                     1};
    a->limits.silent_ms = b->limits.silent_ms = 600000; /* a busy machine is no silent node */
    a->limits.stuck_ms = b->limits.stuck_ms = 600000;
    start_both();
    WORLD_UNTIL(both_up());
    for (size_t at = 0; at < sizeof lengths / sizeof *lengths; at++) {
        place_send(a, lengths[at], (unsigned char)at);
        place_send(b, lengths[at], (unsigned char)(at + 100));
    }
    for (size_t at = 0; at < 5000; at++)
        place_send(a, 1 + at % 300, (unsigned char)at);
    ck_assert_uint_gt(relay_figures(a->relay).queued_bytes, 0);
    relay_flush(a->relay);
    relay_flush(b->relay);
    WORLD_UNTIL(b->in_count == a->out_count && a->in_count == b->out_count);
    same_frames(a, b);
    same_frames(b, a);
    const struct net_relay_figures sent = relay_figures(a->relay), got = relay_figures(b->relay);
    ck_assert_uint_eq(sent.queued_bytes, 0);
    ck_assert_uint_eq(sent.frames_out, a->out_count);
    ck_assert_uint_eq(got.frames_in, a->out_count);
    ck_assert_uint_eq(sent.bytes_out, got.bytes_in);
}
END_TEST

START_TEST(reads_later_what_is_too_much_at_once)
{
    b->limits.units_per_s = 3000;
    a->limits.silent_ms = 1500; /* who reads later is not silent */
    start_both();
    WORLD_UNTIL(both_up());
    for (size_t at = 0; at < 12000; at++)
        place_send(a, 10, (unsigned char)at);
    relay_flush(a->relay);
    world_run(300);
    ck_assert_uint_gt(b->in_count, 0);
    ck_assert_uint_lt(b->in_count, 6000);
    WORLD_UNTIL(b->in_count == a->out_count);
    same_frames(a, b);
    ck_assert_uint_eq(relay_figures(b->relay).lost, 0);
}
END_TEST

/* Each in a message, and so in a record, of its own; they have come when the loop looks. */
static void send_one_by_one(unsigned count)
{
    start_both();
    WORLD_UNTIL(both_up());
    for (unsigned at = 0; at < count; at++) {
        place_send(a, 10, (unsigned char)at);
        relay_flush(a->relay);
    }
    while (b->in_count == 0)
        uv_run(&world_loop, UV_RUN_ONCE);
    relay_read(b->relay);
}

START_TEST(reads_all_that_has_come_in_one_turn_of_the_loop)
{
    send_one_by_one(100);
    same_frames(a, b);
}
END_TEST

START_TEST(reads_no_more_in_one_turn_than_a_link_may_bring)
{
    b->limits.units_per_s = 300;
    send_one_by_one(100);
    ck_assert_uint_lt(b->in_count, 100);
    WORLD_UNTIL(b->in_count == 100);
    same_frames(a, b);
}
END_TEST

START_TEST(a_frame_that_is_too_long_is_not_sent)
{
    start_both();
    WORLD_UNTIL(both_up());
    place_send(a, RELAY_FRAME_MAX + 1, 1);
    relay_flush(a->relay);
    ck_assert(!relay_is_up(a->relay, "b"));
    ck_assert_uint_eq(relay_figures(a->relay).lost, 1);
}
END_TEST

START_TEST(closes_a_link_that_its_end_gives_up)
{
    start_both();
    WORLD_UNTIL(both_up());
    b->refuses = true;
    place_send(a, 1, 1);
    relay_flush(a->relay);
    WORLD_UNTIL(a->closed == 1 && b->closed == 1);
    b->refuses = false;
    WORLD_UNTIL(both_up());
    a->broken = true;
    relay_flush(a->relay);
    ck_assert_int_eq(a->closed, 2);
    a->broken = false;
    b->no_memory = true;
    WORLD_UNTIL(place_refused(b, RELAY_REFUSED_MEMORY) > 0);
    b->no_memory = false;
    WORLD_UNTIL(both_up());
}
END_TEST

/* ---- who is refused */

START_TEST(refuses_a_certificate_of_another_ca)
{
    snprintf(a->cert, sizeof a->cert, "%s/other/a.pem", world_folder);
    snprintf(a->key, sizeof a->key, "%s/other/a-key.pem", world_folder);
    start_both();
    WORLD_UNTIL(place_refused(b, RELAY_REFUSED_CERTIFICATE) > 0);
    ck_assert_int_eq(a->opened + b->opened, 0);
}
END_TEST

START_TEST(refuses_to_connect_to_a_certificate_of_another_ca)
{
    snprintf(a->ca, sizeof a->ca, "%s/other/ca.pem", world_folder);
    start_both();
    WORLD_UNTIL(relay_figures(a->relay).unreachable > 1);
    ck_assert_uint_gt(place_refused(b, RELAY_REFUSED_HANDSHAKE), 0);
    ck_assert_int_eq(a->opened + b->opened, 0);
}
END_TEST

START_TEST(refuses_a_certificate_that_has_expired)
{
    snprintf(a->cert, sizeof a->cert, "%s/good/late.pem", world_folder);
    snprintf(a->key, sizeof a->key, "%s/good/late-key.pem", world_folder);
    start_both();
    WORLD_UNTIL(place_refused(b, RELAY_REFUSED_CERTIFICATE) > 0);
    ck_assert_int_eq(a->opened + b->opened, 0);
}
END_TEST

START_TEST(refuses_to_connect_to_another_node_than_it_wanted)
{
    struct place *const c = place_new("c", "good", "c");
    pair_start(c);
    place_knows(c, "a", 1);
    pair_start(a);
    pair_start(b);
    place_knows(b, "a", 1);
    place_knows(a, "b", relay_port(c->relay));
    WORLD_UNTIL(relay_figures(a->relay).unreachable > 1);
    ck_assert_int_eq(a->opened + c->opened, 0);
    place_end(c);
}
END_TEST

START_TEST(refuses_nodes_that_it_does_not_know)
{
    start_both();
    place_knows(b, "a", 0);
    WORLD_UNTIL(place_refused(b, RELAY_REFUSED_UNKNOWN) > 0);
    ck_assert_int_eq(a->opened + b->opened, 0);
    place_knows(b, "a", 1);
    WORLD_UNTIL(both_up());
    place_knows(b, "c", 1);
    ck_assert_int_eq(b->closed, 1);
    WORLD_UNTIL(a->closed == 1);
}
END_TEST

/* What somebody says at b's port, through the openssl command. */
struct stranger {
    const char *what, *options, *says;
    enum net_relay_refusal refusal;
};

#define SAYS(path, more)                                                                           \
    "GET " path " HTTP/1.1\\r\\nHost: b\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"    \
    "Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\\r\\n" more        \
    "\\r\\n"
#define PROTOCOL          "Sec-WebSocket-Protocol: taluva.relay.2\\r\\n"
#define CERTIFICATE(name) "-cert good/" name ".pem -key good/" name "-key.pem"

static const struct stranger strangers[] = {
    {"no certificate", "", SAYS("/a", PROTOCOL), RELAY_REFUSED_HANDSHAKE},
    {"its own", "-cert other/a.pem -key other/a-key.pem", "", RELAY_REFUSED_CERTIFICATE},
    {"old TLS", CERTIFICATE("a") " -tls1_1 -cipher ALL:@SECLEVEL=0", "", RELAY_REFUSED_HANDSHAKE},
    {"another name", CERTIFICATE("c"), SAYS("/a", PROTOCOL), RELAY_REFUSED_NAME},
    {"another name for SNI", CERTIFICATE("c") " -servername a", SAYS("/a", PROTOCOL),
     RELAY_REFUSED_NAME},
    {"a wrong role", CERTIFICATE("c"), SAYS("/c", PROTOCOL), RELAY_REFUSED_ROLE},
    {"no name", CERTIFICATE("a"), SAYS("/", PROTOCOL), RELAY_REFUSED_REQUEST},
    {"no subprotocol", CERTIFICATE("a"), SAYS("/a", ""), RELAY_REFUSED_REQUEST},
    {"another subprotocol", CERTIFICATE("a"),
     SAYS("/a", "Sec-WebSocket-Protocol: taluva.v1+json\\r\\n"), RELAY_REFUSED_REQUEST},
    {"a later version's alone", CERTIFICATE("a"),
     SAYS("/a", "Sec-WebSocket-Protocol: taluva.relay.1\\r\\n"), RELAY_REFUSED_REQUEST},
    {"no WebSocket", CERTIFICATE("a"), "GET /a HTTP/1.1\\r\\nHost: b\\r\\n\\r\\n",
     RELAY_REFUSED_REQUEST},
};

static pid_t talk(const char *options, const char *says)
{
    return world_shell("(printf '%s'; sleep 5) | openssl s_client -quiet -connect 127.0.0.1:%u %s "
                       ">/dev/null 2>&1",
                       says, relay_port(b->relay), options);
}

START_TEST(refuses_strangers)
{
    const struct stranger *const stranger = &strangers[_i];
    start_both();
    const struct net_relay_node nodes[] = {{"a", "127.0.0.1:1"}, {"c", "127.0.0.1:1"}};
    relay_set_nodes(b->relay, nodes, 2);
    WORLD_UNTIL(both_up());
    const pid_t pid = talk(stranger->options, stranger->says);
    WORLD_UNTIL(place_refused(b, stranger->refusal) == 1);
    world_stop(pid);
    ck_assert_msg(both_up() && b->opened == 1, "%s", stranger->what);
}
END_TEST

START_TEST(refuses_plain_text)
{
    start_both();
    const pid_t pid = world_shell("(printf 'GET /a HTTP/1.1\\r\\n\\r\\n'; sleep 5) | "
                                  "curl -s telnet://127.0.0.1:%u >/dev/null 2>&1",
                                  relay_port(b->relay));
    WORLD_UNTIL(place_refused(b, RELAY_REFUSED_HANDSHAKE) == 1);
    world_stop(pid);
}
END_TEST

/* ---- frames that are none */

/* A later version knows this one's subprotocol as well. The mask is all zero. */
#define AS_A SAYS("/a", "Sec-WebSocket-Protocol: taluva.relay.1, taluva.relay.2\\r\\n")
static const char *const wrong[] = {
    AS_A "\\202\\204\\0\\0\\0\\0\\0\\040\\0\\001",     /* 2 MiB and a byte */
    AS_A "\\202\\204\\0\\0\\0\\0\\377\\377\\377\\377", /* 4 GiB */
    AS_A "\\202\\204\\0\\0\\0\\0\\0\\0\\0\\0",         /* an empty frame */
    AS_A "\\202\\205\\0\\0\\0\\0\\0\\0\\0\\002A",      /* the message ends within it */
    AS_A "\\202\\203\\0\\0\\0\\0\\0\\0\\0",            /* ... within its length */
    AS_A "\\201\\205\\0\\0\\0\\0\\0\\0\\0\\001A",      /* text */
};

START_TEST(closes_a_link_with_a_wrong_frame)
{
    pair_start(a);
    pair_start(b);
    place_knows(b, "a", 1);
    const pid_t pid = talk(CERTIFICATE("a"), wrong[_i]);
    WORLD_UNTIL(b->closed == 1);
    world_stop(pid);
    ck_assert_int_eq(b->opened, 1);
    ck_assert_uint_eq(b->in_count, 0);
    ck_assert_uint_eq(relay_figures(b->relay).lost, 1);
}
END_TEST

/* ---- what strangers may cost */

/* From 127.0.0.2, where no node is known. */
static int connect_as_stranger(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(0x7f000002);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    address.sin_addr.s_addr = htonl(0x7f000001);
    address.sin_port = htons((uint16_t)relay_port(b->relay));
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

START_TEST(few_strangers_are_let_in_and_not_for_long)
{
    enum { COMES = 30 };
    int fds[COMES];
    b->limits.strangers = 4;
    b->limits.strangers_per_s = 100;
    b->limits.proof_ms = 500;
    start_both();
    place_knows(a, "b", 0);
    WORLD_UNTIL(!relay_is_up(a->relay, "b") && !relay_is_up(b->relay, "a"));
    for (int at = 0; at < COMES; at++)
        fds[at] = connect_as_stranger();
    WORLD_UNTIL(place_refused(b, RELAY_REFUSED_FULL) == COMES - 4);
    place_knows(a, "b", relay_port(b->relay));
    WORLD_UNTIL(both_up());
    WORLD_UNTIL(place_refused(b, RELAY_REFUSED_SLOW) == 4);
    for (int at = 0; at < COMES; at++)
        close(fds[at]);
}
END_TEST

START_TEST(strangers_come_one_after_the_other)
{
    enum { COMES = 20 };
    b->limits.strangers_per_s = 2;
    start_both();
    for (int at = 0; at < COMES; at++)
        close(connect_as_stranger());
    WORLD_UNTIL(place_refused(b, RELAY_REFUSED_RATE) + place_refused(b, RELAY_REFUSED_HANDSHAKE) ==
                COMES);
    ck_assert_uint_ge(place_refused(b, RELAY_REFUSED_RATE), COMES - 6);
    WORLD_UNTIL(both_up());
}
END_TEST

/* ---- files */

static void fails_to_start(struct place *place, enum net_result result, const char *why)
{
    ck_assert_int_eq(place_start(place), result);
    ck_assert_msg(strstr(place->message, why), "%s", place->message);
}

START_TEST(says_which_file_is_wrong)
{
    struct place *const open = place_new("a", "good", "open");
    fails_to_start(open, NET_UNAVAILABLE, "everybody may read it");
    struct place *const name = place_new("b", "good", "a");
    fails_to_start(name, NET_UNAVAILABLE, "b is not among its DNS names");
    snprintf(a->key, sizeof a->key, "%s/good/b-key.pem", world_folder);
    fails_to_start(a, NET_UNAVAILABLE, "not that of the certificate");
    snprintf(b->ca, sizeof b->ca, "%s/good/b-key.pem", world_folder);
    fails_to_start(b, NET_UNAVAILABLE, "the CA of the links");
    struct place *const none = place_new("a", "nowhere", "a");
    fails_to_start(none, NET_UNAVAILABLE, "the certificate of the links");
    struct place *const odd = place_new("a b", "good", "a");
    fails_to_start(odd, NET_BAD_OPTION, "a node's name");
    struct place *const local = place_new("a", "good", "a");
    local->options.listen = "unix:/tmp/a";
    fails_to_start(local, NET_BAD_OPTION, "not a port");
    struct place *const all[] = {open, name, none, odd, local};
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        place_end(all[at]);
}
END_TEST

static void copy(const char *from, const char *to)
{
    int status;
    const pid_t pid = world_shell("cp %s %s", from, to);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

START_TEST(reads_files_again)
{
    copy("good/ca.pem", "now.pem");
    snprintf(b->ca, sizeof b->ca, "%s/now.pem", world_folder);
    start_both();
    WORLD_UNTIL(both_up());
    relay_reload(b->relay);
    ck_assert(both_up());
    copy("good/b-key.pem", "now.pem"); /* not a CA: all stays as it is */
    relay_reload(b->relay);
    ck_assert(both_up());
    copy("other/ca.pem", "now.pem");
    relay_reload(b->relay);
    ck_assert_int_eq(b->closed, 1);
    WORLD_UNTIL(place_refused(b, RELAY_REFUSED_CERTIFICATE) > 0);
    copy("good/ca.pem", "now.pem");
    relay_reload(b->relay);
    WORLD_UNTIL(both_up());
}
END_TEST

START_TEST(shows_a_certificate_of_another_kind_after_reading_again)
{
    int status;
    copy("good/b.pem", "b.pem");
    copy("good/b-key.pem", "b-key.pem");
    snprintf(b->cert, sizeof b->cert, "%s/b.pem", world_folder);
    snprintf(b->key, sizeof b->key, "%s/b-key.pem", world_folder);
    start_both();
    WORLD_UNTIL(both_up());
    copy("good/rsa.pem", "b.pem");
    copy("good/rsa-key.pem", "b-key.pem");
    relay_reload(b->relay);
    const pid_t pid = world_shell("openssl s_client -connect 127.0.0.1:%u " CERTIFICATE(
                                      "a") " </dev/null 2>/dev/null | openssl x509 -noout -text | "
                                           "grep -q rsaEncryption",
                                  relay_port(b->relay));
    pid_t ended = 0;
    WORLD_UNTIL((ended = waitpid(pid, &status, WNOHANG)) == pid);
    ck_assert_int_eq(status, 0);
    ck_assert(both_up());
}
END_TEST

static Suite *relay_suite(void)
{
    Suite *const suite = suite_create("relay");
    TCase *const tests = tcase_create("links");
    tcase_set_timeout(tests, 180);
    tcase_add_checked_fixture(tests, pair_begin, pair_end);
    tcase_add_test(tests, links_nodes_that_prove_who_they_are);
    tcase_add_test(tests, brings_frames_in_order_whatever_their_length);
    tcase_add_test(tests, reads_later_what_is_too_much_at_once);
    tcase_add_test(tests, reads_all_that_has_come_in_one_turn_of_the_loop);
    tcase_add_test(tests, reads_no_more_in_one_turn_than_a_link_may_bring);
    tcase_add_test(tests, a_frame_that_is_too_long_is_not_sent);
    tcase_add_test(tests, closes_a_link_that_its_end_gives_up);
    tcase_add_test(tests, refuses_a_certificate_of_another_ca);
    tcase_add_test(tests, refuses_to_connect_to_a_certificate_of_another_ca);
    tcase_add_test(tests, refuses_a_certificate_that_has_expired);
    tcase_add_test(tests, refuses_to_connect_to_another_node_than_it_wanted);
    tcase_add_test(tests, refuses_nodes_that_it_does_not_know);
    tcase_add_loop_test(tests, refuses_strangers, 0, sizeof strangers / sizeof *strangers);
    tcase_add_test(tests, refuses_plain_text);
    tcase_add_loop_test(tests, closes_a_link_with_a_wrong_frame, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(tests, few_strangers_are_let_in_and_not_for_long);
    tcase_add_test(tests, strangers_come_one_after_the_other);
    tcase_add_test(tests, says_which_file_is_wrong);
    tcase_add_test(tests, reads_files_again);
    tcase_add_test(tests, shows_a_certificate_of_another_kind_after_reading_again);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Its argument is the folder of certificates. */
int main(int count, char **arguments)
{
    if (count != 2)
        return EXIT_FAILURE;
    world_folder = arguments[1];
    setenv("http_proxy", "127.0.0.1:1", 1); /* must not matter */
    lws_set_log_level(getenv("RELAY_LOG") ? 1023 : 0, NULL);
    signal(SIGPIPE, SIG_IGN);
    log_set_level(getenv("RELAY_LOG") ? LOG_DEBUG : LOG_ERROR);
    SRunner *const runner = srunner_create(relay_suite());
    srunner_add_suite(runner, relay_lost_suite());
    srunner_add_suite(runner, probe_suite());
    return run_suites_forked(runner);
}
