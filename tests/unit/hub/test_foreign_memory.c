/*
 * Memory runs out while sessions of another part come, play and go, at each allocation in turn:
 * what cannot be done is refused, nothing is kept of who has gone, and afterwards all works.
 */
#include "../../support/failing_alloc.h"
#include "site.h"
#include "suites.h"
#include <string.h>

static struct site site;
static struct table *const table = &site.table;

static int ana(void)
{
    return table->tabs[1];
}

/* She comes, unless she is refused, asks for all of these, and goes. */
static void visit(void)
{
    const char *room = table->room;
    int refused, tab = world_connect_as(&away, site.ana, "Anna", &refused);
    if (tab < 0) {
        ck_assert_int_eq(refused, 1013);
        return;
    }
    const int64_t ids[] = {
        world_post(&away, tab, "join", "{s:s,s:i}", "room", room, "seat", 1),
        world_post(&away, tab, "ready", "{s:s,s:b}", "room", room, "ready", 1),
        world_post(&away, tab, "say", "{s:s,s:s}", "room", room, "text", "hello"),
        world_post(&away, tab, "leave", "{s:s}", "room", room),
    };
    world_settle(&away);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        json_t *reply = world_reply(&away, tab, ids[i]);
        ck_assert(reply || !away.tabs[tab].link.open);
        json_decref(reply);
    }
    world_forget(&away, tab);
    if (away.tabs[tab].link.open)
        world_cut(&away, tab);
}

/* She takes her seat and plays, whatever was before. */
static void play_after(void)
{
    world_pass(&away, 60000);
    table->tabs[1] = site_go(site.ana, "Ana");
    world_do(&away, ana(), "join", "{s:s,s:i}", "room", table->room, "seat", 1);
    world_begin(&away, table);
    ck_assert_int_ge(world_move(&away, table), 0);
}

/* Zoe's table, Ana is at home. */
static void begin(void)
{
    site_setup();
    site_table(&site, "");
    world_do(&away, ana(), "leave", "{s:s}", "room", table->room);
    world_cut(&away, ana());
    ck_assert_uint_eq(site_foreign(&away), 0);
}

START_TEST(test_a_visit)
{
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        begin();
        failing_alloc_arm(n, _i == 1);
        visit();
        failing_alloc_disarm(&failed);
        const size_t seats = hub_seats(away.hub, site.ana, NULL, 0);
        ck_assert_uint_eq(site_foreign(&away), seats);
        play_after();
        site_teardown();
    }
}
END_TEST

/* Her leaving is not stored when she has gone: without memory her seat waits for her. */
START_TEST(test_going_back)
{
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        site_setup();
        site_table(&site, "");
        away.held = true;
        world_post(&away, ana(), "leave", "{s:s}", "room", table->room);
        world_settle(&away);
        world_cut(&away, ana());
        ck_assert_uint_eq(site_foreign(&away), 0);
        failing_alloc_arm(n, false);
        world_commit(&away, STORE_FULL);
        failing_alloc_disarm(&failed);
        ck_assert(failed || site_foreign(&away) == 1);
        away.held = false;
        play_after();
        world_cut(&away, ana());
        world_restart(&away);
        ck_assert_uint_eq(site_foreign(&away), 1);
        site_teardown();
    }
}
END_TEST

/* All that the store names is there, or the part is not started. */
START_TEST(test_restoring)
{
    bool failed = true;
    site_setup();
    site_table(&site, "");
    for (uint64_t n = 1; failed; n++) {
        struct hub_metrics figures;
        struct hub *hub = hub_create(&away.config, &away.env);
        failing_alloc_arm(n, false);
        failing_alloc_enter();
        const int result = model_restore(&away.store, hub, away.now_ms);
        failing_alloc_leave();
        failing_alloc_disarm(&failed);
        hub_metrics(hub, &figures);
        ck_assert(result == 0 || failed);
        ck_assert(result < 0 || figures.rooms == 0 || figures.foreign_sessions == 1);
        hub_destroy(hub);
    }
    site_teardown();
}
END_TEST

/* Her seat at the next table, while she is away: both or nothing. */
START_TEST(test_a_rematch)
{
    bool failed = true;
    int refusals = 0;
    for (uint64_t n = 1; failed; n++) {
        site_setup();
        site_table(&site, "{s:s,s:{s:i}}", "game", "cards", "options", "players", 2);
        world_begin(&away, table);
        world_do(&away, table->tabs[0], "resign", "{s:s}", "room", table->room);
        world_cut(&away, ana());
        world_restart(&away); /* then nothing is reserved yet */
        const int zoe = world_back(&away, table->tabs[0]);
        failing_alloc_arm(n, false);
        const int64_t id = world_post(&away, zoe, "rematch", "{s:s}", "room", table->room);
        world_settle(&away);
        failing_alloc_disarm(&failed);
        json_t *reply = world_reply(&away, zoe, id);
        const bool done = json_object_get(reply, "ok") != NULL;
        ck_assert(reply || !away.tabs[zoe].link.open);
        ck_assert(done || failed);
        if (done || json_object_get(reply, "error"))
            ck_assert_uint_eq(site_foreign(&away), done ? 1 : 0);
        refusals += !done;
        json_decref(reply);
        site_teardown();
    }
    ck_assert_int_gt(refusals, 1);
}
END_TEST

/* News may be lost, and is counted. */
START_TEST(test_notes)
{
    struct hub_note note = {.kind = HUB_NOTE_MESSAGE, .room_id = "k3m9x0aq", .text_len = 2};
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        site_setup();
        site_meet(&site);
        world_do(&home, site.ana_home, "notify", "{s:s,s:s,s:s}", "endpoint",
                 "https://push.example/1", "p256dh", SITE_KEY, "auth", SITE_AUTH);
        note.session = site.ana;
        memcpy(note.text, "{}", 2);
        failing_alloc_arm(n, false);
        failing_alloc_enter();
        hub_note(home.hub, &note, home.now_ms);
        note.kind = HUB_NOTE_PLAYER;
        hub_note(home.hub, &note, home.now_ms);
        note.kind = HUB_NOTE_MESSAGE;
        failing_alloc_leave();
        failing_alloc_disarm(&failed);
        world_settle(&home);
        ck_assert(home.pushed_count + (size_t)world_figure(&home, "push_lost_total") == 1);
        site_teardown();
    }
}
END_TEST

Suite *foreign_memory_suite(void)
{
    Suite *suite = suite_create("memory of foreign sessions");
    TCase *tests = tcase_create("memory of foreign sessions");
    tcase_set_tags(tests, "near");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_a_visit, 0, 2);
    tcase_add_test(tests, test_going_back);
    tcase_add_test(tests, test_restoring);
    tcase_add_test(tests, test_a_rematch);
    tcase_add_test(tests, test_notes);
    suite_add_tcase(suite, tests);
    return suite;
}
