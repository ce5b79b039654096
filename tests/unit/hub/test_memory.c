/*
 * Memory runs out: at the first allocation of a long scenario, at the second, at every one of them.
 *
 * Whatever happens then, a request is done or refused as a whole, a connection that cannot be told
 * is closed, what is in memory stays what is in the store, and afterwards everything works.
 */
#include "../../support/failing_alloc.h"
#include "../../support/long_tests.h"
#include "suites.h"
#include "world.h"
#include <malloc.h>
#include <stdio.h>
#include <string.h>

static struct world world;

enum { PLAYERS = 3 };

struct scene {
    int tabs[PLAYERS]; /* -1: not connected */
    char tokens[PLAYERS][TOKEN_SPACE];
    char room[CODE_SPACE], code[CODE_SPACE];
};

/* The reply to it, or NULL if the connection was closed instead. */
static json_t *try_reply(int tab, int64_t id)
{
    static const int64_t waits_ms[] = {0, 250, 16000}; /* of a node that lost its link to the hub */
    json_t *reply = NULL;
    world_settle(&world);
    for (int at = 0; at < (hub_is_far ? 3 : 1) && !reply && world.tabs[tab].link.open; at++) {
        world_pass(&world, waits_ms[at]);
        reply = world_reply(&world, tab, id);
    }
    ck_assert_msg(reply || !world.tabs[tab].link.open, "no reply to %lld", (long long)id);
    return reply;
}

static void forget_closed(struct scene *scene)
{
    for (int i = 0; i < PLAYERS; i++) {
        int tab = scene->tabs[i];
        if (tab < 0 || world.tabs[tab].link.open)
            continue;
        const int code = world.tabs[tab].close_code;
        ck_assert(code == 1011 || (hub_is_far && code == 1012)); /* a link was lost */
        world_forget(&world, tab);
        scene->tabs[i] = -1;
    }
}

/* Connects and says hello, if it is not there; false: not this time. */
static bool be_there(struct scene *scene, int i)
{
    forget_closed(scene);
    if (scene->tabs[i] >= 0)
        return true;
    int tab = world_connect(&world);
    if (tab < 0)
        return false;
    int64_t id = scene->tokens[i][0]
                     ? world_post(&world, tab, "hello", "{s:s}", "token", scene->tokens[i])
                     : world_post(&world, tab, "hello", "{s:s}", "name", "Ana");
    json_t *reply = try_reply(tab, id), *ok = json_object_get(reply, "ok");
    if (ok && str(ok, "token")[0])
        (void)snprintf(scene->tokens[i], TOKEN_SPACE, "%s", str(ok, "token"));
    if (ok)
        scene->tabs[i] = tab;
    else if (world.tabs[tab].link.open)
        world_cut(&world, tab);
    world_forget(&world, tab);
    json_decref(reply);
    return scene->tabs[i] >= 0;
}

/* Does it, in as many tries as it takes; NULL: not this time. New reference to the whole reply. */
#define TRY(scene, i, op, ...)                                                                     \
    (be_there(scene, i)                                                                            \
         ? try_reply((scene)->tabs[i], world_post(&world, (scene)->tabs[i], op, __VA_ARGS__))      \
         : NULL)
#define DO(scene, i, op, ...) json_decref(TRY(scene, i, op, __VA_ARGS__))

static void make_room(struct scene *scene)
{
    json_t *reply = TRY(scene, 0, "create", "{s:s,s:s,s:{s:i,s:b}}", "access", "code", "title",
                        "Friday", "options", "players", PLAYERS, "boats", 1);
    const json_t *ok = json_object_get(reply, "ok");
    (void)snprintf(scene->room, CODE_SPACE, "%s", str(ok, "room"));
    (void)snprintf(scene->code, CODE_SPACE, "%s", str(ok, "code"));
    json_decref(reply);
    if (!scene->room[0]) { /* then there is none to play in */
        memcpy(scene->room, "00000000", 9);
        memcpy(scene->code, "0000000000000000", 17);
    }
}

static void lobby(struct scene *scene)
{
    const char *room = scene->room;
    for (int i = 0; i < 2; i++)
        DO(scene, i, "join", "{s:s,s:s}", "room", room, "code", scene->code);
    DO(scene, 1, "sit", "{s:s,s:i}", "room", room, "seat", 2);
    DO(scene, 1, "leave", "{s:s}", "room", room);
    DO(scene, 1, "join", "{s:s,s:s,s:i}", "room", room, "code", scene->code, "have", 1);
    DO(scene, 0, "bot", "{s:s}", "room", room);
    DO(scene, 2, "watch", "{s:s,s:s}", "room", room, "code", scene->code);
    DO(scene, 2, "rename", "{s:s}", "name", "Zoe");
    DO(scene, 2, "rooms", "");
    DO(scene, 2, "say", "{s:s,s:s}", "room", room, "text", "hello");
    for (int i = 0; i < 2; i++)
        DO(scene, i, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    DO(scene, 0, "start", "{s:s}", "room", room);
}

static void one_move(struct scene *scene, int i)
{
    char move[80] = "";
    json_t *reply = TRY(scene, i, "moves", "{s:s}", "room", scene->room);
    const json_t *moves = json_object_get(json_object_get(reply, "ok"), "moves");
    if (moves)
        (void)snprintf(move, sizeof move, "%s", json_string_value(json_array_get(moves, 0)));
    json_decref(reply);
    if (!move[0])
        return;
    DO(scene, i, "check", "{s:s,s:s}", "room", scene->room, "move", move);
    DO(scene, i, "move", "{s:s,s:s}", "room", scene->room, "move", move);
}

static void play(struct scene *scene)
{
    const char *room = scene->room;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++)
            one_move(scene, i / 2);
        world_pass(&world, 3000);
    }
    DO(scene, 0, "undo", "{s:s}", "room", room);
    DO(scene, 0, "offer", "{s:s,s:s}", "room", room, "what", "pause");
    DO(scene, 0, "withdraw", "{s:s,s:s}", "room", room, "what", "pause");
    DO(scene, 2, "record", "{s:s}", "room", room);
    DO(scene, 2, "past", "{s:s,s:i}", "room", room, "have", 0);
    DO(scene, 2, "watch", "{s:s,s:i}", "room", room, "have", 4);
    if (scene->tabs[1] >= 0 && world.tabs[scene->tabs[1]].link.open) {
        world_cut(&world, scene->tabs[1]);
        scene->tabs[1] = -1;
    }
    DO(scene, 1, "watch", "{s:s,s:i}", "room", room, "have", 2);
}

static void end(struct scene *scene)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    const char *room = scene->room;
    world.answer = STORE_FULL;
    DO(scene, 0, "resign", "{s:s}", "room", room);
    world.answer = STORE_OK;
    world_pass(&world, 30000);
    DO(scene, 0, "resign", "{s:s}", "room", room);
    DO(scene, 1, "resign", "{s:s}", "room", room);
    DO(scene, 1, "rematch", "{s:s}", "room", room);
    DO(scene, 2, "past", "{s:s,s:i,s:s}", "room", room, "have", 0, "as", "server");
    failing_alloc_enter();
    if (hub_get_from(1, world.hub, "/api/rooms", world.now_ms, &answer, &ticket))
        hub_http_release(&answer);
    if (hub_get_from(1, world.hub, "/metrics", world.now_ms, &answer, &ticket))
        hub_http_release(&answer);
    failing_alloc_leave();
    forget_closed(scene);
    for (int i = 0; i < PLAYERS; i++) {
        if (scene->tabs[i] >= 0)
            world_cut(&world, scene->tabs[i]);
        scene->tabs[i] = -1;
    }
    world_pass(&world, world.config.over_idle_ms * 2);
    DO(scene, 0, "watch", "{s:s}", "room", room);
    DO(scene, 1, "record", "{s:s}", "room", room);
    DO(scene, 1, "past", "{s:s,s:i}", "room", room, "have", 2);
}

static void run(struct scene *scene)
{
    *scene = (struct scene){.tabs = {-1, -1, -1}};
    make_room(scene);
    lobby(scene);
    play(scene);
    end(scene);
}

/* What a newcomer sees of every room in the store. */
static json_t *look(struct scene *scene)
{
    json_t *all = json_object();
    int tab = world_guest(&world, "Last");
    for (size_t i = 0; i < world.store.room_count; i++) {
        const struct room_seed *seed = &world.store.rooms[i].row.seed;
        world.now_ms += 1000;
        json_t *ok = world_ok(&world, tab, "watch", "{s:s,s:s}", "room", seed->id, "code",
                              seed->code[0] ? seed->code : "0000000000000000");
        json_object_set(all, seed->id, json_object_get(ok, "state"));
        json_decref(ok);
    }
    world_cut(&world, tab);
    (void)scene;
    return all;
}

/* Nothing is left of it: memory and store agree, and a whole new room can be made. */
static void check_after(struct scene *scene)
{
    struct table table;
    forget_closed(scene);
    ck_assert_int_eq(hub_stopped(world.hub), STORE_OK);
    world_pass(&world, 60000);
    json_t *live = look(scene);
    world_restart(&world);
    json_t *stored = look(scene);
    ck_assert(json_equal(live, stored));
    json_decref(live);
    json_decref(stored);
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    ck_assert_int_ge(world_move(&world, &table), 0);
}

/* One after the other, spread over the loop so that each has its own process. */
enum { PARTS = 8, FEW_PARTS = 2 };

static void every_nth(int part, bool all_after, uint64_t step)
{
    bool failed = true;
    for (uint64_t n = 1 + (uint64_t)part * step; failed; n += PARTS * step) {
        struct scene scene;
        world_init(&world);
        failing_alloc_arm(n, all_after);
        run(&scene);
        failing_alloc_disarm(&failed);
        check_after(&scene);
        world_release(&world);
    }
}

START_TEST(test_every_nth)
{
    every_nth(_i, false, 1);
}
END_TEST

START_TEST(test_all_from_nth)
{
    every_nth(_i, true, 13);
}
END_TEST

START_TEST(test_the_scenario)
{
    struct scene scene;
    world_init(&world);
    failing_alloc_arm(UINT64_MAX, false);
    run(&scene);
    ck_assert_uint_gt(failing_alloc_disarm(NULL), 300);
    ck_assert_uint_eq(world.store.room_count, 2);
    ck_assert_uint_gt(world.store.rooms[0].count, 20);
    ck_assert(world.store.rooms[0].archived);
    check_after(&scene);
    world_release(&world);
}
END_TEST

/* A hub that could not take all sessions in from the store says so; and a room is there or it says
 * so, perhaps not in the list or with more to play again. */
START_TEST(test_restoring)
{
    struct table table;
    bool failed = true, room = _i == 1;
    world_init(&world);
    if (room) {
        world_table(&world, &table, 2, "");
        world_begin(&world, &table);
    }
    world_cut(&world, world_guest(&world, "Zoe"));
    for (uint64_t n = 1; failed; n++) {
        struct hub_metrics figures;
        struct hub *hub = hub_create(&world.config, &world.env);
        ck_assert_ptr_nonnull(hub);
        failing_alloc_arm(n, false);
        failing_alloc_enter();
        int result = model_restore(&world.store, hub, world.now_ms);
        failing_alloc_leave();
        failing_alloc_disarm(&failed);
        ck_assert(result < 0 ? failed : room || !failed);
        hub_metrics(hub, &figures);
        ck_assert(result < 0 || (figures.rooms == room && figures.sessions == (room ? 3 : 1)));
        hub_destroy(hub);
    }
    world_restart(&world);
    world_release(&world);
}
END_TEST

/* Who waits for a room that there is no memory to read is told so, by the first read. */
START_TEST(test_reading_a_stored_room)
{
    struct table table;
    char room[CODE_SPACE];
    int refusals = 0;
    bool failed = true;
    world_init(&world);
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    for (int i = 0; i < 2; i++)
        world_cut(&world, table.tabs[i]);
    for (uint64_t n = 1; failed; n++) {
        world_pass(&world, world.config.over_idle_ms * 2);
        int tab = world_guest(&world, "Zoe");
        int64_t id = world_post(&world, tab, "watch", "{s:s}", "room", table.room);
        ck_assert(hub_read_take(world.hub, room));
        failing_alloc_arm(n, false);
        failing_alloc_enter();
        model_read(&world.store, world.hub, room, world.now_ms);
        failing_alloc_leave();
        failing_alloc_disarm(&failed);
        ck_assert(!hub_read_take(world.hub, room));
        world_settle(&world);
        json_t *reply = world_reply(&world, tab, id), *error = json_object_get(reply, "error");
        ck_assert_msg(reply || !world.tabs[tab].link.open, "allocation %d: no reply", (int)n);
        ck_assert(failed || json_object_get(reply, "ok"));
        if (error)
            ck_assert_str_eq(str(error, "code"), "internal");
        refusals += error != NULL;
        json_decref(reply);
        world_cut(&world, tab);
    }
    ck_assert_int_gt(refusals, 0);
    world_release(&world);
}
END_TEST

/* A record that there is no memory to write is refused; a part of it is not sent for the whole. */
START_TEST(test_asking_for_a_record)
{
    struct table table;
    int refusals = 0;
    bool failed = true;
    world_init(&world);
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    for (uint64_t n = 1; failed; n++) {
        int tab = world_guest(&world, "Zoe");
        failing_alloc_arm(n, false);
        int64_t id = world_post(&world, tab, "record", "{s:s}", "room", table.room);
        failing_alloc_disarm(&failed);
        world_settle(&world);
        json_t *reply = world_reply(&world, tab, id), *ok = json_object_get(reply, "ok");
        ck_assert_msg(reply || !world.tabs[tab].link.open, "allocation %d: no reply", (int)n);
        ck_assert(failed || ok);
        if (ok)
            ck_assert_ptr_nonnull(strstr(str(ok, "record"), "[Result.why \""));
        else if (reply)
            ck_assert_str_eq(str(json_object_get(reply, "error"), "code"), "internal");
        refusals += ok == NULL;
        json_decref(reply);
        world_forget(&world, tab);
        world_cut(&world, tab);
    }
    ck_assert_int_gt(refusals, 1);
    world_release(&world);
}
END_TEST

static int64_t post_hint(struct table *table)
{
    return world_post(&world, table->tabs[0], "hint", "{s:s}", "room", table->room);
}

static int64_t post_rematch(struct table *table)
{
    return world_post(&world, table->tabs[0], "rematch", "{s:s}", "room", table->room);
}

/* A match of cards in which the first player may ask for either. */
static void make_cards(struct table *table, bool over)
{
    world_table(&world, table, 2, "{s:s,s:{s:i}}", "game", "cards", "options", "players", 2);
    world_begin(&world, table);
    if (over) {
        world_do(&world, table->tabs[1], "resign", "{s:s}", "room", table->room);
        world_restart(&world); /* then nothing is reserved yet */
        table->tabs[0] = world_back(&world, table->tabs[0]);
    }
    world_settle(&world);
    world_forget(&world, table->tabs[0]);
}

/* Each has an answer: done, or no memory for it. */
START_TEST(test_asking_for_a_hint_or_a_rematch)
{
    int refusals = 0;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        struct table table;
        world_init(&world);
        make_cards(&table, _i == 1);
        failing_alloc_arm(n, false);
        int64_t id = _i == 1 ? post_rematch(&table) : post_hint(&table);
        world_settle(&world);
        failing_alloc_disarm(&failed);
        json_t *reply = world_reply(&world, table.tabs[0], id);
        ck_assert_msg(reply || !world.tabs[table.tabs[0]].link.open, "allocation %d: no reply",
                      (int)n);
        ck_assert(failed || json_object_get(reply, "ok"));
        refusals += json_object_get(reply, "error") != NULL;
        json_decref(reply);
        world_release(&world);
    }
    ck_assert_int_gt(refusals, 1);
}
END_TEST

/* So many that they do not fit into one slab; and reads, requests and changes that nobody has
 * answered. */
static void end_in_the_middle(void)
{
    struct hub_peer peer;
    struct hub_http_answer answer;
    uint64_t ticket;
    char room[CODE_SPACE];
    world_init(&world);
    for (uint8_t i = 0; i < 250; i++) {
        const uint8_t address[16] = {i, 1};
        for (int j = 0; j < 3; j++)
            ck_assert_int_eq(hub_connect(world.hub, address, world.now_ms, &peer), 0);
    }
    int tab = world_guest(&world, "Ana");
    world_post(&world, tab, "watch", "{s:s}", "room", "00000000");
    ck_assert(hub_read_take(world.hub, room));
    world_post(&world, tab, "past", "{s:s,s:i}", "room", "00000001", "have", 0);
    ck_assert(!hub_get_from(1, world.hub, "/api/records/00000002", world.now_ms, &answer, &ticket));
    world_post(&world, tab, "create", "{}");
    world_release(&world);
}

/* The sanitizer of leaks looks afterwards. */
START_TEST(test_ends_in_the_middle)
{
    end_in_the_middle();
}
END_TEST

static size_t in_use_bytes(void)
{
    struct mallinfo2 info = mallinfo2(); /* all 0 under a sanitizer, which looks itself */
    return info.uordblks + info.hblkhd;
}

/* Less than the least allocation each time; what the C library keeps for itself varies a little. */
START_TEST(test_all_is_given_back)
{
    enum { WARM_UP = 50, ROUNDS = 1500, LEAST_BYTES = 16 };
    for (int i = 0; i < WARM_UP; i++)
        end_in_the_middle();
    size_t before = in_use_bytes();
    for (int i = 0; i < ROUNDS; i++)
        end_in_the_middle();
    size_t after = in_use_bytes();
    ck_assert_uint_lt(after, before + (size_t)ROUNDS * LEAST_BYTES);
}
END_TEST

/* One legal move of the seat to move, and how many allocations the hub made for it; -1: over. */
static int move_counted(const struct table *table)
{
    char move[80];
    for (int seat = 0; seat < table->players; seat++) {
        int tab = table->tabs[seat];
        int64_t id = world_post(&world, tab, "moves", "{s:s}", "room", table->room);
        world_settle(&world);
        json_t *reply = world_reply(&world, tab, id);
        const json_t *list = json_object_get(json_object_get(reply, "ok"), "moves");
        const char *first = json_string_value(json_array_get(list, json_array_size(list) / 2));
        (void)snprintf(move, sizeof move, "%s", first ? first : "");
        json_decref(reply);
        if (!move[0])
            continue;
        failing_alloc_arm(UINT64_MAX, false);
        world_do(&world, tab, "move", "{s:s,s:s,s:b}", "room", table->room, "move", move, "confirm",
                 1);
        world.now_ms += 1000; /* below the rate */
        return (int)failing_alloc_disarm(NULL);
    }
    return -1;
}

/*
 * A move needs memory for its push and for its reply, which may wait for who reads slowly; for
 * nothing else, but that the room's log grows now and then.
 */
START_TEST(test_a_move_takes_two_pieces)
{
    enum { MOVES = 40, PIECES = 2, GROWN = 8 };
    struct table table;
    int more = 0;
    world_init(&world);
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    for (int i = 0; i < MOVES; i++) {
        int taken = move_counted(&table);
        ck_assert_int_ge(taken, PIECES);
        more += taken - PIECES;
    }
    ck_assert_int_le(more, GROWN);
    world_release(&world);
}
END_TEST

Suite *memory_suite(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    TCase *near = near_case(suite, NULL, NULL);
    tcase_set_tags(tests, MODEL_TESTS);
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, test_the_scenario);
    tcase_add_test(near, test_a_move_takes_two_pieces);
    tcase_add_loop_test(near, test_restoring, 0, 2);
    tcase_add_test(tests, test_reading_a_stored_room);
    tcase_add_test(tests, test_asking_for_a_record);
    tcase_add_loop_test(tests, test_asking_for_a_hint_or_a_rematch, 0, 2);
    tcase_add_test(tests, test_ends_in_the_middle);
    tcase_add_loop_test(near, test_every_nth, 0, FEW_PARTS);
    tcase_add_loop_test(tests, test_all_from_nth, 0, PARTS);
    suite_add_tcase(suite, tests);
    tests = tcase_create("more of the same");
    tcase_set_tags(tests, LONG_TESTS);
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, test_all_is_given_back);
    tcase_add_loop_test(tests, test_every_nth, FEW_PARTS, PARTS);
    suite_add_tcase(suite, tests);
    return suite;
}
