/* The operation `hint`: the answer, who is told of it, and what many of them cost. */
#include "suites.h"
#include "world.h"
#include <cards.h>
#include <hub/think.h>
#include <string.h>

static struct world world;
static struct table table;
static int mover, other;

static void setup(void)
{
    world_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

/* A match of two, and whose turn it is. */
static void begin(void)
{
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    int64_t id = world_post(&world, table.tabs[0], "moves", "{s:s}", "room", table.room);
    world_settle(&world);
    json_t *reply = world_reply(&world, table.tabs[0], id);
    int seat = json_object_get(reply, "ok") ? 0 : 1;
    json_decref(reply);
    mover = table.tabs[seat];
    other = table.tabs[1 - seat];
}

static json_t *take(int tab)
{
    return world_ok(&world, tab, "hint", "{s:s}", "room", table.room);
}

/* The next push of this kind of event; NULL: none. */
static json_t *event_of_kind(int tab, const char *kind)
{
    for (;;) {
        json_t *push = world_push(&world, tab, "event");
        if (!push || strcmp(str(json_object_get(push, "event"), "kind"), kind) == 0)
            return push;
        json_decref(push);
    }
}

static unsigned hinted_pushes(int tab)
{
    unsigned count = 0;
    for (json_t *push; (push = event_of_kind(tab, "hinted")); count++)
        json_decref(push);
    return count;
}

static void play(void)
{
    ck_assert_int_ge(world_move(&world, &table), 0);
}

START_TEST(test_answer)
{
    begin();
    json_t *ok = take(mover);
    const json_t *turns = json_object_get(ok, "turns");
    ck_assert_str_eq(str(ok, "room"), table.room);
    ck_assert(json_array_size(turns) >= 1 && json_array_size(turns) <= 3);
    json_t *push = event_of_kind(mover, "hinted");
    ck_assert_int_eq(num(push, "seq"), num(ok, "seq"));
    json_decref(push);
    const json_t *moves = json_object_get(json_array_get(turns, 0), "moves");
    for (size_t i = 0; i < json_array_size(moves); i++)
        world_do(&world, mover, "move", "{s:s,s:s}", "room", table.room, "move",
                 json_string_value(json_array_get(moves, i)));
    json_decref(ok);
}
END_TEST

START_TEST(test_all_are_told)
{
    begin();
    int watcher = world_guest(&world, "Zoe");
    world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    json_decref(take(mover));
    ck_assert_uint_eq(hinted_pushes(mover), 1);
    ck_assert_uint_eq(hinted_pushes(other), 1);
    ck_assert_uint_eq(hinted_pushes(watcher), 1);
}
END_TEST

START_TEST(test_refusals)
{
    begin();
    int watcher = world_guest(&world, "Zoe");
    world_refused(&world, other, "not_your_turn", "hint", "{s:s}", "room", table.room);
    world_refused(&world, watcher, "not_seated", "hint", "{s:s}", "room", table.room);
    world_refused(&world, watcher, "unknown_room", "hint", "{s:s}", "room", "00000000");
    ck_assert_uint_eq(hinted_pushes(mover), 0);
}
END_TEST

START_TEST(test_room_without_hints)
{
    world_table(&world, &table, 2, "{s:s}", "game", "totem");
    world_refused(&world, table.tabs[0], "no_hints", "hint", "{s:s}", "room", table.room);
}
END_TEST

/* Asked again in the same position: the same, and nobody is told a second time. */
START_TEST(test_again)
{
    begin();
    json_t *first = take(mover), *second = take(mover);
    ck_assert(json_equal(first, second));
    ck_assert_uint_eq(hinted_pushes(other), 1);
    json_decref(first);
    json_decref(second);
    play();
    play();
    ck_assert_uint_eq(hinted_pushes(other), 0);
}
END_TEST

START_TEST(test_repeat)
{
    begin();
    json_t *replies[2];
    for (int i = 0; i < 2; i++) {
        world_post_id(&world, mover, 777, "hint", "{s:s}", "room", table.room);
        world_settle(&world);
        replies[i] = world_reply(&world, mover, 777);
        mover = world_back(&world, mover);
    }
    ck_assert(json_object_get(replies[0], "ok"));
    ck_assert(json_equal(replies[0], replies[1]));
    json_decref(replies[0]);
    json_decref(replies[1]);
}
END_TEST

START_TEST(test_repeat_of_another_position)
{
    begin();
    world_post_id(&world, mover, 777, "hint", "{s:s}", "room", table.room);
    world_settle(&world);
    world_granted(&world, mover, 777);
    play();
    world_post_id(&world, mover, 777, "hint", "{s:s}", "room", table.room);
    world_settle(&world);
    world_denied(&world, mover, 777, "moved_on");
}
END_TEST

/* Nobody sees turns whose event the store then refuses. */
START_TEST(test_waits_for_the_store)
{
    begin();
    world.held = true;
    int64_t id = world_post(&world, mover, "hint", "{s:s}", "room", table.room);
    world_settle(&world);
    ck_assert_ptr_null(world_reply(&world, mover, id));
    world_commit(&world, STORE_FAILED);
    world_denied(&world, mover, id, "store_failing");
    ck_assert_uint_eq(hinted_pushes(other), 0);
}
END_TEST

START_TEST(test_rate_of_a_session)
{
    world.config.hints_burst = 4;
    world.config.hints_per_min = 2;
    world_start(&world);
    begin();
    for (int i = 0; i < 4; i++)
        json_decref(take(mover));
    world_refused(&world, mover, "slow_down", "hint", "{s:s}", "room", table.room);
    ck_assert_int_eq(world.retry_ms, 30000);
    world_refused(&world, other, "not_your_turn", "hint", "{s:s}", "room", table.room);
    world_pass(&world, 30000);
    json_decref(take(mover));
    world_refused(&world, mover, "slow_down", "hint", "{s:s}", "room", table.room);
}
END_TEST

/* Many sessions of one address have one rate together, those of others their own. */
START_TEST(test_rate_of_an_address)
{
    world.config.hints_per_address_burst = 3;
    world.config.hints_per_address_per_min = 1;
    world_start(&world);
    for (int i = 0; i < 3; i++) {
        begin();
        json_decref(take(mover));
    }
    begin();
    world_refused(&world, mover, "slow_down", "hint", "{s:s}", "room", table.room);
    ck_assert_int_eq(world.retry_ms, 60000);
    ck_assert_uint_eq(hinted_pushes(other), 0);
    int far = world_connect_from(&world, 77);
    json_decref(world_ok(&world, far, "hello", "{s:s}", "token", world.tabs[mover].token));
    json_decref(take(far));
}
END_TEST

/* ---- by worker threads */

enum { WORKERS = 2, MEMORY = CARDS_THINKING_BYTES };
static _Alignas(max_align_t) unsigned char memory[MEMORY];
static int ana, bo;
/* A match of cards, whose hints take memory and time; both may act. */
static void begin_cards(void)
{
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    world_table(&world, &table, 2, "{s:s,s:{s:i}}", "game", "cards", "options", "players", 2);
    world_begin(&world, &table);
    ana = table.tabs[0];
    bo = table.tabs[1];
    world_forget(&world, ana);
    world_forget(&world, bo);
}

static int64_t ask(int tab)
{
    int64_t id = world_post(&world, tab, "hint", "{s:s}", "room", table.room);
    world_settle(&world);
    return id;
}

static void hand_back(struct think_job *job, bool with_memory)
{
    hub_think_run(job, with_memory ? memory : NULL, with_memory ? MEMORY : 0);
    hub_think_done(world.hub, job, 1, world.now_ms);
    world_settle(&world);
}

static struct think_job *take_job(void)
{
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    return job;
}

static void expect_jobs(const char *outcome, int count)
{
    char line[96];
    (void)snprintf(line, sizeof line, "think_jobs_total{kind=\"hint\",outcome=\"%s\"}", outcome);
    ck_assert_msg(world_figure(&world, line) == count, "%s: %g", line, world_figure(&world, line));
}

START_TEST(test_job)
{
    begin_cards();
    int64_t id = ask(ana);
    ck_assert_uint_eq(hinted_pushes(bo), 1); /* told before it is there */
    ck_assert_ptr_null(world_reply(&world, ana, id));
    struct think_job *job = take_job();
    ck_assert_ptr_null(hub_think_take(world.hub));
    hand_back(job, true);
    json_t *reply = world_reply(&world, ana, id);
    ck_assert(json_array_size(json_object_get(json_object_get(reply, "ok"), "turns")) == 3);
    json_decref(reply);
    expect_jobs("answered", 1);
}
END_TEST

START_TEST(test_job_of_an_earlier_position)
{
    begin_cards();
    int64_t id = ask(ana);
    struct think_job *job = _i ? take_job() : NULL;
    ck_assert_int_ge(world_move(&world, &table), 0);
    if (!job)
        job = take_job();
    hand_back(job, true);
    world_denied(&world, ana, id, "moved_on");
    expect_jobs("answered", 0); /* it was told to stop */
}
END_TEST

START_TEST(test_job_and_a_failing_store)
{
    begin_cards();
    world.held = true;
    int64_t id = ask(ana);
    struct think_job *job = take_job();
    world_commit(&world, STORE_FAILED);
    hand_back(job, true);
    world_denied(&world, ana, id, "moved_on");
    ck_assert_uint_eq(hinted_pushes(bo), 0);
}
END_TEST

/* The answer is there before its event is durable: it waits for that. */
START_TEST(test_answer_behind_its_event)
{
    begin_cards();
    world.held = true;
    int64_t id = ask(ana);
    hand_back(take_job(), true);
    ck_assert_ptr_null(world_reply(&world, ana, id));
    if (_i) {
        world_commit(&world, STORE_FAILED);
        world_denied(&world, ana, id, "store_failing");
    } else {
        world_commit(&world, STORE_OK);
        world_granted(&world, ana, id);
    }
}
END_TEST

START_TEST(test_asker_gone)
{
    begin_cards();
    (void)ask(ana);
    struct think_job *job = _i ? take_job() : NULL;
    world_cut(&world, ana);
    world_settle(&world);
    expect_jobs("cancelled", 1);
    ck_assert_ptr_null(hub_think_take(world.hub));
    if (job)
        hand_back(job, true);
    expect_jobs("answered", 0);
}
END_TEST

/* Of three who wait, whichever goes, the others get theirs. */
START_TEST(test_one_of_three_gone)
{
    begin_cards();
    int eve = world_back(&world, bo); /* the same seat once more */
    int tabs[3] = {ana, bo, eve};
    int64_t ids[3] = {ask(ana), ask(bo), ask(eve)};
    hub_think_workers(world.hub, 3, MEMORY);
    struct think_job *jobs[3] = {NULL};
    for (int i = 0; i < 3 && _i < 3; i++)
        jobs[i] = take_job();
    world_cut(&world, tabs[_i % 3]);
    world_settle(&world);
    expect_jobs("cancelled", 1);
    for (int i = 0; i < 3; i++) {
        if (jobs[i] || i < 2)
            hand_back(jobs[i] ? jobs[i] : take_job(), true);
    }
    for (int i = 0; i < 3; i++) {
        if (i != _i % 3)
            world_granted(&world, tabs[i], ids[i]);
    }
    expect_jobs("answered", 2);
    ck_assert(hub_deadline_ms(world.hub) > world.now_ms + world.config.hint_wait_ms);
}
END_TEST

/* A move in one room leaves the hints of another alone. */
START_TEST(test_another_room)
{
    begin_cards();
    struct table first = table;
    int64_t id = ask(ana);
    world_table(&world, &table, 2, "{s:s,s:{s:i}}", "game", "cards", "options", "players", 2);
    world_begin(&world, &table);
    int64_t other_id = ask(table.tabs[0]);
    ck_assert_int_ge(world_move(&world, &table), 0);
    for (int i = 0; i < 2; i++)
        hand_back(take_job(), true);
    world_granted(&world, first.tabs[0], id);
    world_denied(&world, table.tabs[0], other_id, "moved_on");
}
END_TEST

/* One address has half of the places; and nobody is told of a hint that nobody gets. */
START_TEST(test_half_of_the_queue)
{
    world.config.think_asks = 2;
    begin_cards();
    int64_t id = ask(ana);
    world_refused(&world, bo, "busy", "hint", "{s:s}", "room", table.room);
    ck_assert_uint_eq(hinted_pushes(bo), 1);
    hand_back(take_job(), true);
    world_granted(&world, ana, id);
    id = ask(bo);
    hand_back(take_job(), true);
    world_granted(&world, bo, id);
}
END_TEST

START_TEST(test_queue_full_of_one_address)
{
    world.config.think_per_address = 1;
    begin_cards();
    int64_t id = ask(ana);
    world_refused(&world, bo, "busy", "hint", "{s:s}", "room", table.room);
    int far = world_connect_from(&world, 77);
    json_decref(world_ok(&world, far, "hello", "{s:s}", "token", world.tabs[bo].token));
    int64_t far_id = ask(far);
    for (int i = 0; i < 2; i++)
        hand_back(take_job(), true);
    world_granted(&world, ana, id);
    world_granted(&world, far, far_id);
}
END_TEST

/* Asked again, it is told what a worker finds: never less, because one had no memory once. */
START_TEST(test_no_answer)
{
    begin_cards();
    int64_t id = ask(ana);
    hand_back(take_job(), false);
    world_denied(&world, ana, id, "internal");
    expect_jobs("failed", 1);
    id = ask(ana);
    struct think_job *job = take_job();
    hub_think_run(job, memory, MEMORY - 1);
    hub_think_done(world.hub, job, 1, world.now_ms);
    world_settle(&world);
    world_denied(&world, ana, id, "internal");
    expect_jobs("failed", 2);
    id = ask(ana);
    hand_back(take_job(), true);
    world_granted(&world, ana, id);
    ck_assert_uint_eq(hinted_pushes(bo), 1);
}
END_TEST

/* Without a worker that can make hints, all of them are what can be seen at once. */
START_TEST(test_no_worker_for_it)
{
    begin_cards();
    hub_think_workers(world.hub, WORKERS, MEMORY - 1);
    int64_t id = ask(bo);
    ck_assert_ptr_null(hub_think_take(world.hub));
    world_granted(&world, bo, id);
}
END_TEST

START_TEST(test_failing_store)
{
    begin_cards();
    world.answer = STORE_FAILED;
    int64_t id = world_post(&world, bo, "offer", "{s:s,s:s}", "room", table.room, "what", "pause");
    world_settle(&world);
    world_denied(&world, bo, id, "store_failing");
    world_refused(&world, ana, "store_failing", "hint", "{s:s}", "room", table.room);
    ck_assert_ptr_null(hub_think_take(world.hub));
}
END_TEST

/* The move that it is too late for may yet be refused by the store: the match did not go on then.
 */
START_TEST(test_too_late_waits_for_the_store)
{
    begin_cards();
    int64_t id = ask(ana);
    world.held = true;
    json_t *moves = world_ok(&world, ana, "moves", "{s:s}", "room", table.room);
    int64_t move = world_post(&world, ana, "move", "{s:s,s:O}", "room", table.room, "move",
                              json_array_get(json_object_get(moves, "moves"), 0));
    json_decref(moves);
    world_settle(&world);
    if (_i < 2)
        hand_back(take_job(), true);
    ck_assert_ptr_null(world_reply(&world, ana, id));
    world_commit(&world, _i == 0 ? STORE_OK : STORE_FAILED);
    if (_i == 2)
        hand_back(take_job(), true);
    world_denied(&world, ana, id, _i == 0 ? "moved_on" : "busy");
    if (_i == 0)
        world_granted(&world, ana, move);
}
END_TEST

START_TEST(test_answer_while_another_change_fails)
{
    begin_cards();
    world_post_id(&world, ana, 777, "hint", "{s:s}", "room", table.room);
    world_settle(&world);
    world.held = true;
    if (_i)
        hand_back(take_job(), true);
    world_forget(&world, ana);
    world_post(&world, bo, "offer", "{s:s,s:s}", "room", table.room, "what", "pause");
    if (_i)
        world_post_id(&world, ana, 777, "hint", "{s:s}", "room", table.room);
    world_settle(&world);
    hand_back(take_job(), true);
    world_commit(&world, STORE_FAILED);
    json_t *push = event_of_kind(bo, "hinted"), *reply = world_reply(&world, ana, 777);
    ck_assert_int_eq(num(push, "seq"), num(json_object_get(reply, "ok"), "seq"));
    json_decref(push);
    json_decref(reply);
}
END_TEST

/* The match is over, and the room has left the memory. */
START_TEST(test_room_gone)
{
    world.config.over_idle_ms = 1000;
    world.config.hint_wait_ms = 600000;
    begin_cards();
    int64_t id = ask(ana);
    struct think_job *job = take_job();
    world_do(&world, bo, "resign", "{s:s}", "room", table.room);
    world_do(&world, bo, "leave", "{s:s}", "room", table.room);
    world_do(&world, ana, "leave", "{s:s}", "room", table.room);
    world_pass(&world, 5000);
    ck_assert(world_figure(&world, "rooms") == 0);
    hand_back(job, true);
    world_denied(&world, ana, id, "moved_on");
}
END_TEST

/* A game whose hints need no memory: they are there at once, whatever the workers do. */
START_TEST(test_game_with_quick_hints)
{
    static struct game_computer computer;
    static struct game_type game;
    static const struct game_type *const games[] = {&game, NULL};
    computer = *cards_game.computer;
    computer.hint_bytes = 0;
    game = cards_game;
    game.computer = &computer;
    world.env.games = games;
    begin_cards();
    json_decref(world_ok(&world, ana, "hint", "{s:s}", "room", table.room));
    ck_assert_ptr_null(hub_think_take(world.hub));
}
END_TEST

/* A worker that is not heard of again: who waits is told to ask again, in time. */
START_TEST(test_late)
{
    world.config.hint_wait_ms = 5000;
    begin_cards();
    int64_t id = ask(ana);
    struct think_job *job = take_job();
    world_pass(&world, 4999);
    ck_assert_ptr_null(world_reply(&world, ana, id));
    int64_t later = ask(bo);
    world_pass(&world, 1);
    world_denied(&world, ana, id, "busy");
    ck_assert_ptr_null(world_reply(&world, bo, later));
    expect_jobs("late", 1);
    hand_back(job, true);
    world_pass(&world, 4999);
    world_denied(&world, bo, later, "busy"); /* it was never begun */
    expect_jobs("late", 2);
    ck_assert_ptr_null(hub_think_take(world.hub));
}
END_TEST

/* The hub ends with a job that waits and one that is out. */
START_TEST(test_end_of_the_hub)
{
    begin_cards();
    (void)ask(ana);
    (void)take_job();
    (void)ask(bo);
}
END_TEST

Suite *hint_suite(void)
{
    Suite *suite = suite_create("hint");
    TCase *tcase = tcase_create("hint");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_answer);
    tcase_add_test(tcase, test_all_are_told);
    tcase_add_test(tcase, test_refusals);
    tcase_add_test(tcase, test_room_without_hints);
    tcase_add_test(tcase, test_again);
    tcase_add_test(tcase, test_repeat);
    tcase_add_test(tcase, test_repeat_of_another_position);
    tcase_add_test(tcase, test_waits_for_the_store);
    tcase_add_test(tcase, test_rate_of_a_session);
    tcase_add_test(tcase, test_rate_of_an_address);
    tcase_add_test(tcase, test_job);
    tcase_add_loop_test(tcase, test_job_of_an_earlier_position, 0, 2);
    tcase_add_test(tcase, test_job_and_a_failing_store);
    tcase_add_loop_test(tcase, test_answer_behind_its_event, 0, 2);
    tcase_add_loop_test(tcase, test_asker_gone, 0, 2);
    tcase_add_loop_test(tcase, test_one_of_three_gone, 0, 6);
    tcase_add_test(tcase, test_another_room);
    tcase_add_test(tcase, test_half_of_the_queue);
    tcase_add_test(tcase, test_queue_full_of_one_address);
    tcase_add_test(tcase, test_no_answer);
    tcase_add_test(tcase, test_no_worker_for_it);
    tcase_add_test(tcase, test_failing_store);
    tcase_add_loop_test(tcase, test_too_late_waits_for_the_store, 0, 3);
    tcase_add_loop_test(tcase, test_answer_while_another_change_fails, 0, 2);
    tcase_add_test(tcase, test_room_gone);
    tcase_add_test(tcase, test_game_with_quick_hints);
    tcase_add_test(tcase, test_late);
    tcase_add_test(tcase, test_end_of_the_hub);
    return suite;
}
