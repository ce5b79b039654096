/* Who is told that it is their turn, when, and where; what is kept of it. */
#include "suites.h"
#include "world.h"
#include <cards.h>
#include <hub/push.h>
#include <string.h>

static struct world world;
static struct table table;

static const char KEY[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
static const char AUTH[] = "BTBZMqHH6r4Tts7J_aSIgg";

static bool allowed(void *ctx, const char *endpoint)
{
    (void)ctx;
    return strncmp(endpoint, "https://push.example/", 21) == 0;
}

static const struct hub_push push = {.key = "the server's key", .allowed = allowed};

static void setup(void)
{
    world_init(&world);
    world.env.push = &push;
    world_start(&world);
}

static void teardown(void)
{
    world_release(&world);
}

static json_t *notify(int tab, const char *endpoint)
{
    return world_ok(&world, tab, "notify", "{s:s,s:s,s:s}", "endpoint", endpoint, "p256dh", KEY,
                    "auth", AUTH);
}

static void tell(int tab, const char *endpoint)
{
    json_decref(notify(tab, endpoint));
}

static size_t devices(int tab)
{
    json_t *ok = world_ok(&world, tab, "unnotify", "{s:s}", "endpoint", "https://push.example/no");
    size_t count = json_array_size(json_object_get(ok, "devices"));
    json_decref(ok);
    return count;
}

/* A match of two who are both to be told, at places of their own. */
static void begin(const char *format, const char *kind, const char *member, int value)
{
    if (format[0])
        world_table(&world, &table, 2, format, "clock", "kind", kind, member, value, "on_timeout",
                    "eliminate");
    else
        world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    tell(table.tabs[0], "https://push.example/0");
    tell(table.tabs[1], "https://push.example/1");
    world.pushed_count = 0;
}

static void begin_slow(void)
{
    begin("", NULL, NULL, 0);
}

static bool has_turn(int tab, char move[static 64])
{
    const int64_t id = world_post(&world, tab, "moves", "{s:s}", "room", table.room);
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, id);
    const json_t *ok = json_object_get(reply, "ok");
    if (ok)
        snprintf(move, 64, "%s",
                 json_string_value(json_array_get(json_object_get(ok, "moves"), 0)));
    const bool has = ok != NULL;
    json_decref(reply);
    return has;
}

static int mover, other;

static void find_mover(void)
{
    char move[64];
    const int at = has_turn(table.tabs[0], move) ? 0 : 1;
    mover = table.tabs[at];
    other = table.tabs[1 - at];
}

/* To the end of it: then it is the other one's. */
static void play_turn(void)
{
    char move[64];
    while (has_turn(mover, move))
        world_do(&world, mover, "move", "{s:s,s:s,s:b}", "room", table.room, "move", move,
                 "confirm", 1);
}

/* One of them goes away, without giving up the seat, and then it is their turn. */
static void turn_of_the_absent(void)
{
    find_mover();
    world_cut(&world, other);
    play_turn();
}

START_TEST(test_who_is_away_is_told)
{
    begin_slow();
    turn_of_the_absent();
    ck_assert_uint_eq(world.pushed_count, 0);
    world_pass(&world, world.config.push_after_ms - 1);
    ck_assert_uint_eq(world.pushed_count, 0);
    world_pass(&world, 1);
    ck_assert_uint_eq(world.pushed_count, 1);
    const struct hub_push_job *job = &world.pushed[0];
    ck_assert_str_eq(job->endpoint,
                     other == table.tabs[0] ? "https://push.example/0" : "https://push.example/1");
    ck_assert_str_eq(job->topic, table.room);
    json_t *text = json_loadb(job->text, job->text_len, 0, NULL);
    ck_assert_str_eq(str(text, "kind"), "turn");
    ck_assert_str_eq(str(text, "room"), table.room);
    ck_assert_str_eq(str(text, "game"), "taluva");
    const json_t *names = json_object_get(text, "names");
    ck_assert_uint_eq(json_array_size(names), 1);
    ck_assert_str_eq(json_string_value(json_array_get(names, 0)),
                     other == table.tabs[0] ? "Bo" : "Ana");
    json_decref(text);
    hub_push_done(world.hub, job->ticket, HUB_PUSH_TAKEN, 0, world.now_ms);
    world_pass(&world, 3600000);
    ck_assert_uint_eq(world.pushed_count, 1); /* once for a turn */
}
END_TEST

static void repeat(char *text, size_t size, const char *part, int times)
{
    text[0] = '\0';
    for (int i = 0; i < times; i++)
        strncat(text, part, size - strlen(text) - 1);
}

/* Everything in it as long as it may be. */
START_TEST(test_the_longest_text)
{
    enum { PLAYERS = 5 };
    static const char LONG_LETTER[] = "\xf0\xa0\x80\x80";
    char name[PROTOCOL_NAME_BYTES + 1], title[PROTOCOL_TITLE_BYTES + 1];
    repeat(name, sizeof name, LONG_LETTER, PROTOCOL_NAME_CHARS);
    repeat(title, sizeof title, LONG_LETTER, PROTOCOL_TITLE_CHARS);
    world_table(&world, &table, PLAYERS, "{s:s}", "title", title);
    for (int i = 0; i < PLAYERS; i++) {
        world_do(&world, table.tabs[i], "leave", "{s:s}", "room", table.room);
        name[strlen(name) - 1] = (char)('\x80' + i); /* another letter at the end of each */
        world_do(&world, table.tabs[i], "rename", "{s:s}", "name", name);
        world_do(&world, table.tabs[i], "join", "{s:s,s:i}", "room", table.room, "seat", i);
        tell(table.tabs[i], "https://push.example/x");
    }
    world_begin(&world, &table);
    world.pushed_count = 0;
    char move[64];
    int at = 0;
    while (!has_turn(table.tabs[at], move))
        at++;
    mover = table.tabs[at];
    for (int i = 0; i < PLAYERS; i++) {
        if (i != at)
            world_cut(&world, table.tabs[i]);
    }
    play_turn();
    world_pass(&world, world.config.push_after_ms);
    ck_assert_uint_eq(world.pushed_count, 1);
    const struct hub_push_job *job = &world.pushed[0];
    json_t *text = json_loadb(job->text, job->text_len, 0, NULL);
    ck_assert_str_eq(str(text, "title"), title);
    const json_t *names = json_object_get(text, "names");
    ck_assert_uint_eq(json_array_size(names), PLAYERS - 1);
    ck_assert_uint_eq(strlen(json_string_value(json_array_get(names, PLAYERS - 2))), strlen(name));
    ck_assert_uint_lt(job->text_len + 3 * sizeof name, HUB_PUSH_TEXT_MAX);
    json_decref(text);
}
END_TEST

START_TEST(test_who_watches_is_not_told)
{
    begin_slow();
    find_mover();
    play_turn();
    world_pass(&world, 3600000);
    ck_assert_uint_eq(world.pushed_count, 0);
    ck_assert(world_figure(&world, "push_needless_total") > 0);
}
END_TEST

START_TEST(test_who_comes_back_in_time_is_not_told)
{
    begin_slow();
    turn_of_the_absent();
    const int again = world_back(&world, other);
    world_do(&world, again, "join", "{s:s}", "room", table.room);
    world_pass(&world, 3600000);
    ck_assert_uint_eq(world.pushed_count, 0);
}
END_TEST

START_TEST(test_who_is_elsewhere_is_told)
{
    begin_slow();
    turn_of_the_absent();
    (void)world_back(&world, other); /* connected, but not to this room */
    world_pass(&world, 3600000);
    ck_assert_uint_eq(world.pushed_count, 1);
}
END_TEST

/* Without watching the room. */
START_TEST(test_who_has_moved_is_not_told)
{
    begin_slow();
    turn_of_the_absent();
    mover = world_back(&world, other);
    play_turn();
    world_pass(&world, 3600000);
    ck_assert_uint_eq(world.pushed_count, 0);
}
END_TEST

static const struct {
    const char *kind, *member;
    int value;
    bool slow;
} clocks[] = {
    {"move", "move_s", 1799, false},
    {"move", "move_s", 1800, true},
    {"days", "days", 1, true},
};

START_TEST(test_clocks)
{
    begin("{s:{s:s,s:i,s:s}}", clocks[_i].kind, clocks[_i].member, clocks[_i].value);
    turn_of_the_absent();
    world_pass(&world, world.config.push_after_ms);
    ck_assert_uint_eq(world.pushed_count, clocks[_i].slow ? 1 : 0);
}
END_TEST

/* ---- trying again */

static void away(void)
{
    begin_slow();
    turn_of_the_absent();
    world_pass(&world, world.config.push_after_ms);
    ck_assert_uint_eq(world.pushed_count, 1);
}

static void done(enum hub_push_outcome outcome, int64_t retry_after_ms)
{
    const uint64_t ticket = world.pushed[world.pushed_count - 1].ticket;
    hub_push_done(world.hub, ticket, outcome, retry_after_ms, world.now_ms);
    world_settle(&world);
}

START_TEST(test_later_is_tried_again)
{
    away();
    done(HUB_PUSH_LATER, 0);
    world_pass(&world, 29999);
    ck_assert_uint_eq(world.pushed_count, 1);
    world_pass(&world, 1);
    ck_assert_uint_eq(world.pushed_count, 2);
    done(HUB_PUSH_LATER, 1000000); /* as the service asks */
    world_pass(&world, 999999);
    ck_assert_uint_eq(world.pushed_count, 2);
    world_pass(&world, 1);
    ck_assert_uint_eq(world.pushed_count, 3);
    for (int more = 0; more < 10; more++) {
        done(HUB_PUSH_LATER, INT64_MAX / 2);
        size_t before = world.pushed_count;
        world_pass(&world, 3600000);
        if (world.pushed_count == before)
            break;
    }
    ck_assert_uint_eq(world.pushed_count, 5);
    ck_assert(world_figure(&world, "push_waiting") == 0);
    ck_assert(world_figure(&world, "push_sent_total{outcome=\"later\"}") == 5);
}
END_TEST

START_TEST(test_refused_is_not_tried_again)
{
    away();
    done(HUB_PUSH_REFUSED, 0);
    world_pass(&world, 86400000 / 2);
    ck_assert_uint_eq(world.pushed_count, 1);
}
END_TEST

START_TEST(test_gone_is_forgotten)
{
    away();
    uint64_t session = 0;
    for (size_t i = 0; i < model_rows(&world.store, &browser_table); i++) {
        const struct browser_row *push_row = model_nth(&world.store, &browser_table, i);
        if (strcmp(push_row->endpoint, world.pushed[0].endpoint) == 0)
            session = push_row->session;
    }
    ck_assert_uint_ne(session, 0);
    done(HUB_PUSH_GONE, 0);
    ck_assert_ptr_null(model_push(&world.store, session, 0));
    ck_assert_uint_eq(model_rows(&world.store, &browser_table), 1);
}
END_TEST

/* ---- the queue */

START_TEST(test_so_many_at_once)
{
    world.config.push_at_once = 1;
    world_start(&world);
    begin_slow();
    find_mover();
    tell(other, "https://push.example/2");
    turn_of_the_absent();
    world_pass(&world, world.config.push_after_ms);
    ck_assert_uint_eq(world.pushed_count, 1);
    ck_assert(world_figure(&world, "push_waiting") == 1);
    ck_assert(world_figure(&world, "push_running") == 1);
    done(HUB_PUSH_TAKEN, 0);
    ck_assert_uint_eq(world.pushed_count, 2);
}
END_TEST

START_TEST(test_the_queue_is_bounded)
{
    world.config.push_queue = 1;
    world_start(&world);
    begin_slow();
    find_mover();
    tell(other, "https://push.example/2");
    turn_of_the_absent();
    ck_assert(world_figure(&world, "push_lost_total") == 1);
    world_pass(&world, world.config.push_after_ms);
    ck_assert_uint_eq(world.pushed_count, 1);
}
END_TEST

/* ---- the shares of addresses */

/* At two addresses, two messages from the first and one from the other. In `first` the room of the
 * first, in `table` that of the other. */
static void two_addresses(char first[static CODE_SPACE])
{
    world_start(&world);
    world.host = 2;
    begin_slow();
    find_mover();
    tell(other, "https://push.example/2");
    turn_of_the_absent();
    memcpy(first, table.room, CODE_SPACE);
    world.host = 1;
    begin_slow();
    turn_of_the_absent();
    world_pass(&world, world.config.push_after_ms);
}

/* However long the push service takes for the messages of one address. */
START_TEST(test_one_address_cannot_hold_up_the_others)
{
    char first[CODE_SPACE];
    world.config.push_at_once = 2;
    two_addresses(first);
    ck_assert_uint_eq(world.pushed_count, 2);
    ck_assert_str_eq(world.pushed[0].topic, first);
    ck_assert_str_eq(world.pushed[1].topic, table.room);
    world_pass(&world, 60000);
    ck_assert_uint_eq(world.pushed_count, 2);
    hub_push_done(world.hub, world.pushed[1].ticket, HUB_PUSH_TAKEN, 0, world.now_ms);
    world_settle(&world);
    ck_assert_uint_eq(world.pushed_count, 2);
    hub_push_done(world.hub, world.pushed[0].ticket, HUB_PUSH_TAKEN, 0, world.now_ms);
    world_settle(&world);
    ck_assert_uint_eq(world.pushed_count, 3);
    ck_assert_str_eq(world.pushed[2].topic, first);
}
END_TEST

START_TEST(test_one_address_cannot_fill_the_queue)
{
    char first[CODE_SPACE];
    world.config.push_queue = 2;
    world.config.push_per_address = 1;
    two_addresses(first);
    ck_assert(world_figure(&world, "push_lost_total") == 1);
    ck_assert_uint_eq(world.pushed_count, 2);
    ck_assert_str_eq(world.pushed[0].topic, first);
    ck_assert_str_eq(world.pushed[1].topic, table.room);
    for (size_t i = 0; i < 2; i++)
        hub_push_done(world.hub, world.pushed[i].ticket, HUB_PUSH_TAKEN, 0, world.now_ms);
    world_settle(&world);
    begin_slow(); /* what was sent counts no more */
    turn_of_the_absent();
    world_pass(&world, world.config.push_after_ms);
    ck_assert_uint_eq(world.pushed_count, 1);
    ck_assert(world_figure(&world, "push_lost_total") == 1);
}
END_TEST

/* When it is full, who has most in it loses what is due first, and not who has nothing. */
START_TEST(test_a_full_queue_is_shared)
{
    char first[CODE_SPACE];
    world.config.push_queue = 2;
    two_addresses(first);
    ck_assert(world_figure(&world, "push_lost_total") == 1);
    ck_assert_uint_eq(world.pushed_count, 2);
    ck_assert_str_ne(world.pushed[0].topic, world.pushed[1].topic);
}
END_TEST

/* ---- where they are told */

START_TEST(test_devices)
{
    const int tab = world_guest(&world, "Ana");
    char endpoint[64];
    ck_assert_uint_eq(devices(tab), 0);
    for (int i = 0; i < 5; i++) {
        snprintf(endpoint, sizeof endpoint, "https://push.example/%d", i);
        json_t *ok = notify(tab, endpoint);
        const json_t *list = json_object_get(ok, "devices");
        ck_assert_uint_eq(json_array_size(list), i < 4 ? (size_t)i + 1 : 4);
        ck_assert_str_eq(str(json_array_get(list, 0), "service"), "push.example");
        json_decref(ok);
    }
    ck_assert_uint_eq(model_rows(&world.store, &browser_table), 4); /* the oldest has made room */
    tell(tab, endpoint); /* again: it takes its own place */
    ck_assert_uint_eq(model_rows(&world.store, &browser_table), 4);
    world_restart(&world);
    const int again = world_back(&world, tab);
    ck_assert_uint_eq(devices(again), 4);
    world_do(&world, again, "unnotify", "{s:s}", "endpoint", endpoint);
    ck_assert_uint_eq(devices(again), 3);
    world_do(&world, again, "unnotify", "");
    ck_assert_uint_eq(devices(again), 0);
    ck_assert_uint_eq(model_rows(&world.store, &browser_table), 0);
}
END_TEST

static const struct {
    const char *endpoint, *key, *auth, *field;
} bad[] = {
    {"https://other.example/1", KEY, AUTH, "endpoint"},
    {"https://push.example/1",
     "ACVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
     AUTH, "p256dh"},
    {"https://push.example/1", "BCVxsr7N", AUTH, "p256dh"},
    {"https://push.example/1", KEY, "BTBZMqHH6r4Tts7J_aSIg", "auth"},
    {"https://push.example/1", KEY, "BTBZMqHH6r4Tts7J_aSIgh", "auth"}, /* bits left over */
};

START_TEST(test_bad_fields)
{
    const int tab = world_guest(&world, "Ana");
    const int64_t id = world_post(&world, tab, "notify", "{s:s,s:s,s:s}", "endpoint",
                                  bad[_i].endpoint, "p256dh", bad[_i].key, "auth", bad[_i].auth);
    world_settle(&world);
    json_t *reply = world_reply(&world, tab, id);
    ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), "bad_field");
    ck_assert_str_eq(str(json_object_get(reply, "error"), "field"), bad[_i].field);
    json_decref(reply);
    ck_assert_uint_eq(model_rows(&world.store, &browser_table), 0);
}
END_TEST

START_TEST(test_changes_are_limited)
{
    const int tab = world_guest(&world, "Ana");
    for (int i = 0; i < 10; i++)
        tell(tab, "https://push.example/1");
    world_refused(&world, tab, "slow_down", "unnotify", "");
    ck_assert_int_gt(world.retry_ms, 5000); /* ten a minute */
    ck_assert_int_le(world.retry_ms, 6000);
    world_pass(&world, world.retry_ms);
    world_do(&world, tab, "unnotify", "");
}
END_TEST

START_TEST(test_one_change_at_a_time)
{
    const int tab = world_guest(&world, "Ana");
    world.held = true;
    const int64_t first = world_post(&world, tab, "notify", "{s:s,s:s,s:s}", "endpoint",
                                     "https://push.example/1", "p256dh", KEY, "auth", AUTH);
    const int64_t second = world_post(&world, tab, "unnotify", "");
    world_settle(&world);
    world_denied(&world, tab, second, "slow_down");
    ck_assert_ptr_null(world_reply(&world, tab, first)); /* it is not durable */
    world.held = false;
    world_settle(&world);
    world_granted(&world, tab, first);
    ck_assert_uint_eq(devices(tab), 1);
}
END_TEST

START_TEST(test_what_is_not_stored_is_not_kept)
{
    const int tab = world_guest(&world, "Ana");
    world.answer = STORE_FULL;
    world_refused(&world, tab, "store_failing", "notify", "{s:s,s:s,s:s}", "endpoint",
                  "https://push.example/1", "p256dh", KEY, "auth", AUTH);
    world.answer = STORE_OK;
    world_pass(&world, 60000);
    ck_assert_uint_eq(devices(tab), 0);
    tell(tab, "https://push.example/1");
    ck_assert_uint_eq(devices(tab), 1);
}
END_TEST

START_TEST(test_hello_gives_the_key)
{
    const int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", "");
    const json_t *offered = json_object_get(ok, "push");
    ck_assert_str_eq(str(offered, "key"), push.key);
    ck_assert_int_eq(json_integer_value(json_object_get(offered, "slow_s")),
                     world.config.push_slow_s);
    json_decref(ok);
}
END_TEST

START_TEST(test_a_server_that_sends_none)
{
    world.env.push = NULL;
    world_start(&world);
    const int tab = world_connect(&world);
    json_t *ok = world_ok(&world, tab, "hello", "");
    ck_assert_ptr_null(json_object_get(ok, "push"));
    json_decref(ok);
    world_refused(&world, tab, "unknown_op", "unnotify", "");
    world_refused(&world, tab, "unknown_op", "notify", "{s:s,s:s,s:s}", "endpoint",
                  "https://push.example/1", "p256dh", KEY, "auth", AUTH);
}
END_TEST

/* A turn that began before the restart is not told after it. */
START_TEST(test_restart)
{
    begin_slow();
    turn_of_the_absent();
    world_restart(&world);
    world_pass(&world, 60000);
    ck_assert_uint_eq(world.pushed_count, 0);
    ck_assert_uint_eq(model_rows(&world.store, &browser_table), 2);
}
END_TEST

Suite *push_suite(void)
{
    Suite *suite = suite_create("push");
    TCase *tests = tcase_create("turns");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_who_is_away_is_told);
    tcase_add_test(tests, test_the_longest_text);
    tcase_add_test(tests, test_who_watches_is_not_told);
    tcase_add_test(tests, test_who_comes_back_in_time_is_not_told);
    tcase_add_test(tests, test_who_is_elsewhere_is_told);
    tcase_add_test(tests, test_who_has_moved_is_not_told);
    tcase_add_loop_test(tests, test_clocks, 0, sizeof clocks / sizeof clocks[0]);
    tcase_add_test(tests, test_later_is_tried_again);
    tcase_add_test(tests, test_refused_is_not_tried_again);
    tcase_add_test(tests, test_gone_is_forgotten);
    tcase_add_test(tests, test_so_many_at_once);
    tcase_add_test(tests, test_the_queue_is_bounded);
    tcase_add_test(tests, test_one_address_cannot_hold_up_the_others);
    tcase_add_test(tests, test_one_address_cannot_fill_the_queue);
    tcase_add_test(tests, test_a_full_queue_is_shared);
    tcase_add_test(tests, test_devices);
    tcase_add_loop_test(tests, test_bad_fields, 0, sizeof bad / sizeof bad[0]);
    tcase_add_test(tests, test_changes_are_limited);
    tcase_add_test(tests, test_one_change_at_a_time);
    tcase_add_test(tests, test_what_is_not_stored_is_not_kept);
    tcase_add_test(tests, test_hello_gives_the_key);
    tcase_add_test(tests, test_a_server_that_sends_none);
    tcase_add_test(tests, test_restart);
    suite_add_tcase(suite, tests);
    return suite;
}
