/* What a part tells the home of a session: that it plays there, and what its browsers are told. */
#include "site.h"
#include "suites.h"
#include <hub/part.h>
#include <string.h>

enum { DAY_MS = 24 * 3600 * 1000, MOVE_MS = 200 /* that world_move lets pass after one */ };

static struct site site;
static struct table *const table = &site.table;

static int zoe(void)
{
    return table->tabs[0];
}

static int ana(void)
{
    return table->tabs[1];
}

static void notify(const char *endpoint)
{
    world_do(&home, site.ana_home, "notify", "{s:s,s:s,s:s}", "endpoint", endpoint, "p256dh",
             SITE_KEY, "auth", SITE_AUTH);
}

/* ---- that it is a player */

START_TEST(test_a_player_is_told_of_once)
{
    site_meet(&site);
    world_settle(&away);
    ck_assert_uint_eq(away.note_count, 0);
    site_teardown();
    site_setup();
    site_table(&site, "");
    ck_assert_uint_eq(away.note_count, 1);
    ck_assert_int_eq(away.notes[0].kind, HUB_NOTE_PLAYER);
    ck_assert_uint_eq(away.notes[0].session, site.ana);
    world_do(&away, ana(), "leave", "{s:s}", "room", table->room);
    world_do(&away, ana(), "join", "{s:s}", "room", table->room);
    world_begin(&away, table);
    world_cut(&away, ana());
    (void)site_go(site.ana, "Ana");
    ck_assert_uint_eq(away.note_count, 1);
    world_restart(&away);
    ck_assert_uint_eq(away.note_count, 2);
    ck_assert_int_eq(away.notes[1].kind, HUB_NOTE_PLAYER);
}
END_TEST

static bool home_has_ana(void)
{
    return model_session(&home.store, site.ana) != NULL;
}

/* With a device that is long known, so that no hello stores anything. */
static void go_from_home(void)
{
    world_cut(&home, site.ana_home);
    world_pass(&home, 1000);
}

START_TEST(test_a_visitor_expires)
{
    site_table(&site, "");
    go_from_home();
    world_pass(&home, (home.config.visitor_idle_days + 1) * DAY_MS);
    ck_assert(!home_has_ana());
}
END_TEST

START_TEST(test_a_player_is_kept)
{
    site_table(&site, "");
    go_from_home();
    site_carry();
    ck_assert_int_gt(model_session(&home.store, site.ana)->seen_ms,
                     model_session(&home.store, site.ana)->created_ms);
    if (_i == 1)
        world_restart(&home);
    world_pass(&home, (home.config.visitor_idle_days + 1) * DAY_MS);
    ck_assert(home_has_ana());
    world_pass(&home, home.config.session_idle_days * DAY_MS);
    ck_assert(!home_has_ana());
}
END_TEST

/* It counts for its address from then on, as a player does. */
START_TEST(test_a_player_counts)
{
    home.config.sessions_per_address = 1;
    site_start();
    site_table(&site, "");
    go_from_home();
    int tab = world_guest(&home, "Bo");
    world_cut(&home, tab);
    site_carry();
    tab = world_connect(&home);
    world_refused(&home, tab, "full", "hello", "");
}
END_TEST

START_TEST(test_a_player_while_the_store_fails)
{
    site_table(&site, "");
    home.answer = STORE_FULL;
    world_post(&home, site.ana_home, "create", "");
    world_settle(&home);
    site_carry();
    home.answer = STORE_OK;
    world_pass(&home, 60000);
    world_cut(&home, site.ana_home);
    world_pass(&home, (home.config.visitor_idle_days + 1) * DAY_MS);
    ck_assert(home_has_ana());
}
END_TEST

/* ---- turns */

static bool has_turn(int tab)
{
    const int64_t id = world_post(&away, tab, "moves", "{s:s}", "room", table->room);
    world_settle(&away);
    json_t *reply = world_reply(&away, tab, id);
    const bool has = json_object_get(reply, "ok") != NULL;
    json_decref(reply);
    return has;
}

static void play_until_zoe(void)
{
    while (!has_turn(zoe()))
        ck_assert_int_ge(world_move(&away, table), 0);
}

/* To the end of her turn. */
static void zoe_plays(void)
{
    struct table alone = *table;
    alone.players = 1;
    while (world_move(&away, &alone) >= 0)
        continue;
}

static void ana_plays(void)
{
    while (has_turn(ana()))
        ck_assert_int_ge(world_move(&away, table), 0);
}

/* A match in which it becomes Ana's turn, while she is away. */
static void begin(const char *format, int move_s)
{
    if (move_s)
        site_table(&site, format, "clock", "kind", "move", "move_s", move_s, "on_timeout",
                   "eliminate", "options", "players", 2);
    else
        site_table(&site, format);
    notify("https://push.example/1");
    notify("https://push.example/2");
    world_begin(&away, table);
    play_until_zoe();
    site_carry();
}

static void turn_of_ana(void)
{
    world_cut(&away, ana());
    zoe_plays();
}

/* Of messages from now on. */
static size_t told(int64_t after_ms)
{
    away.note_count = 0;
    world_pass(&away, after_ms);
    size_t count = 0;
    for (size_t i = 0; i < away.note_count; i++)
        count += away.notes[i].kind == HUB_NOTE_MESSAGE;
    return count;
}

static void expect_text(const char *bytes, size_t len)
{
    json_t *text = json_loadb(bytes, len, 0, NULL);
    ck_assert_str_eq(str(text, "kind"), "turn");
    ck_assert_str_eq(str(text, "room"), table->room);
    ck_assert_str_eq(str(text, "game"), "taluva");
    ck_assert_int_eq(num(text, "seat"), 1);
    const json_t *names = json_object_get(text, "names");
    ck_assert_uint_eq(json_array_size(names), 1);
    ck_assert_str_eq(json_string_value(json_array_get(names, 0)), "Zoe");
    json_decref(text);
}

START_TEST(test_who_is_away_is_told)
{
    begin("", 0);
    turn_of_ana();
    ck_assert_uint_eq(told(away.config.push_after_ms - MOVE_MS - 1), 0);
    ck_assert_uint_eq(told(1), 1);
    ck_assert_uint_eq(away.pushed_count, 0);
    const struct hub_note *note = &away.notes[0];
    ck_assert_uint_eq(part_of_session(note->session, 2), 0);
    ck_assert_str_eq(note->room_id, table->room);
    expect_text(note->text, note->text_len);
    home.now_ms = away.now_ms;
    site_carry();
    ck_assert_uint_eq(home.pushed_count, 2); /* at once */
    ck_assert_str_eq(home.pushed[0].endpoint, "https://push.example/1");
    ck_assert_str_eq(home.pushed[1].endpoint, "https://push.example/2");
    for (int i = 0; i < 2; i++) {
        ck_assert_str_eq(home.pushed[i].topic, table->room);
        expect_text(home.pushed[i].text, home.pushed[i].text_len);
    }
    ck_assert_uint_eq(told(3600000), 0); /* once for a turn */
}
END_TEST

START_TEST(test_who_watches_is_not_told)
{
    begin("", 0);
    zoe_plays();
    ck_assert_uint_eq(told(3600000), 0);
}
END_TEST

START_TEST(test_who_comes_back_in_time_is_not_told)
{
    begin("", 0);
    turn_of_ana();
    table->tabs[1] = site_go(site.ana, "Ana");
    world_do(&away, ana(), "join", "{s:s}", "room", table->room);
    ck_assert_uint_eq(told(3600000), 0);
}
END_TEST

START_TEST(test_who_has_moved_is_not_told)
{
    begin("", 0);
    turn_of_ana();
    table->tabs[1] = site_go(site.ana, "Ana");
    ana_plays();
    ck_assert_uint_eq(told(3600000), 0);
}
END_TEST

/* Her next turn is told of after its own time, and once. */
START_TEST(test_of_the_later_turn)
{
    begin("", 0);
    turn_of_ana();
    ck_assert_uint_eq(told(away.config.push_after_ms / 2), 0);
    table->tabs[1] = site_go(site.ana, "Ana");
    ana_plays();
    turn_of_ana();
    ck_assert_uint_eq(told(away.config.push_after_ms - MOVE_MS - 1), 0);
    ck_assert_uint_eq(told(1), 1);
    ck_assert_uint_eq(told(3600000), 0);
}
END_TEST

START_TEST(test_of_slow_matches)
{
    begin("{s:{s:s,s:i,s:s},s:{s:i}}", 1799 + _i);
    turn_of_ana();
    ck_assert_uint_eq(told(away.config.push_after_ms), _i == 1 ? 1 : 0);
}
END_TEST

START_TEST(test_a_restart_tells_nobody)
{
    begin("", 0);
    turn_of_ana();
    world_restart(&away);
    ck_assert_uint_eq(told(3600000), 0);
}
END_TEST

START_TEST(test_a_part_that_sends_no_messages)
{
    struct world *silent = _i == 0 ? &away : &home;
    begin("", 0);
    silent->env.push = NULL;
    world_restart(silent);
    if (_i == 0)
        table->tabs[0] = world_back(&away, zoe());
    zoe_plays();
    if (_i == 1)
        world_cut(&away, ana());
    ck_assert_uint_eq(told(away.config.push_after_ms), (size_t)_i);
    site_carry();
    ck_assert_uint_eq(home.pushed_count, 0);
}
END_TEST

/* ---- bounds */

START_TEST(test_so_many_wait)
{
    away.config.note_queue = 1;
    site_start();
    site_meet(&site);
    for (int i = 0; i < 3; i++) {
        table->tabs[1] = site_go(site.ana + 2 * (uint64_t)i, "Ana");
        json_t *ok = world_ok(&away, zoe(), "create", "{s:{s:i}}", "options", "players", 2);
        world_do(&away, ana(), "join", "{s:s}", "room", str(ok, "room"));
        json_decref(ok);
    }
    world_restart(&away); /* all at once */
    ck_assert_uint_eq(site_foreign(&away), 3);
    ck_assert(world_figure(&away, "notes_lost_total") == 2);
    ck_assert(world_figure(&away, "notes_waiting") == 0);
}
END_TEST

/* Turns of one address, and then of another. */
START_TEST(test_so_many_of_an_address)
{
    enum { FIRST, SAME_ADDRESS, OTHER_ADDRESS, TABLES };
    struct site sites[TABLES];
    away.config.push_per_address = 1;
    site_start();
    for (int i = 0; i < TABLES; i++) {
        away.host = i == OTHER_ADDRESS ? 2 : 1;
        begin("", 0);
        sites[i] = site;
        world_pass(&away, away.config.push_after_ms);
    }
    away.note_count = 0;
    const double lost = world_figure(&away, "notes_lost_total");
    for (int i = 0; i < TABLES; i++) {
        site = sites[i];
        turn_of_ana();
        ck_assert(world_figure(&away, "notes_waiting") == (i == OTHER_ADDRESS ? 2 : 1));
        ck_assert(world_figure(&away, "notes_lost_total") == lost + (i == FIRST ? 0 : 1));
    }
    ck_assert_uint_eq(told(away.config.push_after_ms), 2);
    ck_assert(world_figure(&away, "notes_waiting") == 0);
    site = sites[SAME_ADDRESS];
    table->tabs[1] = site_go(site.ana, "Ana"); /* its place is free again */
    ana_plays();
    turn_of_ana();
    ck_assert_uint_eq(told(away.config.push_after_ms), 1);
}
END_TEST

/* ---- at home */

static struct hub_note message(void)
{
    struct hub_note note = {.kind = HUB_NOTE_MESSAGE, .session = site.ana, .text_len = 2};
    memcpy(note.room_id, "k3m9x0aq", 9);
    memcpy(note.text, "{}", 2);
    return note;
}

static size_t pushes_of(const struct hub_note *note)
{
    home.pushed_count = 0;
    hub_note(home.hub, note, home.now_ms);
    world_settle(&home);
    return home.pushed_count;
}

START_TEST(test_what_has_no_effect)
{
    struct hub_note note;
    site_meet(&site);
    notify("https://push.example/1");
    note = message();
    ck_assert_uint_eq(pushes_of(&note), 1);
    note.text_len = 0;
    ck_assert_uint_eq(pushes_of(&note), 0);
    note.text_len = sizeof note.text + 1;
    ck_assert_uint_eq(pushes_of(&note), 0);
    note = message();
    note.room_id[2] = 'u';
    ck_assert_uint_eq(pushes_of(&note), 0);
    note = message();
    note.room_id[8] = '0'; /* no end */
    ck_assert_uint_eq(pushes_of(&note), 0);
    note = message();
    note.session += 2;
    ck_assert_uint_eq(pushes_of(&note), 0);
    note.kind = HUB_NOTE_PLAYER;
    ck_assert_uint_eq(pushes_of(&note), 0);
    note.session = site.ana; /* who is foreign there */
    hub_note(away.hub, &note, away.now_ms);
    world_settle(&away);
    ck_assert_uint_eq(away.store.session_count, 1);
}
END_TEST

START_TEST(test_tries_again)
{
    struct hub_note note;
    site_meet(&site);
    notify("https://push.example/1");
    note = message();
    ck_assert_uint_eq(pushes_of(&note), 1);
    hub_push_done(home.hub, home.pushed[0].ticket, HUB_PUSH_LATER, 0, home.now_ms);
    world_pass(&home, 10000);
    note.text_len = 1; /* takes the place of the one that waits */
    ck_assert_uint_eq(pushes_of(&note), 1);
    ck_assert_uint_eq(home.pushed[0].text_len, 1);
    hub_push_done(home.hub, home.pushed[0].ticket, HUB_PUSH_LATER, 0, home.now_ms);
    world_pass(&home, 30000);
    ck_assert_uint_eq(home.pushed_count, 2);
    hub_push_done(home.hub, home.pushed[1].ticket, HUB_PUSH_GONE, 0, home.now_ms);
    world_settle(&home);
    ck_assert_ptr_null(model_push(&home.store, site.ana, 0));
    ck_assert_uint_eq(pushes_of(&note), 0);
}
END_TEST

/* What waits when the hub ends is given back. */
START_TEST(test_ends_with_messages)
{
    struct hub_note note;
    home.config.push_at_once = 1;
    site_start();
    site_meet(&site);
    notify("https://push.example/1");
    notify("https://push.example/2");
    note = message();
    ck_assert_uint_eq(pushes_of(&note), 1);
    ck_assert(world_figure(&home, "push_waiting") == 1);
}
END_TEST

Suite *note_suite(void)
{
    Suite *suite = suite_create("note");
    TCase *tests = tcase_create("note");
    tcase_set_tags(tests, "near");
    tcase_add_checked_fixture(tests, site_setup, site_teardown);
    tcase_add_test(tests, test_a_player_is_told_of_once);
    tcase_add_test(tests, test_a_visitor_expires);
    tcase_add_loop_test(tests, test_a_player_is_kept, 0, 2);
    tcase_add_test(tests, test_a_player_counts);
    tcase_add_test(tests, test_a_player_while_the_store_fails);
    tcase_add_test(tests, test_who_is_away_is_told);
    tcase_add_test(tests, test_who_watches_is_not_told);
    tcase_add_test(tests, test_who_comes_back_in_time_is_not_told);
    tcase_add_test(tests, test_who_has_moved_is_not_told);
    tcase_add_test(tests, test_of_the_later_turn);
    tcase_add_loop_test(tests, test_of_slow_matches, 0, 2);
    tcase_add_test(tests, test_a_restart_tells_nobody);
    tcase_add_loop_test(tests, test_a_part_that_sends_no_messages, 0, 2);
    tcase_add_test(tests, test_so_many_wait);
    tcase_add_test(tests, test_so_many_of_an_address);
    tcase_add_test(tests, test_what_has_no_effect);
    tcase_add_test(tests, test_tries_again);
    tcase_add_test(tests, test_ends_with_messages);
    suite_add_tcase(suite, tests);
    return suite;
}
