/*
 * With --check=sample: what is seen in a room of the sample is what is seen in every room without
 * it; what is seen in the others is less, and stands here.
 */
#include "match_stage.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *match_sample_suite(void);

enum { SAMPLED = 3 * MATCH_SAMPLE, OTHER = SAMPLED + 1, ALL = 255 };

/* ---- whole matches */

static struct {
    uint64_t moves, pushes, before; /* before: pushes of events until the game has begun */
} sent;

static char *count_message(unsigned connection, const char *text)
{
    json_t *message = json_loads(text, 0, NULL);
    sent.pushes += json_object_get(message, "event") != NULL;
    sent.moves += connection == 0 && match_stage_is(message, "move");
    json_decref(message);
    if (stage.match.playing)
        ck_assert(!stage.match.views[0].state); /* nothing is kept of what is not checked */
    return NULL;
}

static const struct {
    const char *words;
    unsigned clients, games;
} matches[] = {
    {"--games=1 --check=sample", 2, 1},
    {"--games=2 --check=sample --players=5 --boats --two-hex --watchers=2", 7, 2},
    {"--games=3 --check=sample --players=3 --ranking --watchers=1 --tiles=24", 4, 3},
    {"--games=1 --check=sample --players=4 --teams --zone=beginner", 4, 1},
    {"--games=2 --check=sample --game=totem --players=3 --rounds=3 --watchers=2", 5, 2},
    {"--games=1 --check=sample --game=totem --village --totem-a --spells=B", 2, 1},
};

START_TEST(a_match_outside_the_sample_is_played_and_counted)
{
    const struct stats *stats = &stage.stats;
    const unsigned clients = matches[_i].clients, games = matches[_i].games;
    memset(&sent, 0, sizeof sent);
    hub_wire.to_client = count_message;
    match_stage_begin_as(matches[_i].words, OTHER, 1);
    match_stage_play();
    ck_assert_uint_eq(stage.over, 1);
    ck_assert_uint_eq(stats->games_over, games);
    ck_assert_uint_gt(sent.moves, 5);
    ck_assert_uint_eq(stats->moves, sent.moves);
    ck_assert_uint_eq(stats->moves_sent, sent.moves);
    ck_assert_uint_eq(stats->acknowledged.count, sent.moves);
    ck_assert_uint_eq(stats->delivered.count, sent.moves * (clients - 1));
    ck_assert_uint_eq(stats->push_size.count, sent.moves * clients);
    ck_assert_uint_eq(stats->pushes, sent.pushes);
    ck_assert_uint_eq(stats->states_checked, 0);
    /* All moves at all clients, and the start at all but the first who hears of it. */
    ck_assert_uint_ge(stats->pushes_in_place, sent.moves * clients + games * (clients - 1));
    ck_assert_uint_lt(stats->pushes_in_place, sent.pushes);
}
END_TEST

START_TEST(a_match_of_the_sample_is_checked)
{
    match_stage_begin_as(matches[_i].words, SAMPLED, 1);
    match_stage_play();
    ck_assert_uint_eq(stage.over, 1);
    ck_assert_uint_ge(stage.stats.states_checked, matches[_i].games);
    ck_assert_uint_eq(stage.stats.pushes_in_place, 0);
}
END_TEST

START_TEST(without_a_sample_all_are_checked)
{
    match_stage_begin_as("--games=1 --check=all", OTHER, 1);
    match_stage_play();
    ck_assert_uint_ge(stage.stats.states_checked, 1);
    ck_assert_uint_eq(stage.stats.pushes_in_place, 0);
}
END_TEST

static unsigned cuts;

/* A seat, and later the watcher, while the game is played. */
static char *cut_now_and_then(unsigned connection, const char *text)
{
    if (connection == 0 && strstr(text, "\"kind\":\"move\"") && ++cuts % 5 == 0)
        load_match_cut(&stage.match, cuts % 3, 0);
    return NULL;
}

START_TEST(who_is_cut_comes_back_to_it)
{
    cuts = 0;
    hub_wire.to_client = cut_now_and_then;
    match_stage_begin_as(_i == 0 ? "--games=2 --check=sample --watchers=1"
                                 : "--games=2 --check=sample --watchers=1 --game=totem --rounds=3",
                         OTHER, 1);
    match_stage_play();
    ck_assert_uint_eq(stage.over, 1);
    ck_assert_uint_gt(stage.stats.resumes, 0);
    ck_assert_uint_gt(stage.stats.pushes_in_place, 20);
}
END_TEST

/* The server has forgotten what was missed, and sends whole states: they are no matter. */
START_TEST(a_state_in_between_is_no_matter)
{
    cuts = 0;
    hub_wire.resume_pushes = 1;
    hub_wire.to_client = cut_now_and_then;
    match_stage_begin_as("--rate=1 --check=sample --watchers=1", OTHER, 1);
    match_stage_wait_for_playing();
    for (unsigned move = 0; move < 12; move++) {
        load_match_due(&stage.match, 0);
        hub_wire_run();
        if (move % 4 == 0)
            load_match_cut(&stage.match, 2, 3);
    }
    ck_assert_msg(stage.reports == 0, "%s", stage.what);
    ck_assert_uint_eq(stage.stats.moves, 12);
    ck_assert_uint_gt(stage.stats.resumes, 0);
    ck_assert_ptr_null(stage.match.views[0].state);
}
END_TEST

/* ---- lies */

#define TALUVA    "--games=1 --watchers=1 --check=sample --check-every=1"
#define TOTEM     "--games=1 --watchers=2 --game=totem --check=sample --check-every=1"
#define GAP       FAILURE_GAP, "a push out of sequence"
#define NOT_MADE  FAILURE_DIFFERS, "an event that this match did not make"
#define NOT_ASKED FAILURE_DIFFERS, "an answer to what was not asked"
#define SPELLED   FAILURE_MALFORMED, "a push that is not spelled as our server does"
#define UNSEEN    FAILURES, ""

/* clang-format off */
static const struct lie {
    const char *words;
    unsigned connection;
    const char *of;     /* the kind of an event, or "seq": an answer to a move */
    const char *path[5], *value;
    enum failure failure; /* outside the sample */
    const char *what;
} lies[] = {
    {TALUVA, 1, "move", {"seq"}, "1", GAP},
    {TALUVA, 1, "move", {"seq"}, "1000", GAP},
    {TALUVA, 0, "move", {"seq"}, "1000", GAP},
    {TALUVA, 2, "move", {"seq"}, "1000", GAP},
    {TALUVA, ALL, "move", {"event", "kind"}, "\"resigned\"", NOT_MADE},
    {TALUVA, ALL, "move", {"event", "move"}, "\"draw\"", NOT_MADE},
    {TALUVA, ALL, "move", {"event", "seat"}, "4", NOT_MADE},
    {TALUVA, ALL, "move", {"patch", "table", "turn", "tile"}, "\"ZZ\"", NOT_MADE},
    {TALUVA, ALL, "move", {"at"}, NULL, SPELLED},
    {TALUVA, 1, "move", {"seq"}, "\"x\"", GAP},
    {TALUVA, 0, "seq", {"ok", "seq"}, "1", NOT_ASKED},
    {TALUVA, 0, "seq", {"id"}, "1", NOT_ASKED},
    {TALUVA, 0, "seq", {"id"}, "999999999999999999", NOT_ASKED},
    {TALUVA, 0, "seq", {"ok"}, NULL, FAILURE_MALFORMED, "neither reply nor push"},
    {TALUVA, 0, "seq", {"error"}, "{\"code\":\"not_now\"}", UNSEEN},
    {TALUVA, ALL, "move", {"patch", "table", "stack"}, "1", UNSEEN},
    {TALUVA, ALL, "move", {"patch", "table", "turn", "seat"}, "9", UNSEEN},
    {TALUVA, ALL, "move", {"patch", "table", "hexes"}, "null", UNSEEN},
    {TALUVA, 2, "move", {"event", "move"}, "\"draw\"", UNSEEN},
    {TOTEM, 1, "move", {"seq"}, "1000", GAP},
    {TOTEM, ALL, "move", {"event", "seat"}, "4", NOT_MADE},
    {TOTEM, ALL, "move", {"event", "kind"}, "\"resigned\"", NOT_MADE},
    {TOTEM, 0, "seq", {"ok", "seq"}, "1", NOT_ASKED},
    {TOTEM, ALL, "move", {"patch", "table", "supply"}, "1", UNSEEN},
    {TOTEM, 3, "move", {"event", "move"}, "\"pass@R\"", UNSEEN},
};
/* clang-format on */
static const struct lie *lie;
static unsigned alike, told;
static json_int_t last_seq, told_seq;

static bool fits(const json_t *message, const char *text)
{
    return strcmp(lie->of, "seq") == 0
               ? stage.match.playing && strstr(text, "\"ok\":{\"seq\":") && strlen(text) < 80
               : match_stage_is(message, lie->of);
}

/* Is it the fifth event or answer of its kind, or a later one, and the first that can be changed?
 */
static bool is_to_be_changed(unsigned connection, const json_t *message, bool has)
{
    const json_int_t seq = json_integer_value(json_object_get(message, "seq")); /* 0: an answer */
    const bool for_all = lie->connection == ALL;
    if (!for_all && connection != lie->connection)
        return false;
    if (!for_all || seq != last_seq)
        alike++;
    last_seq = seq;
    if (alike < 5 || !has || (told > 0 && !(for_all && seq == told_seq)))
        return false;
    told_seq = seq;
    told++;
    return true;
}

static char *tell_lie(unsigned connection, const char *text)
{
    json_t *message = json_loads(text, 0, NULL), *parent = message;
    const char *push = json_string_value(json_object_get(message, "push"));
    const bool is_presence = push && strcmp(push, "presence") == 0;
    size_t i = 0;
    for (; lie->path[i + 1]; i++)
        parent = json_object_get(parent, lie->path[i]);
    const bool has = parent && !json_is_null(json_object_get(parent, lie->path[i]));
    const bool is_lie = fits(message, text) && is_to_be_changed(connection, message, has);
    json_decref(message);
    if (is_presence)
        return strdup(""); /* so that who waits for no answer hears of each event first */
    return is_lie ? match_stage_falsify(text, lie->path, lie->value) : NULL;
}

static void hear_lie(unsigned number)
{
    alike = told = 0;
    last_seq = 0;
    hub_wire.to_client = tell_lie;
    match_stage_begin_as(lie->words, number, 1);
    hub_wire_run();
    ck_assert_uint_ge(told, 1);
}

START_TEST(lies_outside_the_sample)
{
    lie = &lies[_i];
    hear_lie(OTHER);
    ck_assert_str_eq(stage.what, lie->what);
    if (lie->failure != FAILURES) {
        ck_assert_int_eq(stage.failure, lie->failure);
        ck_assert_uint_ge(stage.stats.failures[lie->failure], 1);
    } else {
        ck_assert_uint_eq(stage.over, 1);
    }
    ck_assert_uint_eq(stats_failures(&stage.stats), stage.reports);
}
END_TEST

/* Each is seen, but for a member too many in an answer, or too few in all pushes of an event. */
START_TEST(lies_in_the_sample)
{
    lie = &lies[_i];
    hear_lie(SAMPLED);
    const bool no_matter = strcmp(lie->path[0], "error") == 0 || strcmp(lie->path[0], "at") == 0;
    ck_assert_int_eq(stage.reports > 0, !no_matter);
    ck_assert_uint_eq(stats_failures(&stage.stats), stage.reports);
}
END_TEST

static char *more;

/* As the last push, with the next number. */
static char *keep_the_last(unsigned connection, const char *text)
{
    if (connection != 1 || !strstr(text, "\"result\":") || !strstr(text, "\"push\":\"event\""))
        return NULL;
    json_t *message = json_loads(text, 0, NULL);
    const json_int_t seq = json_integer_value(json_object_get(message, "seq"));
    json_object_set_new(message, "seq", json_integer(seq + 1));
    more = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    return NULL;
}

/* While the match waits for one who has not heard of the end: a watcher, or who made the last move.
 */
START_TEST(nothing_comes_after_the_end)
{
    const bool mover_waits = _i == 1;
    more = NULL;
    hub_wire.to_client = keep_the_last;
    match_stage_begin_as("--rate=1 --watchers=1 --check=sample", OTHER, 1);
    match_stage_wait_for_playing();
    while (!more) {
        const int seat = stage.match.plan->game->acting(stage.match.copy);
        const struct line *waits = &stage.match.clients[mover_waits ? seat : 2].line;
        line_read(waits, false);
        load_match_due(&stage.match, 0);
        hub_wire_run();
        if (mover_waits && !more) {
            line_read(waits, true);
            hub_wire_run();
        }
    }
    ck_assert_uint_eq(stage.reports, 0);
    ck_assert_int_eq(stage.match.moving, mover_waits);
    hub_wire_add(mover_waits ? 2 : 1, more);
    hub_wire_run();
    free(more);
    ck_assert_str_eq(stage.what, "an event that this match did not make");
}
END_TEST

START_TEST(what_is_refused_is_counted)
{
    match_stage_begin_as("--rate=1 --check=sample", OTHER, 1);
    match_stage_wait_for_playing();
    hub_wire_add(1, "{\"id\":1,\"error\":{\"code\":\"slow_down\",\"say\":\"x\"}}");
    hub_wire_run();
    ck_assert_uint_eq(stage.stats.failures[FAILURE_REFUSED], 1);
    ck_assert_str_eq(stage.what, "slow_down");
}
END_TEST

Suite *match_sample_suite(void)
{
    Suite *suite = suite_create("match, sample");
    TCase *tests = tcase_create("sample");
    tcase_add_checked_fixture(tests, match_stage_setup, match_stage_teardown);
    tcase_add_loop_test(tests, a_match_outside_the_sample_is_played_and_counted, 0,
                        sizeof matches / sizeof *matches);
    tcase_add_loop_test(tests, a_match_of_the_sample_is_checked, 0,
                        sizeof matches / sizeof *matches);
    tcase_add_test(tests, without_a_sample_all_are_checked);
    tcase_add_loop_test(tests, who_is_cut_comes_back_to_it, 0, 2);
    tcase_add_test(tests, a_state_in_between_is_no_matter);
    tcase_add_loop_test(tests, lies_outside_the_sample, 0, sizeof lies / sizeof *lies);
    tcase_add_loop_test(tests, lies_in_the_sample, 0, sizeof lies / sizeof *lies);
    tcase_add_loop_test(tests, nothing_comes_after_the_end, 0, 2);
    tcase_add_test(tests, what_is_refused_is_counted);
    suite_add_tcase(suite, tests);
    return suite;
}
