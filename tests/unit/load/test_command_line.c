/* What the load tester is asked to do, and the processes and the timer that it does it with. */
#include "command_line.h"
#include "pace.h"
#include "workers.h"
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <load_taluva/game.h>
#include <load_totem/game.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *command_line_suite(void);

static const struct load_game *const games[] = {&load_taluva, &load_totem, NULL};

/* The words are one string. */
static enum options_result read_words(struct options *options, const char *words)
{
    static char text[256];
    char *argv[16], *rest;
    int argc = 0;
    (void)snprintf(text, sizeof text, "taluva-load %s", words);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    argv[argc] = NULL;
    return options_read(options, games, argc, argv);
}

/* What is written to a stream meanwhile. */
struct listener {
    FILE *stream, *file;
    int kept;
    char text[16384];
};

static void listen_to(struct listener *listener, FILE *stream)
{
    *listener = (struct listener){.stream = stream, .file = tmpfile()};
    ck_assert_ptr_nonnull(listener->file);
    (void)fflush(stream);
    listener->kept = dup(fileno(stream));
    ck_assert_int_ge(dup2(fileno(listener->file), fileno(stream)), 0);
}

static void stop_listening(struct listener *listener)
{
    (void)fflush(listener->stream);
    ck_assert_int_ge(dup2(listener->kept, fileno(listener->stream)), 0);
    (void)close(listener->kept);
    rewind(listener->file);
    listener->text[fread(listener->text, 1, sizeof listener->text - 1, listener->file)] = '\0';
    (void)fclose(listener->file);
}

/* ---- the command line */

static const struct {
    const char *words, *say;
} wrong_words[] = {
    {"--rooms=x", "rooms"},
    {"--rooms=-1", "rooms"},
    {"--rooms=100001", "rooms"},
    {"--watchers=1001", "watchers"},
    {"--idle=1000001", "idle"},
    {"--ramp=0", "ramp"},
    {"--ramp=100001", "ramp"},
    {"--rate=0", "rate"},
    {"--rate=nan", "rate"},
    {"--duration=0", "duration"},
    {"--duration=1000001", "duration"},
    {"--warmup=1000001", "warmup"},
    {"--games=0", "games"},
    {"--games=1000000001", "games"},
    {"--seed=-1", "seed"},
    {"--check-every=1000001", "check-every"},
    {"--check=some", "check"},
    {"--storm=0", "storm"},
    {"--storm-percent=0", "storm-percent"},
    {"--storm-percent=101", "storm-percent"},
    {"--storm-away=1001", "storm-away"},
    {"--processes=0", "processes"},
    {"--processes=65", "processes"},
    {"--sources=0", "sources"},
    {"--sources=251", "sources"},
    {"--server-pid=0", "server-pid"},
    {"--server-pid=1073741825", "server-pid"},
    {"--max-p99=0", "max-p99"},
    {"--max-p99.9=-1", "max-p99.9"},
    {"--min-rate=x", "min-rate"},
    {"--nonsense", "nonsense"},
    {"--players=6", "players"},
    {"--players=1", "players"},
    {"--tiles=23", "tiles"},
    {"--tiles=61", "tiles"},
    {"--game=totem --players=5", "players"},
    {"--game=totem --players=1", "players"},
    {"--game=totem --rounds=0", "rounds"},
    {"--meals=A", "meals"},
    {"stray", "not understood: stray"},
    {"--server=ftp://x", "this is no address of a server: ftp://x"},
    {"--rooms=0", "--rooms and --idle are both 0: nothing to do"},
    {"--game=chess", "there is no game 'chess'; this program knows: taluva, totem\n"},
    {"--game chess", "there is no game 'chess'"},
    {"--game", "game"},
    {"--game=", "there is no game ''"},
    {"--game=totem --boats", "boats"},
};

START_TEST(what_is_wrong_is_said)
{
    struct options options;
    struct listener listener;
    listen_to(&listener, stderr);
    enum options_result result = read_words(&options, wrong_words[_i].words);
    stop_listening(&listener);
    ck_assert_int_eq(result, OPTIONS_WRONG);
    ck_assert_int_eq(strncmp(listener.text, "taluva-load: ", 13), 0);
    ck_assert_msg(strstr(listener.text, wrong_words[_i].say), "%s", listener.text);
}
END_TEST

START_TEST(without_words_there_are_defaults)
{
    struct options options;
    ck_assert_int_eq(read_words(&options, ""), OPTIONS_RUN);
    ck_assert_str_eq(options.server.host, "127.0.0.1");
    ck_assert_int_eq(options.server.port, 7400);
    ck_assert_ptr_eq(options.game, &load_taluva);
    const struct {
        int64_t is, wanted;
    } numbers[] = {
        {options.rooms, 10},         {options.watchers, 0},     {options.idle, 0},
        {options.ramp_per_s, 2000},  {options.processes, 1},    {options.sources, 0},
        {options.duration_s, 10},    {options.warmup_s, 2},     {options.games, 0},
        {options.seed, 1},           {options.check_every, 32}, {options.storm_every_s, 0},
        {options.storm_percent, 50}, {options.storm_away, 0},   {options.server_pid, 0},
        {options.slow_watchers, 0},  {options.json, 0},         {options.quiet, 0},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ck_assert_msg(numbers[i].is == numbers[i].wanted, "number %zu", i);
    ck_assert(!options_sample(&options));
    ck_assert(options.rate_per_s == 0 && options.max_p99_ms == 0 && options.max_p999_ms == 0 &&
              options.min_rate_per_s == 0);
}
END_TEST

/* What the server is asked for when a room of Taluva is made. */
static const struct {
    const char *words, *create;
} rooms_of_taluva[] = {
    {"", "{\"players\":2}"},
    {"--players=4 --teams", "{\"players\":4,\"teams\":true}"},
    {"--players=3 --tiles=24 --ranking --zone=player",
     "{\"players\":3,\"tiles\":24,\"ranking\":true,\"zone\":\"player\"}"},
    {"--boats --two-hex --preset=ferti-2014",
     "{\"players\":2,\"boats\":true,\"two_hex\":true,\"preset\":\"ferti-2014\"}"},
};

START_TEST(words_reach_the_rooms_of_taluva)
{
    struct options options;
    ck_assert_int_eq(read_words(&options, rooms_of_taluva[_i].words), OPTIONS_RUN);
    json_t *create = load_taluva.create_options(options.game_options, 0);
    json_t *wanted = json_loads(rooms_of_taluva[_i].create, 0, NULL);
    ck_assert(json_equal(create, wanted));
    json_decref(wanted);
    json_decref(create);
}
END_TEST

START_TEST(words_reach_their_options)
{
    struct options options;
    ck_assert_int_eq(read_words(&options, "--rooms=0 --idle=1 --watchers=1000 --ramp=100000"
                                          " --processes=64 --sources=250 --duration=1"),
                     OPTIONS_RUN);
    ck_assert_uint_eq(options.rooms, 0);
    ck_assert_uint_eq(options.idle, 1);
    ck_assert_uint_eq(options.watchers, 1000);
    ck_assert_uint_eq(options.ramp_per_s, 100000);
    ck_assert_uint_eq(options.processes, 64);
    ck_assert_uint_eq(options.sources, 250);
    ck_assert_uint_eq(options.duration_s, 1);
    ck_assert_int_eq(read_words(&options, "--warmup=0 --games=3 --seed=7 --check-every=0 --storm=4"
                                          " --storm-percent=100 --storm-away=5 --slow-watchers"
                                          " --json --quiet --server-pid=9 --rate=12.5"),
                     OPTIONS_RUN);
    ck_assert_uint_eq(options.warmup_s, 0);
    ck_assert_uint_eq(options.games, 3);
    ck_assert_int_eq(options.seed, 7);
    ck_assert_uint_eq(options.check_every, 0);
    ck_assert_uint_eq(options.storm_every_s, 4);
    ck_assert_uint_eq(options.storm_percent, 100);
    ck_assert_uint_eq(options.storm_away, 5);
    ck_assert(options.slow_watchers && options.json && options.quiet);
    ck_assert_int_eq(options.server_pid, 9);
    ck_assert(options.rate_per_s == 12.5);
    ck_assert_int_eq(read_words(&options, "--max-p99=1.5 --max-p99.9 2.5 --min-rate=100"
                                          " --server=ws://127.0.0.2:99/ws"),
                     OPTIONS_RUN);
    ck_assert(options.max_p99_ms == 1.5 && options.max_p999_ms == 2.5 &&
              options.min_rate_per_s == 100);
    ck_assert_str_eq(options.server.host, "127.0.0.2");
    ck_assert_int_eq(options.server.port, 99);
    ck_assert_int_eq(read_words(&options, "--check=all"), OPTIONS_RUN);
    ck_assert(!options_sample(&options));
    ck_assert_int_eq(read_words(&options, "--check sample --check-every=5"), OPTIONS_RUN);
    ck_assert(options_sample(&options));
}
END_TEST

/* The least and the most that each may be. */
static const char *const limits[] = {
    "--rooms=1 --watchers=0 --idle=0 --ramp=1 --duration=1 --warmup=0 --games=1 --seed=0",
    "--check-every=0 --storm=1 --storm-percent=1 --storm-away=0 --processes=1 --sources=1",
    "--server-pid=1 --players=2 --tiles=24",
    "--rooms=100000 --watchers=1000 --idle=1000000 --ramp=100000 --duration=1000000",
    "--warmup=1000000 --games=1000000000 --seed=9223372036854775807 --check-every=1000000",
    "--storm=1000000 --storm-percent=100 --storm-away=1000 --processes=64 --sources=250",
    "--server-pid=1073741824 --players=5 --tiles=60",
    "--game=totem --players=2 --rounds=1",
    "--game=totem --players=4",
};

START_TEST(limits_are_within_them)
{
    struct options options;
    ck_assert_int_eq(read_words(&options, limits[_i]), OPTIONS_RUN);
}
END_TEST

START_TEST(words_reach_the_game)
{
    struct options options;
    ck_assert_int_eq(read_words(&options, "--players=4 --teams --zone=expert"), OPTIONS_RUN);
    ck_assert_ptr_eq(options.game, &load_taluva);
    ck_assert_uint_eq(load_taluva.players(options.game_options, 7), 4);
    json_t *create = load_taluva.create_options(options.game_options, 7);
    ck_assert_int_eq(json_integer_value(json_object_get(create, "players")), 4);
    ck_assert(json_is_true(json_object_get(create, "teams")));
    ck_assert_str_eq(json_string_value(json_object_get(create, "zone")), "expert");
    json_decref(create);
    ck_assert_int_eq(read_words(&options, "--game totem --rounds=4"), OPTIONS_RUN);
    ck_assert_ptr_eq(options.game, &load_totem);
    create = load_totem.create_options(options.game_options, 7);
    ck_assert_int_eq(json_integer_value(json_object_get(create, "rounds")), 4);
    json_decref(create);
}
END_TEST

static const struct {
    const char *words;
    const char *has[8];
} shown[] = {
    {"--help",
     {"usage: taluva-load [", "--server", "--min-rate", "\nGames: taluva, totem. Of taluva:\n",
      "--zone", "-h, --help, -V, --version", "Exit status: 0 all well"}},
    {"--game=totem --help", {"--server", "Games: taluva, totem. Of totem:\n", "--meals"}},
    {"--version", {"taluva-load "}},
    {"-V", {"taluva-load "}},
    {"help", {"usage: taluva-load ["}},
};

START_TEST(help_is_shown)
{
    struct options options;
    struct listener listener;
    listen_to(&listener, stdout);
    enum options_result result = read_words(&options, shown[_i].words);
    stop_listening(&listener);
    ck_assert_int_eq(result, OPTIONS_SHOWN);
    for (size_t i = 0; i < 8 && shown[_i].has[i]; i++)
        ck_assert_msg(strstr(listener.text, shown[_i].has[i]), "%s is not in %s", shown[_i].has[i],
                      listener.text);
}
END_TEST

/* ---- processes */

/* Of three pairs of pipes two or more find no descriptors. */
START_TEST(a_process_that_cannot_be_started_is_told)
{
    struct worker workers[2];
    struct options options = {.processes = 2};
    struct listener listener;
    int lowest = dup(0);
    ck_assert_int_ge(lowest, 0);
    (void)close(lowest);
    listen_to(&listener, stderr);
    /* So many that there is none, or one pipe and half of the second. */
    struct rlimit usual;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual), 0);
    struct rlimit few = {(rlim_t)(lowest + 2 + _i), usual.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    bool started = workers_start(workers, &options);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &usual), 0); /* other tests may share the process */
    stop_listening(&listener);
    ck_assert(!started);
    ck_assert_ptr_nonnull(strstr(listener.text, "taluva-load: cannot start a process: "));
    int next = dup(0);
    ck_assert_int_eq(next, lowest); /* nothing was left open */
}
END_TEST

/* A driver process of this test: it ends well or with another status, before or after its stats. */
struct script {
    unsigned progress; /* so many before the word */
    bool stats;        /* written whole */
    int status;
};

static struct worker start_script(const struct script *script)
{
    int down[2], up[2];
    ck_assert(pipe(down) == 0 && pipe(up) == 0);
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        static struct stats stats = {.moves = 5, .failures = {[FAILURE_GAP] = 2}};
        const struct worker_progress last = {.connections = WORKERS_STATS_FOLLOW};
        char word = 'x';
        (void)close(down[1]);
        (void)close(up[0]);
        for (unsigned i = 0; i < script->progress; i++) {
            const struct worker_progress progress = {.moves = i + 1};
            (void)!write(up[1], &progress, sizeof progress);
        }
        (void)!read(down[0], &word, 1);
        (void)!write(up[1], &last, sizeof last);
        (void)!write(up[1], &stats, script->stats ? sizeof stats : sizeof stats / 2);
        _exit(word == 's' ? script->status : 99);
    }
    (void)close(down[0]);
    (void)close(up[1]);
    return (struct worker){.pid = pid, .from = up[0], .to = down[1]};
}

static const struct {
    struct script scripts[3];
    bool whole;
    unsigned added; /* stats */
} collections[] = {
    {{{0, true, 0}, {3, true, 0}, {1, true, 0}}, true, 3},
    {{{0, true, 0}, {3, true, 0}, {1, true, 7}}, false, 3},
    {{{0, true, 9}, {3, true, 0}, {1, true, 0}}, false, 3},
    {{{0, true, 0}, {3, false, 0}, {1, true, 0}}, false, 2},
};

START_TEST(the_stats_of_all_processes_are_collected)
{
    struct worker workers[3];
    static struct stats total;
    memset(&total, 0, sizeof total);
    for (size_t i = 0; i < 3; i++)
        workers[i] = start_script(&collections[_i].scripts[i]);
    workers_signal(workers, 3, 's');
    ck_assert_int_eq(workers_collect(workers, 3, &total), collections[_i].whole);
    ck_assert_uint_eq(total.moves, 5 * collections[_i].added);
    ck_assert_uint_eq(total.failures[FAILURE_GAP], 2 * collections[_i].added);
    for (size_t i = 0; i < 3; i++) { /* nothing is left of them */
        ck_assert_int_eq(fcntl(workers[i].from, F_GETFD), -1);
        ck_assert_int_eq(fcntl(workers[i].to, F_GETFD), -1);
        ck_assert_int_eq(waitpid(workers[i].pid, NULL, WNOHANG), -1);
    }
}
END_TEST

START_TEST(the_progress_of_each_process_is_read)
{
    static const struct script scripts[2] = {{2, true, 0}, {0, true, 0}};
    static struct stats total;
    struct worker workers[2] = {start_script(&scripts[0]), start_script(&scripts[1])};
    while (workers[0].last.moves < 2)
        ck_assert(workers_read(workers, 2, 10000));
    ck_assert_uint_eq(workers[1].last.moves, 0);
    ck_assert(workers_read(workers, 2, 1)); /* nothing new */
    workers_signal(workers, 2, 's');
    ck_assert(workers_collect(workers, 2, &total));
}
END_TEST

START_TEST(a_process_that_died_is_noticed)
{
    static const struct script script = {0, true, 0};
    static struct stats total;
    struct worker worker = start_script(&script);
    (void)kill(worker.pid, SIGKILL);
    errno = EINTR; /* of a call long ago */
    ck_assert(!workers_read(&worker, 1, 10000));
    ck_assert(!workers_collect(&worker, 1, &total));
}
END_TEST

/* ---- the timer of the open loop */

struct beats {
    uv_loop_t loop;
    unsigned count;
    uint64_t due_us[50];
};

static void on_due(void *ctx, uint64_t due_us)
{
    struct beats *beats = ctx;
    if (beats->count < 50)
        beats->due_us[beats->count++] = due_us;
    if (beats->count == 50)
        uv_stop(&beats->loop);
}

/* However late it is called, each move has the time at which it was due. */
START_TEST(every_move_has_its_time)
{
    struct beats beats = {.count = 0};
    struct pace pace;
    uint64_t began_us = uv_hrtime() / 1000;
    ck_assert_int_eq(uv_loop_init(&beats.loop), 0);
    ck_assert_int_eq(pace_start(&pace, &beats.loop, 2000, on_due, &beats), 0);
    uv_run(&beats.loop, UV_RUN_DEFAULT);
    ck_assert_uint_eq(beats.count, 50);
    ck_assert_uint_ge(beats.due_us[0], began_us);
    for (unsigned i = 1; i < 50; i++)
        ck_assert_uint_eq(beats.due_us[i] - beats.due_us[0], i * 500);
    ck_assert_uint_ge(uv_hrtime() / 1000, beats.due_us[49]); /* never early */
    uv_close((uv_handle_t *)&pace.poll, NULL);
    uv_run(&beats.loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&beats.loop), 0);
    (void)close(pace.fd);
}
END_TEST

Suite *command_line_suite(void)
{
    Suite *suite = suite_create("command line");
    TCase *tests = tcase_create("command line");
    tcase_add_loop_test(tests, what_is_wrong_is_said, 0,
                        sizeof wrong_words / sizeof wrong_words[0]);
    tcase_add_test(tests, without_words_there_are_defaults);
    tcase_add_test(tests, words_reach_their_options);
    tcase_add_loop_test(tests, words_reach_the_rooms_of_taluva, 0,
                        sizeof rooms_of_taluva / sizeof *rooms_of_taluva);
    tcase_add_loop_test(tests, limits_are_within_them, 0, sizeof limits / sizeof limits[0]);
    tcase_add_test(tests, words_reach_the_game);
    tcase_add_loop_test(tests, help_is_shown, 0, sizeof shown / sizeof shown[0]);
    tcase_add_loop_test(tests, a_process_that_cannot_be_started_is_told, 0, 3);
    tcase_add_loop_test(tests, the_stats_of_all_processes_are_collected, 0,
                        sizeof collections / sizeof collections[0]);
    tcase_add_test(tests, the_progress_of_each_process_is_read);
    tcase_add_test(tests, a_process_that_died_is_noticed);
    tcase_add_test(tests, every_move_has_its_time);
    suite_add_tcase(suite, tests);
    return suite;
}
