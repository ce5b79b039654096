/* What is wrong with a server's messages, and what is not: a match of the load tester sees it. */
#include "match_stage.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *match_wrong_suite(void);

#define TALUVA     "--games=1 --watchers=1 --check-every=1"
#define TOTEM      "--games=1 --watchers=2 --game=totem --check-every=1"
#define NO_ROOM    FAILURE_MALFORMED, "no room in the answer to create"
#define NO_VIEW    FAILURE_MALFORMED, "a view without its room, seq or state"
#define NO_MESSAGE FAILURE_MALFORMED, "neither reply nor push"
#define NOT_MADE   FAILURE_DIFFERS, "an event that this match did not make"
#define NOT_ASKED  FAILURE_DIFFERS, "an answer to what was not asked"
#define UNLIKE     FAILURE_DIFFERS, "a push unlike the one that another client was sent"

/* clang-format off */
static const struct lie {
    const char *words;
    unsigned connection;
    const char *of;       /* the kind of an event, or a member of a reply's `ok` */
    unsigned after;       /* so many of them */
    const char *path[5], *value;
    enum failure failure;
    const char *what;
} lies[] = {
    {TALUVA, 0, "room", 0, {"ok", "room"}, "\"short\"", NO_ROOM},
    {TALUVA, 0, "room", 0, {"ok", "room"}, "7", NO_ROOM},
    {TALUVA, 1, "state", 0, {"ok", "room"}, NULL, NO_VIEW},
    {TALUVA, 1, "state", 0, {"ok", "room"}, "\"AAAAAAAA\"", NO_VIEW},
    {TALUVA, 1, "state", 0, {"ok", "seq"}, "\"1\"", NO_VIEW},
    {TALUVA, 1, "state", 0, {"ok", "state"}, NULL, NO_VIEW},
    {TALUVA, 1, "state", 0, {"ok", "state", "more"}, "1", FAILURE_DIFFERS, "a view of the state"},
    {TALUVA, 2, "state", 0, {"ok", "state", "more"}, "1", FAILURE_DIFFERS, "a view of the state"},
    {TALUVA, 1, "seq", 3, {"ok"}, NULL, NO_MESSAGE},
    {TALUVA, 1, "seq", 3, {"id"}, "\"x\"", NO_MESSAGE},
    {TALUVA, 2, "started", 0, {"patch", "table", "turn", "tile"}, "\"ZZ\"", NOT_MADE},
    {TALUVA, 1, "move", 4, {"event", "move"}, "\"draw\"", NOT_MADE},
    {TALUVA, 1, "move", 4, {"event", "kind"}, "\"resigned\"", NOT_MADE},
    {TALUVA, 1, "move", 4, {"patch"}, "{\"table\":{\"stack\":1}}", FAILURE_DIFFERS, "the step"},
    {TALUVA, 1, "move", 4, {"patch"}, NULL, NOT_MADE},
    {TALUVA, 1, "move", 4, {"patch", "table", "hexes"}, "null", FAILURE_DIFFERS, "the number of hexes"},
    {TALUVA, 1, "move", 4, {"seq"}, "1", FAILURE_GAP, "a push out of sequence"},
    {TALUVA, 1, "move", 4, {"seq"}, "1000", FAILURE_GAP, "a push out of sequence"},
    {TALUVA, 0, "move", 4, {"patch", "table", "stack"}, "1", UNLIKE},
    {TALUVA, 2, "move", 4, {"event", "move"}, "\"draw\"", UNLIKE},
    {TOTEM, 0, "move", 2, {"event", "move"}, "\"pass@R\"", NOT_MADE},
    {TOTEM, 1, "move", 2, {"event", "move"}, "\"pass@R\"", NOT_MADE},
    {TOTEM, 2, "move", 2, {"event", "effects"}, "[\"burn@R=36\"]", NOT_MADE},
    {TOTEM, 3, "move", 2, {"event", "effects"}, "[\"burn@R=36\"]", UNLIKE},
    {TOTEM, 1, "move", 2, {"patch", "table", "supply"}, "1", FAILURE_DIFFERS, "supply"},
    {TOTEM, 2, "move", 2, {"patch", "table", "supply"}, "1", FAILURE_DIFFERS, "supply"},
    {TOTEM, 2, "state", 0, {"ok", "state"}, NULL, NO_VIEW},
};
/* clang-format on */
static const struct lie *lie;
static unsigned alike;

static char *tell_lie(unsigned connection, const char *text)
{
    json_t *message = json_loads(text, 0, NULL);
    const char *push = json_string_value(json_object_get(message, "push"));
    const bool is_presence = push && strcmp(push, "presence") == 0;
    const bool fits = match_stage_is(message, lie->of) ||
                      json_object_get(json_object_get(message, "ok"), lie->of);
    json_decref(message);
    if (is_presence)
        return strdup(""); /* so that who waits for no answer hears of each event first */
    return connection == lie->connection && fits && alike++ == lie->after
               ? match_stage_falsify(text, lie->path, lie->value)
               : NULL;
}

START_TEST(lies_are_seen)
{
    lie = &lies[_i];
    alike = 0;
    hub_wire.to_client = tell_lie;
    match_stage_begin(lie->words);
    hub_wire_run();
    ck_assert_uint_gt(alike, lie->after);
    ck_assert_str_eq(stage.what, lie->what);
    ck_assert_int_eq(stage.failure, lie->failure);
    ck_assert_uint_ge(stage.stats.failures[lie->failure], 1);
    ck_assert_uint_eq(stats_failures(&stage.stats), stage.reports);
}
END_TEST

/* In the place of the view that seat 1 waits for: the event before it. */
static char *push_too_early(unsigned connection, const char *text)
{
    const char *room = strstr(text, "\"room\":\"");
    if (connection != 1 || !room || !strstr(text, "\"state\":"))
        return NULL;
    char *push = strdup("{\"push\":\"event\",\"room\":\"????????\",\"seq\":1}");
    memcpy(strchr(push, '?'), room + 8, 8);
    return push;
}

START_TEST(a_view_comes_before_events)
{
    hub_wire.to_client = push_too_early;
    match_stage_begin(TALUVA);
    hub_wire_run();
    ck_assert_str_eq(stage.what, "a push out of sequence");
}
END_TEST

static unsigned came_late;

/* Seat 1 leaves, and is told of an event of the room that was on its way. */
static bool push_too_late(unsigned connection, const char *text)
{
    const char *room = strstr(text, "\"room\":\"");
    if (connection != 1 || !room || !strstr(text, "\"op\":\"leave\""))
        return true;
    char push[] = "{\"push\":\"event\",\"room\":\"????????\",\"seq\":1}";
    memcpy(strchr(push, '?'), room + 8, 8);
    hub_wire_add(1, push);
    came_late++;
    return true;
}

START_TEST(an_event_of_a_room_that_was_left_is_no_matter)
{
    came_late = 0;
    hub_wire.to_server = push_too_late;
    match_stage_begin("--games=2");
    match_stage_play();
    ck_assert_uint_eq(came_late, 1);
    ck_assert_uint_eq(stage.match.games_played, 2);
}
END_TEST

static const struct {
    const char *text;
    enum failure failure; /* FAILURES: none */
    const char *what;
} messages[] = {
    {"nonsense", FAILURE_MALFORMED, "neither reply nor push"},
    {"{}", FAILURE_MALFORMED, "neither reply nor push"},
    {"{\"id\":1,\"no\":{\"seq\":3}}", FAILURE_MALFORMED, "neither reply nor push"},
    {"{\"no\":1,\"ok\":{\"seq\":3}}", FAILURE_MALFORMED, "neither reply nor push"},
    {"{\"id\":1,\"error\":{\"code\":\"slow_down\",\"say\":\"x\"}}", FAILURE_REFUSED, "slow_down"},
    {"{\"id\":1,\"error\":{}}", FAILURE_REFUSED, "error"},
    {"{\"push\":\"notice\",\"say\":\"x\"}", FAILURES, ""},
    {"{\"push\":\"event\",\"room\":\"AAAAAAAA\",\"seq\":1000}", FAILURES, ""},
    {"{\"push\":\"event\",\"seq\":1000}", FAILURES, ""},
    {"{\"id\":1,\"ok\":{\"seq\":3}}", NOT_ASKED},
    {"{\"id\":1,\"ok\":{\"seq\":3}} ", NOT_ASKED},
    {"{\"id\":1,\"ok\":{\"seq\":3,\"room\":\"short\"}}", NOT_ASKED},
    {"{\"id\":999999999999999999,\"ok\":{\"seq\":3}}", NOT_ASKED},
};

START_TEST(what_comes_in_between_is_read)
{
    match_stage_begin("--rate=1 --watchers=1");
    match_stage_wait_for_playing();
    hub_wire_add(1, messages[_i].text);
    hub_wire_run();
    ck_assert_uint_eq(stage.reports, messages[_i].failure != FAILURES);
    ck_assert_str_eq(stage.what, messages[_i].what);
    if (messages[_i].failure != FAILURES)
        ck_assert_int_eq(stage.failure, messages[_i].failure);
    ck_assert_uint_eq(stage.stats.moves, 0); /* an answer to nothing acknowledges nothing */
    load_match_due(&stage.match, 0);
    hub_wire_run();
    ck_assert_uint_eq(stage.stats.moves, 1);
}
END_TEST

Suite *match_wrong_suite(void)
{
    Suite *suite = suite_create("match, wrong");
    TCase *tests = tcase_create("wrong");
    tcase_add_checked_fixture(tests, match_stage_setup, match_stage_teardown);
    tcase_add_loop_test(tests, lies_are_seen, 0, sizeof lies / sizeof lies[0]);
    tcase_add_test(tests, a_view_comes_before_events);
    tcase_add_test(tests, an_event_of_a_room_that_was_left_is_no_matter);
    tcase_add_loop_test(tests, what_comes_in_between_is_read, 0,
                        sizeof messages / sizeof messages[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
