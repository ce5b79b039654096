/* What a guest has becomes an account's: all of it, once, and to nobody who has not shown both. */
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <history/game_table.h>
#include <stdlib.h>
#include <string.h>

enum { WHILE_MS = 30000, CLOSE_ENDED = 4006 };

static struct world world;
static int ana, bo, gil; /* Ana has an account; Gil is the guest */
static uint64_t ana_id, gil_id;
static char gils[TOKEN_SPACE]; /* his token */

static uint64_t session_of(int tab)
{
    return strtoull(world.tabs[tab].session, NULL, 16);
}

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    operator_init(&world);
    world_start(&world);
    ana = world_guest(&world, "Ana");
    bo = world_guest(&world, "Bo");
    gil = world_guest(&world, "Gil");
    ana_id = session_of(ana);
    gil_id = session_of(gil);
    memcpy(gils, world.tabs[gil].token, sizeof gils);
    world_do(&world, ana, "claim", "{s:s}", "handle", "Ana-1903");
    world_forget(&world, ana);
}

static void tear_down(void)
{
    world_release(&world);
}

/* What the push says: "": it is done; NULL: there was none. */
static const char *told(void)
{
    static char code[32];
    json_t *push = world_push(&world, ana, "adopted");
    if (!push)
        return NULL;
    (void)snprintf(code, sizeof code, "%s", str(push, "refused"));
    json_decref(push);
    return code;
}

static void adopt(void)
{
    world_do(&world, ana, "adopt", "{s:s}", "token", gils);
    world_pass(&world, WHILE_MS);
}

static void sit_down(struct table *table, int host, int other)
{
    *table = (struct table){.tabs = {host, other}, .players = 2};
    json_t *ok = world_ok(&world, host, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(table->room, sizeof table->room, "%s", str(ok, "room"));
    json_decref(ok);
    for (int seat = 0; seat < 2; seat++)
        world_do(&world, table->tabs[seat], "join", "{s:s,s:i}", "room", table->room, "seat", seat);
}

/* Gil's, with Bo. */
static void begin_match(struct table *table)
{
    sit_down(table, gil, bo);
    world_begin(&world, table);
    ck_assert_int_ge(world_move(&world, table), 0);
    world_forget(&world, bo);
}

static int seat_of(int tab, const struct table *table)
{
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", table->room);
    const int seat = (int)num(json_object_get(ok, "you"), "seat");
    json_decref(ok);
    return seat;
}

static size_t games_of(uint64_t session)
{
    size_t count = 0;
    while (model_row(&world.store, &game_table, session, count))
        count++;
    return count;
}

static void expect_gone(void)
{
    const int tab = world_connect(&world);
    world_refused(&world, tab, "unknown_token", "hello", "{s:s}", "token", gils);
    ck_assert_ptr_null(model_session(&world.store, gil_id));
}

START_TEST(a_seat_is_the_accounts)
{
    struct table table;
    begin_match(&table);
    adopt();
    ck_assert_str_eq(told(), "");
    ck_assert_int_eq(world.tabs[gil].close_code, CLOSE_ENDED);
    ck_assert_ptr_null(world_push(&world, bo, "event")); /* nobody at the table sees a difference */
    ck_assert_int_eq(seat_of(ana, &table), 0);
    expect_gone();
    table.tabs[0] = ana;
    world_play_out(&world, &table);
    world_pass(&world, WHILE_MS);
    ck_assert_uint_eq(games_of(ana_id), 1);
}
END_TEST

START_TEST(it_is_so_after_a_restart)
{
    struct table table;
    begin_match(&table);
    adopt();
    world_restart(&world);
    ana = world_back(&world, ana);
    ck_assert_int_eq(seat_of(ana, &table), 0);
    expect_gone();
}
END_TEST

START_TEST(finished_matches_are_the_accounts)
{
    struct table table;
    begin_match(&table);
    world_play_out(&world, &table);
    world_pass(&world, WHILE_MS);
    ck_assert_uint_eq(games_of(gil_id), 1);
    adopt();
    ck_assert_str_eq(told(), "");
    ck_assert_uint_eq(games_of(gil_id), 0);
    ck_assert_uint_eq(games_of(ana_id), 1);
    expect_gone();
    const struct model_room *room = model_room(&world.store, table.room);
    for (size_t at = 0; at < room->count; at++)
        ck_assert_uint_ne(room->events[at].origin.session, gil_id);
    ck_assert_int_eq(seat_of(ana, &table), 0);
}
END_TEST

START_TEST(a_lobby_that_the_guest_has_made)
{
    struct table table;
    sit_down(&table, gil, bo);
    adopt();
    ck_assert_str_eq(told(), "");
    json_t *ok = world_ok(&world, ana, "watch", "{s:s}", "room", table.room);
    ck_assert(json_is_true(json_object_get(json_object_get(ok, "you"), "host")));
    json_decref(ok);
    table.tabs[0] = ana;
    world_begin(&world, &table); /* who has made it starts it */
}
END_TEST

START_TEST(a_link_made_there_shows_it_too)
{
    struct table table;
    begin_match(&table);
    json_t *ok = world_ok(&world, gil, "link", "");
    world_do(&world, ana, "adopt", "{s:s}", "pass", str(ok, "pass"));
    json_decref(ok);
    world_pass(&world, WHILE_MS);
    ck_assert_str_eq(told(), "");
    ck_assert_int_eq(seat_of(ana, &table), 0);
    expect_gone();
}
END_TEST

/* Of a match that was another one's first, too. */
START_TEST(it_is_erased_with_the_account)
{
    struct table table;
    unsigned said = 0;
    world.config.closing_ms = 60000;
    world_restart(&world);
    ana = world_back(&world, ana);
    bo = world_back(&world, bo);
    gil = world_back(&world, gil);
    begin_match(&table);
    world_play_out(&world, &table);
    adopt();
    world_do(&world, ana, "close_account", "{s:s}", "handle", "Ana-1903");
    world_pass(&world, 2 * world.config.over_idle_ms + 120000);
    ck_assert_ptr_null(model_session(&world.store, ana_id));
    const struct model_room *room = model_room(&world.store, table.room);
    for (size_t at = 0; at < room->count; at++)
        said += strstr(room->events[at].text, "Gil") ? 1U : 0U;
    ck_assert_uint_eq(said, 0);
    const struct game_row *line = model_row(&world.store, &game_table, session_of(bo), 0);
    ck_assert_ptr_nonnull(strstr(line->text, "deleted"));
}
END_TEST

/* ---- who may not */

START_TEST(who_is_no_guest)
{
    static const char other[] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
    const char *own = world.tabs[ana].token;
    world_refused(&world, gil, "account_needed", "adopt", "{s:s}", "token", own);
    world_refused(&world, ana, "already_account", "adopt", "{s:s}", "token", own);
    world_refused(&world, ana, "unknown_token", "adopt", "{s:s}", "token", other);
    world_refused(&world, ana, "unknown_pass", "adopt", "{s:s}", "pass",
                  "7zk3f09qa5vtd2e8r1x6mhbw4cbv");
    world_refused(&world, ana, "bad_field", "adopt", "{s:s,s:s}", "token", gils, "pass",
                  "7zk3f09qa5vtd2e8r1x6mhbw4cbv");
    world_refused(&world, ana, "bad_field", "adopt", "");
    world_pass(&world, 60000); /* so many of them are let through in a minute */
    world_do(&world, bo, "claim", "{s:s}", "handle", "Bo-1");
    world_refused(&world, ana, "already_account", "adopt", "{s:s}", "token", world.tabs[bo].token);
    world_do(&world, ana, "close_account", "{s:s}", "handle", "Ana-1903");
    world_refused(&world, ana, "account_closing", "adopt", "{s:s}", "token", gils);
    ck_assert_ptr_nonnull(model_session(&world.store, gil_id));
}
END_TEST

/* Nothing has changed, and the guest goes on. */
START_TEST(two_seats_of_a_table_are_not_one_persons)
{
    struct table table, other;
    sit_down(&table, gil, ana);
    world_begin(&world, &table);
    begin_match(&other);
    world_forget(&world, ana);
    adopt();
    ck_assert_str_eq(told(), "already_seated");
    ck_assert_int_eq(world.tabs[gil].close_code, 0);
    ck_assert_int_eq(seat_of(gil, &other), 0);
    gil = world_back(&world, gil);
    world_play_out(&world, &table);
    world_pass(&world, 120000);
    adopt(); /* it is over, and stays as it was */
    ck_assert_str_eq(told(), "");
    ck_assert_int_eq(seat_of(ana, &other), 0);
    ck_assert_int_eq(seat_of(ana, &table), 1);
}
END_TEST

/* Nobody gets rid of what was decided of them. */
START_TEST(whoever_is_kept_from_speaking)
{
    struct table table;
    char text[160];
    begin_match(&table);
    (void)snprintf(text, sizeof text,
                   "{\"id\":1,\"op\":\"silence\",\"target\":\"%s\",\"for_s\":3600}",
                   world.tabs[gil].session);
    json_decref(operator_granted(text));
    world_refused(&world, ana, "banned", "adopt", "{s:s}", "token", gils);
    ck_assert_int_eq(seat_of(gil, &table), 0);
}
END_TEST

/* Of two who have the guest's secret one adopts it. */
START_TEST(one_of_two_has_it)
{
    struct table table;
    begin_match(&table);
    const int eve = world_guest(&world, "Eve");
    world_do(&world, eve, "claim", "{s:s}", "handle", "Eve-1");
    const int64_t first = world_post(&world, ana, "adopt", "{s:s}", "token", gils);
    const int64_t second = world_post(&world, eve, "adopt", "{s:s}", "token", gils);
    world_settle(&world);
    world_granted(&world, ana, first);
    world_granted(&world, eve, second);
    world_pass(&world, WHILE_MS);
    ck_assert_str_eq(told(), "");
    json_t *push = world_push(&world, eve, "adopted");
    ck_assert_str_eq(str(push, "refused"), "slow_down");
    json_decref(push);
    ck_assert_int_eq(seat_of(ana, &table), 0);
    ck_assert_int_eq(seat_of(eve, &table), -1);
}
END_TEST

/* What is said twice is done once. */
START_TEST(it_is_asked_for_twice)
{
    struct table table;
    begin_match(&table);
    const int64_t first = world_post(&world, ana, "adopt", "{s:s}", "token", gils);
    const int64_t second = world_post(&world, ana, "adopt", "{s:s}", "token", gils);
    world_settle(&world);
    world_granted(&world, ana, first);
    world_denied(&world, ana, second, "slow_down"); /* the one before is not answered */
    world_pass(&world, WHILE_MS);
    ck_assert_str_eq(told(), "");
    ck_assert_int_eq(seat_of(ana, &table), 0);
    world_refused(&world, ana, "unknown_token", "adopt", "{s:s}", "token", gils);
}
END_TEST

/* ---- trouble */

/* Who claims a handle in its last moment stays who it is. */
START_TEST(the_guest_has_a_handle_meanwhile)
{
    const int64_t adopted = world_post(&world, ana, "adopt", "{s:s}", "token", gils);
    const int64_t claimed = world_post(&world, gil, "claim", "{s:s}", "handle", "Gil-1");
    world_settle(&world);
    world_granted(&world, ana, adopted);
    world_granted(&world, gil, claimed);
    world_pass(&world, WHILE_MS);
    ck_assert_str_eq(told(), "already_account");
    gil = world_back(&world, gil);
    ck_assert_ptr_nonnull(model_session(&world.store, gil_id));
}
END_TEST

/* The server dies after so many commits, and what it had begun goes on. */
START_TEST(killed_between_any_two_steps)
{
    struct table table, over;
    begin_match(&over);
    world_play_out(&world, &over);
    world_pass(&world, WHILE_MS);
    begin_match(&table);
    world.held = true;
    const int64_t id = world_post(&world, ana, "adopt", "{s:s}", "token", gils);
    world_settle(&world);
    for (int step = 0; step <= _i; step++) {
        if (world.out)
            world_commit(&world, STORE_OK);
        world_pass(&world, 600);
    }
    json_decref(world_reply(&world, ana, id));
    world.held = false;
    world_restart(&world);
    ana = world_back(&world, ana);
    world_pass(&world, 2 * WHILE_MS);
    ck_assert_int_eq(seat_of(ana, &table), 0);
    ck_assert_uint_eq(games_of(ana_id), 1);
    ck_assert_int_eq(seat_of(ana, &over), 0);
    expect_gone();
}
END_TEST

/* What the request is answered meanwhile: "": nothing. */
static const char *answer_to(int tab, int64_t id)
{
    static char code[32];
    json_t *reply = world_reply(&world, tab, id);
    code[0] = '\0';
    if (reply)
        (void)snprintf(code, sizeof code, "%s",
                       json_object_get(reply, "ok") ? "ok"
                                                    : str(json_object_get(reply, "error"), "code"));
    json_decref(reply);
    return code;
}

/* Between the steps: nobody has two seats of a room, and whoever was put out stays out. */
START_TEST(what_is_tried_meanwhile)
{
    struct table table;
    unsigned waits = 0;
    bool out = false, closed = false;
    sit_down(&table, gil, bo);
    world_do(&world, bo, "leave", "{s:s}", "room", table.room);
    world.held = true;
    const int64_t id = world_post(&world, ana, "adopt", "{s:s}", "token", gils);
    world_settle(&world);
    for (int step = 0; step < 30; step++) {
        if (world.out)
            world_commit(&world, STORE_OK);
        const int door = world_connect(&world);
        const int64_t enters = world_post(&world, door, "hello", "{s:s}", "token", gils);
        world_settle(&world);
        const char *answer = answer_to(door, enters);
        ck_assert_msg(!out || strcmp(answer, "ok") != 0, "step %d: it enters", step);
        out |= strcmp(answer, "slow_down") == 0 || strcmp(answer, "unknown_token") == 0;
        world_cut(&world, door);
        closed |= world.tabs[gil].close_code == CLOSE_ENDED;
        ck_assert(!out || closed);
        if (out) { /* before, it would be refused what both have been at */
            const int64_t joins =
                world_post(&world, ana, "join", "{s:s,s:i}", "room", table.room, "seat", 1);
            world_settle(&world);
            waits += strcmp(answer_to(ana, joins), "slow_down") == 0;
        }
        world_pass(&world, 100);
    }
    world.held = false;
    json_decref(world_reply(&world, ana, id));
    world_pass(&world, WHILE_MS);
    ck_assert(out && waits > 0);
    world_forget(&world, ana);
    world_restart(&world); /* the log that is kept can be read */
    ana = world_back(&world, ana);
    ck_assert_int_ge(seat_of(ana, &table), 0);
    expect_gone();
}
END_TEST

/* Who has looked on where something is hidden has seen less than the seat does. */
START_TEST(who_looks_on_gets_all_of_it)
{
    struct table table = {.players = 2, .tabs = {gil, bo}};
    json_t *ok =
        world_ok(&world, gil, "create", "{s:s,s:{s:i}}", "game", "cards", "options", "players", 2);
    (void)snprintf(table.room, sizeof table.room, "%s", str(ok, "room"));
    json_decref(ok);
    for (int seat = 0; seat < 2; seat++)
        world_do(&world, table.tabs[seat], "join", "{s:s,s:i}", "room", table.room, "seat", seat);
    world_begin(&world, &table);
    ok = world_ok(&world, ana, "watch", "{s:s}", "room", table.room);
    const json_int_t have = num(ok, "seq");
    json_decref(ok);
    adopt();
    ck_assert_int_eq(world.tabs[ana].close_code, 1012);
    ana = world_back(&world, ana);
    ok = world_ok(&world, ana, "watch", "{s:s,s:I}", "room", table.room, "have", have);
    ck_assert_int_eq(num(ok, "seq"), have); /* there would be nothing to tell */
    ck_assert_ptr_nonnull(json_object_get(ok, "state"));
    json_decref(ok);
}
END_TEST

/* A match under way is its players' whatever the store says, and it is tried again. */
START_TEST(the_store_fails_meanwhile)
{
    struct table table;
    begin_match(&table);
    world_do(&world, ana, "adopt", "{s:s}", "token", gils);
    for (int step = 0; step < 8; step++) {
        world.answer = step % 2 == 0 ? STORE_FAILED : STORE_OK;
        world_pass(&world, 700);
    }
    world.answer = STORE_OK;
    world_pass(&world, 2 * WHILE_MS);
    ck_assert_int_eq(seat_of(ana, &table), 0);
    expect_gone();
    table.tabs[0] = ana;
    world_play_out(&world, &table);
}
END_TEST

Suite *adopt_suite(void)
{
    Suite *suite = suite_create("adopting");
    TCase *tests = tcase_create("adopt");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_seat_is_the_accounts);
    tcase_add_test(tests, it_is_so_after_a_restart);
    tcase_add_test(tests, finished_matches_are_the_accounts);
    tcase_add_test(tests, a_lobby_that_the_guest_has_made);
    tcase_add_test(tests, a_link_made_there_shows_it_too);
    tcase_add_test(tests, it_is_erased_with_the_account);
    tcase_add_test(tests, who_is_no_guest);
    tcase_add_test(tests, two_seats_of_a_table_are_not_one_persons);
    tcase_add_test(tests, whoever_is_kept_from_speaking);
    tcase_add_test(tests, one_of_two_has_it);
    tcase_add_test(tests, it_is_asked_for_twice);
    tcase_add_test(tests, the_guest_has_a_handle_meanwhile);
    tcase_add_loop_test(tests, killed_between_any_two_steps, 0, 14);
    tcase_add_test(tests, what_is_tried_meanwhile);
    tcase_add_test(tests, who_looks_on_gets_all_of_it);
    tcase_add_test(tests, the_store_fails_meanwhile);
    suite_add_tcase(suite, tests);
    return suite;
}
