/* A room that nobody has asked for: a feature plans it (hub/kernel.h). */
#include "../../support/failing_alloc.h"
#include "../../support/guest_book.h"
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <identity/identity.h>
#include <protocol/reply.h>
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
    operator_init(&world);
    ana = world_guest(&world, "Ana");
}

static void tear_down(void)
{
    world_release(&world);
}

static void leave(int tab, const char *word)
{
    world_do(&world, tab, "games", "{s:s}", "after", word);
}

/* Invited by Ana; its id. */
static const char *invite(void)
{
    static char room[16];
    json_t *ok = world_ok(&world, ana, "games", "{s:s}", "after", GUEST_BOOK_INVITES);
    snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    return room;
}

static json_t *state_of(int tab, const char *room)
{
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", room);
    json_t *state = json_incref(json_object_get(ok, "state"));
    json_decref(ok);
    return state;
}

START_TEST(test_a_room_by_a_plan)
{
    const int bo = world_guest(&world, "Bo");
    leave(bo, "hen00000");
    const char *room = invite();
    json_t *state = state_of(ana, room);
    const json_t *seats = json_object_get(state, "seats");
    ck_assert_str_eq(str(state, "title"), "guests");
    ck_assert_str_eq(str(json_object_get(seats, "0"), "name"), "Ana");
    ck_assert_str_eq(str(json_object_get(seats, "1"), "name"), "guest");
    ck_assert_uint_eq(json_object_size(seats), 2);
    json_decref(state);
    world_do(&world, bo, "ready", "{s:s,s:b}", "room", room, "ready", 1); /* it is Bo's seat */
    world_restart(&world);
    world.tabs[ana].link.open = false;
    const int back = world_back(&world, ana);
    state = state_of(back, room);
    ck_assert_uint_eq(json_object_size(json_object_get(state, "seats")), 2);
    json_decref(state);
}
END_TEST

/* A word of the server's own is nobody's. */
START_TEST(test_a_seat_of_nobody_stays_free)
{
    const int bo = world_guest(&world, "Bo");
    json_decref(operator_granted("{\"id\":1,\"op\":\"inscribe\",\"text\":\"welcome\"}"));
    leave(bo, "hen00000");
    json_t *state = state_of(ana, invite());
    const json_t *seats = json_object_get(state, "seats");
    ck_assert_ptr_null(json_object_get(json_object_get(seats, "1"), "name"));
    ck_assert_str_eq(str(json_object_get(seats, "2"), "name"), "guest");
    json_decref(state);
}
END_TEST

/* A computer is ready, and plays when it is its turn; who stores the room has its seat too. */
START_TEST(test_a_seat_of_a_computer)
{
    const uint64_t host = strtoull(world.tabs[ana].session, NULL, 16);
    struct request create;
    struct refusal refusal;
    char id[9];
    request_init(&create, REQUEST_NO_ID, REQUEST_CREATE);
    create.fields = REQUEST_OPTIONS;
    create.options = json_pack("{s:i}", "players", 3);
    const struct kernel_room_plan plan = {
        .create = &create,
        .host = host,
        .seat = {{.computer = true}, {.computer = true}, {.session = host, .name = "Ana"}}};
    ck_assert(kernel_open_room(world.hub, &plan, id, &refusal));
    request_release(&create);
    world_settle(&world);
    world_do(&world, ana, "ready", "{s:s,s:b}", "room", id, "ready", 1);
    world_do(&world, ana, "start", "{s:s}", "room", id);
    world_pass(&world, 5000);
    json_t *state = state_of(ana, id);
    const json_t *seats = json_object_get(state, "seats");
    ck_assert(json_is_true(json_object_get(json_object_get(seats, "0"), "bot")));
    ck_assert_int_gt(json_integer_value(json_object_get(json_object_get(seats, "0"), "level")), 0);
    ck_assert_str_ne(str(json_object_get(seats, "0"), "name"),
                     str(json_object_get(seats, "1"), "name"));
    ck_assert_str_eq(str(json_object_get(seats, "2"), "name"), "Ana");
    ck_assert_ptr_null(json_object_get(json_object_get(seats, "2"), "bot"));
    ck_assert_str_eq(str(state, "phase"), "playing");
    json_decref(state);
}
END_TEST

/* As among those who sit down by themselves. */
START_TEST(test_no_two_of_a_plan_look_alike)
{
    leave(world_guest(&world, "Bo"), "hen00000");
    leave(world_guest(&world, "Chi"), "cat00000");
    json_t *state = state_of(ana, invite());
    const json_t *seats = json_object_get(state, "seats");
    ck_assert_str_eq(str(json_object_get(seats, "1"), "name"), "guest");
    ck_assert_str_eq(str(json_object_get(seats, "2"), "name"), "guest 2");
    json_decref(state);
}
END_TEST

/* It is no answer to a request of its host's, whatever id that has. */
START_TEST(test_it_is_not_taken_for_the_host_s_own)
{
    char room[16];
    snprintf(room, sizeof room, "%s", invite());
    world_post_id(&world, ana, 1, "create", "{s:{s:i}}", "options", "players", 2);
    world_settle(&world);
    json_t *reply = world_reply(&world, ana, 1);
    ck_assert_str_ne(str(json_object_get(reply, "ok"), "room"), "");
    ck_assert_str_ne(str(json_object_get(reply, "ok"), "room"), room);
    json_decref(reply);
}
END_TEST

/* Whoever plans it may know less of who is gone than the hub. */
START_TEST(test_a_host_that_is_gone_has_no_room)
{
    const uint64_t host = strtoull(world.tabs[ana].session, NULL, 16);
    struct request create;
    struct refusal refusal;
    char id[9];
    world_cut(&world, ana);
    kernel_end_session(world.hub, host);
    request_init(&create, REQUEST_NO_ID, REQUEST_CREATE);
    const struct kernel_room_plan plan = {.create = &create, .host = host};
    for (int stored = 0; stored < 2; stored++) { /* and while the store does not know it yet */
        ck_assert(!kernel_open_room(world.hub, &plan, id, &refusal));
        ck_assert_int_eq(refusal.error, PROTOCOL_SEAT_REFUSED);
        world_settle(&world);
    }
    ck_assert_double_eq(world_figure(&world, "rooms{phase=\"lobby\"}"), 0);
    request_release(&create);
}
END_TEST

START_TEST(test_a_plan_is_refused_as_create_is)
{
    guest_book_set_players(world.hub, 9);
    world_refused(&world, ana, "bad_options", "games", "{s:s}", "after", GUEST_BOOK_INVITES);
    ck_assert_double_eq(world_figure(&world, "rooms{phase=\"lobby\"}"), 0);
}
END_TEST

START_TEST(test_no_plan_while_the_server_drains)
{
    hub_drain(world.hub, world.now_ms);
    world_refused(&world, ana, "draining", "games", "{s:s}", "after", GUEST_BOOK_INVITES);
}
END_TEST

/* What cannot be stored has not been: the room is gone with its batch. */
START_TEST(test_a_room_that_cannot_be_kept)
{
    world.held = true;
    const int64_t id = world_post(&world, ana, "games", "{s:s}", "after", GUEST_BOOK_INVITES);
    world_settle(&world);
    json_t *reply = world_reply(&world, ana, id);
    char room[16];
    snprintf(room, sizeof room, "%s", str(json_object_get(reply, "ok"), "room"));
    world_commit(&world, STORE_FULL);
    world.held = false;
    world_settle(&world);
    world_refused(&world, ana, "unknown_room", "watch", "{s:s}", "room", room);
    json_decref(reply);
}
END_TEST

/* At each allocation: the room is there whole, or not at all. */
START_TEST(test_a_plan_without_memory)
{
    bool failed = true;
    leave(ana, "hen00000");
    for (uint64_t nth = 1; failed; nth++) {
        const double before = world_figure(&world, "rooms{phase=\"lobby\"}");
        const int64_t id = ++world.next_id;
        char text[96];
        snprintf(text, sizeof text, "{\"id\":%lld,\"op\":\"games\",\"after\":\"%s\"}",
                 (long long)id, GUEST_BOOK_INVITES);
        failing_alloc_arm(nth, false);
        world_send(&world, ana, text);
        (void)failing_alloc_disarm(&failed);
        world_settle(&world);
        json_t *reply = world_reply(&world, ana, id);
        const bool opened = json_object_get(json_object_get(reply, "ok"), "room") != NULL;
        const double now = world_figure(&world, "rooms{phase=\"lobby\"}");
        ck_assert(!opened || now == before + 1);
        ck_assert(failed || opened);
        json_decref(reply);
    }
}
END_TEST

Suite *plan_suite(void)
{
    Suite *suite = suite_create("plan");
    TCase *tests = near_case(suite, set_up, tear_down);
    tcase_add_test(tests, test_a_room_by_a_plan);
    tcase_add_test(tests, test_a_seat_of_nobody_stays_free);
    tcase_add_test(tests, test_a_seat_of_a_computer);
    tcase_add_test(tests, test_no_two_of_a_plan_look_alike);
    tcase_add_test(tests, test_it_is_not_taken_for_the_host_s_own);
    tcase_add_test(tests, test_a_host_that_is_gone_has_no_room);
    tcase_add_test(tests, test_a_plan_is_refused_as_create_is);
    tcase_add_test(tests, test_no_plan_while_the_server_drains);
    tcase_add_test(tests, test_a_room_that_cannot_be_kept);
    tcase_add_test(tests, test_a_plan_without_memory);
    return suite;
}
