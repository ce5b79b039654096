/* `games`: the list of finished matches that those who sat there can ask for. */
#include "suites.h"
#include "world.h"
#include <history/game_table.h>
#include <hub/store_query.h>

static struct world world;

static void set_up(void)
{
    world_init(&world);
}

static void tear_down(void)
{
    world_release(&world);
}

/* A match between two tabs that the first of them resigns. */
static void play(struct table *table, const char *title)
{
    world_table(&world, table, 2, "{s:s}", "title", title);
    world_begin(&world, table);
    world_do(&world, table->tabs[0], "resign", "{s:s}", "room", table->room);
}

static json_t *games(int tab)
{
    json_t *ok = world_ok(&world, tab, "games", "");
    json_t *list = json_incref(json_object_get(ok, "games"));
    ck_assert(json_is_array(list));
    json_decref(ok);
    return list;
}

static size_t count_games(int tab)
{
    json_t *list = games(tab);
    size_t count = json_array_size(list);
    json_decref(list);
    return count;
}

static size_t stored(void)
{
    return model_rows(&world.store, &game_table);
}

START_TEST(test_who_sat_there_is_told)
{
    struct table table;
    play(&table, "Friday");
    int other = world_guest(&world, "Eve");
    world_do(&world, other, "watch", "{s:s}", "room", table.room);
    json_t *watched =
        world_ok(&world, other, "watch", "{s:s,s:i}", "room", table.room, "have", 1000000);
    const json_t *state = json_object_get(watched, "state");
    for (int seat = 0; seat < 2; seat++) {
        json_t *list = games(table.tabs[seat]);
        ck_assert_uint_eq(json_array_size(list), 1);
        const json_t *line = json_array_get(list, 0);
        ck_assert_str_eq(str(line, "room"), table.room);
        ck_assert_str_eq(str(line, "game"), "taluva");
        ck_assert_str_eq(str(line, "title"), "Friday");
        ck_assert_int_eq(num(line, "size"), 2);
        ck_assert_int_eq(num(line, "seat"), seat);
        ck_assert_int_eq(num(line, "at"), world.now_ms);
        ck_assert(json_equal(json_object_get(line, "result"), json_object_get(state, "result")));
        ck_assert(json_equal(json_object_get(line, "options"), json_object_get(state, "options")));
        ck_assert_uint_eq(json_object_size(json_object_get(line, "seats")), 2);
        json_decref(list);
    }
    ck_assert_uint_eq(count_games(other), 0); /* who watched did not sit there */
    json_decref(watched);
}
END_TEST

/* It is in the same batch as the event that ends the match: there with it, or not there either. */
START_TEST(test_with_the_end_or_not_at_all)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world.held = true;
    int64_t id = world_post(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_settle(&world);
    ck_assert_uint_eq(stored(), 0);
    world_commit(&world, STORE_FULL);
    world.held = false;
    world_denied(&world, table.tabs[0], id, "store_failing");
    ck_assert_uint_eq(count_games(table.tabs[0]), 0);
    world_pass(&world, world.config.store_retry_max_ms);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    ck_assert_uint_eq(count_games(table.tabs[0]), 1);
    ck_assert_uint_eq(count_games(table.tabs[1]), 1);
    /* A rematch is an event of a match that is over already. */
    world_do(&world, table.tabs[0], "rematch", "{s:s}", "room", table.room);
    ck_assert_uint_eq(stored(), 2);
}
END_TEST

/* What the store refuses of the room it refuses of the list. */
START_TEST(test_a_refused_end_is_not_listed)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world.store.refuse = table.room;
    world_refused(&world, table.tabs[0], "store_failing", "resign", "{s:s}", "room", table.room);
    world.store.refuse = NULL;
    ck_assert_uint_eq(stored(), 0);
}
END_TEST

/* The list is the session's own, on the disk; the room it names can be looked at. */
START_TEST(test_after_a_restart_and_without_its_room)
{
    struct table table;
    play(&table, "Friday");
    world_restart(&world);
    int back = world_back(&world, table.tabs[1]);
    ck_assert_uint_eq(count_games(back), 1);
    world_cut(&world, back);
    world_pass(&world, world.config.over_idle_ms + 1);
    back = world_back(&world, table.tabs[1]);
    ck_assert_uint_eq(count_games(back), 1);
    json_t *ok = world_ok(&world, back, "past", "{s:s,s:i}", "room", table.room, "have", 0);
    ck_assert_uint_gt(json_array_size(json_object_get(ok, "events")), 0);
    json_decref(ok);
}
END_TEST

/* A session has its bound, and another one once it has a handle. */
START_TEST(test_bounded_and_by_page)
{
    const bool has_handle = _i;
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.config.games_per_session = has_handle ? 3 : 22;
    world.config.games_per_account = has_handle ? 22 : 3;
    world_start(&world);
    int ana = world_guest(&world, "Ana");
    if (has_handle)
        world_do(&world, ana, "claim", "{s:s}", "handle", "ana-1903");
    for (int i = 0; i < 24; i++) {
        json_t *ok = world_ok(&world, ana, "create", "{s:{s:i}}", "options", "players", 2);
        const char *room = str(ok, "room");
        world_do(&world, ana, "join", "{s:s}", "room", room);
        world_do(&world, ana, "bot", "{s:s}", "room", room);
        world_do(&world, ana, "ready", "{s:s,s:b}", "room", room, "ready", 1);
        world_do(&world, ana, "start", "{s:s}", "room", room);
        world_do(&world, ana, "resign", "{s:s}", "room", room);
        world_do(&world, ana, "leave", "{s:s}", "room", room);
        json_decref(ok);
        world_pass(&world, 60000);
    }
    json_t *first = world_ok(&world, ana, "games", "");
    const json_t *list = json_object_get(first, "games");
    ck_assert_uint_eq(json_array_size(list), GAMES_PAGE);
    ck_assert(json_is_true(json_object_get(first, "more")));
    for (size_t i = 1; i < GAMES_PAGE; i++)
        ck_assert_int_gt(num(json_array_get(list, i - 1), "at"),
                         num(json_array_get(list, i), "at"));
    json_t *rest = world_ok(&world, ana, "games", "{s:s}", "after",
                            str(json_array_get(list, GAMES_PAGE - 1), "room"));
    ck_assert_uint_eq(json_array_size(json_object_get(rest, "games")), 2);
    ck_assert_ptr_null(json_object_get(rest, "more"));
    json_t *none = world_ok(&world, ana, "games", "{s:s}", "after", "00000000");
    ck_assert_uint_eq(json_array_size(json_object_get(none, "games")), 0);
    json_decref(first);
    json_decref(rest);
    json_decref(none);
}
END_TEST

/* With the session; on all of its devices. */
START_TEST(test_forgotten_with_the_session)
{
    struct table table;
    play(&table, "Friday");
    ck_assert_uint_eq(stored(), 2);
    world_cut(&world, table.tabs[0]);
    world_cut(&world, table.tabs[1]);
    world_pass(&world,
               world.config.session_idle_days * 24 * 3600 * 1000 + world.config.over_idle_ms);
    ck_assert_uint_eq(world.store.session_count, 0);
    ck_assert_uint_eq(stored(), 0);
}
END_TEST

START_TEST(test_too_many_at_once_have_to_wait)
{
    world.config.queries = 1;
    world_start(&world);
    struct store_query page;
    int ana = world_guest(&world, "Ana"), bo = world_guest(&world, "Bo");
    world_refused(&world, ana, "bad_field", "games", "{s:s}", "after", "no room");
    world_post(&world, ana, "games", "");
    int64_t second = world_post(&world, bo, "games", "");
    ck_assert(hub_query_take(world.hub, &page));
    ck_assert(!hub_query_take(world.hub, &page));
    world_cut(&world, ana); /* the answer is for nobody */
    model_query(&world.store, world.hub, &page, world.now_ms);
    world_settle(&world);
    world_denied(&world, bo, second, "slow_down");
    second = world_post(&world, bo, "games", "");
    ck_assert(hub_query_take(world.hub, &page));
    page.result = STORE_FAILED;
    hub_query_done(world.hub, &page, world.now_ms);
    world_settle(&world);
    world_denied(&world, bo, second, "store_failing");
    ck_assert_uint_eq(count_games(bo), 0);
}
END_TEST

/* What is in the store may not have come from this program: nothing is spliced that is no object.
 */
START_TEST(test_what_is_no_line_is_left_out)
{
    static const struct game_row rows[] = {
        {.text = "", .text_len = 0},
        {.text = "{}", .text_len = 2},
        {.text = "[12]", .text_len = 4},
        {.text = "{\"room\":\"room000a\"}", .text_len = 19, .seat = 3},
    };
    struct store_query page;
    int ana = world_guest(&world, "Ana");
    int64_t id = world_post(&world, ana, "games", "");
    ck_assert(hub_query_take(world.hub, &page));
    ck_assert(store_query_begin(&page));
    for (size_t at = 0; at < sizeof rows / sizeof rows[0]; at++)
        ck_assert(store_query_add(&page, &rows[at]));
    page.result = STORE_OK;
    hub_query_done(world.hub, &page, world.now_ms);
    page.release(&page);
    world_settle(&world);
    json_t *reply = world_reply(&world, ana, id);
    const json_t *told = json_object_get(json_object_get(reply, "ok"), "games");
    ck_assert_uint_eq(json_array_size(told), 1);
    ck_assert_str_eq(str(json_array_get(told, 0), "room"), "room000a");
    ck_assert_int_eq(num(json_array_get(told, 0), "seat"), 3);
    json_decref(reply);
}
END_TEST

Suite *games_suite(void)
{
    Suite *suite = suite_create("games");
    TCase *tests = tcase_create("games");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_who_sat_there_is_told);
    tcase_add_test(tests, test_with_the_end_or_not_at_all);
    tcase_add_test(tests, test_a_refused_end_is_not_listed);
    tcase_add_test(tests, test_after_a_restart_and_without_its_room);
    tcase_add_loop_test(tests, test_bounded_and_by_page, 0, 2);
    tcase_add_test(tests, test_forgotten_with_the_session);
    tcase_add_test(tests, test_too_many_at_once_have_to_wait);
    tcase_add_test(tests, test_what_is_no_line_is_left_out);
    suite_add_tcase(suite, tests);
    return suite;
}
