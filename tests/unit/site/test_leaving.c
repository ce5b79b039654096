/* An account that is erased, with matches in other parts of the site: none keeps its name. */
#include "nodes.h"
#include "suites.h"
#include <check.h>
#include <history/game_table.h>
#include <hub/config.h>
#include <stdio.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000 };

static struct nodes nodes;
static int ana, bo;
static char room[9];

/* At home in that part. */
static int person(unsigned part, const char *name, const char *handle)
{
    int guest = nodes_guest(&nodes, (int)part % 3, name);
    while (home_of(&nodes, guest) != part) {
        nodes_disconnect(&nodes, guest);
        nodes_forget(&nodes, guest);
        guest = nodes_guest(&nodes, (int)part % 3, name);
    }
    nodes_do(&nodes, guest, "claim", "{s:s}", "handle", handle);
    return guest;
}

/* A match of a part that Ana is not at home in. */
static void set_up(void)
{
    nodes_init(&nodes, 3, 4);
    ana = person(1, "Ana Nym", "Ana-1903");
    bo = person((unsigned)0, "Bo", "Bo-1");
    const int players[2] = {bo, ana};
    nodes_room(&nodes, bo, room);
    nodes_begin(&nodes, players, room);
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

static void close_it(void)
{
    nodes_do(&nodes, ana, "close_account", "{s:s}", "handle", "Ana-1903");
}

/* In logs and in lists of all parts. */
static unsigned count_said(const char *text)
{
    unsigned count = 0;
    for (unsigned part = 0; part < nodes.parts; part++) {
        const struct model_store *store = &nodes.places[part].store;
        for (size_t at = 0; at < store->room_count; at++) {
            for (size_t i = 0; i < store->rooms[at].count; i++)
                count += strstr(store->rooms[at].events[i].text, text) ? 1U : 0U;
        }
        const struct game_row *game;
        for (size_t at = 0; (game = model_nth(store, &game_table, at)); at++)
            count += strstr(game->text, text) ? 1U : 0U;
    }
    return count;
}

static bool is_there(void)
{
    json_t *reply;
    const int64_t id = nodes_post(&nodes, bo, "profile", "{s:s}", "handle", "Ana-1903");
    nodes_settle(&nodes);
    reply = nodes_reply(&nodes, bo, id);
    const bool is = json_object_get(reply, "ok");
    json_decref(reply);
    return is;
}

/* Bo, who is not forgotten, looks on. */
static void pass(int64_t ms)
{
    for (; ms > 0; ms -= 20000) {
        nodes_pass(&nodes, 20000);
        nodes_do(&nodes, bo, "ping", "");
        nodes_forget(&nodes, bo);
    }
}

START_TEST(a_match_under_way_elsewhere_is_waited_for)
{
    close_it();
    nodes_disconnect(&nodes, ana);
    pass(8 * (int64_t)DAY_MS);
    ck_assert(is_there());
    ck_assert_uint_gt(count_said("Ana Nym"), 0);
    nodes_do(&nodes, bo, "resign", "{s:s}", "room", room);
    pass(DAY_MS / 2);
    ck_assert(!is_there());
    ck_assert_uint_eq(count_said("Ana Nym") + count_said("Ana-1903"), 0);
    ck_assert_uint_gt(count_said("deleted"), 0);
}
END_TEST

START_TEST(one_that_is_over_and_not_put_away_too)
{
    close_it();
    nodes_disconnect(&nodes, ana);
    pass(7 * (int64_t)DAY_MS - 60000);
    nodes_do(&nodes, bo, "resign", "{s:s}", "room", room);
    ck_assert_uint_gt(count_said("Ana Nym"), 0);
    pass(DAY_MS / 2);
    ck_assert(!is_there());
    ck_assert_uint_eq(count_said("Ana Nym") + count_said("Ana-1903"), 0);
}
END_TEST

Suite *leaving_suite(void)
{
    Suite *suite = suite_create("leaving");
    TCase *tests = tcase_create("an account that is erased, elsewhere");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_match_under_way_elsewhere_is_waited_for);
    tcase_add_test(tests, one_that_is_over_and_not_put_away_too);
    suite_add_tcase(suite, tests);
    return suite;
}
