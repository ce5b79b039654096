/*
 * Looking back at a match with hidden hands: with the eyes of others once it is over, and never
 * before. And a record that is longer than an answer may be.
 */
#include "suites.h"
#include "world.h"
#include <cards.h>
#include <protocol/record.h>
#include <string.h>

enum { ANA, BO, CHI, ZOE, PEOPLE };
enum { SEATS = 3 };

static struct world world;
static char room[CODE_SPACE];
static int tabs[PEOPLE];

static void create_room(void)
{
    json_t *ok = world_ok(&world, tabs[ANA], "create", "{s:s,s:{s:i}}", "game", "cards", "options",
                          "players", SEATS);
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    for (int person = ANA; person <= CHI; person++)
        world_do(&world, tabs[person], "join", "{s:s,s:i}", "room", room, "seat", person);
}

static void start(void)
{
    for (int person = ANA; person <= CHI; person++)
        world_do(&world, tabs[person], "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_do(&world, tabs[ANA], "start", "{s:s}", "room", room);
}

static void open_match(void)
{
    static const char *const names[] = {"Ana", "Bo", "Chi", "Zoe"};
    for (int person = 0; person < PEOPLE; person++)
        tabs[person] = world_guest(&world, names[person]);
    create_room();
    start();
}

static void setup(void)
{
    world_init(&world);
    open_match();
}

static void teardown(void)
{
    world_release(&world);
}

static void lay_first_card(int person)
{
    json_t *ok = world_ok(&world, tabs[person], "moves", "{s:s}", "room", room);
    char card[CARDS_NAME];
    (void)snprintf(card, sizeof card, "%s",
                   json_string_value(json_array_get(json_object_get(ok, "moves"), 0)));
    json_decref(ok);
    world_do(&world, tabs[person], "move", "{s:s,s:s}", "room", room, "move", card);
}

/* The last cards are played without a choice. */
static void play_out(void)
{
    for (int round = 0; round < CARDS_HAND - 1; round++) {
        for (int person = ANA; person <= CHI; person++)
            lay_first_card(person);
    }
}

/* The viewers that a request can name: every seat, a watcher, the server. */
enum { VIEWERS = SEATS + 2 };

static json_t *viewer_name(int viewer)
{
    if (viewer < SEATS)
        return json_integer(viewer);
    return json_string(viewer == SEATS ? "watcher" : "server");
}

/* Who a person is to the room. */
static int viewer_of(int person)
{
    return person == ZOE ? SEATS : person;
}

static void expect_refused(int person, json_t *as, const char *code)
{
    world_refused(&world, tabs[person], code, "past", "{s:s,s:i,s:o}", "room", room, "have", 0,
                  "as", as);
}

/* Everybody is shown the own view, and none of the others. */
static void expect_own_only(void)
{
    for (int person = ANA; person < PEOPLE; person++) {
        for (int viewer = 0; viewer < VIEWERS; viewer++) {
            if (viewer != viewer_of(person))
                expect_refused(person, viewer_name(viewer), "not_over");
        }
        json_t *named = world_ok(&world, tabs[person], "past", "{s:s,s:i,s:o}", "room", room,
                                 "have", 0, "as", viewer_name(viewer_of(person)));
        json_t *own = world_ok(&world, tabs[person], "past", "{s:s,s:i}", "room", room, "have", 0);
        ck_assert(json_equal(named, own));
        json_decref(named);
        json_decref(own);
    }
}

/* All events as the viewer was told them; `as` NULL: as the person itself. */
static json_t *past(int person, json_t *as)
{
    json_t *events = json_array(), *ok = NULL;
    json_int_t have = 0;
    do {
        json_decref(ok);
        ok = world_ok(&world, tabs[person], "past", "{s:s,s:I,s:O*}", "room", room, "have", have,
                      "as", as);
        ck_assert_int_eq(json_array_extend(events, json_object_get(ok, "events")), 0);
        have = num(ok, "seq");
    } while (json_object_get(ok, "more"));
    json_decref(ok);
    json_decref(as);
    return events;
}

static unsigned long long encoded_bytes(void)
{
    struct hub_metrics figures;
    hub_metrics(world.hub, &figures);
    return (unsigned long long)figures.history_bytes;
}

START_TEST(test_before_the_end)
{
    expect_own_only();
    lay_first_card(CHI);
    expect_own_only();
    expect_refused(ANA, json_integer(SEATS), "unknown_seat");
    expect_refused(ZOE, json_integer(SEATS), "unknown_seat");
}
END_TEST

START_TEST(test_as_each_seat)
{
    play_out();
    for (int viewer = 0; viewer <= SEATS; viewer++) {
        json_t *theirs = past(viewer == SEATS ? ZOE : viewer, NULL);
        for (int person = ANA; person < PEOPLE; person++) {
            json_t *shown = past(person, viewer_name(viewer));
            ck_assert(json_equal(shown, theirs));
            json_decref(shown);
        }
        json_decref(theirs);
    }
}
END_TEST

/* In a watcher's place one is told each card that was laid, by whomever. */
START_TEST(test_as_the_server)
{
    play_out();
    json_t *shown = past(ZOE, viewer_name(SEATS + 1)), *push;
    size_t i, moves = 0;
    json_array_foreach(shown, i, push)
    {
        json_t *event = json_object_get(push, "event");
        if (strcmp(str(event, "kind"), "move") != 0)
            continue;
        json_t *own = past((int)num(event, "seat"), NULL);
        ck_assert(json_equal(event, json_object_get(json_array_get(own, i), "event")));
        ck_assert_int_eq(str(event, "move")[0], 'c');
        json_decref(own);
        moves++;
    }
    ck_assert_uint_eq(moves, SEATS * (CARDS_HAND - 1));
    json_decref(shown);
    expect_refused(ZOE, json_integer(SEATS), "unknown_seat");
}
END_TEST

/* The end of one match says nothing of the next, nor is the old one closed by it. */
START_TEST(test_a_rematch_is_another_match)
{
    play_out();
    json_t *ok = world_ok(&world, tabs[ANA], "rematch", "{s:s}", "room", room);
    json_decref(past(BO, viewer_name(SEATS + 1)));
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    expect_refused(ZOE, viewer_name(SEATS + 1), "not_over");
    for (int person = ANA; person <= CHI; person++)
        world_do(&world, tabs[person], "join", "{s:s}", "room", room);
    start();
    expect_refused(ZOE, viewer_name(SEATS + 1), "not_over");
    expect_refused(ZOE, json_integer(0), "not_over");
    expect_refused(ANA, viewer_name(SEATS + 1), "not_over");
}
END_TEST

/* From memory, from the log after a restart, and from the store when the room has been dropped. */
START_TEST(test_later)
{
    play_out();
    json_t *now = past(ZOE, viewer_name(SEATS + 1));
    world_restart(&world);
    for (int pass = 0; pass < 2; pass++) {
        tabs[ZOE] = world_back(&world, tabs[ZOE]);
        json_t *later = past(ZOE, viewer_name(SEATS + 1));
        ck_assert(json_equal(later, now));
        json_decref(later);
        world_cut(&world, tabs[ZOE]);
        world_pass(&world, world.config.over_idle_ms * 2);
        ck_assert_uint_eq(encoded_bytes(), 0); /* the room is gone, and what was kept of it */
    }
    json_decref(now);
}
END_TEST

/*
 * An end that the store has not taken may still be taken back. So nothing is told before it is
 * durable, and nothing at all if the store refuses it.
 */
START_TEST(test_an_end_that_is_not_durable)
{
    bool stored = _i == 0;
    world_do(&world, tabs[BO], "resign", "{s:s}", "room", room);
    world_forget(&world, tabs[ZOE]);
    world.held = true;
    (void)world_post(&world, tabs[CHI], "resign", "{s:s}", "room", room);
    int64_t asked = world_post(&world, tabs[ZOE], "past", "{s:s,s:i,s:s}", "room", room, "have", 0,
                               "as", "server");
    world_settle(&world);
    ck_assert_uint_eq(world_forget(&world, tabs[ZOE]), 0);
    world.held = false;
    world_commit(&world, stored ? STORE_OK : STORE_FULL);
    world_settle(&world);
    if (stored)
        world_granted(&world, tabs[ZOE], asked);
    else
        world_denied(&world, tabs[ZOE], asked, "store_failing");
    world_pass(&world, 10000);
    if (stored)
        json_decref(past(ZOE, viewer_name(SEATS + 1)));
    else
        expect_refused(ZOE, viewer_name(SEATS + 1), "not_over");
}
END_TEST

/* Each viewer's events are encoded once and kept apart from those of the others. */
START_TEST(test_each_view_is_kept)
{
    play_out();
    world_pass(&world, 10000);
    for (int viewer = 0; viewer < VIEWERS; viewer++) {
        unsigned long long before = encoded_bytes();
        json_t *first = past(ZOE, viewer_name(viewer));
        unsigned long long once = encoded_bytes();
        json_t *again = past(ZOE, viewer_name(viewer));
        ck_assert_uint_gt(once, before);
        ck_assert_uint_eq(encoded_bytes(), once);
        ck_assert(json_equal(first, again));
        json_decref(first);
        json_decref(again);
    }
}
END_TEST

/* How often a guest is shown this match with the eyes of the server before it has to wait. */
static int granted(int64_t history_bytes)
{
    char text[128];
    world_init(&world);
    world.config.history_bytes = history_bytes;
    world_start(&world);
    open_match();
    play_out();
    world_pass(&world, 60000);
    (void)snprintf(text, sizeof text,
                   "{\"id\":1,\"op\":\"past\",\"room\":\"%s\",\"have\":0,\"as\":\"server\"}", room);
    int answers = world_until_refused(&world, tabs[ZOE], "slow_down", text);
    world_release(&world);
    return answers;
}

/* What has to be encoded for it alone is charged for besides what is sent. */
START_TEST(test_what_is_encoded_costs_more)
{
    int kept = granted(1 << 20), encoded = granted(0);
    ck_assert_int_ge(encoded, 1);
    ck_assert_msg(encoded < kept, "%d and %d", encoded, kept);
}
END_TEST

/* ---- a long record */

/* A match that was stopped and gone on with so often that its record has several pieces. */
static void pause_often(const struct table *table)
{
    enum { TIMES = 400 };
    for (int i = 0; i < TIMES; i++) {
        const char *what = i % 2 == 0 ? "pause" : "resume";
        for (int person = 0; person < 2; person++) {
            world_do(&world, table->tabs[person], "offer", "{s:s,s:s}", "room", table->room, "what",
                     what);
            world.now_ms += 100;
        }
    }
}

START_TEST(test_long_record)
{
    enum { OUTBOX = 4096 }; /* less than the record */
    struct table table;
    world_init(&world);
    world.config.outbox_bytes = OUTBOX;
    world_start(&world);
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    pause_often(&table);
    int reader = world_guest(&world, "Zoe");
    char whole[32768] = "";
    json_int_t have = 0;
    int pieces = 0;
    for (bool more = true; more; pieces++) {
        json_t *ok =
            world_ok(&world, reader, "record", "{s:s,s:I}", "room", table.room, "have", have);
        const char *piece = str(ok, "record");
        ck_assert_uint_le(strlen(piece), OUTBOX / 4);
        ck_assert_int_eq(piece[strlen(piece) - 1], '\n');
        ck_assert_uint_lt(strlen(whole) + strlen(piece), sizeof whole);
        strcat(whole, piece);
        more = json_object_get(ok, "next") != NULL;
        have = (json_int_t)strlen(whole);
        ck_assert(!more || num(ok, "next") == have);
        json_decref(ok);
        world.now_ms += 5000;
    }
    ck_assert_uint_gt(strlen(whole), OUTBOX);
    ck_assert_int_ge(pieces, 5);
    struct record record;
    struct record_problem problem;
    ck_assert_msg(record_parse(&record, whole, strlen(whole), &problem), "%s", problem.message);
    record_release(&record);
    json_t *end = world_ok(&world, reader, "record", "{s:s,s:I}", "room", table.room, "have", have);
    ck_assert_str_eq(str(end, "record"), "");
    json_decref(end);
    world_refused(&world, reader, "bad_field", "record", "{s:s,s:I}", "room", table.room, "have",
                  have + 1);
    world_refused(&world, reader, "bad_field", "record", "{s:s,s:I}", "room", table.room, "have",
                  have - 1);
    ck_assert(world.tabs[reader].link.open);
    world_release(&world);
}
END_TEST

Suite *look_back_suite(void)
{
    Suite *suite = suite_create("look back");
    TCase *tcase = tcase_create("cards");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_before_the_end);
    tcase_add_test(tcase, test_as_each_seat);
    tcase_add_test(tcase, test_as_the_server);
    tcase_add_test(tcase, test_a_rematch_is_another_match);
    tcase_add_test(tcase, test_later);
    tcase_add_loop_test(tcase, test_an_end_that_is_not_durable, 0, 2);
    tcase_add_test(tcase, test_each_view_is_kept);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("price");
    tcase_add_test(tcase, test_what_is_encoded_costs_more);
    suite_add_tcase(suite, tcase);
    TCase *records = tcase_create("records");
    tcase_add_test(records, test_long_record);
    suite_add_tcase(suite, records);
    return suite;
}
