/* The operation `analysis`: made once for all who ask, kept, bounded, and only of what is over. */
#include "suites.h"
#include "world.h"
#include <cards.h>
#include <hub/think.h>
#include <string.h>

enum { WORKERS = 2, MEMORY = CARDS_THINKING_BYTES };

static struct world world;
static struct table table;
static _Alignas(max_align_t) unsigned char memory[MEMORY];
static int ana, bo, zoe;

static void start(void)
{
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    zoe = world_guest(&world, "Zoe");
}

/* Another match, of which Ana and Bo have the seats, with a move of each, and then it is over. */
static void play_one(const char *access)
{
    world_table(&world, &table, 2, "{s:s,s:s,s:{s:i}}", "game", "cards", "access", access,
                "options", "players", 2);
    world_begin(&world, &table);
    ana = table.tabs[0];
    bo = table.tabs[1];
    ck_assert_int_ge(world_move(&world, &table), 0);
    ck_assert_int_ge(world_move(&world, &table), 0);
    world_do(&world, bo, "resign", "{s:s}", "room", table.room);
}

static void setup(void)
{
    world_init(&world);
    start();
    play_one("open");
}

static void teardown(void)
{
    world_release(&world);
}

/* A world of its own for a test that sets limits, to be started then. */
static void begin_anew(void)
{
    world_release(&world);
    world_init(&world);
}

static int64_t ask(int tab)
{
    int64_t id = world_post(&world, tab, "analysis", "{s:s}", "room", table.room);
    world_settle(&world);
    return id;
}

static void refused(int tab, const char *code)
{
    world_refused(&world, tab, code, "analysis", "{s:s}", "room", table.room);
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

static void expect_no_job(void)
{
    ck_assert_ptr_null(hub_think_take(world.hub));
}

/* The whole reply, which must be an analysis of the room. */
static json_t *analysis_of(int tab, int64_t id)
{
    json_t *reply = world_reply(&world, tab, id);
    const json_t *ok = json_object_get(reply, "ok");
    ck_assert_str_eq(str(ok, "room"), table.room);
    ck_assert_str_eq(str(json_object_get(ok, "analysis"), "game"), "cards");
    json_object_del(reply, "id");
    return reply;
}

/* Somebody asks, and a worker answers. */
static void make(int tab)
{
    int64_t id = ask(tab);
    hand_back(take_job(), true);
    json_decref(analysis_of(tab, id));
}

START_TEST(test_answer)
{
    int64_t id = ask(ana);
    ck_assert_ptr_null(world_reply(&world, ana, id));
    hand_back(take_job(), true);
    json_t *reply = analysis_of(ana, id);
    const json_t *analysis = json_object_get(json_object_get(reply, "ok"), "analysis");
    ck_assert_int_eq(num(analysis, "played"), 3); /* two moves, and Bo has resigned */
    ck_assert_int_eq(num(analysis, "seat"), 1);
    ck_assert_str_eq(str(analysis, "last"), "");
    json_decref(reply);
}
END_TEST

/* All who ask meanwhile get the same, and who asks later gets it at once. */
START_TEST(test_made_once)
{
    int64_t ids[3] = {ask(ana), ask(bo), ask(bo)};
    struct think_job *job = take_job();
    expect_no_job();
    int64_t late = ask(zoe);
    hand_back(job, true);
    json_t *first = analysis_of(ana, ids[0]);
    json_t *others[] = {analysis_of(bo, ids[1]), analysis_of(bo, ids[2]), analysis_of(zoe, late),
                        NULL};
    others[3] = analysis_of(zoe, ask(zoe));
    expect_no_job();
    for (int i = 0; i < 4; i++) {
        ck_assert(json_equal(first, others[i]));
        json_decref(others[i]);
    }
    json_decref(first);
}
END_TEST

START_TEST(test_refusals)
{
    world_refused(&world, ana, "unknown_room", "analysis", "{s:s}", "room", "00000000");
    world_table(&world, &table, 2, "{s:s,s:{s:i}}", "game", "cards", "options", "players", 2);
    refused(table.tabs[0], "not_over");
    world_begin(&world, &table);
    refused(table.tabs[0], "not_over");
    refused(zoe, "not_over");
    world_table(&world, &table, 2, "{s:s}", "game", "totem");
    refused(table.tabs[0], "no_analysis");
    expect_no_job();
}
END_TEST

START_TEST(test_only_who_may_see_the_record)
{
    play_one("code");
    refused(zoe, "code_needed");
    expect_no_job();
    make(ana);
    refused(zoe, "code_needed");
    world_do(&world, zoe, "watch", "{s:s,s:s}", "room", table.room, "code", table.code);
    json_decref(analysis_of(zoe, ask(zoe)));
}
END_TEST

/* The games whose matches this server says that it analyses, one word after the other. */
static void expect_offered(const char *expected)
{
    char names[64] = "";
    int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", ""), *name;
    size_t i;
    ck_assert(json_is_array(json_object_get(ok, "analyses")));
    json_array_foreach(json_object_get(ok, "analyses"), i, name)
    {
        strncat(names, " ", sizeof names - strlen(names) - 1);
        strncat(names, json_string_value(name), sizeof names - strlen(names) - 1);
    }
    ck_assert_str_eq(names, expected);
    json_decref(ok);
}

static const struct {
    unsigned workers;
    size_t memory_bytes;
} none_rows[] = {{0, MEMORY}, {1, MEMORY - 1}, {0, 0}};

START_TEST(test_server_without_workers)
{
    hub_think_workers(world.hub, none_rows[_i].workers, none_rows[_i].memory_bytes);
    refused(ana, "no_analysis");
    expect_offered("");
}
END_TEST

/* Cards need little memory for it, Taluva more, and Totem has nobody who looks back. */
START_TEST(test_offered)
{
    expect_offered(" cards");
    hub_think_workers(world.hub, WORKERS, 1 << 30);
    expect_offered(" taluva cards");
}
END_TEST

/* What is kept depends on nothing that can be taken back. */
START_TEST(test_end_that_is_not_stored_yet)
{
    world_table(&world, &table, 2, "{s:s,s:{s:i}}", "game", "cards", "options", "players", 2);
    world_begin(&world, &table);
    world.held = true;
    int64_t resigned = world_post(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_settle(&world);
    refused(table.tabs[1], "busy");
    world_commit(&world, STORE_OK);
    world.held = false;
    world_granted(&world, table.tabs[0], resigned);
    make(table.tabs[1]);
}
END_TEST

/* The room is in the store alone: it is fetched for it, and may leave the memory meanwhile. */
START_TEST(test_archived)
{
    for (int i = 0; i < 2; i++)
        world_do(&world, i ? bo : ana, "leave", "{s:s}", "room", table.room);
    world_pass(&world, world.config.over_idle_ms + 1000);
    int tab = world_back(&world, ana);
    int64_t id = ask(tab);
    hand_back(take_job(), true);
    json_decref(analysis_of(tab, id));
    world_restart(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
    tab = world_guest(&world, "Eva");
    id = ask(tab);
    hand_back(take_job(), true);
    json_decref(analysis_of(tab, id));
}
END_TEST

/* Waiting, or out already: with the last who waits the job goes. */
START_TEST(test_askers_gone)
{
    (void)ask(ana);
    int64_t id = ask(bo);
    struct think_job *job = _i ? take_job() : NULL;
    world_cut(&world, ana);
    world_settle(&world);
    if (!job)
        job = take_job();
    hand_back(job, true);
    json_decref(analysis_of(bo, id));
}
END_TEST

/* Whoever of those who wait goes, somebody who asks then waits with the others. */
START_TEST(test_one_asker_of_two_gone)
{
    int tabs[2] = {ana, bo};
    int64_t ids[2] = {ask(ana), ask(bo)};
    world_cut(&world, tabs[_i]);
    world_settle(&world);
    int64_t late = ask(zoe);
    hand_back(take_job(), true);
    expect_no_job();
    json_decref(analysis_of(tabs[1 - _i], ids[1 - _i]));
    json_decref(analysis_of(zoe, late));
}
END_TEST

/* Of three analyses that are waited for, whichever is given up, the others are made. */
START_TEST(test_one_of_three_given_up)
{
    struct table tables[3];
    int64_t ids[3];
    hub_think_workers(world.hub, 3, MEMORY);
    for (int i = 0; i < 3; i++) {
        play_one("open");
        tables[i] = table;
        ids[i] = ask(ana);
    }
    world_cut(&world, tables[_i].tabs[0]);
    world_settle(&world);
    for (int i = 0; i < 2; i++)
        hand_back(take_job(), true);
    expect_no_job();
    for (int i = 0; i < 3; i++) {
        table = tables[i];
        if (i != _i)
            json_decref(analysis_of(tables[i].tabs[0], ids[i]));
    }
    ck_assert(hub_deadline_ms(world.hub) > world.now_ms + world.config.analysis_wait_ms);
}
END_TEST

START_TEST(test_all_askers_gone)
{
    (void)ask(ana);
    (void)ask(ana);
    struct think_job *job = _i ? take_job() : NULL;
    world_cut(&world, ana);
    world_settle(&world);
    expect_no_job();
    int64_t id = ask(bo); /* and it is begun anew, beside the one that was given up */
    struct think_job *again = take_job();
    if (job)
        hand_back(job, true);
    hand_back(again, true);
    json_decref(analysis_of(bo, id));
}
END_TEST

/* One who waits is being disconnected: the others are told. */
START_TEST(test_asker_is_closing)
{
    (void)ask(ana);
    int64_t id = ask(bo);
    struct think_job *job = take_job();
    hub_think_run(job, memory, MEMORY);
    hub_reject(world.hub, world.tabs[ana].link.peer, 1008);
    hub_think_done(world.hub, job, 1, world.now_ms);
    world_settle(&world);
    json_decref(analysis_of(bo, id));
}
END_TEST

START_TEST(test_no_answer)
{
    int64_t ids[2] = {ask(ana), ask(bo)};
    hand_back(take_job(), false);
    world_denied(&world, ana, ids[0], "internal");
    world_denied(&world, bo, ids[1], "internal");
    make(ana);
}
END_TEST

/* A worker that is not heard of again. */
START_TEST(test_late)
{
    int64_t ids[2] = {ask(ana), ask(bo)};
    struct think_job *job = _i ? take_job() : NULL;
    world_pass(&world, world.config.analysis_wait_ms - 1);
    ck_assert_ptr_null(world_reply(&world, ana, ids[0]));
    world_pass(&world, 1);
    world_denied(&world, ana, ids[0], "busy");
    world_denied(&world, bo, ids[1], "busy");
    if (job)
        hand_back(job, true);
    make(ana);
}
END_TEST

START_TEST(test_queue_full)
{
    begin_anew();
    world.config.think_asks = 1;
    start();
    play_one("open");
    struct table first = table;
    int64_t id = ask(ana);
    play_one("open");
    refused(zoe, "busy");
    hand_back(take_job(), true);
    make(zoe);
    table = first;
    json_decref(analysis_of(first.tabs[0], id));
}
END_TEST

static int guest_from(unsigned host)
{
    world.host = host;
    return world_guest(&world, "Far");
}

/* Who has most waiting loses the latest, as whoever comes from elsewhere has a place. */
START_TEST(test_queue_full_of_others)
{
    begin_anew();
    world.config.think_asks = 3;
    start();
    struct table tables[4];
    int64_t ids[4];
    const int askers[4] = {zoe, zoe, guest_from(78), guest_from(79)};
    for (int i = 0; i < 4; i++) {
        play_one("open");
        tables[i] = table;
        ck_assert_ptr_null(i < 3 ? NULL : world_reply(&world, zoe, ids[1]));
        ids[i] = ask(askers[i]);
    }
    world_denied(&world, zoe, ids[1], "busy");
    for (int i = 0; i < 3; i++)
        hand_back(take_job(), true);
    for (int i = 0; i < 4; i++) {
        table = tables[i];
        if (i != 1)
            json_decref(analysis_of(askers[i], ids[i]));
    }
    expect_no_job();
    table = tables[1];
    make(zoe);
}
END_TEST

START_TEST(test_queue_full_of_one_address)
{
    begin_anew();
    world.config.think_per_address = 1;
    start();
    play_one("open");
    (void)ask(zoe);
    play_one("open");
    refused(zoe, "busy");
    int far = world_connect_from(&world, 77);
    json_decref(world_ok(&world, far, "hello", "{s:s}", "name", "Far"));
    int64_t id = ask(far);
    for (int i = 0; i < 2; i++)
        hand_back(take_job(), true);
    json_decref(analysis_of(far, id));
    play_one("open");
    make(zoe);
}
END_TEST

START_TEST(test_too_many_wait_for_one)
{
    begin_anew();
    world.config.askers_per_analysis = 2;
    start();
    play_one("open");
    int64_t ids[2] = {ask(ana), ask(bo)};
    refused(zoe, "busy");
    hand_back(take_job(), true);
    json_decref(analysis_of(ana, ids[0]));
    json_decref(analysis_of(bo, ids[1]));
}
END_TEST

/* Those that are kept are bounded: the ones that nobody asks for go first. */
START_TEST(test_what_is_kept)
{
    struct table tables[3];
    make(zoe);
    double bytes = world_figure(&world, "analysis_bytes");
    ck_assert(bytes > 0);
    begin_anew();
    world.config.analysis_bytes = (int64_t)(2 * bytes);
    start();
    for (int i = 0; i < 3; i++) {
        play_one("open");
        tables[i] = table;
        make(zoe);
        table = tables[0];
        json_decref(analysis_of(zoe, ask(zoe)));
    }
    ck_assert(world_figure(&world, "analysis_bytes") <= (double)world.config.analysis_bytes);
    for (int i = 0; i < 3; i += 2) {
        table = tables[i];
        json_decref(analysis_of(zoe, ask(zoe)));
    }
    table = tables[1];
    make(zoe);
}
END_TEST

START_TEST(test_nothing_is_kept)
{
    begin_anew();
    world.config.analysis_bytes = 0;
    start();
    play_one("open");
    make(zoe);
    ck_assert(world_figure(&world, "analysis_bytes") == 0);
    make(zoe);
}
END_TEST

/* One address asks for match after match; what is made already is not counted. */
START_TEST(test_rate_of_an_address)
{
    begin_anew();
    world.config.analyses_per_address_burst = 2;
    world.config.analyses_per_address_per_min = 1;
    start();
    for (int i = 0; i < 2; i++) {
        play_one("open");
        make(zoe);
    }
    struct table before = table;
    play_one("open");
    refused(zoe, "slow_down");
    ck_assert(world.retry_ms > 59000 && world.retry_ms <= 60000); /* the matches took a moment */
    int far = world_connect_from(&world, 77);
    json_decref(world_ok(&world, far, "hello", "{s:s}", "name", "Far"));
    make(far);
    table = before;
    json_decref(analysis_of(zoe, ask(zoe)));
    play_one("open");
    world_pass(&world, 60000);
    make(zoe);
}
END_TEST

/* The hub ends with one that waits, one that is out and one that is kept. */
START_TEST(test_end_of_the_hub)
{
    make(zoe);
    play_one("open");
    (void)ask(ana);
    (void)take_job();
    play_one("open");
    (void)ask(ana);
}
END_TEST

Suite *analysis_suite(void)
{
    Suite *suite = suite_create("analysis");
    TCase *tcase = tcase_create("analysis");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_answer);
    tcase_add_test(tcase, test_made_once);
    tcase_add_test(tcase, test_refusals);
    tcase_add_test(tcase, test_only_who_may_see_the_record);
    tcase_add_test(tcase, test_offered);
    tcase_add_loop_test(tcase, test_server_without_workers, 0, 3);
    tcase_add_test(tcase, test_end_that_is_not_stored_yet);
    tcase_add_test(tcase, test_archived);
    tcase_add_loop_test(tcase, test_askers_gone, 0, 2);
    tcase_add_loop_test(tcase, test_one_asker_of_two_gone, 0, 2);
    tcase_add_loop_test(tcase, test_one_of_three_given_up, 0, 3);
    tcase_add_loop_test(tcase, test_all_askers_gone, 0, 2);
    tcase_add_test(tcase, test_asker_is_closing);
    tcase_add_test(tcase, test_no_answer);
    tcase_add_loop_test(tcase, test_late, 0, 2);
    tcase_add_test(tcase, test_queue_full);
    tcase_add_test(tcase, test_queue_full_of_others);
    tcase_add_test(tcase, test_queue_full_of_one_address);
    tcase_add_test(tcase, test_too_many_wait_for_one);
    tcase_add_test(tcase, test_what_is_kept);
    tcase_add_test(tcase, test_nothing_is_kept);
    tcase_add_test(tcase, test_rate_of_an_address);
    tcase_add_test(tcase, test_end_of_the_hub);
    return suite;
}
