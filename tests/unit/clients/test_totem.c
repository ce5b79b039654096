/*
 * Totem at the terminal: states as the server writes them, drawn and looked at; events in words.
 */
#include "event_text.h"
#include "panel.h"
#include "suites.h"
#include "totem_cases.h"
#include <cli/state.h>
#include <cli_totem/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the picture */

static const struct {
    const char *state, *golden;
    int columns, rows;
    bool ascii, small;
    enum canvas_colours colours;
} PICTURES[] = {
    {"settle", "settle", 80, 18, false, false, CANVAS_MONO},
    {"cast", "cast", 80, 18, false, false, CANVAS_MONO},
    {"cast", "cast-ascii", 80, 18, true, false, CANVAS_MONO},
    {"cast", "cast-256", 80, 18, false, false, CANVAS_256},
    {"cast", "cast-small", 80, 14, true, true, CANVAS_MONO},
    {"full", "full", 80, 18, false, false, CANVAS_MONO},
    {"full", "full-wide", 120, 18, false, false, CANVAS_MONO},
    {"full", "full-40x10", 64, 10, true, false, CANVAS_MONO},
    {"two", "two", 80, 18, false, false, CANVAS_MONO},
    {"nothing", "nothing", 80, 18, false, false, CANVAS_MONO},
    {"reveal", "reveal", 80, 18, false, false, CANVAS_MONO},
    {"note", "note", 80, 18, false, false, CANVAS_MONO},
    {"over", "over", 80, 18, false, false, CANVAS_MONO},
};

/* The whole upper part of a screen, as the table for people shows it. */
static void draw_screen(struct canvas *canvas, struct game_view *view, const json_t *of)
{
    struct game_room room = room_of(of);
    struct panel panel = {.game = &game_totem,
                          .view = view,
                          .room = "k3m9x0aq",
                          .state = room.state,
                          .seat = room.seat};
    struct canvas inside;
    ck_assert(
        canvas_init(&inside, canvas->columns - PANEL_COLUMNS - 1, canvas->rows - 1, canvas->ascii));
    ck_assert(game_totem.view_draw(view, &room, &inside));
    canvas_stamp(canvas, 0, 1, &inside);
    canvas_release(&inside);
    panel_title(canvas, &panel, "connected");
    panel_draw(canvas, canvas->columns - PANEL_COLUMNS, 1, canvas->rows - 1, &panel);
}

START_TEST(picture)
{
    char path[256], *text;
    size_t len;
    struct canvas canvas;
    json_t *of = read_case(PICTURES[_i].state);
    struct game_view *view = game_totem.view_create(PICTURES[_i].small);
    ck_assert_ptr_nonnull(view);
    if (json_object_get(of, "event"))
        game_totem.view_event(view, of);
    ck_assert(canvas_init(&canvas, PICTURES[_i].columns, PICTURES[_i].rows, PICTURES[_i].ascii));
    draw_screen(&canvas, view, of);
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    canvas_print(&canvas, PICTURES[_i].colours, out);
    ck_assert_int_eq(fclose(out), 0);
    snprintf(path, sizeof path, "tests/unit/clients/golden/totem-%s.txt", PICTURES[_i].golden);
    check_golden(path, text, len);
    free(text);
    canvas_release(&canvas);
    game_totem.view_destroy(view);
    json_decref(of);
}
END_TEST

/* A server may say anything: what cannot be read is not drawn, and nothing is made of it. */
START_TEST(nonsense)
{
    static const char *const states[] = {
        "{}",
        "{\"table\":7}",
        "{\"table\":{\"families\":{\"R\":7,\"Q\":{},\"G\":{\"seat\":99,\"pieces\":-4}},"
        "\"acting\":[7,\"Q\",\"\",\"G\"]}}",
        "{\"table\":{\"families\":{\"R\":{\"seat\":0,\"pieces\":999,\"birds\":-1}},\"huts\":{"
        "\"R1\":{"
        "\"people\":\"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\",\"down\":{\"R\":-1,\"G\":99999},"
        "\"up\":{\"T\":\"RRRRRRRRRRRRRRRRRRRRRRRRRRRRRR\",\"?\":7}}},\"hungry\":[7,{\"family\":7}],"
        "\"mine\":{\"R\":{\"hand\":7,\"down\":{\"H\":7,\"Q\":\"R1\"},\"note\":[]}},\"step\":"
        "\"dance\"}}",
        "{\"phase\":\"over\",\"table\":{},\"result\":{\"families\":[7,\"\"],\"ranks\":7}}",
    };
    static const char *const legals[] = {
        "{}",
        "{\"asked\":{\"R\":7}}",
        "{\"asked\":{\"R\":{\"kind\":\"settle\",\"people\":\"wm\",\"stay\":99}}}",
        "{\"asked\":{\"R\":{\"kind\":\"settle\",\"people\":7,\"stay\":-1}}}",
        "{\"asked\":{\"R\":{\"kind\":\"write\",\"spells\":\"GT\",\"most\":-3,\"huts\":[]}}}",
        "{\"asked\":{\"R\":{\"kind\":\"starve\",\"from\":\"\",\"people\":7,\"count\":99}}}",
        "{\"asked\":{\"R\":{\"kind\":\"take\",\"count\":-99}},\"moves\":[7]}",
    };
    json_t *state = json_loads(states[_i], 0, NULL);
    struct game_view *view = game_totem.view_create(false);
    struct panel panel = {.game = &game_totem, .view = view, .room = "k3m9x0aq", .state = state};
    struct canvas canvas;
    char text[256];
    ck_assert_ptr_nonnull(state);
    for (size_t i = 0; i < sizeof legals / sizeof legals[0]; i++) {
        json_t *legal = json_loads(legals[i], 0, NULL);
        struct game_room room = {.state = state, .legal = legal};
        struct game_move move;
        struct rng rng = {1};
        ck_assert(canvas_init(&canvas, 30 + 10 * (int)i, 3 + 3 * (int)i, true));
        game_totem.view_draw(view, &room, &canvas);
        panel_title(&canvas, &panel, "connected");
        panel_draw(&canvas, 5, 1, 20, &panel);
        game_totem.prompt(text, sizeof text, &room);
        ck_assert(!game_totem.move_make(&move, &rng, &room));
        canvas_release(&canvas);
        json_decref(legal);
    }
    game_totem.view_destroy(view);
    json_decref(state);
}
END_TEST

/* The picture can be moved where there is no room for all of it, and comes back. */
START_TEST(is_moved)
{
    json_t *of = read_case("full");
    struct game_room room = room_of(of);
    struct game_view *view = game_totem.view_create(false);
    struct canvas canvas;
    ck_assert(canvas_init(&canvas, 30, 6, true));
    game_totem.view_pan(view, 99, 99);
    ck_assert(game_totem.view_draw(view, &room, &canvas));
    ck_assert_uint_eq(canvas.cells[4 * 30 + 13].code, 'Y'); /* hut Y3 */
    canvas_release(&canvas);
    ck_assert(canvas_init(&canvas, 30, 6, true));
    game_totem.view_follow(view);
    ck_assert(game_totem.view_draw(view, &room, &canvas));
    ck_assert_uint_eq(canvas.cells[30].code, '>'); /* red, which acts */
    canvas_release(&canvas);
    game_totem.view_destroy(view);
    json_decref(of);
}
END_TEST

static int rows_of(struct game_view *view, const struct game_room *room)
{
    struct canvas canvas;
    ck_assert(game_totem.view_draw_all(view, room, &canvas, true));
    const int rows = canvas.rows;
    canvas_release(&canvas);
    return rows;
}

START_TEST(is_made_small)
{
    char answer[8];
    json_t *of = read_case("full");
    struct game_room room = room_of(of);
    struct game_view *view = game_totem.view_create(false), *small = game_totem.view_create(true);
    const struct game_view_command *command = &game_totem.view_commands[1];
    const int rows = rows_of(view, &room);
    ck_assert_str_eq(command->name, "small");
    ck_assert(command->run(view, &room, "", answer, sizeof answer));
    ck_assert_int_lt(rows_of(view, &room), rows);
    ck_assert_int_eq(rows_of(view, &room), rows_of(small, &room));
    ck_assert(command->run(view, &room, "", answer, sizeof answer));
    ck_assert_int_eq(rows_of(view, &room), rows);
    game_totem.view_destroy(small);
    game_totem.view_destroy(view);
    json_decref(of);
}
END_TEST

/* Where there is no room for all families that play, the one that acts is shown. */
START_TEST(who_acts_is_shown)
{
    json_t *of = read_case("full");
    json_object_del(state_at(of, "state.table.families"), "R");
    json_object_set_new(state_at(of, "state.table"), "acting", json_pack("[s]", "B"));
    struct game_room room = room_of(of);
    struct game_view *view = game_totem.view_create(true);
    struct canvas canvas;
    ck_assert(canvas_init(&canvas, 30, 4, true));
    ck_assert(game_totem.view_draw(view, &room, &canvas));
    ck_assert_uint_eq(canvas.cells[30].code, '>');
    canvas_release(&canvas);
    game_totem.view_destroy(view);
    json_decref(of);
}
END_TEST

/* A hut has room for seventeen letters: one more and the last of them is a `+`. */
static const struct {
    const char *people;
    uint32_t last;
} FULL_HUTS[] = {{"ggggbbbbwwwmmWMee", 'e'}, {"ggggbbbbwwwmmWMeee", '+'}};

START_TEST(a_full_hut)
{
    json_t *of = read_case("full");
    json_object_set_new(state_at(of, "state.table.huts.R1"), "people",
                        json_string(FULL_HUTS[_i].people));
    struct game_room room = room_of(of);
    struct game_view *view = game_totem.view_create(false);
    struct canvas canvas;
    ck_assert(canvas_init(&canvas, 54, 18, true));
    ck_assert(game_totem.view_draw(view, &room, &canvas));
    ck_assert_uint_eq(canvas.cells[3 * 54 + 1].code, 'g');
    ck_assert_uint_eq(canvas.cells[3 * 54 + 17].code, FULL_HUTS[_i].last);
    ck_assert_uint_eq(canvas.cells[3 * 54 + 18].code, ' ');
    canvas_release(&canvas);
    game_totem.view_destroy(view);
    json_decref(of);
}
END_TEST

/* ---- words */

static const struct {
    const char *event, *text;
} EVENTS[] = {
    {"\"move\",\"move\":\"settle@G=wwm/WM/me\",\"effects\":[]", "Green (B Bo) settles wwm/WM/me."},
    {"\"move\",\"move\":\"choose@G=*2\",\"effects\":[\"burn@G=1\"]",
     "Green (B Bo) lays 2 spells aside. Birds given up: green 1."},
    {"\"move\",\"move\":\"choose@G=*1\"", "Green (B Bo) lays 1 spell aside."},
    {"\"move\",\"move\":\"choose@G=*0\"", "Green (B Bo) lays no spells aside."},
    {"\"move\",\"move\":\"choose@G=-\"", "Green (B Bo) lays no spells aside."},
    {"\"move\",\"move\":\"choose@G=GTH\"", "Green (B Bo) lays girls, twins and health aside."},
    {"\"move\",\"move\":\"cast@G=?:R1\"", "Green (B Bo) places a spell on R1."},
    {"\"move\",\"move\":\"cast@G=L:R1\"", "Green (B Bo) places long life on R1."},
    {"\"move\",\"move\":\"pass@G\"", "Green (B Bo) passes."},
    {"\"move\",\"move\":\"write@G=*\",\"effects\":[\"burn@R=1\",\"put@R=?:Y2,T:R1\",\"put@G=?:"
     "R1\"]",
     "Green (B Bo) has written. Birds given up: red 1. Laid: red a spell on Y2, twins on R1, green "
     "a "
     "spell on R1."},
    {"\"move\",\"move\":\"write@G=T:R1,H:G1\"", "Green (B Bo) writes twins on R1, health on G1."},
    {"\"move\",\"move\":\"write@G=-\"", "Green (B Bo) writes nothing."},
    {"\"move\",\"move\":\"reveal@G=-\",\"effects\":[\"born@R1=ggbb\",\"born@Y3=b\"]",
     "Green (B Bo) uncovers nothing. Born: R1 ggbb, Y3 b."},
    {"\"move\",\"move\":\"reveal@G=T\",\"effects\":[\"show@G=T:R1\",\"catch@R=2\",\"catch@B=1\","
     "\"eat@R=2\",\"spill@R=1\",\"lack@G=2\"]",
     "Green (B Bo) uncovers twins. Uncovered: twins on R1. Birds caught: red 2, blue 1. Eaten: red "
     "2. "
     "Let go, above five: red 1. Too few birds, so many must go: green 2."},
    {"\"move\",\"move\":\"starve@G=b/-/m\",\"effects\":[\"gone@G=b/-/m\",\"fall@G\",\"mourn@G=2\"]",
     "Green (B Bo) gives up b/-/m. Starved: green b/-/m. Died out: green. Lost the last elder, its "
     "pole "
     "is now: green 2."},
    {"\"move\",\"move\":\"take@G=R:*\"", "Green (B Bo) writes whom red loses."},
    {"\"move\",\"move\":\"take@G=R:-/e/-\",\"effects\":[\"took@G=-/e/-\"]",
     "Green (B Bo) takes -/e/- of red. Written: green -/e/-."},
    {"\"move\",\"move\":\"reveal@G=-\",\"effects\":[\"ill@R1=gW\",\"age\",\"build@R=3\",\"bird@B="
     "1\","
     "\"round@4=G\",\"new@Y=wmWMe\"]",
     "Green (B Bo) uncovers nothing. Died of illness: R1 gW. All grow older. A piece more, the "
     "pole "
     "is "
     "now: red 3. A bird after a tie: blue. Round 4 begins, green is first. A new family: yellow "
     "wmWMe."},
    {"\"move\",\"move\":\"reveal@G=-\",\"effects\":[\"over@totem=R\"],\"over\":\"totem\"",
     "Green (B Bo) uncovers nothing. The winner is red. The match is over: a pole has 6 pieces."},
    {"\"resigned\",\"effects\":[\"out@G\",\"out@Y\",\"over@rounds=-\"]",
     "B Bo resigns. Out of the game: green, yellow. Nobody wins."},
    {"\"move\",\"move\":\"cast@G=\",\"effects\":[\"put@R=G:R1x,GT:R,Q:G2\",\"put@G=GXR1\"]",
     "Green (B Bo) places . Laid: red , a spell on G2, green ."},
    {"\"undone\"", "B Bo takes back what was written."},
    {"\"move\",\"move\":\"dance\",\"effects\":[7,\"\",\"x@R=1\",\"born\",\"over@\"]",
     "B Bo: dance. Born:  . Nobody wins."},
};

START_TEST(sentence)
{
    char text[512], json[512];
    json_t *of = read_case("cast");
    memset(text, '#', sizeof text);
    snprintf(json, sizeof json, "{\"seat\":1,\"kind\":%s}", EVENTS[_i].event);
    json_t *event = json_loads(json, 0, NULL);
    ck_assert_msg(event, "%s", json);
    event_text(text, sizeof text, &game_totem, state_at(of, "state"), event);
    ck_assert_str_eq(text, EVENTS[_i].text);
    json_decref(event);
    json_decref(of);
}
END_TEST

/* A sentence is as long as it may be, and no longer. */
START_TEST(long_sentence)
{
    char text[512];
    json_t *effects = json_array(), *of = read_case("cast");
    for (int i = 0; i < 200; i++)
        json_array_append_new(effects, json_string("born@R1=ggggggggggbbbbbbbbbb"));
    json_t *event = json_pack("{s:s,s:i,s:s,s:o}", "kind", "move", "seat", 1, "move", "pass@G",
                              "effects", effects);
    event_text(text, sizeof text, &game_totem, state_at(of, "state"), event);
    ck_assert_uint_eq(strlen(text), sizeof text - 1);
    json_decref(event);
    json_decref(of);
}
END_TEST

static const struct {
    const char *state, *prompt, *task;
} ASKED[] = {
    {"settle", "settle", "settle blue"},
    {"cast", "cast", "place a spell of green"},
    {"two", "write R B", "write spells"},
    {"reveal", "reveal (illness)", "uncover spells of red (illness)"},
    {"note", "take", "write whom to take"},
    {"full", "starve", "choose who starves of red"},
};

START_TEST(prompts)
{
    char text[64];
    json_t *of = read_case(ASKED[_i].state);
    struct game_room room = room_of(of);
    game_totem.prompt(text, sizeof text, &room);
    ck_assert_str_eq(text, ASKED[_i].prompt);
    game_totem.task(text, sizeof text, room.state);
    ck_assert_str_eq(text, ASKED[_i].task);
    json_decref(of);
}
END_TEST

/* What is hidden is not told; what is ours is. */
START_TEST(huts_in_words)
{
    static const struct {
        const char *state, *hut, *text;
    } rows[] = {
        {"note", "R1",
         "R1: 1 girl, 2 young women, 1 young man. Face down: 2 of red (sniffles, health), 2 of "
         "green."},
        {"note", "b3", "B3: 1 elder. Face down: 1 of red (fever), 1 of blue."},
        {"cast", "B2", "B2: nobody."},
        {"full", "R1",
         "R1: 4 girls, 4 boys, 3 young women, 2 young men, 1 woman, 1 man, 1 elder. Uncovered: "
         "girls "
         "by red and green, boys by yellow, abundance by red and green and blue and yellow. Face "
         "down: 2 of red, 3 of green, 1 of blue, 4 of yellow."},
        {"note", "", "Which hut? `hut R1` says what is there."},
        {"note", "R4", "Which hut? `hut R1` says what is there."},
        {"note", "R11", "Which hut? `hut R1` says what is there."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256] = "";
        json_t *of = read_case(rows[i].state);
        struct game_room room = room_of(of);
        ck_assert(!game_totem.view_commands[0].run(NULL, &room, rows[i].hut, text, sizeof text));
        ck_assert_str_eq(text, rows[i].text);
        json_decref(of);
    }
}
END_TEST

/* Every page fits beside the players on a screen of 80 times 24. */
START_TEST(pages)
{
    for (const struct game_page *page = game_totem.pages; page->name; page++) {
        int lines = 0;
        for (const char *at = page->text; *at; at += strcspn(at, "\n") + 1, lines++)
            ck_assert_uint_le(strcspn(at, "\n"), 52);
        ck_assert_int_le(lines, 15);
    }
}
END_TEST

Suite *totem_suite(void)
{
    Suite *suite = suite_create("totem");
    TCase *tcase = tcase_create("totem");
    tcase_add_loop_test(tcase, picture, 0, sizeof PICTURES / sizeof PICTURES[0]);
    tcase_add_loop_test(tcase, nonsense, 0, 5);
    tcase_add_test(tcase, is_moved);
    tcase_add_test(tcase, is_made_small);
    tcase_add_test(tcase, who_acts_is_shown);
    tcase_add_loop_test(tcase, a_full_hut, 0, sizeof FULL_HUTS / sizeof FULL_HUTS[0]);
    tcase_add_loop_test(tcase, sentence, 0, sizeof EVENTS / sizeof EVENTS[0]);
    tcase_add_test(tcase, long_sentence);
    tcase_add_loop_test(tcase, prompts, 0, sizeof ASKED / sizeof ASKED[0]);
    tcase_add_test(tcase, huts_in_words);
    tcase_add_test(tcase, pages);
    suite_add_tcase(suite, tcase);
    return suite;
}
