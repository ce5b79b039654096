/* Looking at a recorded match step by step: keys, and what is on the screen. */
#include "suites.h"
#include <cli/game.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <replay_viewer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct game *const games[] = {&game_taluva, &game_totem, NULL};

struct stage {
    struct replay_viewer viewer;
    struct record record;
    bool visible;
};

static void stage_open(struct stage *stage, const char *name, unsigned viewer)
{
    const struct replay_pictures pictures = {
        .turn = REPLAY_EVERY_TURN, .viewer = viewer, .ascii = true};
    char path[128];
    size_t len;
    struct record_problem problem;
    games_set(games);
    (void)snprintf(path, sizeof path, "tests/unit/clients/records/%s", name);
    char *text = read_source_file(path, &len);
    ck_assert(record_parse(&stage->record, text, len, &problem));
    free(text);
    stage->visible =
        replay_viewer_init(&stage->viewer, "here/match.taluva", &stage->record, &pictures);
}

static void stage_close(struct stage *stage)
{
    replay_viewer_release(&stage->viewer);
    record_release(&stage->record);
}

static void type(struct stage *stage, const char *keys)
{
    replay_viewer_type(&stage->viewer, keys, strlen(keys));
}

/* The whole screen as lines. */
static const char *screen(struct stage *stage, int columns, int rows)
{
    static char text[65536];
    struct canvas canvas;
    ck_assert(canvas_init(&canvas, columns, rows, true));
    replay_viewer_draw(&stage->viewer, &canvas);
    FILE *out = fmemopen(text, sizeof text, "w");
    canvas_print(&canvas, CANVAS_MONO, out);
    (void)fclose(out);
    canvas_release(&canvas);
    return text;
}

static void expect(struct stage *stage, const char *part)
{
    const char *seen = screen(stage, 80, 24);
    ck_assert_msg(strstr(seen, part), "\"%s\" is not on:\n%s", part, seen);
}

/* Where keys lead, one after the other: plain.taluva has 30 turns or more. */
static const struct {
    const char *keys;
    int64_t at; /* negative: from the end */
} walks[] = {
    {"", 0},         {"n", 1},        {" ", 1},
    {"l", 1},        {"\r", 1},       {"\033[C", 1},
    {"\033OC", 1},   {"p", 0},        {"nnp", 1},
    {"nnh", 1},      {"nn\033[D", 1}, {"nn\177", 1},
    {"nn\b", 1},     {"G", -1},       {"\033[F", -1},
    {"\033OF", -1},  {"\033[4~", -1}, {"\033[8~", -1},
    {"Gn", -1},      {"Gp", -2},      {"Gg", 0},
    {"G\033[H", 0},  {"G\033OH", 0},  {"G\033[1~", 0},
    {"G\033[7~", 0}, {"\033[6~", 10}, {"\033[6~n\033[5~", 1},
    {"\033[5~", 0},  {"12\r", 12},    {"G0\r", 0},
    {"12\177\r", 1}, {"9999\r", -1},  {"12345\r", -1},
    {"12n", 1},      {"x", 0},        {"nn\033[1;2Cn", 3},
};

START_TEST(walks_through)
{
    struct stage stage;
    stage_open(&stage, "plain.taluva", REPLAY_SERVER);
    ck_assert(stage.visible);
    type(&stage, walks[_i].keys);
    const int64_t at = walks[_i].at < 0 ? stage.viewer.count + walks[_i].at : walks[_i].at;
    ck_assert_int_eq(stage.viewer.at, at);
    ck_assert_str_eq(stage.viewer.digits, "");
    ck_assert(!stage.viewer.over);
    stage_close(&stage);
}
END_TEST

START_TEST(ends)
{
    struct stage stage;
    stage_open(&stage, "plain.taluva", REPLAY_SERVER);
    type(&stage, "nq");
    ck_assert(stage.viewer.over);
    stage.viewer.over = false;
    type(&stage, "\004");
    ck_assert(stage.viewer.over);
    stage_close(&stage);
}
END_TEST

/* A key may come in pieces, and what is no key harms nothing. */
START_TEST(keys_in_pieces)
{
    struct stage stage;
    stage_open(&stage, "plain.taluva", REPLAY_SERVER);
    type(&stage, "\033");
    type(&stage, "[");
    ck_assert_int_eq(stage.viewer.at, 0);
    type(&stage, "C");
    ck_assert_int_eq(stage.viewer.at, 1);
    type(&stage, "\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1");
    type(&stage, "~\377\376n");
    ck_assert_int_ge(stage.viewer.at, 1);
    stage_close(&stage);
}
END_TEST

START_TEST(shows_turns)
{
    struct stage stage;
    stage_open(&stage, "plain.taluva", REPLAY_SERVER);
    char title[64];
    (void)snprintf(title, sizeof title, "match.taluva: turn 0 of %u  a Ana",
                   stage.viewer.last_turn);
    expect(&stage, title);
    expect(&stage, "The match begins.");
    expect(&stage, "q quit  n next");
    ck_assert_ptr_null(strstr(screen(&stage, 80, 24), "[")); /* nothing was placed yet */
    type(&stage, "n");
    expect(&stage, ": turn 1 of ");
    expect(&stage, stage.viewer.window.heading);
    ck_assert_ptr_nonnull(strstr(stage.viewer.window.heading, "@"));
    expect(&stage, "[1V"); /* the last tile is marked */
    type(&stage, "7");
    expect(&stage, "turn 7, then Enter");
    type(&stage, "\r");
    expect(&stage, ": turn 7 of ");
    stage_close(&stage);
}
END_TEST

/* The map keeps to its rows, scrolls, goes back to the play, and is drawn small. */
START_TEST(scrolls)
{
    struct stage stage;
    char followed[65536];
    stage_open(&stage, "box.taluva", REPLAY_SERVER);
    type(&stage, "G");
    memcpy(followed, screen(&stage, 80, 24), sizeof followed);
    static const char *const pans[] = {"\033[1;2A", "\033[1;2B", "\033[1;2C",
                                       "\033[1;2D", "\033[A",    "\033[B"};
    for (size_t at = 0; at < sizeof pans / sizeof pans[0]; at++) {
        type(&stage, pans[at]);
        ck_assert_str_ne(screen(&stage, 80, 24), followed);
        type(&stage, "f");
        ck_assert_str_eq(screen(&stage, 80, 24), followed);
    }
    type(&stage, "s");
    ck_assert_str_ne(screen(&stage, 80, 24), followed);
    type(&stage, "s\033[1;2Cpn"); /* another turn is followed again */
    ck_assert_str_eq(screen(&stage, 80, 24), followed);
    stage_close(&stage);
}
END_TEST

/* What is typed of a number stands out from the list of keys. */
START_TEST(the_number_is_bold)
{
    struct stage stage;
    struct canvas canvas;
    stage_open(&stage, "plain.taluva", REPLAY_SERVER);
    for (size_t typed = 0; typed < 2; typed++) {
        ck_assert(canvas_init(&canvas, 80, 24, true));
        replay_viewer_draw(&stage.viewer, &canvas);
        const struct canvas_cell foot = canvas.cells[(size_t)23 * 80];
        ck_assert_uint_eq(foot.code, typed ? 't' : 'q');
        ck_assert_int_eq(foot.style.bold, typed > 0);
        canvas_release(&canvas);
        type(&stage, "1");
    }
    stage_close(&stage);
}
END_TEST

START_TEST(fits_any_size)
{
    struct stage stage;
    stage_open(&stage, _i == 0 ? "box.taluva" : "totem.taluva", REPLAY_SERVER);
    type(&stage, "G");
    for (int columns = 1; columns < 130; columns += 7) {
        for (int rows = 1; rows < 50; rows += 3)
            (void)screen(&stage, columns, rows);
    }
    ck_assert_ptr_nonnull(strstr(screen(&stage, 19, 24), "too small"));
    ck_assert_ptr_nonnull(strstr(screen(&stage, 80, 4), "too small"));
    ck_assert_ptr_null(strstr(screen(&stage, 20, 5), "too small"));
    stage_close(&stage);
}
END_TEST

/* What a seat was not told is not shown to who looks as that seat. */
START_TEST(shows_as_a_seat)
{
    struct stage all, seat;
    stage_open(&all, "totem.taluva", REPLAY_SERVER);
    stage_open(&seat, "totem.taluva", 0);
    type(&all, "7\r");
    type(&seat, "7\r");
    char whole[65536];
    memcpy(whole, screen(&all, 80, 40), sizeof whole);
    ck_assert_str_ne(screen(&seat, 80, 40), whole);
    stage_close(&all);
    stage_close(&seat);
    stage_open(&seat, "totem.taluva", 4); /* there are four seats */
    ck_assert(!seat.visible);
    stage_close(&seat);
}
END_TEST

/* A picture larger than its window: up to its edges, and not beyond. */
START_TEST(crops)
{
    struct canvas picture, part;
    ck_assert(canvas_init(&picture, 10, 6, true));
    canvas_text(&picture, 4, 2, 6, (struct style){0}, "here");
    struct replay_window window = {.columns = 4, .rows = 2, .pan_x = 4, .pan_y = 2};
    ck_assert(replay_crop(&part, &window, &picture));
    ck_assert_uint_eq(part.cells[0].code, 'h');
    ck_assert_uint_eq(part.cells[3].code, 'e');
    canvas_release(&part);
    window.pan_x = window.pan_y = 99;
    ck_assert(replay_crop(&part, &window, &picture));
    ck_assert_int_eq(window.pan_x, 6);
    ck_assert_int_eq(window.pan_y, 4);
    canvas_release(&part);
    window.pan_x = window.pan_y = -3;
    ck_assert(replay_crop(&part, &window, &picture));
    ck_assert_int_eq(window.pan_x, 0);
    ck_assert_int_eq(window.pan_y, 0);
    canvas_release(&part);
    window = (struct replay_window){.columns = 40, .rows = 20, .pan_x = 3, .pan_y = 3};
    ck_assert(replay_crop(&part, &window, &picture));
    ck_assert_int_eq(window.pan_x, 0);
    ck_assert_int_eq(window.pan_y, 0);
    ck_assert_uint_eq(part.cells[2 * 40 + 4].code, 'h');
    canvas_release(&part);
    canvas_release(&picture);
}
END_TEST

Suite *viewer_suite(void)
{
    Suite *suite = suite_create("viewer");
    TCase *tcase = tcase_create("viewer");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, walks_through, 0, sizeof walks / sizeof walks[0]);
    tcase_add_test(tcase, ends);
    tcase_add_test(tcase, keys_in_pieces);
    tcase_add_test(tcase, shows_turns);
    tcase_add_test(tcase, scrolls);
    tcase_add_test(tcase, the_number_is_bold);
    tcase_add_loop_test(tcase, fits_any_size, 0, 2);
    tcase_add_test(tcase, shows_as_a_seat);
    tcase_add_test(tcase, crops);
    suite_add_tcase(suite, tcase);
    return suite;
}
