/* Nodes that are lost, stand still, or take nothing, and how the links between them are begun anew.
 */
#include "relay_suites.h"
#include "relay_world.h"
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(notices_who_is_silent)
{
    struct forwarder *forwarder;
    a->limits.ping_ms = b->limits.ping_ms = 200;
    a->limits.silent_ms = b->limits.silent_ms = 600;
    start_both();
    forwarder = forwarder_new(relay_port(b->relay));
    place_knows(a, "b", 0);
    place_knows(a, "b", forwarder_port(forwarder));
    WORLD_UNTIL(both_up());
    world_run(1500);
    ck_assert(both_up()); /* pings and their answers are no silence */
    const int before = b->closed;
    forwarder_stop(forwarder);
    WORLD_UNTIL(a->closed > 0 && b->closed > before);
    WORLD_UNTIL(both_up());
    forwarder_end(forwarder);
}
END_TEST

/* It goes on saying that it lives. */
START_TEST(notices_who_takes_nothing)
{
    enum { FRAMES = 15000, LEN = 4000 }; /* more than sockets keep */
    a->limits.units_per_s = 1;
    b->limits.stuck_ms = 500;
    start_both();
    WORLD_UNTIL(both_up());
    for (int at = 0; at < 10; at++)
        place_send(b, LEN, 1);
    relay_flush(b->relay);
    world_run(1000);
    ck_assert(relay_is_up(b->relay, "a")); /* nothing waits here */
    for (int at = 0; at < FRAMES; at++)
        place_send(b, LEN, 1);
    relay_flush(b->relay);
    ck_assert_uint_gt(relay_figures(b->relay).queued_bytes, 0);
    WORLD_UNTIL(b->closed == 1);
    ck_assert_uint_eq(relay_figures(b->relay).lost, 1);
    ck_assert_int_lt((int)a->in_count, FRAMES);
}
END_TEST

/* The old link of a is still there for b when a, begun anew, comes back. */
START_TEST(a_newer_link_replaces_one_that_is_half_open)
{
    start_both();
    struct forwarder *const forwarder = forwarder_new(relay_port(b->relay));
    place_knows(a, "b", 0);
    place_knows(a, "b", forwarder_port(forwarder));
    WORLD_UNTIL(both_up());
    world_run(100);
    const uint64_t opened = relay_figures(b->relay).opened;
    forwarder_stop(forwarder);
    place_end(a);
    a = place_new("a", "good", "a");
    pair_start(a);
    place_knows(a, "b", forwarder_port(forwarder));
    WORLD_UNTIL(relay_is_up(a->relay, "b") && relay_figures(b->relay).opened == opened + 1);
    ck_assert_uint_eq(relay_figures(b->relay).replaced, 1);
    place_send(b, 5, 1);
    relay_flush(b->relay);
    WORLD_UNTIL(a->in_count == 1);
    forwarder_end(forwarder);
}
END_TEST

START_TEST(a_process_that_is_stopped_is_noticed_and_comes_back)
{
    int ports[2];
    unsigned port = 0;
    ck_assert_int_eq(pipe(ports), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        /* Else the two would poll the sockets of each other. */
        if (uv_loop_fork(&world_loop) != 0)
            _exit(1);
        pair_start(b);
        place_knows(b, "a", 1);
        port = relay_port(b->relay);
        if (write(ports[1], &port, sizeof port) != sizeof port)
            _exit(1);
        world_run(60000);
        _exit(0);
    }
    ck_assert_int_eq(read(ports[0], &port, sizeof port), sizeof port);
    pair_start(a);
    place_knows(a, "b", port);
    WORLD_UNTIL(relay_is_up(a->relay, "b"));
    kill(pid, SIGSTOP);
    const uint64_t begun = uv_hrtime();
    WORLD_UNTIL(a->closed == 1);
    ck_assert_uint_gt((uv_hrtime() - begun) / 1000000, 1000); /* not at the first pause */
    kill(pid, SIGCONT);
    WORLD_UNTIL(relay_is_up(a->relay, "b"));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    WORLD_UNTIL(a->closed == 2);
    close(ports[0]);
    close(ports[1]);
    pair_start(b);
}
END_TEST

START_TEST(tries_again_ever_more_seldom)
{
    char listen[32];
    pair_start(b);
    const unsigned port = relay_port(b->relay);
    place_end(b);
    pair_start(a);
    place_knows(a, "b", port);
    const uint64_t begun = uv_hrtime();
    WORLD_UNTIL(relay_figures(a->relay).unreachable >= 5);
    /* 100, 200, 400 and 800 ms between them, less up to the half */
    ck_assert_uint_ge((uv_hrtime() - begun) / 1000000, 750);
    b = place_new("b", "good", "b");
    snprintf(listen, sizeof listen, "127.0.0.1:%u", port);
    b->options.listen = listen;
    pair_start(b);
    place_knows(b, "a", 1);
    WORLD_UNTIL(both_up());
    b->options.listen = "";
}
END_TEST

Suite *relay_lost_suite(void)
{
    Suite *const suite = suite_create("relay lost");
    TCase *const tests = tcase_create("lost");
    tcase_set_timeout(tests, 180);
    tcase_add_checked_fixture(tests, pair_begin, pair_end);
    tcase_add_test(tests, notices_who_is_silent);
    tcase_add_test(tests, notices_who_takes_nothing);
    tcase_add_test(tests, a_newer_link_replaces_one_that_is_half_open);
    tcase_add_test(tests, a_process_that_is_stopped_is_noticed_and_comes_back);
    tcase_add_test(tests, tries_again_ever_more_seldom);
    suite_add_tcase(suite, tests);
    return suite;
}
