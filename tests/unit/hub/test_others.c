/* `block`: of two of whom one has blocked the other neither sits where the other does. */
#include "site.h"
#include "suites.h"
#include "world.h"
#include <hub/kernel.h>
#include <registry/registry.h>
#include <stdlib.h>
#include <string.h>

static struct world world;
static int ana, bo, chi;

static int called(const char *name, const char *handle)
{
    world.host++; /* each from an address of their own */
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void begin(enum hub_accounts accounts, int64_t most)
{
    world_init(&world);
    world.env.accounts = accounts;
    world.env.features = registry;
    world.config.claims_per_address_per_day = 100;
    world.config.blocks_per_account = most;
    world_start(&world);
}

static void set_up(void)
{
    begin(HUB_ACCOUNTS_OPEN, 200);
    ana = called("Ana", "ana");
    bo = called("Bo", "Bo-1");
    chi = world_guest(&world, "Chi");
}

static void tear_down(void)
{
    world_release(&world);
}

static void block(int tab, const char *handle)
{
    world_do(&world, tab, "block", "{s:s}", "handle", handle);
}

static void has_blocked(int tab, const char *handle)
{
    json_t *ok = world_ok(&world, tab, "blocks", "");
    const json_t *blocks = json_object_get(ok, "blocks");
    ck_assert_uint_eq(json_array_size(blocks), handle ? 1 : 0);
    if (handle)
        ck_assert_str_eq(str(json_array_get(blocks, 0), "handle"), handle);
    json_decref(ok);
}

static void come_back(void)
{
    world_restart(&world);
    for (int tab = 0; tab < 3; tab++)
        world.tabs[tab].link.open = false;
    ana = world_back(&world, ana);
    world.host++;
    bo = world_back(&world, bo);
    chi = world_back(&world, chi);
}

/* ---- the list */

START_TEST(test_a_block)
{
    has_blocked(ana, NULL);
    block(ana, "b0-L"); /* by what looks alike */
    has_blocked(ana, "Bo-1");
    has_blocked(bo, NULL);
    block(ana, "Bo-1"); /* once more */
    has_blocked(ana, "Bo-1");
    come_back();
    has_blocked(ana, "Bo-1");
    world_do(&world, ana, "unblock", "{s:s}", "handle", "bO-1");
    has_blocked(ana, NULL);
    come_back();
    has_blocked(ana, NULL);
}
END_TEST

START_TEST(test_what_is_refused)
{
    world_refused(&world, chi, "account_needed", "block", "{s:s}", "handle", "ana");
    world_refused(&world, ana, "unknown_handle", "block", "{s:s}", "handle", "nobody-1");
    world_refused(&world, ana, "unknown_handle", "unblock", "{s:s}", "handle", "Bo-1");
    world_refused(&world, ana, "bad_field", "block", "{s:s}", "handle", "ana");
    has_blocked(ana, NULL);
}
END_TEST

START_TEST(test_so_many_and_no_more)
{
    tear_down();
    begin(HUB_ACCOUNTS_OPEN, 1);
    ana = called("Ana", "ana");
    called("Bo", "Bo-1");
    called("Chi", "chi");
    block(ana, "Bo-1");
    world_refused(&world, ana, "too_many_blocks", "block", "{s:s}", "handle", "chi");
    block(ana, "Bo-1"); /* it is there */
}
END_TEST

START_TEST(test_a_store_that_fails)
{
    const int64_t id = world_post(&world, ana, "block", "{s:s}", "handle", "Bo-1");
    world.answer = STORE_FULL;
    world_settle(&world);
    world.answer = STORE_OK;
    world_denied(&world, ana, id, "store_failing");
    has_blocked(ana, NULL);
}
END_TEST

START_TEST(test_without_accounts)
{
    struct table table;
    tear_down();
    begin(HUB_ACCOUNTS_OFF, 200);
    ana = world_guest(&world, "Ana");
    world_refused(&world, ana, "account_needed", "block", "{s:s}", "handle", "Bo-1");
    world_table(&world, &table, 2, "");
}
END_TEST

/* ---- at a table */

static void open_table(int host, const char *access, struct table *table)
{
    json_t *ok = world_ok(&world, host, "create", "{s:{s:i},s:s}", "options", "players", 3,
                          "access", access);
    (void)snprintf(table->room, sizeof table->room, "%s", str(ok, "room"));
    (void)snprintf(table->code, sizeof table->code, "%s", str(ok, "code"));
    json_decref(ok);
}

static void sits(int tab, const struct table *table)
{
    world_do(&world, tab, "join", "{s:s,s:s}", "room", table->room, "code",
             table->code[0] ? table->code : "0000000000000000");
}

static void may_not_sit(int tab, const struct table *table)
{
    world_refused(&world, tab, "seat_refused", "join", "{s:s,s:s}", "room", table->room, "code",
                  table->code[0] ? table->code : "0000000000000000");
}

static const char *const access_of[] = {"open", "code"};

/* Whoever has blocked whom, and whoever was there first. */
START_TEST(test_two_do_not_sit_together)
{
    struct table table;
    const int first = _i & 2 ? ana : bo, second = _i & 2 ? bo : ana;
    block(ana, "Bo-1");
    if (_i & 4)
        come_back();
    open_table(chi, access_of[_i & 1], &table);
    sits(first, &table);
    may_not_sit(second, &table);
    sits(chi, &table);
    world_do(&world, second, "watch", "{s:s,s:s}", "room", table.room, "code",
             table.code[0] ? table.code : "0000000000000000");
    sits(first, &table); /* it is there */
    world_do(&world, ana, "unblock", "{s:s}", "handle", "Bo-1");
    sits(second, &table);
}
END_TEST

/* Nor where the other has made the table, and does not sit yet. */
START_TEST(test_a_host_that_does_not_sit)
{
    struct table table;
    block(ana, "Bo-1");
    open_table(ana, "open", &table);
    may_not_sit(bo, &table);
    sits(chi, &table);
    open_table(bo, "open", &table);
    may_not_sit(ana, &table);
}
END_TEST

/* Who has not the code learns nothing of who is there. */
START_TEST(test_the_code_comes_first)
{
    struct table table;
    block(ana, "Bo-1");
    open_table(ana, "code", &table);
    world_refused(&world, bo, "code_needed", "join", "{s:s}", "room", table.room);
    world_refused(&world, bo, "wrong_code", "join", "{s:s,s:s}", "room", table.room, "code",
                  "0000000000000000");
}
END_TEST

START_TEST(test_a_rematch)
{
    struct table table = {.players = 2, .tabs = {ana, bo}};
    json_t *ok = world_ok(&world, ana, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(table.room, sizeof table.room, "%s", str(ok, "room"));
    json_decref(ok);
    sits(ana, &table);
    sits(bo, &table);
    world_begin(&world, &table);
    world_do(&world, bo, "resign", "{s:s}", "room", table.room);
    block(ana, "Bo-1");
    world_refused(&world, bo, "seat_refused", "rematch", "{s:s}", "room", table.room);
    world_refused(&world, ana, "seat_refused", "rematch", "{s:s}", "room", table.room);
    world_do(&world, ana, "unblock", "{s:s}", "handle", "Bo-1");
    world_do(&world, bo, "rematch", "{s:s}", "room", table.room);
}
END_TEST

static bool hears(int tab, int speaker, const char *room)
{
    world_forget(&world, tab);
    world_do(&world, speaker, "say", "{s:s,s:s}", "room", room, "text", "hello");
    json_t *said = world_push(&world, tab, "said");
    json_decref(said);
    return said;
}

/* Of one who sits and one who watches, and whatever device they came by. */
START_TEST(test_who_is_blocked_is_not_heard)
{
    struct table table;
    open_table(ana, "open", &table);
    sits(ana, &table);
    sits(chi, &table);
    world_do(&world, bo, "watch", "{s:s}", "room", table.room);
    ck_assert(hears(ana, bo, table.room));
    block(ana, "Bo-1");
    ck_assert(!hears(ana, bo, table.room));
    ck_assert(hears(chi, bo, table.room));
    ck_assert(hears(bo, bo, table.room)); /* who is told nothing */
    ck_assert(hears(bo, ana, table.room));
    ck_assert(hears(ana, chi, table.room));
    const int again = world_back(&world, ana);
    world_do(&world, again, "watch", "{s:s}", "room", table.room);
    ck_assert(!hears(again, bo, table.room));
    world_do(&world, ana, "unblock", "{s:s}", "handle", "Bo-1");
    ck_assert(hears(ana, bo, table.room));
}
END_TEST

/* ---- a quick match */

static bool is_found(int tab)
{
    json_t *found = world_push(&world, tab, "found");
    json_decref(found);
    return found;
}

/* Blocked before either seeks, while both do, and over a restart of the desk. */
START_TEST(test_a_quick_match)
{
    if (_i == 0)
        block(ana, "Bo-1");
    world_do(&world, ana, "seek", "");
    if (_i == 1)
        block(ana, "Bo-1");
    if (_i == 2)
        block(bo, "ana");
    world_do(&world, bo, "seek", "");
    if (_i == 0)
        come_back();
    world_pass(&world, 100000);
    world_do(&world, ana, "seek", "");
    world_do(&world, bo, "seek", "");
    world_pass(&world, 5000);
    ck_assert(!is_found(ana) && !is_found(bo));
    world_do(&world, _i == 2 ? bo : ana, "unblock", "{s:s}", "handle", _i == 2 ? "ana" : "Bo-1");
    world_pass(&world, 5000);
    ck_assert(is_found(ana) && is_found(bo));
}
END_TEST

/* ---- in a site of several parts */

static int away_tab[2]; /* at the table's part: of ana and bo, who are at home in the other one */

static int go(int home_tab, const char *name, const char *handle)
{
    const struct protocol_account account = {.kind = ACCOUNT_PERSON};
    struct protocol_account own = account;
    const int tab = site_go(site_session(&home, home_tab), name);
    (void)snprintf(own.handle, sizeof own.handle, "%s", handle);
    ck_assert(hub_set_account(away.hub, away.tabs[tab].link.peer, &own));
    return tab;
}

static void site_up(void)
{
    site_setup();
    for (int i = 0; i < 2; i++) {
        struct world *one = i ? &away : &home;
        one->env.accounts = HUB_ACCOUNTS_OPEN;
        one->env.features = registry;
        one->config.claims_per_address_per_day = 100;
    }
    site_start();
    ana = world_guest(&home, "Ana");
    bo = world_guest(&home, "Bo");
    world_do(&home, ana, "claim", "{s:s}", "handle", "ana");
    world_do(&home, bo, "claim", "{s:s}", "handle", "bob");
    chi = world_guest(&away, "Chi");
    away_tab[0] = go(ana, "Ana", "ana");
    away_tab[1] = go(bo, "Bo", "bob");
}

static void away_table(struct table *table)
{
    json_t *ok = world_ok(&away, chi, "create", "{s:{s:i}}", "options", "players", 3);
    (void)snprintf(table->room, sizeof table->room, "%s", str(ok, "room"));
    json_decref(ok);
}

/* What this part does not know it asks the store; so it is after a restart of it, too. */
START_TEST(test_a_table_elsewhere)
{
    struct table table;
    world_do(&home, _i & 1 ? bo : ana, "block", "{s:s}", "handle", _i & 1 ? "ana" : "bob");
    site_pass(1000);
    away_table(&table);
    world_do(&away, chi, "join", "{s:s}", "room", table.room);
    world_do(&away, away_tab[0], "join", "{s:s}", "room", table.room);
    if (_i & 2) {
        world_restart(&away);
        for (int tab = 0; tab < 3; tab++)
            away.tabs[tab].link.open = false;
        away_tab[1] = go(bo, "Bo", "bob");
    }
    world_refused(&away, away_tab[1], "seat_refused", "join", "{s:s}", "room", table.room);
    world_do(&home, _i & 1 ? bo : ana, "unblock", "{s:s}", "handle", _i & 1 ? "ana" : "bob");
    site_pass(1000);
    world_do(&away, away_tab[1], "join", "{s:s}", "room", table.room);
}
END_TEST

enum { PASSERS_BY = 150 }; /* more than the pairs that are looked at for one request */

/* In the seat that the host empties somebody takes place who is new in this part. */
static int seat_somebody_new(const struct table *table, int guest)
{
    world_pass(&away, 200); /* for so many requests */
    world_do(&away, chi, "unseat", "{s:s,s:i}", "room", table->room, "seat", 1);
    world_cut(&away, guest);
    away.host++;
    guest = world_guest(&away, "Dee");
    world_do(&away, guest, "join", "{s:s,s:i}", "room", table->room, "seat", 1);
    return guest;
}

/* Whenever the store answers about one who sits there, somebody else does. */
START_TEST(test_the_others_never_stay)
{
    struct table table;
    struct store_query query;
    int asked = 0;
    away_table(&table);
    world_do(&away, chi, "join", "{s:s,s:i}", "room", table.room, "seat", 0);
    int guest = world_guest(&away, "Dee");
    world_do(&away, guest, "join", "{s:s,s:i}", "room", table.room, "seat", 1);
    const int64_t id = world_post(&away, away_tab[1], "join", "{s:s}", "room", table.room);
    for (; asked < PASSERS_BY && hub_query_take(away.hub, &query); asked++) {
        guest = seat_somebody_new(&table, guest);
        model_query(&away.store, away.hub, &query, away.now_ms);
    }
    world_settle(&away);
    ck_assert_int_lt(asked, PASSERS_BY);
    world_denied(&away, away_tab[1], id, "slow_down");
    world_do(&away, away_tab[1], "join", "{s:s}", "room", table.room); /* they stay */
}
END_TEST

static void begin_away(const struct table *table)
{
    const int tabs[] = {chi, away_tab[0], away_tab[1]};
    for (int i = 0; i < 3; i++)
        world_do(&away, tabs[i], "join", "{s:s,s:i}", "room", table->room, "seat", i);
    for (int i = 0; i < 3; i++)
        world_do(&away, tabs[i], "ready", "{s:s,s:b}", "room", table->room, "ready", 1);
    world_do(&away, chi, "start", "{s:s}", "room", table->room);
    for (int i = 0; i < 2; i++)
        world_do(&away, tabs[i], "resign", "{s:s}", "room", table->room);
}

/* How often the store is asked before the request of chi is refused. */
static int questions_of_rematch(const struct table *table)
{
    struct store_query query;
    int asked = 0;
    const int64_t id = world_post(&away, chi, "rematch", "{s:s}", "room", table->room);
    for (; hub_query_take(away.hub, &query); asked++)
        model_query(&away.store, away.hub, &query, away.now_ms);
    world_settle(&away);
    world_denied(&away, chi, id, "seat_refused");
    return asked;
}

/* Whichever two of three: all are seated by a rematch, and who asks cannot tell. */
START_TEST(test_a_rematch_does_not_say_who)
{
    static const char *const blocked[] = {"chi-1", "bob"};
    struct table table;
    world_do(&away, chi, "claim", "{s:s}", "handle", "chi-1");
    site_pass(1000);
    away_table(&table);
    begin_away(&table);
    world_do(&home, ana, "block", "{s:s}", "handle", blocked[_i]);
    ck_assert_int_eq(questions_of_rematch(&table), 3); /* nothing was told to this part yet */
    site_pass(1000);
    world_do(&home, ana, "unblock", "{s:s}", "handle", blocked[_i]);
    site_pass(1000);
    world_do(&away, chi, "rematch", "{s:s}", "room", table.room);
}
END_TEST

static bool hears_away(int tab, int speaker, const char *room)
{
    world_forget(&away, tab);
    world_do(&away, speaker, "say", "{s:s,s:s}", "room", room, "text", "hello");
    json_t *said = world_push(&away, tab, "said");
    json_decref(said);
    return said;
}

/* Blocked before they come there, or while they are. */
START_TEST(test_talk_elsewhere)
{
    struct table table;
    away_table(&table);
    if (_i == 0)
        world_do(&home, ana, "block", "{s:s}", "handle", "bob");
    for (int i = 0; i < 2; i++)
        world_do(&away, away_tab[i], "watch", "{s:s}", "room", table.room);
    if (_i == 1) {
        ck_assert(hears_away(away_tab[0], away_tab[1], table.room));
        world_do(&home, ana, "block", "{s:s}", "handle", "bob");
        site_pass(1000);
    }
    ck_assert(!hears_away(away_tab[0], away_tab[1], table.room));
    ck_assert(hears_away(away_tab[1], away_tab[0], table.room));
    world_do(&home, ana, "unblock", "{s:s}", "handle", "bob");
    site_pass(1000);
    ck_assert(hears_away(away_tab[0], away_tab[1], table.room));
}
END_TEST

Suite *others_suite(void)
{
    Suite *suite = suite_create("others");
    TCase *lists = tcase_create("blocks"), *tables = tcase_create("blocked at a table"),
          *parts = tcase_create("blocked elsewhere");
    tcase_add_checked_fixture(lists, set_up, tear_down);
    tcase_add_test(lists, test_a_block);
    tcase_add_test(lists, test_what_is_refused);
    tcase_add_test(lists, test_so_many_and_no_more);
    tcase_add_test(lists, test_a_store_that_fails);
    tcase_add_test(lists, test_without_accounts);
    tcase_add_checked_fixture(tables, set_up, tear_down);
    tcase_add_loop_test(tables, test_two_do_not_sit_together, 0, 8);
    tcase_add_test(tables, test_a_host_that_does_not_sit);
    tcase_add_test(tables, test_the_code_comes_first);
    tcase_add_test(tables, test_a_rematch);
    tcase_add_test(tables, test_who_is_blocked_is_not_heard);
    tcase_add_loop_test(tables, test_a_quick_match, 0, 3);
    tcase_set_tags(parts, "near");
    tcase_add_checked_fixture(parts, site_up, site_teardown);
    tcase_add_loop_test(parts, test_a_table_elsewhere, 0, 4);
    tcase_add_test(parts, test_the_others_never_stay);
    tcase_add_loop_test(parts, test_a_rematch_does_not_say_who, 0, 2);
    tcase_add_loop_test(parts, test_talk_elsewhere, 0, 2);
    suite_add_tcase(suite, lists);
    suite_add_tcase(suite, tables);
    suite_add_tcase(suite, parts);
    return suite;
}
