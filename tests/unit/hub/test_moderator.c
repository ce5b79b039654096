/* Moderators: accounts that look after the site beside its operator. */
#include "operator.h"
#include "site.h"
#include "suites.h"
#include "world.h"
#include <hub/audit_line.h>
#include <hub/log_line.h>
#include <protocol/account.h>
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

static struct world world;
static int ana;
static char token[TOKEN_SPACE], session[CODE_SPACE]; /* of hers */

static int called(const char *name, const char *handle)
{
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void begin(unsigned parts)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.parts = parts;
    world.env.features = registry;
    world.config.claims_per_address_per_day = 1000;
    operator_init(&world);
    world_start(&world);
    ck_assert(operator_holds(""));
    ana = called("Ana", "Ana-1");
    memcpy(token, world.tabs[ana].token, sizeof token);
    memcpy(session, world.tabs[ana].session, sizeof session);
}

static void set_up(void)
{
    begin(1);
}

static void tear_down(void)
{
    world_release(&world);
}

static json_t *makes(const char *handle)
{
    char text[128];
    (void)snprintf(text, sizeof text, "{\"id\":1,\"op\":\"moderator\",\"handle\":\"%s\"}", handle);
    return operator_granted(text);
}

static void takes(const char *handle)
{
    char text[128];
    (void)snprintf(text, sizeof text,
                   "{\"id\":1,\"op\":\"moderator\",\"handle\":\"%s\",\"cancel\":true}", handle);
    json_t *ok = operator_granted(text);
    ck_assert(json_is_false(json_object_get(ok, "moderator")));
    json_decref(ok);
}

static size_t count_moderators(void)
{
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"moderators\"}");
    const size_t count = json_array_size(json_object_get(ok, "moderators"));
    json_decref(ok);
    return count;
}

/* What `hello` says to Ana when she comes back. */
static bool is_told(void)
{
    const int again = world_connect(&world);
    json_t *ok = world_ok(&world, again, "hello", "{s:s}", "token", token);
    const bool told = json_is_true(json_object_get(ok, "moderator"));
    json_decref(ok);
    world_cut(&world, again);
    return told;
}

/* ---- who they are */

START_TEST(given_and_taken_away)
{
    struct hub_log_line line;
    ck_assert(!is_told());
    json_t *ok = makes("ana_1");
    ck_assert_str_eq(str(ok, "handle"), "Ana-1");
    ck_assert_str_eq(str(ok, "session"), world.tabs[ana].session);
    ck_assert(json_is_true(json_object_get(ok, "moderator")));
    json_decref(ok);
    json_decref(makes("Ana-1")); /* once more */
    ck_assert(hub_log_take(world.hub, &line));
    ck_assert_str_eq(line.event, "moderator_given");
    ck_assert(!hub_log_take(world.hub, &line));
    ck_assert(is_told());
    world_restart(&world);
    ck_assert(is_told());
    ok = operator_granted("{\"id\":1,\"op\":\"moderators\"}");
    const json_t *list = json_object_get(ok, "moderators");
    ck_assert_uint_eq(json_array_size(list), 1);
    ck_assert_str_eq(str(json_array_get(list, 0), "handle"), "Ana-1");
    ck_assert_str_eq(str(json_array_get(list, 0), "session"), session);
    json_decref(ok);
    takes("Ana-1");
    takes("Ana-1");
    ck_assert(hub_log_take(world.hub, &line));
    ck_assert_str_eq(line.event, "moderator_taken");
    ck_assert(!is_told());
    world_restart(&world);
    ck_assert(!is_told());
    ck_assert_uint_eq(count_moderators(), 0);
}
END_TEST

START_TEST(who_cannot_be_one)
{
    world_do(&world, ana, "bot_account", "{s:s}", "handle", "ana-bot");
    operator_denied("{\"id\":1,\"op\":\"moderator\",\"handle\":\"ana-bot\"}", "bad_field");
    operator_denied("{\"id\":1,\"op\":\"moderator\",\"handle\":\"nobody-1\"}", "unknown_handle");
    operator_denied("{\"id\":1,\"op\":\"moderator\"}", "missing_field");
    ck_assert_uint_eq(count_moderators(), 0);
}
END_TEST

START_TEST(only_so_many)
{
    char handle[16];
    for (int at = 0; at < 32; at++) {
        (void)snprintf(handle, sizeof handle, "friend-%c%c", 'a' + at / 8, 'a' + at % 8);
        world_cut(&world, called("Friend", handle));
        json_decref(makes(handle));
    }
    operator_denied("{\"id\":1,\"op\":\"moderator\",\"handle\":\"Ana-1\"}", "too_many_moderators");
    json_decref(makes("friend-aa")); /* who is one already */
    takes("friend-aa");
    json_decref(makes("Ana-1"));
    ck_assert_uint_eq(count_moderators(), 32);
}
END_TEST

START_TEST(a_store_that_fails)
{
    world.answer = STORE_FULL;
    operator_denied("{\"id\":1,\"op\":\"moderator\",\"handle\":\"Ana-1\"}", "store_failing");
    world.answer = STORE_OK;
    world_pass(&world, 60000);
    ck_assert_uint_eq(count_moderators(), 0);
    ck_assert(!is_told());
}
END_TEST

/* ---- what they do */

static int bo, cat;
static char room[CODE_SPACE];

/* Ana looks after the site, and has reported nobody; Cat has reported Bo, at whose table she is. */
static void begin_case(void)
{
    json_decref(makes("Ana-1"));
    bo = called("Bo", "Bo-1");
    cat = called("Cat", "Cat-1");
    json_t *ok = world_ok(&world, bo, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&world, bo, "join", "{s:s,s:i}", "room", room, "seat", 0);
    world_do(&world, cat, "join", "{s:s,s:i}", "room", room, "seat", 1);
    world_do(&world, bo, "say", "{s:s,s:s}", "room", room, "text", "you cheat");
    world_do(&world, cat, "report", "{s:s,s:i,s:s}", "room", room, "seat", 0, "why", "talk");
}

static void set_up_case(void)
{
    set_up();
    begin_case();
}

static json_t *cases(int tab)
{
    return world_ok(&world, tab, "cases", "");
}

START_TEST(one_queue_for_all)
{
    json_t *own = cases(ana), *theirs = operator_granted("{\"id\":1,\"op\":\"reports\"}");
    ck_assert(json_equal(own, theirs));
    ck_assert_int_eq(num(own, "waiting"), 1);
    json_decref(own);
    json_decref(theirs);
    own = world_ok(&world, ana, "cases", "{s:i}", "case", 1);
    theirs = operator_granted("{\"id\":1,\"op\":\"report\",\"report\":1}");
    ck_assert(json_equal(own, theirs));
    const json_t *one = json_array_get(json_object_get(own, "reports"), 0);
    ck_assert_str_eq(str(json_array_get(json_object_get(one, "talk"), 0), "text"), "you cheat");
    ck_assert_ptr_null(json_object_get(one, "by"));
    json_decref(own);
    json_decref(theirs);
    world_refused(&world, ana, "unknown_case", "cases", "{s:i}", "case", 7);
}
END_TEST

START_TEST(a_moderator_judges)
{
    json_t *ok = world_ok(&world, ana, "judge", "{s:i,s:s,s:s,s:s}", "case", 1, "verdict", "warn",
                          "why", "talk", "text", "Be kind.");
    ck_assert_int_eq(num(ok, "judgement"), 2);
    json_decref(ok);
    world_settle(&world);
    json_t *push = world_push(&world, bo, "judged");
    ck_assert_str_eq(str(push, "verdict"), "warn");
    ck_assert_str_eq(str(push, "text"), "Be kind.");
    json_decref(push);
    world_refused(&world, ana, "unknown_case", "judge", "{s:i,s:s,s:s}", "case", 1, "verdict",
                  "warn", "why", "talk");
    ok = cases(ana);
    ck_assert_int_eq(num(ok, "waiting"), 0);
    json_decref(ok);
    struct hub_audit_line *line = hub_audit_take(world.hub);
    ck_assert_ptr_nonnull(line);
    ck_assert_str_eq(line->handle, "Ana-1");
    ck_assert_uint_eq(line->session, strtoull(world.tabs[ana].session, NULL, 16));
    ck_assert_str_eq(line->request.word->word, "judge");
    ck_assert_int_eq(line->request.report, 1);
    ck_assert_str_eq(line->request.verdict, "warn");
    ck_assert_str_eq(line->request.why, "talk");
    ck_assert_str_eq(line->request.text, "Be kind.");
    free(line);
    ck_assert_ptr_null(hub_audit_take(world.hub));
}
END_TEST

/* What could not be written waits, and until then nobody but the operator decides. */
START_TEST(an_audit_log_that_fails)
{
    world_do(&world, ana, "judge", "{s:i,s:s,s:s}", "case", 1, "verdict", "warn", "why", "talk");
    world_do(&world, cat, "report", "{s:s,s:i,s:s}", "room", room, "seat", 0, "why", "name");
    hub_audit_return(world.hub, hub_audit_take(world.hub));
    world_refused(&world, ana, "store_failing", "judge", "{s:i,s:s,s:s}", "case", 3, "verdict",
                  "warn", "why", "talk");
    struct hub_audit_line *line = hub_audit_take(world.hub);
    ck_assert_int_eq(line->request.report, 1);
    free(line);
    ck_assert_ptr_null(hub_audit_take(world.hub));
    world_do(&world, ana, "judge", "{s:i,s:s,s:s}", "case", 3, "verdict", "warn", "why", "talk");
    line = hub_audit_take(world.hub);
    ck_assert_int_eq(line->request.report, 3);
    free(line);
}
END_TEST

START_TEST(a_moderator_silences)
{
    world_refused(&world, ana, "missing_field", "judge", "{s:i,s:s,s:s}", "case", 1, "verdict",
                  "silence", "why", "talk");
    world_refused(&world, ana, "bad_field", "judge", "{s:i,s:s,s:s,s:i}", "case", 1, "verdict",
                  "warn", "why", "talk", "for_s", 60);
    world_do(&world, ana, "judge", "{s:i,s:s,s:s,s:i}", "case", 1, "verdict", "silence", "why",
             "talk", "for_s", 3600);
    struct hub_audit_line *line = hub_audit_take(world.hub);
    ck_assert_int_eq(line->request.for_s, 3600);
    free(line);
    world_pass(&world, 1000);
    ck_assert_uint_eq(operator_documents(), 1);
    world_pass(&world, 1000);
    world_refused(&world, bo, "silenced", "say", "{s:s,s:s}", "room", room, "text", "but");
}
END_TEST

/* Who is none: without an account, by a program, not any more; and nothing of what there is shows.
 */
START_TEST(who_is_no_moderator)
{
    const int dora = world_guest(&world, "Dora");
    const char *judge = "{s:i,s:s,s:s}";
    world_refused(&world, dora, "not_moderator", "cases", "");
    world_refused(&world, cat, "not_moderator", "cases", "");
    world_refused(&world, cat, "not_moderator", "cases", "{s:i}", "case", 1);
    world_refused(&world, cat, "not_moderator", "judge", judge, "case", 1, "verdict", "warn", "why",
                  "talk");
    world_refused(&world, cat, "not_moderator", "judge", judge, "case", 1, "verdict", "dismiss",
                  "why", "talk");
    world_do(&world, ana, "bot_account", "{s:s}", "handle", "ana-bot");
    json_t *ok = world_ok(&world, ana, "token_add", "{s:s,s:s,s:i}", "name", "all", "scope",
                          "play room games people", "days", 30);
    const int robot = world_connect(&world);
    world_do(&world, robot, "hello", "{s:s}", "token", str(ok, "token"));
    json_decref(ok);
    world_refused(&world, robot, "not_allowed", "cases", "");
    world_refused(&world, robot, "not_allowed", "judge", judge, "case", 1, "verdict", "dismiss",
                  "why", "talk");
    takes("Ana-1");
    world_refused(&world, ana, "not_moderator", "cases", "");
    world_refused(&world, ana, "not_moderator", "judge", judge, "case", 1, "verdict", "dismiss",
                  "why", "talk");
    ck_assert_ptr_null(hub_audit_take(world.hub));
}
END_TEST

/* A program is told neither that its account is a moderator nor what was decided of it. */
START_TEST(what_a_program_is_not_told)
{
    world_do(&world, ana, "judge", "{s:i,s:s,s:s}", "case", 1, "verdict", "warn", "why", "talk");
    free(hub_audit_take(world.hub));
    json_decref(makes("Bo-1"));
    json_t *made = world_ok(&world, bo, "token_add", "{s:s,s:s,s:i}", "name", "all", "scope",
                            "play room games people", "days", 30);
    const char *tokens[] = {world.tabs[bo].token, str(made, "token")};
    for (int at = 0; at < 2; at++) {
        const int tab = world_connect(&world);
        json_t *ok = world_ok(&world, tab, "hello", "{s:s}", "token", tokens[at]);
        ck_assert_int_eq(json_object_get(ok, "moderator") != NULL, at == 0);
        ck_assert_int_eq(json_object_get(ok, "judgements") != NULL, at == 0);
        json_decref(ok);
    }
    json_decref(made);
}
END_TEST

START_TEST(nobody_judges_themselves)
{
    json_decref(makes("Bo-1"));
    world_refused(&world, bo, "own_case", "judge", "{s:i,s:s,s:s}", "case", 1, "verdict", "dismiss",
                  "why", "talk");
    json_t *ok = cases(bo);
    ck_assert_int_eq(num(ok, "waiting"), 1);
    json_decref(ok);
}
END_TEST

START_TEST(what_is_not_stored_was_not_judged)
{
    const int64_t id = world_post(&world, ana, "judge", "{s:i,s:s,s:s}", "case", 1, "verdict",
                                  "warn", "why", "talk");
    world.held = true;
    world_settle(&world);
    world_commit(&world, STORE_FULL);
    world.held = false;
    world_settle(&world);
    world_denied(&world, ana, id, "store_failing");
    ck_assert_ptr_null(hub_audit_take(world.hub));
    world_pass(&world, 60000);
    json_t *ok = cases(ana);
    ck_assert_int_eq(num(ok, "waiting"), 1);
    json_decref(ok);
    world_do(&world, ana, "judge", "{s:i,s:s,s:s}", "case", 1, "verdict", "warn", "why", "talk");
}
END_TEST

/* Of two who judge at the same moment one has, and the other is told. */
START_TEST(two_at_once)
{
    json_decref(makes("Cat-1"));
    const char *form = "{s:i,s:s,s:s}";
    const int64_t first =
        world_post(&world, ana, "judge", form, "case", 1, "verdict", "warn", "why", "talk");
    const int64_t second =
        world_post(&world, cat, "judge", form, "case", 1, "verdict", "dismiss", "why", "talk");
    world_settle(&world);
    world_granted(&world, ana, first);
    world_denied(&world, cat, second, "slow_down");
    free(hub_audit_take(world.hub));
    ck_assert_ptr_null(hub_audit_take(world.hub));
}
END_TEST

static void set_up_two_parts(void)
{
    begin(2);
    begin_case();
}

/* Makes a moderator of whoever has this session, in the place of the first one in the store. */
static void makes_in_the_store(uint64_t moderator)
{
    for (size_t at = 0; at < world.store.row_count; at++) {
        const struct model_row *row = &world.store.rows[at];
        if (strcmp(row->table->name, "moderator") == 0)
            memcpy((char *)row->row + row->table->columns[0].at, &moderator, sizeof moderator);
    }
}

/* Dora is at home in another part: who goes while the store is busy has judged, or has not. */
START_TEST(a_moderator_who_goes_before_it_is_stored)
{
    const struct protocol_account account = {.kind = ACCOUNT_PERSON, .handle = "Dora-1"};
    int refused;
    const uint64_t dora = world.env.part + 1;
    makes_in_the_store(dora);
    const int tab = world_connect_as(&world, dora, "Dora", &refused);
    ck_assert(hub_set_account(world.hub, world.tabs[tab].link.peer, &account));
    (void)world_post(&world, tab, "judge", "{s:i,s:s,s:s}", "case", 1, "verdict", "warn", "why",
                     "talk");
    world.held = true;
    world_settle(&world);
    world_cut(&world, tab);
    world_commit(&world, _i ? STORE_FULL : STORE_OK);
    world.held = false;
    world_pass(&world, 60000);
    struct hub_audit_line *line = hub_audit_take(world.hub);
    ck_assert_int_eq(line != NULL, !_i);
    free(line);
    ck_assert_uint_eq(site_foreign(&world), 0);
    if (_i)
        json_decref(operator_granted("{\"id\":1,\"op\":\"judge\",\"report\":1,\"verdict\":"
                                     "\"warn\",\"why\":\"talk\"}"));
    else
        operator_denied("{\"id\":1,\"op\":\"judge\",\"report\":1,\"verdict\":\"warn\",\"why\":"
                        "\"talk\"}",
                        "unknown_report");
}
END_TEST

/* What the whole site has is nowhere else. */
START_TEST(a_part_that_is_not_the_desk)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.features = registry;
    world.env.part = 1;
    world.env.parts = 2;
    world_start(&world);
    const int tab = world_guest(&world, "Ana");
    world_refused(&world, tab, "unknown_op", "cases", "");
    world_refused(&world, tab, "unknown_op", "judge", "{s:i,s:s,s:s}", "case", 1, "verdict", "warn",
                  "why", "talk");
}
END_TEST

Suite *moderator_suite(void)
{
    Suite *suite = suite_create("moderator");
    TCase *made = tcase_create("moderators");
    tcase_add_checked_fixture(made, set_up, tear_down);
    tcase_add_test(made, given_and_taken_away);
    tcase_add_test(made, who_cannot_be_one);
    tcase_add_test(made, only_so_many);
    tcase_add_test(made, a_store_that_fails);
    suite_add_tcase(suite, made);
    TCase *acts = tcase_create("what moderators do");
    tcase_add_checked_fixture(acts, set_up_case, tear_down);
    tcase_add_test(acts, one_queue_for_all);
    tcase_add_test(acts, a_moderator_judges);
    tcase_add_test(acts, an_audit_log_that_fails);
    tcase_add_test(acts, a_moderator_silences);
    tcase_add_test(acts, who_is_no_moderator);
    tcase_add_test(acts, what_a_program_is_not_told);
    tcase_add_test(acts, nobody_judges_themselves);
    tcase_add_test(acts, what_is_not_stored_was_not_judged);
    tcase_add_test(acts, two_at_once);
    suite_add_tcase(suite, acts);
    TCase *elsewhere = tcase_create("moderators elsewhere");
    tcase_add_checked_fixture(elsewhere, NULL, tear_down);
    tcase_add_test(elsewhere, a_part_that_is_not_the_desk);
    suite_add_tcase(suite, elsewhere);
    TCase *of_elsewhere = tcase_create("moderators of elsewhere");
    tcase_add_checked_fixture(of_elsewhere, set_up_two_parts, tear_down);
    tcase_set_tags(of_elsewhere, "near");
    tcase_add_loop_test(of_elsewhere, a_moderator_who_goes_before_it_is_stored, 0, 2);
    suite_add_tcase(suite, of_elsewhere);
    return suite;
}
