/* The account of a session as the hub has it: a fact for features and rooms (hub/kernel.h). */
#include "../../support/guest_book.h"
#include "suites.h"
#include "world.h"
#include <hub/kernel.h>
#include <identity/identity.h>
#include <protocol/account.h>
#include <stdlib.h>
#include <string.h>

static struct world world;
static int ana;

static const struct feature *const features[] = {&feature_identity, &guest_book, NULL};

static void set_up(void)
{
    world_init(&world);
    world.env.features = features;
    world_start(&world);
    ana = world_guest(&world, "Ana");
}

static void tear_down(void)
{
    world_release(&world);
}

static struct session *session_of(int tab)
{
    return kernel_session_find(world.hub, strtoull(world.tabs[tab].session, NULL, 16));
}

static void give(int tab, const char *handle)
{
    struct kernel_account *account = calloc(1, sizeof *account);
    account->shown.kind = ACCOUNT_PERSON;
    snprintf(account->shown.handle, sizeof account->shown.handle, "%s", handle);
    kernel_give_account(world.hub, session_of(tab), account);
}

static json_t *seat_of(int tab, const char *room, const char *seat)
{
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", room);
    const json_t *state = json_object_get(ok, "state");
    json_t *found = json_incref(json_object_get(json_object_get(state, "seats"), seat));
    json_decref(ok);
    ck_assert_ptr_nonnull(found);
    return found;
}

static void opened_by(const char *op, char room[16])
{
    json_t *ok = strcmp(op, "create") == 0
                     ? world_ok(&world, ana, op, "{s:s}", "game", "taluva")
                     : world_ok(&world, ana, "games", "{s:s}", "after", GUEST_BOOK_INVITES);
    snprintf(room, 16, "%s", str(ok, "room"));
    json_decref(ok);
}

START_TEST(test_it_is_the_sessions)
{
    ck_assert_ptr_null(kernel_account(session_of(ana)));
    give(ana, "ana");
    ck_assert_str_eq(kernel_account(session_of(ana))->handle, "ana");
    give(ana, "Ana");
    ck_assert_str_eq(kernel_account(session_of(ana))->handle, "Ana");
    kernel_give_account(world.hub, session_of(ana), NULL);
    ck_assert_ptr_null(kernel_account(session_of(ana)));
}
END_TEST

/* Whoever takes a seat, or is given one, is shown with it. */
START_TEST(test_it_is_shown_where_they_sit)
{
    static const char *const ways[] = {"create", "plan"};
    char room[16];
    give(ana, "ana-1");
    opened_by(ways[_i], room);
    if (_i == 0)
        json_decref(world_ok(&world, ana, "join", "{s:s}", "room", room));
    json_t *seat = seat_of(ana, room, "0");
    ck_assert_str_eq(str(seat, "handle"), "ana-1");
    json_decref(seat);
}
END_TEST

START_TEST(test_who_has_none_shows_none)
{
    char room[16];
    opened_by("plan", room);
    json_t *seat = seat_of(ana, room, "0");
    ck_assert_ptr_null(json_object_get(seat, "handle"));
    json_decref(seat);
}
END_TEST

Suite *account_suite(void)
{
    Suite *suite = suite_create("account");
    TCase *tests = near_case(suite, set_up, tear_down);
    tcase_add_test(tests, test_it_is_the_sessions);
    tcase_add_loop_test(tests, test_it_is_shown_where_they_sit, 0, 2);
    tcase_add_test(tests, test_who_has_none_shows_none);
    return suite;
}
