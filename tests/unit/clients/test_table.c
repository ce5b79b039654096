/*
 * States as the protocol's examples have them, drawn; events as sentences.
 */
#include "event_text.h"
#include "lobby.h"
#include "map_draw.h"
#include "panel.h"
#include "state_map.h"
#include "suites.h"
#include <cli/state.h>
#include <cli_taluva/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *read_json(const char *path)
{
    size_t len;
    char *text = read_source_file(path, &len);
    json_t *value = json_loads(text, 0, NULL);
    ck_assert_msg(value, "%s", path);
    free(text);
    return value;
}

static json_t *read_example(const char *kind, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "protocol/examples/%s/%s.json", kind, name);
    return read_json(path);
}

static const char *const STATES[] = {"lobby", "playing",   "paused",         "everything",
                                     "over",  "over-team", "over-called-off"};

/* The whole screen of a state: title, island, panel, and before the start the lobby. */
START_TEST(picture)
{
    char path[256], *text;
    size_t len;
    json_t *state = read_example("states", STATES[_i]), *online = json_pack("{s:b}", "0", 1);
    struct game_view *view = game_taluva.view_create(false);
    char answer[8] = "";
    ck_assert_ptr_nonnull(view);
    game_taluva.view_commands[3].run(view, NULL, "1", answer, sizeof answer); /* turn 1 */
    struct panel panel = {.game = &game_taluva,
                          .view = view,
                          .room = "k3m9x0aq",
                          .state = state,
                          .online = online,
                          .seat = 0,
                          .spent_ms = 5000};
    struct game_room room = {.state = state, .seat = 0};
    struct canvas canvas, inside;
    ck_assert(canvas_init(&canvas, 80, 20, false));
    ck_assert(canvas_init(&inside, 80 - PANEL_COLUMNS - 1, 19, false));
    ck_assert(game_taluva.view_draw(view, &room, &inside) == (state_at(state, "table") != NULL));
    canvas_stamp(&canvas, 0, 1, &inside);
    canvas_release(&inside);
    panel_title(&canvas, &panel, "connected");
    panel_draw(&canvas, 80 - PANEL_COLUMNS, 1, 19, &panel);
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    canvas_print(&canvas, CANVAS_MONO, out);
    if (!state_at(state, "table"))
        lobby_print(&game_taluva, state, "k3m9x0aq", "ws://127.0.0.1:7400/ws", 0, out);
    panel_print(&panel, out);
    fclose(out);
    snprintf(path, sizeof path, "tests/unit/clients/golden/state-%s.txt", STATES[_i]);
    check_golden(path, text, len);
    free(text);
    canvas_release(&canvas);
    game_taluva.view_destroy(view);
    json_decref(state);
    json_decref(online);
}
END_TEST

/* ---- five players with the whole box, at 80x24 */

static void change(json_t *state, const char *patch)
{
    json_t *changes = json_loads(patch, 0, NULL);
    ck_assert_msg(changes && json_object_update_recursive(state, changes) == 0, "%s", patch);
    json_decref(changes);
}

static json_t *five_players(void)
{
    json_t *state = read_example("states", "everything");
    json_object_del(state, "clock");
    json_object_del(state, "offers");
    change(state, "{\"title\":\"Friday night at the harbour\",\"options\":{\"players\":5,"
                  "\"teams\":false},\"seats\":{\"4\":{\"name\":\"Maximiliane von Taluva\","
                  "\"colour\":\"brown\"}},\"table\":{\"players\":{\"4\":{\"huts\":20,"
                  "\"towers\":2,\"temples\":3,\"boats\":2}},\"two_hex\":{\"2VS\":true,"
                  "\"2JJ\":true,\"2VJ\":true,\"2VL\":true,\"2VV\":true}}}");
    return state;
}

static const struct {
    const char *patch;
    const char *must[8]; /* on the screen, whole */
} FIVE[] = {
    {"{\"table\":{\"turn\":{\"seat\":4,\"step\":\"draw\",\"number\":47}},\"acting\":[4]}",
     {"turn 47  stack 38  E Maximiliane von Taluva: draw, or take connected", ">E Maximiliane",
      "Offer 2VS 2JJ 2VJ 2VL 2VV"}},
    {"{\"table\":{\"turn\":{\"seat\":0,\"step\":\"place\",\"tile\":\"SR\",\"number\":47}},"
     "\"acting\":[0]}",
     {"k3m9x0aq  \"Friday night at the har  turn 47  stack 38  You: place SR connected",
      "Offer 2VS 2JJ 2VJ 2VL 2VV", "Tile SR, turned :1", "/V\u21981 \\", "/R   \\/S   \\"}},
    {"{\"phase\":\"over\",\"acting\":[],\"result\":{\"why\":\"exhausted\",\"winners\":{\"0\":true,"
     "\"3\":true},\"ranks\":{\"0\":1,\"1\":5,\"2\":4,\"3\":1,\"4\":3}}}",
     {"Over: no tiles are left", "A and D win", "1. A Ana", "5. B Bo", "4. C Chi", "1. D Hibiscus",
      "3. E Maximiliane"}},
};

/* The rows that 80x24 has for the picture. Nothing of what counts is cut off. */
START_TEST(five_players_have_room)
{
    enum { ROWS = 18 };
    json_t *state = five_players();
    char answer[8] = "", *text;
    size_t len;
    struct canvas canvas;
    struct game_view *view = game_taluva.view_create(false);
    game_taluva.view_commands[3].run(view, NULL, "1", answer, sizeof answer); /* turn 1 */
    change(state, FIVE[_i].patch);
    const struct panel panel = {
        .game = &game_taluva, .view = view, .room = "k3m9x0aq", .state = state, .seat = 0};
    ck_assert(canvas_init(&canvas, 80, ROWS, false));
    panel_title(&canvas, &panel, "connected");
    panel_draw(&canvas, 80 - PANEL_COLUMNS, 1, ROWS - 1, &panel);
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    canvas_print(&canvas, CANVAS_MONO, out);
    (void)fclose(out);
    for (size_t i = 0; i < 8 && FIVE[_i].must[i]; i++)
        ck_assert_msg(strstr(text, FIVE[_i].must[i]), "%s is not in\n%s", FIVE[_i].must[i], text);
    free(text);
    canvas_release(&canvas);
    game_taluva.view_destroy(view);
    json_decref(state);
}
END_TEST

/* ---- a move that is being chosen */

static const struct {
    bool small;
    int turns; /* `t` so often */
    const char *legal, *golden;
} CHOICES[] = {
    {false, 2,
     "{\"step\":\"place\",\"moves\":[\"SR@3,2:0\",\"SR@3,2:4\",\"SR@3,2:5\",\"SR@-6,0:2\"]}",
     "choose-place"},
    {false, 0, "{\"step\":\"build\",\"moves\":[\"hut@4,1\"]}", "choose-hut"},
    {true, 0, "{\"step\":\"build\",\"moves\":[\"boat@3,0\"]}", "choose-boat-small"},
};

START_TEST(a_choice_is_shown)
{
    char path[256], *text;
    size_t len;
    json_t *state = read_example("states", "everything"),
           *legal = json_loads(CHOICES[_i].legal, 0, NULL);
    const struct game_room room = {state, legal, 1};
    const struct game_chooser *chooser = game_taluva.chooser;
    struct game_view *view = game_taluva.view_create(CHOICES[_i].small);
    struct game_move move;
    struct canvas canvas;
    ck_assert(!chooser->move(view, &room, &move)); /* nothing is, yet */
    ck_assert(chooser->open(view, &room, NULL));
    for (int i = 0; i < CHOICES[_i].turns; i++)
        chooser->press(view, &room, GAME_CHOOSE_TURN);
    ck_assert(chooser->move(view, &room, &move));
    ck_assert(canvas_init(&canvas, 54, 16, false));
    ck_assert(game_taluva.view_draw(view, &room, &canvas));
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    fprintf(out, "%s\n", move.text);
    canvas_print(&canvas, CANVAS_MONO, out);
    (void)fclose(out);
    (void)snprintf(path, sizeof path, "tests/unit/clients/golden/%s.txt", CHOICES[_i].golden);
    check_golden(path, text, len);
    free(text);
    chooser->close(view);
    ck_assert(!chooser->move(view, &room, &move));
    ck_assert(!chooser->open(view, &room, "hut@9,9")); /* not legal: it stays closed */
    ck_assert(!chooser->move(view, &room, &move));
    canvas_release(&canvas);
    game_taluva.view_destroy(view);
    json_decref(legal);
    json_decref(state);
}
END_TEST

/* A server may say anything: what cannot be read is not drawn. */
START_TEST(nonsense)
{
    static const char *const states[] = {
        "{}",
        "{\"table\":7}",
        "{\"table\":{\"hexes\":{\"0,0\":7,\"x\":\"1J\",\"1,0\":\"9Q\",\"99999,0\":\"1J\",\"2,0\":"
        "\"1J:7h1\"}}}",
        "{\"table\":{\"boats\":{\"0,0\":999,\"1\":1}},\"options\":{\"zone\":7,\"players\":99}}",
        "{\"table\":{\"last\":{\"0\":\"JC@9\"},\"turn\":{\"seat\":-5}},\"options\":{\"players\":3}"
        "}",
        "{\"table\":{\"last\":{\"0\":\"@@@:\"},\"turn\":{\"seat\":1}},\"options\":{\"players\":2}}",
        "{\"phase\":\"over\",\"result\":{\"winners\":{\"x\":1},\"ranks\":[],\"totals\":{\"7\":2}}}",
        "{\"seats\":{\"-1\":{},\"77\":{}},\"offers\":{\"x\":{\"-9\":true}},\"acting\":7}",
        "{\"phase\":\"playing\",\"seats\":{\"0\":{}},\"acting\":[\"0\",{},-1,77,0.5]}",
    };
    json_t *state = json_loads(states[_i], 0, NULL);
    struct map map;
    struct map_at focus;
    struct game_view *view = game_taluva.view_create(false);
    struct panel panel = {
        .game = &game_taluva, .view = view, .room = "k3m9x0aq", .state = state, .seat = -1};
    struct canvas canvas;
    ck_assert_ptr_nonnull(state);
    ck_assert(state_map(&map, state, true, &focus));
    ck_assert(canvas_init(&canvas, 80, 24, true));
    struct map_window window = {0};
    map_window_follow(&window, &map, 80, 24, focus);
    map_draw(&canvas, &map, &window);
    panel_title(&canvas, &panel, "connected");
    panel_draw(&canvas, 50, 1, 20, &panel);
    canvas_release(&canvas);
    map_release(&map);
    game_taluva.view_destroy(view);
    json_decref(state);
}
END_TEST

/* A placement has one of six sides, from 0 on. */
static const struct {
    const char *turn;
    int placed;
} TURNS[] = {{"JC@0,0:0", 3}, {"2JC@0,0:5", 2}, {"JC@0,0:6", 0}, {"JC@0,0:/", 0}, {"JC@0,0", 0}};

START_TEST(placements_are_marked)
{
    json_t *state = read_example("states", "playing");
    struct map map;
    struct map_at focus = {9, 9};
    ck_assert(state_map(&map, state, false, NULL));
    for (int i = 0; i < map.columns * map.rows; i++)
        map.hexes[i].marks = 0;
    state_mark_turn(&map, TURNS[_i].turn, &focus);
    int count = 0;
    for (int i = 0; i < map.columns * map.rows; i++)
        count += (map.hexes[i].marks & MAP_PLACED) != 0;
    ck_assert_int_eq(count, TURNS[_i].placed);
    ck_assert_int_eq(focus.q, TURNS[_i].placed > 0 ? 0 : 9);
    map_release(&map);
    json_decref(state);
}
END_TEST

START_TEST(spots)
{
    json_t *state = read_example("states", "playing");
    json_t *moves = json_loads("[\"draw\",\"JC@3,3:1\",\"JC@0,0:2\",\"JC@0,0:1\",7]", 0, NULL);
    struct map map;
    ck_assert(state_map(&map, state, false, NULL));
    state_mark_spots(&map, moves, 1);
    int count = 0;
    for (int i = 0; i < map.columns * map.rows; i++)
        count += (map.hexes[i].marks & MAP_SPOT) != 0;
    ck_assert_int_eq(count, 1); /* 3,3 lies beyond the rectangle */
    ck_assert(map_hex(&map, (struct map_at){0, 0})->marks & MAP_SPOT);
    map_release(&map);
    json_decref(moves);
    json_decref(state);
}
END_TEST

static const struct {
    const char *example, *sentence;
} SENTENCES[] = {
    {"event-sat", "A Ana sits down."},
    {"event-stood", "B Bo gets up."},
    {"event-readied", "A Ana is ready."},
    {"event-started", "The match begins; A Ana is first."},
    {"event-move", "A Ana: JC@0,0:0"},
    {"event-undone", "A Ana takes the tile back."},
    {"event-resigned", "B Bo resigns. The match is over: all others are out."},
    {"event-called_off",
     "The match is called off. The match is over: called off. So it is not rated."},
    {"event-offered", "B Bo offers: pause."},
    {"event-withdrew", "B Bo withdraws: pause."},
    {"event-paused", "The match is paused."},
    {"event-replaced", "B Bo is away: the computer plays for now."},
    {"event-returned", "B Bo is back."},
    {"event-rematched", "A rematch in room 7c2k0v5n."},
};

START_TEST(sentence)
{
    char text[256];
    memset(text, '#', sizeof text);
    json_t *push = read_example("pushes", SENTENCES[_i].example);
    const bool over = strcmp(SENTENCES[_i].example, "event-called_off") == 0;
    json_t *state = read_example("states", over ? "over-called-off" : "playing");
    event_text(text, sizeof text, &game_taluva, state, json_object_get(push, "event"));
    ck_assert_str_eq(text, SENTENCES[_i].sentence);
    json_decref(push);
    json_decref(state);
}
END_TEST

static const struct {
    const char *clock, *sentence;
} TIMED_OUT[] = {
    {"fischer", "B Bo has run out of time."},
    {"none", "B Bo was away for too long, and is out."},
};

START_TEST(who_is_timed_out_without_a_clock_was_away)
{
    char text[256];
    json_t *push = read_example("pushes", "event-timed_out");
    json_t *state = read_example("states", "playing");
    json_t *kind = json_string(TIMED_OUT[_i].clock);
    ck_assert_int_eq(json_object_set_new(json_object_get(state, "clock"), "kind", kind), 0);
    event_text(text, sizeof text, &game_taluva, state, json_object_get(push, "event"));
    ck_assert_str_eq(text, TIMED_OUT[_i].sentence);
    json_decref(push);
    json_decref(state);
}
END_TEST

static const struct {
    const char *winners, *sentence;
    bool teams;
} WINNERS[] = {
    {"{}", "", false},
    {"{\"0\": true}", "A Ana wins.", false},
    {"{\"0\": true, \"1\": true}", "A Ana and B Bo win.", false},
    {"{\"0\": true}", "Team A and C wins.", true},
    {"{\"1\": true}", "Team B and D wins.", true},
    {"{\"0\": true, \"1\": true}", "Team A and C and Team B and D win.", true},
};

START_TEST(who_has_won)
{
    char text[256], tiny[8];
    json_t *state = read_example("states", "playing");
    json_object_set_new(state, "result",
                        json_pack("{s:o}", "winners", json_loads(WINNERS[_i].winners, 0, NULL)));
    json_object_set_new(json_object_get(state, "options"), "teams",
                        json_boolean(WINNERS[_i].teams));
    winners_text(text, sizeof text, state);
    ck_assert_str_eq(text, WINNERS[_i].sentence);
    winners_text(tiny, sizeof tiny, state);
    ck_assert_int_eq(strncmp(tiny, text, sizeof tiny - 1), 0);
    json_decref(state);
}
END_TEST

/* Every push of the examples is understood, and none is too long for its buffer. */
START_TEST(all_pushes)
{
    static const char *const names[] = {"presence", "said", "notice-draining",
                                        "notice-store_failing"};
    char text[256], tiny[8];
    json_t *state = read_example("states", "playing");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        json_t *push = read_example("pushes", names[i]);
        push_text(text, sizeof text, state, push);
        ck_assert_uint_gt(strlen(text), 0);
        push_text(tiny, sizeof tiny, state, push);
        ck_assert_uint_lt(strlen(tiny), sizeof tiny);
        json_decref(push);
    }
    json_decref(state);
}
END_TEST

/* All levels are named to who is not ready, and the page that describes them has each. */
START_TEST(levels_are_named)
{
    static const char words[] = "`bot LEVEL` says how well it plays: beginner,\n"
                                "simple, regular, skilled, strong, master.\n";
    char *text;
    size_t len;
    json_t *state = read_example("states", "lobby");
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    lobby_print(&game_taluva, state, "k3m9x0aq", "ws://127.0.0.1:7400/ws", 1, out);
    fclose(out);
    ck_assert_msg(strstr(text, words), "%s", text);
    free(text);
    json_decref(state);
    const struct game_page *page = game_find_page(&game_taluva, "levels");
    ck_assert_ptr_nonnull(page);
    for (unsigned i = 0; game_taluva.levels[i]; i++)
        ck_assert_msg(strstr(page->text, game_taluva.levels[i]), "%s", game_taluva.levels[i]);
}
END_TEST

Suite *table_suite(void)
{
    Suite *suite = suite_create("table");
    TCase *tcase = tcase_create("table");
    tcase_add_loop_test(tcase, picture, 0, sizeof STATES / sizeof STATES[0]);
    tcase_add_loop_test(tcase, five_players_have_room, 0, sizeof FIVE / sizeof FIVE[0]);
    tcase_add_loop_test(tcase, a_choice_is_shown, 0, sizeof CHOICES / sizeof CHOICES[0]);
    tcase_add_loop_test(tcase, nonsense, 0, 9);
    tcase_add_loop_test(tcase, placements_are_marked, 0, sizeof TURNS / sizeof TURNS[0]);
    tcase_add_test(tcase, spots);
    tcase_add_loop_test(tcase, who_has_won, 0, sizeof WINNERS / sizeof WINNERS[0]);
    tcase_add_loop_test(tcase, sentence, 0, sizeof SENTENCES / sizeof SENTENCES[0]);
    tcase_add_loop_test(tcase, who_is_timed_out_without_a_clock_was_away, 0,
                        sizeof TIMED_OUT / sizeof TIMED_OUT[0]);
    tcase_add_test(tcase, all_pushes);
    tcase_add_test(tcase, levels_are_named);
    suite_add_tcase(suite, tcase);
    return suite;
}
