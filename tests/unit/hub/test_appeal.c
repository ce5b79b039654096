/* Who was judged appeals, once, and somebody else decides. */
#include "../../support/failing_alloc.h"
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <hub/audit_line.h>
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

enum { HOUR_MS = 3600 * 1000 };

static struct world world;
static int ana, bo, cat;
static char room[CODE_SPACE];

static int called(const char *name, const char *handle)
{
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void makes(const char *handle)
{
    char text[128];
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"moderator\",\"handle\":\"%s\"}", handle);
    json_decref(operator_granted(text));
}

/* Ana looks after the site; Cat has reported Bo. */
static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.features = registry;
    operator_init(&world);
    world_start(&world);
    ck_assert(operator_holds(""));
    ana = called("Ana", "Ana-1");
    bo = called("Bo", "Bo-1");
    cat = called("Cat", "Cat-1");
    makes("Ana-1");
    json_t *ok = world_ok(&world, bo, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&world, bo, "join", "{s:s,s:i}", "room", room, "seat", 0);
    world_do(&world, cat, "join", "{s:s,s:i}", "room", room, "seat", 1);
    world_do(&world, bo, "say", "{s:s,s:s}", "room", room, "text", "you cheat");
    world_do(&world, cat, "report", "{s:s,s:i,s:s}", "room", room, "seat", 0, "why", "talk");
}

static void tear_down(void)
{
    struct hub_audit_line *line;
    while ((line = hub_audit_take(world.hub)) != NULL)
        free(line);
    world_release(&world);
}

static void judge(int tab, int id, const char *verdict, int for_s)
{
    if (for_s)
        world_do(&world, tab, "judge", "{s:i,s:s,s:s,s:i,s:s}", "case", id, "verdict", verdict,
                 "why", "talk", "for_s", for_s, "text", "Be kind.");
    else
        world_do(&world, tab, "judge", "{s:i,s:s,s:s,s:s}", "case", id, "verdict", verdict, "why",
                 "talk", "text", "Be kind.");
}

/* What waits to hold or to end does. */
static void comes_into_force(void)
{
    for (int at = 0; at < 3; at++) {
        world_pass(&world, 1000);
        (void)operator_documents();
    }
}

static void appeal(int judgement)
{
    world_do(&world, bo, "appeal", "{s:i,s:s}", "judgement", judgement, "text", "It was a song.");
    world_settle(&world);
}

static bool is_silenced(void)
{
    const int64_t id =
        world_post(&world, bo, "say", "{s:s,s:s}", "room", room, "text", "hello again");
    world_settle(&world);
    json_t *reply = world_reply(&world, bo, id);
    const bool silenced = json_object_get(reply, "error");
    if (silenced)
        ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), "silenced");
    json_decref(reply);
    return silenced;
}

/* The judgements that Bo is told of when he comes back, a new reference. */
static json_t *told(void)
{
    const int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", "{s:s}", "token", world.tabs[bo].token);
    json_t *list = json_incref(json_object_get(ok, "judgements"));
    json_decref(ok);
    world_cut(&world, tab);
    return list;
}

/* ---- appealing */

START_TEST(an_appeal_waits_with_what_it_is_against)
{
    judge(ana, 1, "silence", 3600);
    comes_into_force();
    appeal(2);
    json_t *list = told();
    ck_assert(json_is_true(json_object_get(json_array_get(list, 0), "appealed")));
    json_decref(list);
    json_t *ok = world_ok(&world, ana, "cases", "");
    const json_t *first = json_array_get(json_object_get(ok, "reports"), 0);
    ck_assert_int_eq(num(first, "appeal"), 2);
    ck_assert_str_eq(str(first, "handle"), "Bo-1");
    ck_assert_str_eq(str(first, "why"), "talk");
    json_decref(ok);
    ok = world_ok(&world, ana, "cases", "{s:i}", "case", 3);
    const json_t *against = json_object_get(ok, "against");
    ck_assert_str_eq(str(json_array_get(json_object_get(ok, "reports"), 0), "text"),
                     "It was a song.");
    ck_assert_str_eq(str(against, "verdict"), "silence");
    ck_assert_int_eq(num(against, "judgement"), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(against, "reports")), 1);
    json_decref(ok);
    ck_assert(is_silenced());
}
END_TEST

START_TEST(once_against_each)
{
    const char *form = "{s:i,s:s}";
    world_refused(&world, bo, "unknown_judgement", "appeal", form, "judgement", 2, "text", "no");
    judge(ana, 1, "warn", 0);
    world_settle(&world);
    world_refused(&world, cat, "unknown_judgement", "appeal", form, "judgement", 2, "text", "me");
    world_refused(&world, bo, "unknown_judgement", "appeal", form, "judgement", 1, "text", "no");
    appeal(2);
    world_refused(&world, bo, "already_appealed", "appeal", form, "judgement", 2, "text", "again");
    world_restart(&world);
    ck_assert(operator_holds(""));
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
    world_refused(&world, bo, "already_appealed", "appeal", form, "judgement", 2, "text", "again");
    judge(ana, 3, "uphold", 0);
    world_settle(&world);
    world_refused(&world, bo, "already_appealed", "appeal", form, "judgement", 2, "text", "again");
    world_refused(&world, bo, "already_appealed", "appeal", form, "judgement", 4, "text", "again");
}
END_TEST

/* A store that fails has kept nothing, and it can be said once more. */
START_TEST(a_store_that_fails)
{
    judge(ana, 1, "warn", 0);
    world_settle(&world);
    const int64_t id = world_post(&world, bo, "appeal", "{s:i,s:s}", "judgement", 2, "text", "no");
    world.answer = STORE_FULL;
    world_settle(&world);
    world.answer = STORE_OK;
    world_denied(&world, bo, id, "store_failing");
    world_pass(&world, 60000);
    json_t *ok = world_ok(&world, ana, "cases", "");
    ck_assert_int_eq(num(ok, "waiting"), 0);
    json_decref(ok);
    bo = world_back(&world, bo);
    appeal(2);
}
END_TEST

/* Of what is said and decided. */
static size_t count_rows(void)
{
    static const char *const tables[] = {"report", "judgement", "judged", "appeal", "letter"};
    size_t count = 0;
    for (size_t at = 0; at < world.store.row_count; at++) {
        for (size_t table = 0; table < sizeof tables / sizeof *tables; table++)
            count += strcmp(world.store.rows[at].table->name, tables[table]) == 0;
    }
    return count;
}

/* Asks without memory for the n-th thing: what is refused has left nothing. False: there was enough
 * for all. */
static bool asks_without_memory(uint64_t n, int tab, const char *op, json_t *fields)
{
    const size_t before = count_rows();
    bool failed;
    failing_alloc_arm(n, false);
    const int64_t id = world_post(&world, tab, op, "O", fields);
    world_settle(&world);
    failing_alloc_disarm(&failed);
    json_t *reply = world_reply(&world, tab, id);
    if (json_object_get(reply, "error")) {
        world_pass(&world, 60000);
        ck_assert_uint_eq(count_rows(), before);
    }
    json_decref(reply);
    json_decref(fields);
    return failed;
}

START_TEST(without_memory_nothing_is_left)
{
    uint64_t n = 0;
    bool failed = true;
    while (failed) {
        tear_down();
        set_up();
        if (_i) {
            judge(ana, 1, "warn", 0);
            world_settle(&world);
            failed = asks_without_memory(++n, bo, "appeal",
                                         json_pack("{s:i,s:s}", "judgement", 2, "text", "no"));
        } else {
            failed = asks_without_memory(
                ++n, ana, "judge",
                json_pack("{s:i,s:s,s:s}", "case", 1, "verdict", "warn", "why", "talk"));
        }
    }
    ck_assert_uint_gt(n, 8);
}
END_TEST

/* ---- deciding of it */

START_TEST(another_one_decides)
{
    judge(ana, 1, "warn", 0);
    world_settle(&world);
    appeal(2);
    makes("Cat-1");
    world_refused(&world, ana, "own_case", "judge", "{s:i,s:s,s:s}", "case", 3, "verdict", "uphold",
                  "why", "talk");
    judge(cat, 3, "dismiss", 0);
    world_settle(&world);
    json_t *push = world_push(&world, bo, "judged"); /* the first one */
    json_decref(push);
    push = world_push(&world, bo, "judged");
    ck_assert_str_eq(str(push, "verdict"), "dismiss");
    ck_assert_int_eq(num(push, "appeal"), 2);
    json_decref(push);
}
END_TEST

/* Where there is no other the first one does, and the operator in any case. */
START_TEST(who_decides_alone)
{
    judge(ana, 1, "warn", 0);
    world_settle(&world);
    appeal(2);
    if (_i)
        judge(ana, 3, "uphold", 0);
    else
        json_decref(operator_granted("{\"id\":1,\"op\":\"judge\",\"report\":3,\"verdict\":"
                                     "\"uphold\",\"why\":\"talk\"}"));
    json_t *ok = world_ok(&world, ana, "cases", "");
    ck_assert_int_eq(num(ok, "waiting"), 0);
    json_decref(ok);
}
END_TEST

/* What it led to is gone, here and after a restart, and stays gone. */
START_TEST(what_was_wrong_ends)
{
    judge(ana, 1, "silence", 3600);
    comes_into_force();
    ck_assert(is_silenced());
    appeal(2);
    judge(ana, 3, "dismiss", 0);
    if (_i) {
        world_restart(&world);
        ck_assert(operator_restore(&(size_t){0}));
        bo = world_back(&world, bo);
        world_do(&world, bo, "watch", "{s:s}", "room", room);
    }
    comes_into_force();
    ck_assert(!is_silenced());
    json_t *list = told();
    ck_assert_uint_eq(json_array_size(list), 1);
    ck_assert_str_eq(str(json_array_get(list, 0), "verdict"), "dismiss");
    ck_assert_int_eq(num(json_array_get(list, 0), "appeal"), 2);
    json_decref(list);
    comes_into_force();
    ck_assert(!is_silenced());
}
END_TEST

START_TEST(upheld_it_lasts_as_long_as_it_was_to)
{
    judge(ana, 1, "silence", 3600);
    comes_into_force();
    appeal(2);
    judge(ana, 3, "uphold", 0);
    comes_into_force();
    ck_assert(is_silenced());
    json_t *list = told();
    ck_assert_uint_eq(json_array_size(list), 1);
    ck_assert_str_eq(str(json_array_get(list, 0), "verdict"), "silence");
    ck_assert_int_eq(num(json_array_get(list, 0), "appeal"), 2);
    json_decref(list);
    world_pass(&world, HOUR_MS);
    bo = world_back(&world, bo);
    world_do(&world, bo, "watch", "{s:s}", "room", room);
    ck_assert(!is_silenced());
}
END_TEST

START_TEST(upheld_it_is_not_begun_again)
{
    char text[128];
    judge(ana, 1, "silence", 3600);
    comes_into_force();
    appeal(2);
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"lift\",\"target\":\"%s\"}",
                   world.tabs[bo].session);
    json_decref(operator_granted(text));
    comes_into_force();
    ck_assert(!is_silenced());
    judge(ana, 3, "uphold", 0);
    comes_into_force();
    ck_assert(!is_silenced());
}
END_TEST

/* A shorter one, or another one, takes the place of what it was. */
START_TEST(something_less_takes_its_place)
{
    judge(ana, 1, "silence", 7200);
    comes_into_force();
    appeal(2);
    judge(ana, 3, "silence", 60);
    comes_into_force();
    ck_assert(is_silenced());
    world_pass(&world, 60 * 1000);
    ck_assert(!is_silenced());
}
END_TEST

/* Two silences of one person are one ban: when one was wrong the other one holds by itself. */
START_TEST(what_was_right_goes_on)
{
    judge(ana, 1, "silence", _i ? 7200 : 3600);
    comes_into_force();
    world_do(&world, cat, "report", "{s:s,s:i,s:s}", "room", room, "seat", 0, "why", "name");
    judge(ana, 3, "silence", _i ? 3600 : 7200);
    comes_into_force();
    appeal(_i ? 2 : 4);
    judge(ana, 5, "dismiss", 0);
    world_settle(&world);
    world_restart(&world);
    ck_assert(operator_restore(&(size_t){0}));
    bo = world_back(&world, bo);
    world_do(&world, bo, "watch", "{s:s}", "room", room);
    comes_into_force();
    ck_assert(is_silenced());
    world_pass(&world, HOUR_MS);
    bo = world_back(&world, bo);
    world_do(&world, bo, "watch", "{s:s}", "room", room);
    ck_assert(!is_silenced());
}
END_TEST

/* What was put of those that hold by themselves is what holds, though the operator has lifted the
 * bans before that was durable. */
START_TEST(bans_that_change_while_it_is_stored)
{
    judge(ana, 1, "silence", 7200);
    comes_into_force();
    world_do(&world, cat, "report", "{s:s,s:i,s:s}", "room", room, "seat", 0, "why", "name");
    judge(ana, 3, "silence", 3600);
    comes_into_force();
    appeal(2);
    world.held = true;
    const int64_t id = world_post(&world, ana, "judge", "{s:i,s:s,s:s}", "case", 5, "verdict",
                                  "dismiss", "why", "talk");
    world_settle(&world);
    ck_assert(operator_holds(""));
    world.held = false;
    world_commit(&world, STORE_OK);
    world_settle(&world);
    world_granted(&world, ana, id);
    comes_into_force();
    const bool silenced = is_silenced();
    world_restart(&world);
    ck_assert(operator_restore(&(size_t){0}));
    bo = world_back(&world, bo);
    world_do(&world, bo, "watch", "{s:s}", "room", room);
    comes_into_force();
    ck_assert(is_silenced() == silenced);
}
END_TEST

/* ---- who is banned */

static json_t *at_the_door(int *tab, const char *member, const char *secret)
{
    *tab = world_connect(&world);
    return world_ok(&world, *tab, "hello", "{s:s,s:s}", member, secret, "for", "appeal");
}

static bool is_let_in(int tab)
{
    const int again = world_connect(&world);
    const int64_t id = world_post(&world, again, "hello", "{s:s}", "token", world.tabs[tab].token);
    world_settle(&world);
    json_t *reply = world_reply(&world, again, id);
    const bool in = json_object_get(reply, "ok");
    if (!in)
        ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), "banned");
    json_decref(reply);
    return in;
}

static void may_only_appeal(int tab)
{
    static const char *const others[] = {"devices", "phrase", "games", "heed", "create", "seek"};
    for (size_t at = 0; at < sizeof others / sizeof *others; at++)
        world_refused(&world, tab, "not_allowed", others[at], "");
    world_refused(&world, tab, "not_allowed", "watch", "{s:s}", "room", room);
    world_refused(&world, tab, "not_allowed", "say", "{s:s,s:s}", "room", room, "text", "hi");
    world_refused(&world, tab, "not_allowed", "rename", "{s:s}", "name", "Eve");
    world_do(&world, tab, "ping", "");
}

START_TEST(who_is_banned_is_let_in_to_appeal)
{
    int tab;
    judge(ana, 1, "ban", 3600);
    comes_into_force();
    ck_assert(!is_let_in(bo));
    json_t *ok = at_the_door(&tab, "token", world.tabs[bo].token);
    ck_assert_int_gt(num(ok, "banned_ms"), HOUR_MS / 2);
    const json_t *first = json_array_get(json_object_get(ok, "judgements"), 0);
    ck_assert_str_eq(str(first, "verdict"), "ban");
    ck_assert_int_eq(num(first, "judgement"), 2);
    json_decref(ok);
    may_only_appeal(tab);
    world_refused(&world, tab, "unknown_judgement", "appeal", "{s:i,s:s}", "judgement", 77, "text",
                  "x");
    world_do(&world, tab, "appeal", "{s:i,s:s}", "judgement", 2, "text", "It was a song.");
    world_refused(&world, tab, "already_appealed", "appeal", "{s:i,s:s}", "judgement", 2, "text",
                  "x");
    ck_assert(!is_let_in(bo));
    judge(ana, 3, "dismiss", 0);
    comes_into_force();
    ck_assert(is_let_in(bo));
}
END_TEST

/* Who is not banned may no more there, whatever they have come with. */
START_TEST(the_door_is_for_appeals_alone)
{
    int tab;
    json_t *ok = world_ok(&world, bo, "phrase", "");
    char phrase[128];
    (void)snprintf(phrase, sizeof phrase, "%s", str(ok, "pass"));
    json_decref(ok);
    ok = at_the_door(&tab, "token", world.tabs[bo].token);
    ck_assert_int_eq(num(ok, "banned_ms"), 0);
    json_decref(ok);
    may_only_appeal(tab);
    json_decref(at_the_door(&tab, "pass", phrase));
    may_only_appeal(tab);
}
END_TEST

START_TEST(nothing_to_uphold)
{
    world_refused(&world, ana, "unknown_case", "judge", "{s:i,s:s,s:s}", "case", 1, "verdict",
                  "uphold", "why", "talk");
    operator_denied("{\"id\":1,\"op\":\"judge\",\"report\":1,\"verdict\":\"uphold\",\"why\":"
                    "\"talk\"}",
                    "no_appeal");
}
END_TEST

/* A crowd that reports puts no appeal out of its place, and who appeals is believed as before. */
START_TEST(nobody_displaces_it)
{
    world.config.reports = 2;
    world_restart(&world);
    ck_assert(operator_holds(""));
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
    cat = world_back(&world, cat);
    world_do(&world, cat, "watch", "{s:s}", "room", room);
    judge(ana, 1, "warn", 0);
    world_settle(&world);
    appeal(2);
    static const char *const whys[] = {"name", "cheating", "stalling", "other"};
    for (int at = 0; at < 4; at++)
        world_do(&world, cat, "report", "{s:s,s:i,s:s}", "room", room, "seat", 0, "why", whys[at]);
    json_t *ok = world_ok(&world, ana, "cases", "");
    ck_assert_int_eq(num(json_array_get(json_object_get(ok, "reports"), 0), "appeal"), 2);
    json_decref(ok);
}
END_TEST

/* The number of the first case that waits. */
static int first_case(int64_t *sources)
{
    json_t *ok = world_ok(&world, ana, "cases", "");
    const json_t *first = json_array_get(json_object_get(ok, "reports"), 0);
    const int id = (int)num(first, "report");
    *sources = num(first, "sources");
    json_decref(ok);
    return id;
}

/* An appeal is none of the reports that one may send in a day, nor does it say of who is right that
 * what they report comes to nothing. */
START_TEST(it_is_no_report_of_somebody_else)
{
    static const char *const whys[] = {"name", "cheating", "stalling", "other", "talk"};
    int64_t sources;
    world.config.reports_per_account_per_day = 5;
    world_restart(&world);
    ck_assert(operator_holds(""));
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
    cat = world_back(&world, cat);
    world_do(&world, cat, "watch", "{s:s}", "room", room);
    world_do(&world, bo, "watch", "{s:s}", "room", room);
    for (int at = 0, judgement = 2; at < 5; at++, judgement += 4) {
        judge(ana, first_case(&sources), "warn", 0);
        world_settle(&world);
        appeal(judgement);
        judge(ana, first_case(&sources), "dismiss", 0);
        world_settle(&world);
        if (at < 4)
            world_do(&world, cat, "report", "{s:s,s:i,s:s}", "room", room, "seat", 0, "why",
                     whys[at]);
    }
    for (int at = 0; at < 5; at++)
        world_do(&world, bo, "report", "{s:s,s:i,s:s}", "room", room, "seat", 1, "why", whys[at]);
    json_t *ok = world_ok(&world, ana, "cases", "");
    const json_t *first = json_array_get(json_object_get(ok, "reports"), 0);
    ck_assert_int_eq(num(first, "reports"), 5);
    ck_assert_int_eq(num(first, "sources"), 1);
    json_decref(ok);
}
END_TEST

Suite *appeal_suite(void)
{
    Suite *suite = suite_create("appeal");
    TCase *made = tcase_create("appeals"), *heard = tcase_create("appeals that are heard");
    tcase_add_checked_fixture(made, set_up, tear_down);
    tcase_add_test(made, an_appeal_waits_with_what_it_is_against);
    tcase_add_test(made, once_against_each);
    tcase_add_test(made, a_store_that_fails);
    tcase_add_loop_test(made, without_memory_nothing_is_left, 0, 2);
    tcase_add_test(made, nobody_displaces_it);
    tcase_add_test(made, it_is_no_report_of_somebody_else);
    tcase_add_checked_fixture(heard, set_up, tear_down);
    tcase_add_test(heard, another_one_decides);
    tcase_add_loop_test(heard, who_decides_alone, 0, 2);
    tcase_add_loop_test(heard, what_was_wrong_ends, 0, 2);
    tcase_add_test(heard, upheld_it_lasts_as_long_as_it_was_to);
    tcase_add_test(heard, upheld_it_is_not_begun_again);
    tcase_add_test(heard, something_less_takes_its_place);
    tcase_add_loop_test(heard, what_was_right_goes_on, 0, 2);
    tcase_add_test(heard, bans_that_change_while_it_is_stored);
    tcase_add_test(heard, who_is_banned_is_let_in_to_appeal);
    tcase_add_test(heard, the_door_is_for_appeals_alone);
    tcase_add_test(heard, nothing_to_uphold);
    suite_add_tcase(suite, made);
    suite_add_tcase(suite, heard);
    return suite;
}
