/* Who lets others wait: the rule, and what becomes of it at home. */
#include "book/desk.h"
#include "seek_stage.h"
#include "site.h"
#include "suites.h"
#include "waiting/conduct.h"
#include <hub/kernel.h>
#include <room/result.h>
#include <string.h>

/* ---- the rule */

static const struct {
    const char *outcomes; /* the last one is the one that is added */
    bool pauses;
} cases[] = {
    {"n", false},
    {"nnnnn", false},
    {"nnnnnn", true},
    {"lll", false},
    {"llll", true},
    {"nnnggn", false},
    {"nnngnnn", true},
    {"llllg", false},
    {"lglglgl", true},
    {"taga", false},
    {"tttgggggggt", false},
    {"tttggggggt", true},
    {"ngngngngn", false}, /* every second one: five are not grave enough */
    {"ngngngngngn", true},
    {"nanaggggggggggn", false},
    {"nananggggggggga", true},
    {"nananggggggggggg", false},
    {"nananggggggggggn", false}, /* six of sixteen */
    {"cc", false},               /* all others have agreed to it */
    {"ccccccc", false},
    {"cccccccc", true},
    {"cclll", false}, /* the first two weigh nothing, wherever they are */
    {"cclllc", false},
    {"ccllllc", true},
    {"gcgcgcgcgcgcgcgc", false},
};

START_TEST(whoever_lets_others_wait_too_often)
{
    struct conduct_row row = {.session = 1};
    const size_t len = strlen(cases[_i].outcomes);
    bool pauses = false;
    for (size_t at = 0; at < len; at++)
        pauses = conduct_add(&row, (enum conduct_outcome)cases[_i].outcomes[at], 1000000);
    ck_assert_msg(pauses == cases[_i].pauses, "%s", cases[_i].outcomes);
    ck_assert_str_eq(row.outcomes, cases[_i].outcomes);
}
END_TEST

START_TEST(the_last_thirty_count)
{
    struct conduct_row row = {.session = 1};
    for (int at = 0; at < 3; at++)
        ck_assert(!conduct_add(&row, CONDUCT_LEFT, 1000));
    for (int at = 0; at < CONDUCT_OUTCOMES; at++)
        ck_assert(!conduct_add(&row, CONDUCT_GOOD, 1000));
    ck_assert_uint_eq(strlen(row.outcomes), CONDUCT_OUTCOMES);
    ck_assert_ptr_null(strchr(row.outcomes, CONDUCT_LEFT));
}
END_TEST

/* Who plays on and on, and spoils every so many tables: not to come weighs less than to leave, and
 * spoils as many. */
static const struct {
    enum conduct_outcome bad;
    unsigned each;
    bool pauses;
} habits[] = {
    {CONDUCT_LAPSED, 1, true},     {CONDUCT_LAPSED, 2, true},    {CONDUCT_LAPSED, 3, false},
    {CONDUCT_ABORTED, 2, true},    {CONDUCT_LEFT, 2, true},      {CONDUCT_LEFT, 3, false},
    {CONDUCT_LEFT, 10, false},     {CONDUCT_TIMED_OUT, 2, true}, {CONDUCT_ASKED_OFF, 2, true},
    {CONDUCT_ASKED_OFF, 3, false},
};

START_TEST(whoever_spoils_every_second_table)
{
    struct conduct_row row = {.session = 1};
    unsigned pauses = 0;
    for (unsigned table = 0; table < 200; table++) {
        const bool bad = (table + 1) % habits[_i].each == 0;
        pauses += conduct_add(&row, bad ? habits[_i].bad : CONDUCT_GOOD, 1000000);
    }
    ck_assert_int_eq(pauses > 0, habits[_i].pauses);
    ck_assert(!habits[_i].pauses || pauses > 80); /* and again each time */
}
END_TEST

/* Ten minutes, three times as long within a day, a day at most; and three days later ten minutes.
 */
START_TEST(pauses_grow_and_are_forgotten)
{
    static const struct {
        int64_t after_ms, pause_ms;
    } steps[] = {
        {0, 600000},
        {3600000, 1800000},
        {CONDUCT_DAY_MS, 5400000},
        {2LL * CONDUCT_DAY_MS, 8100000},
        {3LL * CONDUCT_DAY_MS, 600000},
        {3LL * CONDUCT_DAY_MS - 1, 600000},
    };
    struct conduct_row row = {.session = 1, .outcomes = "lllll"};
    int64_t now_ms = 1790000000000;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        now_ms += steps[i].after_ms;
        ck_assert(conduct_add(&row, CONDUCT_LEFT, now_ms));
        ck_assert_int_eq(row.pause_ms, steps[i].pause_ms);
        ck_assert_int_eq(conduct_paused_until_ms(&row, now_ms), now_ms + steps[i].pause_ms);
        ck_assert_int_eq(conduct_paused_until_ms(&row, now_ms + steps[i].pause_ms), 0);
    }
    for (int i = 0; i < 10; i++)
        ck_assert(conduct_add(&row, CONDUCT_LEFT, ++now_ms));
    ck_assert_int_eq(row.pause_ms, CONDUCT_PAUSE_MAX_MS);
}
END_TEST

/* ---- at home */

static int bo;

/* Bo is found a match, and does not come. */
static void let_lapse(int other, bool knows)
{
    char room[16];
    world_do(&home, bo, "seek", "");
    if (!knows)
        world_cut(&home, bo);
    world_do(&home, other, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(other, "taluva.duel.live", room);
    stage_accept(other, room);
    world_pass(&home, home.config.accept_ms);
    stage_is_told(other, "again");
    world_do(&home, other, "unseek", "");
    if (!knows)
        bo = world_back(&home, bo);
}

static size_t marks(void)
{
    return model_rows(&home.store, &conduct_table);
}

START_TEST(who_lets_it_lapse_six_times_may_not_seek)
{
    const int ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    let_lapse(ana, true);
    ck_assert_uint_eq(marks(), 0); /* the server has just begun */
    world_pass(&home, home.config.forgiving_ms);
    let_lapse(ana, false);
    ck_assert_uint_eq(marks(), 0); /* nobody has told them */
    for (int i = 0; i < 5; i++)
        let_lapse(ana, true);
    ck_assert_uint_eq(marks(), 1);
    world_do(&home, bo, "unseek", "");
    let_lapse(ana, true);
    ck_assert_uint_eq(desk_of(home.hub)->pauses, 1);
    ck_assert_double_eq(world_figure(&home, "seeks_told_total{state=\"ended\"}"), 8);
    ck_assert_double_eq(world_figure(&home, "seeks_told_total{state=\"again\"}"), 8);
    world_refused(&home, bo, "seek_paused", "seek", "");
    world_restart(&home);
    home.tabs[ana].link.open = home.tabs[bo].link.open = false;
    bo = world_back(&home, bo);
    stage_account(bo, "bob");
    world_refused(&home, bo, "seek_paused", "seek", "");
    world_pass(&home, CONDUCT_PAUSE_MS);
    world_do(&home, bo, "seek", "");
    ck_assert_uint_eq(stage_seeks(), 1);
}
END_TEST

static const char *outcomes_of(int tab)
{
    const struct session *session = kernel_session_find(home.hub, site_session(&home, tab));
    const struct conduct *conduct = kernel_session_state(home.hub, &ratings_memory, session);
    return conduct->row ? conduct->row->outcomes : "";
}

static size_t outcomes_told(int tab, const char *outcome)
{
    json_t *ok = world_ok(&home, tab, "kept", "");
    const json_t *conduct = json_object_get(ok, "conduct");
    const json_t *outcomes = json_object_get(conduct, "outcomes");
    const size_t count = json_array_size(outcomes);
    for (size_t at = 0; at < count; at++)
        ck_assert_str_eq(json_string_value(json_array_get(outcomes, at)), outcome);
    ck_assert_int_eq(num(conduct, "paused_until") - num(conduct, "paused"),
                     count >= CONDUCT_ROW_OF_BAD ? CONDUCT_PAUSE_MS : 0);
    json_decref(ok);
    return count;
}

START_TEST(who_asks_is_told_how_they_have_behaved)
{
    const int ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    world_pass(&home, home.config.forgiving_ms);
    ck_assert_uint_eq(outcomes_told(bo, ""), 0);
    for (size_t times = 1; times <= CONDUCT_ROW_OF_BAD; times++) {
        let_lapse(ana, true);
        ck_assert_uint_eq(outcomes_told(bo, "not_ready"), times);
    }
    ck_assert_uint_eq(outcomes_told(ana, ""), 0);
}
END_TEST

/* Once is forgiven, until they are told of a table again. */
START_TEST(who_is_never_there_to_be_told)
{
    const int ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    world_pass(&home, home.config.forgiving_ms);
    let_lapse(ana, false);
    ck_assert_str_eq(outcomes_of(bo), "");
    let_lapse(ana, false);
    ck_assert_str_eq(outcomes_of(bo), "n");
    let_lapse(ana, true);
    ck_assert_str_eq(outcomes_of(bo), "nn");
    let_lapse(ana, false);
    ck_assert_str_eq(outcomes_of(bo), "nn");
    for (int i = 0; i < 4; i++)
        let_lapse(ana, false);
    world_refused(&home, bo, "seek_paused", "seek", "");
}
END_TEST

/* Ana and Bo, in a match that has begun. */
static void begin_match(int ana, char room[static 16])
{
    world_pass(&home, home.config.forgiving_ms);
    world_do(&home, ana, "seek", "");
    world_do(&home, bo, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_do(&home, bo, "start", "{s:s}", "room", room);
}

/* The other one is not to blame. */
START_TEST(who_gives_up_at_once)
{
    char room[16];
    const int ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    begin_match(ana, room);
    world_do(&home, bo, "resign", "{s:s}", "room", room);
    world_settle(&home);
    ck_assert_str_eq(outcomes_of(bo), "a");
    ck_assert_str_eq(outcomes_of(ana), "g");
    ck_assert_uint_eq(marks(), 2);
}
END_TEST

/* Nor who agrees to it: and of nobody it is said that they have behaved. */
START_TEST(who_has_a_match_called_off)
{
    char room[16];
    const int ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    begin_match(ana, room);
    world_do(&home, bo, "offer", "{s:s,s:s}", "room", room, "what", "call_off");
    world_do(&home, ana, "offer", "{s:s,s:s}", "room", room, "what", "call_off");
    world_settle(&home);
    ck_assert_str_eq(outcomes_of(bo), "c");
    ck_assert_str_eq(outcomes_of(ana), "");
    ck_assert_uint_eq(outcomes_told(bo, "asked_off"), 1);
}
END_TEST

START_TEST(whose_time_runs_out)
{
    char room[16];
    const int ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    begin_match(ana, room);
    world_pass(&home, 620000);
    const bool own = strcmp(outcomes_of(bo), "t") == 0;
    ck_assert_str_eq(outcomes_of(own ? bo : ana), "t");
    ck_assert_str_eq(outcomes_of(own ? ana : bo), "g");
}
END_TEST

/* Nor who could not be ready, as nothing could be stored: they have as long again. */
START_TEST(whom_the_store_has_failed)
{
    char room[16];
    const int ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    world_pass(&home, home.config.forgiving_ms);
    world_do(&home, ana, "seek", "");
    world_do(&home, bo, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
    json_decref(world_ok(&home, ana, "join", "{s:s}", "room", room));
    home.answer = STORE_FAILED;
    (void)world_post(&home, ana, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_pass(&home, 2 * home.config.accept_ms);
    home.answer = STORE_OK;
    world_pass(&home, home.config.store_retry_max_ms);
    ck_assert_uint_eq(stage_offers(), 2);
    stage_accept(ana, room);
    world_pass(&home, home.config.accept_ms);
    stage_is_told(ana, "again");
    stage_is_told(bo, "ended");
    ck_assert_str_eq(outcomes_of(ana), "");
    ck_assert_str_eq(outcomes_of(bo), "n"); /* who has not come even so */
}
END_TEST

/* Nor while nobody had the desk. */
START_TEST(whom_the_desk_was_away_from)
{
    char room[16];
    int ana = stage_guest("Ana", "ana");
    bo = stage_guest("Bo", "bob");
    world_do(&home, ana, "seek", "");
    world_do(&home, bo, "seek", "");
    world_pass(&home, 2000);
    stage_room_found(ana, "taluva.duel.live", room);
    world_pass(&home, home.config.accept_ms - 3000);
    world_restart(&home);
    home.tabs[ana].link.open = home.tabs[bo].link.open = false;
    ana = world_back(&home, ana);
    bo = world_back(&home, bo);
    stage_account(ana, "ana");
    stage_account(bo, "bob");
    world_pass(&home, home.config.accept_ms - 3000);
    ck_assert_uint_eq(stage_offers(), 2);
    stage_accept(ana, room);
    stage_accept(bo, room);
    world_do(&home, bo, "start", "{s:s}", "room", room);
    world_pass(&home, 2000);
    ck_assert_uint_eq(stage_offers(), 0);
    stage_nobody_seeks();
}
END_TEST

/* Who thinks for a minute each turn, until there is none left, has played. */
START_TEST(whose_time_is_used_up)
{
    struct table table = {.players = 2};
    const int ana = stage_guest("Ana", "ana");
    int moves = 0;
    bo = stage_guest("Bo", "bob");
    table.tabs[0] = ana;
    table.tabs[1] = bo;
    begin_match(ana, table.room);
    do
        world_pass(&home, moves++ % 2 ? 0 : 60000);
    while (marks() == 0 && world_move(&home, &table) >= 0);
    ck_assert_int_gt(moves, 20);
    ck_assert_str_eq(outcomes_of(ana), "g");
    ck_assert_str_eq(outcomes_of(bo), "g");
}
END_TEST

static const struct {
    uint32_t bank_s, increment_s;
    int64_t idle_ms;
    bool idles;
} ends[] = {
    {600, 10, 66665, false},  {600, 10, 66666, true}, {180, 5, 23332, false}, {180, 5, 23333, true},
    {1500, 20, 158333, true}, {60, 1, 14999, false},  {60, 1, 15000, true},
};

START_TEST(who_lets_time_run_out)
{
    struct room_result result = {
        .seats = 2, .clock = {.bank_s = ends[_i].bank_s, .increment_s = ends[_i].increment_s}};
    result.seat[1].idle_ms = ends[_i].idle_ms;
    ck_assert_int_eq(conduct_idles(&result, 1), ends[_i].idles);
}
END_TEST

Suite *conduct_suite(void)
{
    Suite *suite = suite_create("conduct");
    TCase *rule = tcase_create("rule"), *tables = tcase_create("tables");
    tcase_add_loop_test(rule, whoever_lets_others_wait_too_often, 0,
                        sizeof cases / sizeof cases[0]);
    tcase_add_loop_test(rule, whoever_spoils_every_second_table, 0,
                        sizeof habits / sizeof habits[0]);
    tcase_add_test(rule, the_last_thirty_count);
    tcase_add_loop_test(rule, who_lets_time_run_out, 0, sizeof ends / sizeof ends[0]);
    tcase_add_test(rule, pauses_grow_and_are_forgotten);
    suite_add_tcase(suite, rule);
    tcase_add_checked_fixture(tables, stage_seek, stage_seek_ended);
    tcase_add_test(tables, who_lets_it_lapse_six_times_may_not_seek);
    tcase_add_test(tables, who_asks_is_told_how_they_have_behaved);
    tcase_add_test(tables, who_is_never_there_to_be_told);
    tcase_add_test(tables, who_gives_up_at_once);
    tcase_add_test(tables, who_has_a_match_called_off);
    tcase_add_test(tables, whose_time_runs_out);
    tcase_add_test(tables, whose_time_is_used_up);
    tcase_add_test(tables, whom_the_store_has_failed);
    tcase_add_test(tables, whom_the_desk_was_away_from);
    suite_add_tcase(suite, tables);
    return suite;
}
