/* Moves that worker threads think of: who is asked when, and what happens if no answer comes. */
#include "suites.h"
#include "world.h"
#include <cards.h>
#include <hub/think.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAUSE_MS = 600, WAIT_MS = 3000, WORKERS = 2, MEMORY = CARDS_THINKING_BYTES };

static struct world world;
static _Alignas(max_align_t) unsigned char memory[MEMORY];

struct match {
    char room[CODE_SPACE];
    int tab; /* of Ana, in seat 0 if she plays */
};
static struct match match;

static void begin(void)
{
    world_init(&world);
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
}

static void create(struct match *one, int move_s)
{
    one->tab = world_guest(&world, "Ana");
    json_t *clock = move_s ? json_pack("{s:s,s:i}", "kind", "move", "move_s", move_s)
                           : json_pack("{s:s}", "kind", "none");
    json_t *ok = world_ok(&world, one->tab, "create", "{s:s,s:{s:i},s:o}", "game", "cards",
                          "options", "players", 2, "clock", clock);
    (void)snprintf(one->room, CODE_SPACE, "%s", str(ok, "room"));
    json_decref(ok);
}

/* Ana and a computer, or the computer twice while she watches. */
static void open_timed_match(struct match *one, bool plays, int level, int move_s)
{
    create(one, move_s);
    if (plays) {
        world_do(&world, one->tab, "join", "{s:s,s:i}", "room", one->room, "seat", 0);
        world_do(&world, one->tab, "ready", "{s:s,s:b}", "room", one->room, "ready", 1);
    } else {
        world_do(&world, one->tab, "watch", "{s:s}", "room", one->room);
        world_do(&world, one->tab, "bot", "{s:s,s:i}", "room", one->room, "level", level);
    }
    world_do(&world, one->tab, "bot", "{s:s,s:i}", "room", one->room, "level", level);
    world_do(&world, one->tab, "start", "{s:s}", "room", one->room);
    world_forget(&world, one->tab);
}

static void open_match(struct match *one, bool plays, int level)
{
    open_timed_match(one, plays, level, 0);
}

static void setup(void)
{
    begin();
    open_match(&match, true, CARDS_THINKING);
}

static void teardown(void)
{
    world_release(&world);
}

/* ---- what happens */

static void run(struct think_job *job)
{
    hub_think_run(job, memory, sizeof memory);
}

static void hand_back(struct think_job *job, int64_t elapsed_us)
{
    hub_think_done(world.hub, job, elapsed_us, world.now_ms);
    world_settle(&world);
}

/* How many events of the room she has been told since the last call. */
static int events(const struct match *one)
{
    int count = 0;
    json_t *push;
    while ((push = world_push(&world, one->tab, "event"))) {
        json_decref(push);
        count++;
    }
    return count;
}

static void expect_job(const char *kind, const char *outcome, int count)
{
    char line[96];
    (void)snprintf(line, sizeof line, "think_jobs_total{kind=\"%s\",outcome=\"%s\"}", kind,
                   outcome);
    ck_assert_msg(world_figure(&world, line) == count, "%s: %g", line, world_figure(&world, line));
}

static void expect_move(const char *outcome, int count)
{
    expect_job("move", outcome, count);
}

/* The computer moves when its pause is over, and not before. */
static void expect_move_after_pause(void)
{
    world_pass(&world, PAUSE_MS - 1);
    ck_assert_int_eq(events(&match), 0);
    world_pass(&world, 1);
    ck_assert_int_eq(events(&match), 1);
}

static void lay_a_card(const struct match *one)
{
    json_t *ok = world_ok(&world, one->tab, "moves", "{s:s}", "room", one->room);
    json_t *list = json_object_get(ok, "moves");
    world_do(&world, one->tab, "move", "{s:s,s:s}", "room", one->room, "move",
             json_string_value(json_array_get(list, 0)));
    json_decref(ok);
    world_forget(&world, one->tab);
}

/* ---- answers */

START_TEST(test_asked_at_once_and_played_after_the_pause)
{
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    ck_assert_ptr_null(hub_think_take(world.hub));
    run(job);
    hand_back(job, 12000);
    expect_move_after_pause();
    expect_move("answered", 1);
    ck_assert(world_figure(&world, "think_simulations_total") == CARDS_SIMULATIONS);
    ck_assert(world_figure(&world, "think_seconds_sum") == 0.012);
    ck_assert(world_figure(&world, "think_seconds_count") == 1);
}
END_TEST

START_TEST(test_answer_after_the_pause)
{
    struct think_job *job = hub_think_take(world.hub);
    world_pass(&world, PAUSE_MS + WAIT_MS - 1);
    ck_assert_int_eq(events(&match), 0);
    run(job);
    hand_back(job, 1);
    ck_assert_int_eq(events(&match), 1);
    expect_move("late", 0);
}
END_TEST

/* Both have laid one card; hers is the first that she may play. The name of the computer's. */
static const char *card_of_computer(bool thinks)
{
    static char name[2][8];
    if (thinks) {
        struct think_job *job = hub_think_take(world.hub);
        run(job);
        hand_back(job, 1);
    }
    world_pass(&world, PAUSE_MS + WAIT_MS);
    lay_a_card(&match);
    json_t *ok = world_ok(&world, match.tab, "watch", "{s:s}", "room", match.room);
    const json_t *table = json_object_get(json_object_get(ok, "state"), "table");
    const json_t *computer = json_object_get(table, "1");
    (void)snprintf(name[thinks], sizeof name[thinks], "%s", str(computer, "shown"));
    ck_assert_uint_eq(strlen(name[thinks]), 5);
    json_decref(ok);
    return name[thinks];
}

START_TEST(test_the_answer_is_what_is_played)
{
    const char *with = card_of_computer(true);
    teardown();
    setup();
    ck_assert_str_ne(with, card_of_computer(false));
}
END_TEST

/* ---- no answer */

START_TEST(test_late)
{
    struct think_job *job = hub_think_take(world.hub);
    world_pass(&world, PAUSE_MS + WAIT_MS - 1);
    ck_assert_int_eq(events(&match), 0);
    world_pass(&world, 1);
    ck_assert_int_eq(events(&match), 1);
    expect_move("late", 1);
    run(job);
    hand_back(job, 1);
    ck_assert_int_eq(events(&match), 0);
    expect_move("answered", 0);
    expect_move("cancelled", 0);
    ck_assert(world_figure(&world, "think_simulations_total") == 0); /* it saw the flag */
}
END_TEST

START_TEST(test_late_in_the_queue)
{
    world_pass(&world, PAUSE_MS + WAIT_MS);
    ck_assert_int_eq(events(&match), 1);
    expect_move("late", 1);
    ck_assert(world_figure(&world, "think_waiting{kind=\"move\"}") == 0);
    ck_assert_ptr_null(hub_think_take(world.hub));
}
END_TEST

START_TEST(test_worker_has_no_memory)
{
    struct think_job *job = hub_think_take(world.hub);
    hub_think_run(job, NULL, 0);
    hand_back(job, 1);
    expect_move_after_pause();
    expect_move("failed", 1);
}
END_TEST

START_TEST(test_worker_has_less_memory)
{
    struct think_job *job = hub_think_take(world.hub);
    hub_think_run(job, memory, MEMORY - 1);
    hand_back(job, 1);
    expect_move_after_pause();
    expect_move("failed", 1);
}
END_TEST

START_TEST(test_worker_is_gone)
{
    hand_back(hub_think_take(world.hub), 1);
    expect_move_after_pause();
    expect_move("failed", 1);
}
END_TEST

START_TEST(test_stopped_from_outside)
{
    struct think_job *job = hub_think_take(world.hub);
    hub_think_cancel(job);
    run(job);
    hand_back(job, 1);
    expect_move_after_pause();
    expect_move("failed", 1);
}
END_TEST

/* Nothing is freed twice, or not at all. */
START_TEST(test_never_back)
{
    struct match other;
    open_match(&other, true, CARDS_THINKING);
    ck_assert_ptr_nonnull(hub_think_take(world.hub));
}
END_TEST

/* ---- not wanted any more */

static void expect_asked_again(void)
{
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    ck_assert_ptr_null(hub_think_take(world.hub));
    run(job);
    hand_back(job, 1);
    expect_move_after_pause();
    expect_move("answered", 1);
}

START_TEST(test_the_room_moves_on)
{
    struct think_job *job = hub_think_take(world.hub);
    lay_a_card(&match);
    expect_move("cancelled", 1);
    run(job);
    hand_back(job, 1);
    ck_assert(world_figure(&world, "think_running") == 0);
    expect_asked_again();
}
END_TEST

START_TEST(test_the_room_moves_on_while_it_waits)
{
    lay_a_card(&match);
    expect_move("cancelled", 1);
    expect_asked_again();
}
END_TEST

START_TEST(test_the_room_goes_back)
{
    world.answer = STORE_FAILED;
    json_t *ok = world_ok(&world, match.tab, "moves", "{s:s}", "room", match.room);
    (void)world_post(&world, match.tab, "move", "{s:s,s:O}", "room", match.room, "move",
                     json_array_get(json_object_get(ok, "moves"), 0));
    json_decref(ok);
    world_settle(&world);
    expect_move("cancelled", 1);
    ck_assert_ptr_null(hub_think_take(world.hub));
    world_pass(&world, 10 * WAIT_MS);
    world.answer = STORE_OK;
    struct think_job *job;
    while (!(job = hub_think_take(world.hub)))
        world_pass(&world, 100);
    world_forget(&world, match.tab);
    world_pass(&world, WAIT_MS - 100); /* it has all its time, although its pause is long over */
    ck_assert_int_eq(events(&match), 0);
    run(job);
    hand_back(job, 1);
    ck_assert_int_eq(events(&match), 1);
}
END_TEST

/* Another event of the room was due first: the answer was not late. */
START_TEST(test_a_flag_falls)
{
    struct match timed;
    begin();
    open_timed_match(&timed, true, CARDS_THINKING, 1);
    ck_assert_ptr_nonnull(hub_think_take(world.hub));
    world_pass(&world, 2000);
    expect_move("cancelled", 1);
    expect_move("late", 0);
    ck_assert(world_figure(&world, "events_total{kind=\"timed_out\"}") == 1);
    teardown();
}
END_TEST

START_TEST(test_the_match_ends)
{
    struct think_job *job = hub_think_take(world.hub);
    world_do(&world, match.tab, "resign", "{s:s}", "room", match.room);
    expect_move("cancelled", 1);
    ck_assert_ptr_null(hub_think_take(world.hub));
    hand_back(job, 1);
}
END_TEST

START_TEST(test_after_a_restart)
{
    world_restart(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    world_pass(&world, PAUSE_MS);
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    run(job);
    hand_back(job, 1);
    expect_move("answered", 1);
    ck_assert(world_figure(&world, "events_total{kind=\"move\"}") == 1);
}
END_TEST

/* ---- not asked */

static const struct {
    const char *what;
    unsigned workers;
    size_t memory_bytes;
    int64_t queue, per_address;
} refused_rows[] = {
    {"no worker", 0, MEMORY, 10, 10},
    {"too little memory", WORKERS, MEMORY - 1, 10, 10},
    {"no place", WORKERS, MEMORY, 0, 10},
    {"the queue is full", WORKERS, MEMORY, 1, 10},
    {"the address has enough", WORKERS, MEMORY, 10, 1},
};

START_TEST(test_not_asked)
{
    bool another = refused_rows[_i].queue == 1 || refused_rows[_i].per_address == 1;
    struct match other;
    world_init(&world);
    world.config.think_queue = refused_rows[_i].queue;
    world.config.think_per_address = refused_rows[_i].per_address;
    world_start(&world);
    hub_think_workers(world.hub, refused_rows[_i].workers, refused_rows[_i].memory_bytes);
    if (another)
        open_match(&other, true, CARDS_THINKING);
    open_match(&match, true, CARDS_THINKING);
    expect_move_after_pause();
    expect_move("refused", 1);
    ck_assert_int_eq(hub_think_take(world.hub) ? 1 : 0, another);
    teardown();
}
END_TEST

START_TEST(test_levels_that_do_not_think)
{
    begin();
    open_match(&match, true, 2);
    ck_assert_ptr_null(hub_think_take(world.hub));
    expect_move_after_pause();
    expect_move("refused", 0);
    teardown();
}
END_TEST

/* Who has asked for much gets its place back. */
START_TEST(test_an_address_may_ask_again)
{
    world_init(&world);
    world.config.think_per_address = 1;
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    open_match(&match, true, CARDS_THINKING);
    for (int i = 1; i <= 3; i++) {
        struct think_job *job = hub_think_take(world.hub);
        ck_assert_ptr_nonnull(job);
        run(job);
        hand_back(job, 1);
        expect_move("answered", i);
        world_pass(&world, PAUSE_MS);
        lay_a_card(&match);
    }
    teardown();
}
END_TEST

START_TEST(test_computers_alone)
{
    world_init(&world);
    world.config.think_alone_burst = 2;
    world.config.think_alone_per_min = 1;
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    open_match(&match, false, CARDS_THINKING);
    for (int i = 0; i < 2; i++) {
        struct think_job *job = hub_think_take(world.hub);
        ck_assert_ptr_nonnull(job);
        run(job);
        hand_back(job, 1);
        world_pass(&world, PAUSE_MS);
    }
    ck_assert_int_eq(events(&match), 2);
    ck_assert_ptr_null(hub_think_take(world.hub));
    expect_job("alone", "answered", 2);
    expect_job("alone", "refused", 1);
    world_pass(&world, PAUSE_MS);
    ck_assert_int_eq(events(&match), 1);
    teardown();
}
END_TEST

/* ---- much to do */

/* A job that took so long; another one follows, and is taken. */
static uint32_t simulations_after(int64_t elapsed_us)
{
    struct match others[2];
    struct think_job *job = hub_think_take(world.hub);
    run(job);
    hand_back(job, elapsed_us);
    open_match(&others[0], true, CARDS_THINKING);
    open_match(&others[1], true, CARDS_THINKING);
    double before = world_figure(&world, "think_simulations_total");
    job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    run(job);
    hand_back(job, 1);
    return (uint32_t)(world_figure(&world, "think_simulations_total") - before);
}

START_TEST(test_less_thorough_when_others_wait)
{
    ck_assert_uint_eq(simulations_after(8 * WAIT_MS * 1000 / 5), CARDS_SIMULATIONS);
}
END_TEST

START_TEST(test_much_less_thorough_when_others_wait_long)
{
    ck_assert_uint_eq(simulations_after(8 * WAIT_MS * 1000 / 2 + 8000), 50);
}
END_TEST

START_TEST(test_quick_when_it_would_be_late)
{
    struct match other;
    struct think_job *job = hub_think_take(world.hub);
    run(job);
    hand_back(job, INT64_C(1000) * WAIT_MS * 8 * WORKERS);
    open_match(&other, true, CARDS_THINKING);
    expect_move("refused", 0);
    open_match(&other, true, CARDS_THINKING);
    expect_move("refused", 1);
}
END_TEST

/* One that was stopped because it was late says that answers take long. */
START_TEST(test_time_of_a_late_one)
{
    struct match other;
    struct think_job *job = hub_think_take(world.hub);
    world_pass(&world, PAUSE_MS + WAIT_MS);
    expect_move("late", 1);
    hand_back(job, INT64_C(1000) * WAIT_MS * 8 * WORKERS);
    open_match(&other, true, CARDS_THINKING);
    open_match(&other, true, CARDS_THINKING);
    expect_move("refused", 1);
}
END_TEST

/* What has not been answered says nothing about how long an answer takes. */
START_TEST(test_time_without_an_answer)
{
    struct match other;
    hand_back(hub_think_take(world.hub), INT64_C(1000) * WAIT_MS * 8 * WORKERS);
    open_match(&other, true, CARDS_THINKING);
    open_match(&other, true, CARDS_THINKING);
    expect_move("refused", 0);
}
END_TEST

/* It holds at busy times too. */
START_TEST(test_bound_of_the_operator)
{
    world_init(&world);
    world.config.think_simulations = 7;
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    open_match(&match, true, CARDS_THINKING);
    ck_assert_uint_eq(simulations_after(8 * WAIT_MS * 1000 / 2 + 8000), 7);
    ck_assert(world_figure(&world, "think_simulations_total") == 14);
    teardown();
}
END_TEST

START_TEST(test_as_many_out_as_workers)
{
    struct match others[2];
    open_match(&others[0], true, CARDS_THINKING);
    open_match(&others[1], true, CARDS_THINKING);
    struct think_job *jobs[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        jobs[i] = hub_think_take(world.hub);
        ck_assert_ptr_nonnull(jobs[i]);
    }
    ck_assert_ptr_null(hub_think_take(world.hub));
    ck_assert(world_figure(&world, "think_waiting{kind=\"move\"}") == 1);
    ck_assert(world_figure(&world, "think_running") == WORKERS);
    hand_back(jobs[1], 1);
    ck_assert_ptr_nonnull(hub_think_take(world.hub));
    ck_assert_ptr_null(hub_think_take(world.hub));
}
END_TEST

Suite *think_suite(void)
{
    Suite *suite = suite_create("thinking");
    TCase *tcase = tcase_create("a match");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_asked_at_once_and_played_after_the_pause);
    tcase_add_test(tcase, test_answer_after_the_pause);
    tcase_add_test(tcase, test_the_answer_is_what_is_played);
    tcase_add_test(tcase, test_late);
    tcase_add_test(tcase, test_late_in_the_queue);
    tcase_add_test(tcase, test_worker_has_no_memory);
    tcase_add_test(tcase, test_worker_has_less_memory);
    tcase_add_test(tcase, test_worker_is_gone);
    tcase_add_test(tcase, test_stopped_from_outside);
    tcase_add_test(tcase, test_never_back);
    tcase_add_test(tcase, test_the_room_moves_on);
    tcase_add_test(tcase, test_the_room_moves_on_while_it_waits);
    tcase_add_test(tcase, test_the_room_goes_back);
    tcase_add_test(tcase, test_the_match_ends);
    tcase_add_test(tcase, test_after_a_restart);
    tcase_add_test(tcase, test_less_thorough_when_others_wait);
    tcase_add_test(tcase, test_much_less_thorough_when_others_wait_long);
    tcase_add_test(tcase, test_quick_when_it_would_be_late);
    tcase_add_test(tcase, test_time_of_a_late_one);
    tcase_add_test(tcase, test_time_without_an_answer);
    tcase_add_test(tcase, test_as_many_out_as_workers);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("others");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, test_not_asked, 0, sizeof refused_rows / sizeof *refused_rows);
    tcase_add_test(tcase, test_levels_that_do_not_think);
    tcase_add_test(tcase, test_an_address_may_ask_again);
    tcase_add_test(tcase, test_computers_alone);
    tcase_add_test(tcase, test_a_flag_falls);
    tcase_add_test(tcase, test_bound_of_the_operator);
    suite_add_tcase(suite, tcase);
    return suite;
}
