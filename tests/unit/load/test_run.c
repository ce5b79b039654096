/*
 * Whole runs of the load tester, from the command line to the report, with the hub in its driver
 * process.
 */
#include "../../support/run_suites.h"
#include "command_line.h"
#include "hub_wire.h"
#include "workers.h"
#include <check.h>
#include <fcntl.h>
#include <jansson.h>
#include <load/program.h>
#include <load_taluva/game.h>
#include <load_totem/game.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct run_seen {
    int status;
    char out[16384], err[16384];
    json_t *json; /* what was printed, NULL if it is none */
} seen;

static int redirect(FILE *stream, FILE *to)
{
    (void)fflush(stream);
    int kept = dup(fileno(stream));
    ck_assert_int_ge(dup2(fileno(to), fileno(stream)), 0);
    return kept;
}

static void restore(FILE *stream, int kept, FILE *file, char *text, size_t size)
{
    (void)fflush(stream);
    ck_assert_int_ge(dup2(kept, fileno(stream)), 0);
    (void)close(kept);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    (void)fclose(file);
}

static const struct load_game *const games[] = {&load_taluva, &load_totem, NULL};

static int run_words(const char *words)
{
    static char text[256];
    char *argv[24], *rest;
    int argc = 0;
    (void)snprintf(text, sizeof text, "taluva-load %s", words);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    return program_run(games, argc, argv);
}

static void run(const char *words)
{
    FILE *out = tmpfile(), *err = tmpfile();
    ck_assert(out && err);
    const int kept_out = redirect(stdout, out), kept_err = redirect(stderr, err);
    seen.status = run_words(words);
    restore(stdout, kept_out, out, seen.out, sizeof seen.out);
    restore(stderr, kept_err, err, seen.err, sizeof seen.err);
    seen.json = json_loads(seen.out, 0, NULL);
}

static json_int_t number(const char *key)
{
    return json_integer_value(json_object_get(seen.json, key));
}

static json_int_t failures(const char *key)
{
    return json_integer_value(json_object_get(json_object_get(seen.json, "failures"), key));
}

static void setup(void)
{
    hub_wire_setup();
}

static void teardown(void)
{
    json_decref(seen.json);
    hub_wire_teardown();
}

/* ---- to the end of so many games */

static const struct {
    const char *words;
    unsigned games, connections, contexts;
} runs[] = {
    {"--json --rooms=1 --games=1", 1, 2, 1},
    {"--json --rooms=3 --games=2 --watchers=1", 6, 9, 1},
    {"--json --rooms=5 --games=2 --processes=2", 10, 10, 2},
    {"--json --rooms=7 --games=1 --processes=3 --players=3", 7, 21, 3},
    {"--json --rooms=2 --games=1 --sources=3 --idle=4", 2, 8, 3},
    {"--json --rooms=4 --games=1 --game=totem --mix --rounds=2 --check-every=1", 4, 0, 1},
};

START_TEST(a_run_of_so_many_games_ends)
{
    run(runs[_i].words);
    ck_assert_str_eq(seen.err, "");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_ptr_nonnull(seen.json);
    ck_assert_int_eq(number("games_started"), runs[_i].games);
    ck_assert_int_eq(number("games_over"), runs[_i].games);
    ck_assert_int_gt(number("moves"), 5 * (json_int_t)runs[_i].games);
    ck_assert_int_ge(number("states_checked"), runs[_i].games);
    ck_assert_int_eq(number("resumes"), 0);
    ck_assert_int_eq(
        json_integer_value(json_object_get(json_object_get(seen.json, "acknowledged_us"), "count")),
        number("moves"));
    if (runs[_i].connections > 0)
        ck_assert_uint_eq(hub_wire_seen->opened, runs[_i].connections);
    ck_assert_uint_eq(hub_wire_seen->contexts, runs[_i].contexts);
    ck_assert_uint_eq(hub_wire_seen->answer_s, 100);
}
END_TEST

/* Two processes' rooms have numbers of their own. */
static bool see_numbers(unsigned connection, const char *text)
{
    const char *name = strstr(text, "\"name\":\"load ");
    (void)connection;
    if (name)
        hub_wire_seen->marks[0] |= 1U << strtoul(name + 13, NULL, 10);
    return true;
}

START_TEST(rooms_are_numbered)
{
    hub_wire.to_server = see_numbers;
    run("--json --rooms=5 --games=1 --processes=2");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_uint_eq(hub_wire_seen->marks[0], 0x1f);
}
END_TEST

static unsigned files_open(void)
{
    unsigned count = 0;
    for (int file = 0; file < 256; file++)
        count += fcntl(file, F_GETFD) >= 0;
    return count;
}

START_TEST(a_run_leaves_nothing_open)
{
    const unsigned before = files_open();
    run("--json --rooms=2 --games=1 --processes=2");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_uint_eq(files_open(), before);
}
END_TEST

START_TEST(connections_come_from_the_sources)
{
    run("--json --rooms=1 --games=1 --sources=2");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_str_eq(hub_wire_seen->sources[0], "127.0.0.1");
    ck_assert_str_eq(hub_wire_seen->sources[1], "127.0.0.2");
    hub_wire_teardown();
    hub_wire_setup();
    json_decref(seen.json);
    run("--json --rooms=1 --games=1 --sources=1");
    ck_assert_str_eq(hub_wire_seen->sources[0], "127.0.0.1");
    hub_wire_teardown();
    hub_wire_setup();
    json_decref(seen.json);
    run("--json --rooms=1 --games=1");
    ck_assert_str_eq(hub_wire_seen->sources[0], "");
}
END_TEST

START_TEST(the_table_is_for_people)
{
    run("--rooms=1 --games=1");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_ptr_null(seen.json);
    ck_assert_ptr_nonnull(strstr(seen.out, "1 games begun, 1 over"));
    ck_assert_ptr_nonnull(strstr(seen.out, "failures: none\n"));
}
END_TEST

static json_int_t cost(const char *of, const char *what)
{
    return json_integer_value(json_object_get(json_object_get(seen.json, of), what));
}

START_TEST(the_server_is_measured)
{
    char words[80];
    (void)snprintf(words, sizeof words, "--json --rooms=1 --games=1 --server-pid=%ld",
                   (long)getpid());
    run(words);
    ck_assert_int_gt(cost("server", "resident_kib"), 0);
    ck_assert_int_ge(cost("server", "peak_kib"), cost("server", "resident_kib"));
    ck_assert_int_gt(cost("driver", "resident_kib"), 0);
    ck_assert_int_ge(cost("driver", "peak_kib"), cost("driver", "resident_kib"));
    json_decref(seen.json);
    hub_wire_teardown();
    hub_wire_setup();
    run("--json --rooms=1 --games=1 --server-pid=1073741823"); /* there is none of that number */
    ck_assert_int_eq(seen.status, 0);
    ck_assert_ptr_null(json_object_get(seen.json, "server"));
}
END_TEST

/* ---- for so many seconds */

/* In the place of a message that means nothing to the load tester. */
static char *refuse_once(unsigned connection, const char *text)
{
    return connection == 0 && strstr(text, "\"push\":\"presence\"") && strstr(text, "\"1\":true")
               ? strdup("{\"id\":0,\"error\":{\"code\":\"slow_down\"}}")
               : NULL;
}

/* Only what comes after the warm-up counts, but for failures. */
START_TEST(it_counts_from_the_end_of_the_warm_up)
{
    struct timespec began, ended;
    (void)clock_gettime(CLOCK_MONOTONIC, &began);
    run("--json --rooms=2 --idle=2 --rate=20 --duration=1 --warmup=0");
    (void)clock_gettime(CLOCK_MONOTONIC, &ended);
    ck_assert_str_eq(seen.err, "");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_int_eq(number("games_started"), 0);
    ck_assert_int_gt(number("moves"), 0);
    ck_assert_uint_eq(hub_wire_seen->opened, 6);
    ck_assert(json_real_value(json_object_get(seen.json, "seconds")) >= 1);
    ck_assert(json_real_value(json_object_get(seen.json, "seconds")) <=
              (double)(ended.tv_sec - began.tv_sec + 1)); /* no longer than all of it */
}
END_TEST

START_TEST(failures_before_that_count)
{
    hub_wire.to_client = refuse_once;
    run("--json --rooms=1 --rate=20 --duration=1 --warmup=1");
    ck_assert_int_eq(seen.status, 1);
    ck_assert_int_eq(failures("gap"), 0);
    ck_assert_int_ge(failures("refused"), 1);
    ck_assert_ptr_nonnull(strstr(seen.err, "taluva-load: match 0: refused: slow_down\n"));
}
END_TEST

START_TEST(idle_connections_are_enough)
{
    run("--json --rooms=0 --idle=5 --duration=1 --warmup=0");
    ck_assert_str_eq(seen.err, "");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_uint_eq(hub_wire_seen->opened, 5);
    ck_assert_int_eq(number("sent_bytes"), 0);
}
END_TEST

static char *note_opened(unsigned connection, const char *text)
{
    (void)connection;
    (void)text;
    if (hub_wire_seen->marks[0] == 0)
        hub_wire_seen->marks[0] = hub_wire_seen->opened;
    return NULL;
}

/* So slowly that one connection is opened at a time, and the first is answered before the last. */
START_TEST(idle_connections_are_opened_slowly)
{
    hub_wire.to_client = note_opened;
    run("--json --rooms=0 --idle=50 --ramp=1 --duration=1 --warmup=0");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_uint_eq(hub_wire_seen->opened, 50);
    ck_assert_uint_gt(hub_wire_seen->marks[0], 0);
    ck_assert_uint_lt(hub_wire_seen->marks[0], 50);
}
END_TEST

/* The same of matches. */
START_TEST(matches_are_begun_slowly)
{
    hub_wire.to_client = note_opened;
    run("--json --rooms=25 --rate=1 --ramp=1 --duration=1 --warmup=0");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_uint_eq(hub_wire_seen->opened, 50);
    ck_assert_uint_gt(hub_wire_seen->marks[0], 0);
    ck_assert_uint_lt(hub_wire_seen->marks[0], 50);
}
END_TEST

/* Moves by room: connections are opened room by room. */
static bool see_room(unsigned connection, const char *text)
{
    if (strstr(text, "\"op\":\"move\""))
        hub_wire_seen->marks[connection / 2]++;
    return true;
}

START_TEST(moves_fall_due_in_one_room_after_the_other)
{
    hub_wire.to_server = see_room;
    run("--json --rooms=2 --rate=10 --duration=2 --warmup=0");
    ck_assert_int_eq(seen.status, 0);
    const unsigned one = hub_wire_seen->marks[0], other = hub_wire_seen->marks[1];
    ck_assert_uint_gt(one + other, 2);
    ck_assert_uint_le(one > other ? one - other : other - one, 1);
}
END_TEST

/* However slow it is: of each room fewer moves fall due than are remembered (MATCH_DUE_MAX). */
static const struct {
    const char *words;
    bool seats_too;
} storms[] = {
    {"--json --rooms=2 --watchers=1 --rate=20 --duration=2 --warmup=0 --storm=1"
     " --storm-percent=100",
     true},
    {"--json --rooms=2 --watchers=1 --rate=20 --duration=2 --warmup=0 --storm=1"
     " --storm-percent=100 --storm-away=2",
     false},
};

/* Who comes back has a token; the third client of a room watches. */
static bool see_return(unsigned connection, const char *text)
{
    (void)connection;
    hub_wire_seen->marks[0] += strstr(text, "\"token\":\"") != NULL;
    hub_wire_seen->marks[1] += strstr(text, "\"token\":\"") && strstr(text, ".2\"");
    return true;
}

START_TEST(a_storm_cuts_those_it_should)
{
    hub_wire.to_server = see_return;
    run(storms[_i].words);
    ck_assert_str_eq(seen.err, "");
    ck_assert_int_eq(seen.status, 0);
    const unsigned back = hub_wire_seen->marks[0], watchers = hub_wire_seen->marks[1];
    ck_assert_uint_gt(watchers, 0);
    if (storms[_i].seats_too)
        ck_assert_uint_gt(back, watchers);
    else
        ck_assert_uint_eq(back, watchers);
    ck_assert_int_gt(number("resumes"), 0);
}
END_TEST

/* ---- what a person sees meanwhile */

static const struct {
    const char *words;
    bool shown, warms_up, moves;
} displays[] = {
    {"--rooms=1 --rate=1 --duration=2 --warmup=1", true, true, true},
    {"--rooms=0 --idle=1 --duration=2 --warmup=0", true, false, false},
    {"--quiet --rooms=1 --rate=1 --duration=1 --warmup=1", false, false, false},
};

START_TEST(progress_is_shown_on_a_terminal)
{
    static char text[1 << 16];
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    FILE *slave = fopen(ptsname(master), "r+e"), *out = tmpfile();
    ck_assert(slave && out);
    const int kept_out = redirect(stdout, out), kept_err = redirect(stderr, slave);
    const int status = run_words(displays[_i].words);
    restore(stderr, kept_err, slave, seen.err, 1);
    restore(stdout, kept_out, out, seen.out, sizeof seen.out);
    ck_assert_int_eq(fcntl(master, F_SETFL, O_NONBLOCK), 0);
    ssize_t len = read(master, text, sizeof text - 1);
    text[len > 0 ? len : 0] = '\0';
    (void)close(master);
    ck_assert_int_eq(status, 0);
    ck_assert((strstr(text, "\rwarm up ") != NULL) == displays[_i].warms_up);
    ck_assert((strstr(text, "\rmeasure ") != NULL) == displays[_i].shown);
    ck_assert((strstr(text, "[#") != NULL) == displays[_i].shown);
    ck_assert((strstr(text, " s left\033[K") != NULL) == displays[_i].shown);
    ck_assert(displays[_i].moves || !strstr(text, " 1 moves/s"));
    /* What is left is never more than there was; the bar is full only when all is over. */
    ck_assert_ptr_null(strstr(text, "  3 s left"));
    ck_assert_ptr_null(strstr(text, "  4 s left"));
    ck_assert_ptr_null(strstr(text, "[####################]"));
}
END_TEST

/* ---- what goes wrong */

START_TEST(without_a_server_there_is_no_connection)
{
    hub_wire.connections_max = 0;
    run("--rooms=1 --duration=1 --processes=2");
    ck_assert_int_eq(seen.status, 69);
    ck_assert_ptr_nonnull(strstr(seen.err, "match 0: connect: connection lost, close code -1"));
    ck_assert_ptr_nonnull(strstr(seen.err, "taluva-load: no connection\n"));
    ck_assert_str_eq(seen.out, "");
}
END_TEST

START_TEST(nor_for_those_that_are_idle)
{
    hub_wire.connections_max = 0;
    run("--rooms=0 --idle=3 --duration=1");
    ck_assert_int_eq(seen.status, 69);
    ck_assert_ptr_nonnull(strstr(seen.err, "match 2: connect: connection lost, close code -1"));
}
END_TEST

/* One failure to connect is enough. */
START_TEST(nor_for_a_single_one)
{
    hub_wire.connections_max = 0;
    run("--rooms=0 --idle=1 --duration=1");
    ck_assert_int_eq(seen.status, 69);
    ck_assert_ptr_nonnull(strstr(seen.err, "taluva-load: no connection\n"));
}
END_TEST

static unsigned dying_at;

static char *die(unsigned connection, const char *text)
{
    static unsigned moves;
    if (connection == 0 && strstr(text, "\"push\":\"event\"") && ++moves == dying_at)
        _exit(3);
    return NULL;
}

START_TEST(a_driver_process_that_dies_is_told)
{
    static const unsigned moments[] = {1, 20}; /* on the way up, and when it plays */
    dying_at = moments[_i];
    hub_wire.to_client = die;
    run("--rooms=1 --duration=100 --warmup=0");
    ck_assert_int_eq(seen.status, 71);
    ck_assert_str_eq(seen.out, "");
    ck_assert(_i > 0 || strstr(seen.err, "taluva-load: a driver process died\n"));
}
END_TEST

/* Each driver process ends when the tester is gone, whatever the others do. */
START_TEST(a_driver_process_ends_without_the_tester)
{
    char *argv[] = {(char[]){"taluva-load"}, (char[]){"--rooms=0"}, (char[]){"--idle=2"},
                    (char[]){"--processes=2"}, NULL};
    static struct stats total;
    struct options options;
    struct worker workers[2];
    ck_assert_int_eq(options_read(&options, games, 4, argv), OPTIONS_RUN);
    ck_assert(workers_start(workers, &options));
    for (unsigned i = 0; i < 2; i++) { /* of the first, the second holds no end */
        (void)close(workers[i].to);
        ck_assert(workers_collect(&workers[i], 1, &total));
    }
}
END_TEST

static char *much_nonsense(unsigned connection, const char *text)
{
    (void)connection;
    return strstr(text, "\"kind\":\"move\"") ? strdup("nonsense") : NULL;
}

START_TEST(what_is_wrong_is_told_ten_times)
{
    unsigned count = 0;
    hub_wire.to_client = much_nonsense;
    run("--json --rooms=12 --duration=1 --warmup=0");
    for (const char *at = seen.err; (at = strstr(at, "malformed: neither")) != NULL; at++)
        count++;
    ck_assert_uint_eq(count, 10);
    ck_assert_int_eq(seen.status, 1);
    ck_assert_int_eq(failures("malformed"), 24);
}
END_TEST

START_TEST(a_wrong_word_is_no_run)
{
    run("--nonsense");
    ck_assert_int_eq(seen.status, 64);
    json_decref(seen.json);
    run("--version");
    ck_assert_int_eq(seen.status, 0);
}
END_TEST

static int interruption;

static char *interrupt(unsigned connection, const char *text)
{
    static unsigned moves;
    if (connection == 0 && strstr(text, "\"kind\":\"move\"") && ++moves == 20)
        (void)kill(getppid(), interruption);
    return NULL;
}

/* What was counted is told. */
START_TEST(a_run_can_be_interrupted)
{
    interruption = _i == 0 ? SIGINT : SIGTERM;
    hub_wire.to_client = interrupt;
    run("--json --rooms=1 --duration=10000 --warmup=0");
    ck_assert_int_eq(seen.status, 0);
    ck_assert_ptr_nonnull(seen.json);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, a_run_of_so_many_games_ends, 0, sizeof runs / sizeof runs[0]);
    tcase_add_test(tests, rooms_are_numbered);
    tcase_add_test(tests, a_run_leaves_nothing_open);
    tcase_add_test(tests, connections_come_from_the_sources);
    tcase_add_test(tests, the_table_is_for_people);
    tcase_add_test(tests, the_server_is_measured);
    tcase_add_test(tests, it_counts_from_the_end_of_the_warm_up);
    tcase_add_test(tests, failures_before_that_count);
    tcase_add_test(tests, idle_connections_are_enough);
    tcase_add_test(tests, idle_connections_are_opened_slowly);
    tcase_add_test(tests, matches_are_begun_slowly);
    tcase_add_test(tests, moves_fall_due_in_one_room_after_the_other);
    tcase_add_loop_test(tests, progress_is_shown_on_a_terminal, 0,
                        sizeof displays / sizeof displays[0]);
    tcase_add_loop_test(tests, a_storm_cuts_those_it_should, 0, sizeof storms / sizeof storms[0]);
    tcase_add_test(tests, without_a_server_there_is_no_connection);
    tcase_add_test(tests, nor_for_those_that_are_idle);
    tcase_add_test(tests, nor_for_a_single_one);
    tcase_add_loop_test(tests, a_driver_process_that_dies_is_told, 0, 2);
    tcase_add_test(tests, a_driver_process_ends_without_the_tester);
    tcase_add_test(tests, what_is_wrong_is_told_ten_times);
    tcase_add_test(tests, a_wrong_word_is_no_run);
    tcase_add_loop_test(tests, a_run_can_be_interrupted, 0, 2);
    suite_add_tcase(suite, tests);
    return run_suites_forked(srunner_create(suite)); /* a run that was interrupted stays so */
}
