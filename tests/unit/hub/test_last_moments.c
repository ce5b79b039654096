/* While the name of an account is taken out of its matches nobody enters it. */
#include "suites.h"
#include "tables/closing_table.h"
#include "world.h"
#include <stdlib.h>
#include <string.h>

static struct world world;
static int ana, bo;

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.config.closing_ms = world.config.over_idle_ms = 60000;
    world_start(&world);
    ana = world_guest(&world, "Ana");
    bo = world_guest(&world, "Bo");
    world_do(&world, ana, "claim", "{s:s}", "handle", "Ana-1903");
}

static void tear_down(void)
{
    world_release(&world);
}

static void end_a_match(void)
{
    struct table table = {.players = 2, .tabs = {ana, bo}};
    json_t *ok = world_ok(&world, ana, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(table.room, sizeof table.room, "%s", str(ok, "room"));
    json_decref(ok);
    for (int seat = 0; seat < 2; seat++)
        world_do(&world, table.tabs[seat], "join", "{s:s,s:i}", "room", table.room, "seat", seat);
    world_begin(&world, &table);
    world_do(&world, ana, "resign", "{s:s}", "room", table.room);
}

static void refuses_hello(const char *code)
{
    const int door = world_connect(&world);
    world_refused(&world, door, code, "hello", "{s:s}", "token", world.tabs[ana].token);
}

/* And a device does not forget its token before all of that is durable. */
START_TEST(it_is_told_to_come_again)
{
    const uint64_t id = strtoull(world.tabs[ana].session, NULL, 16);
    end_a_match();
    world_do(&world, ana, "close_account", "{s:s}", "handle", "Ana-1903");
    for (int at = 0; at < 3000 && !closing_is_erasing(world.hub, id); at++)
        world_pass(&world, 50);
    ck_assert(closing_is_erasing(world.hub, id));
    refuses_hello("slow_down");
    world_pass(&world, 60000);
    refuses_hello("unknown_token");
}
END_TEST

/* Is anybody called so in a log? */
static bool is_called(const char *name)
{
    for (size_t at = 0; at < world.store.room_count; at++) {
        const struct model_room *room = &world.store.rooms[at];
        for (size_t i = 0; i < room->count; i++) {
            if (strstr(room->events[i].text, name))
                return true;
        }
    }
    return false;
}

/* Of each step what is durable is done, and a server that is started anew goes on. */
START_TEST(a_restart_in_the_middle)
{
    const uint64_t id = strtoull(world.tabs[ana].session, NULL, 16);
    enum { STEP_MS = 100 };
    end_a_match();
    world_do(&world, ana, "close_account", "{s:s}", "handle", "Ana-1903");
    while (!closing_is_erasing(world.hub, id))
        world_pass(&world, STEP_MS / 2);
    world_pass(&world, _i * STEP_MS);
    ck_assert_ptr_nonnull(model_session(&world.store, id));
    world_restart(&world);
    world_pass(&world, 4 * world.config.over_idle_ms);
    ck_assert_ptr_null(model_session(&world.store, id));
    ck_assert(!is_called("Ana"));
    bo = world_back(&world, bo);
    world_refused(&world, bo, "handle_taken", "claim", "{s:s}", "handle", "Ana-1903");
}
END_TEST

Suite *last_moments_suite(void)
{
    Suite *suite = suite_create("last moments");
    TCase *tests = tcase_create("last moments");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, it_is_told_to_come_again);
    tcase_add_loop_test(tests, a_restart_in_the_middle, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
