/* Commands of Totem that are put together by keys: a table for every kind of decision. */
#include "games/totem/form_draw.h"
#include "suites.h"
#include <cli/state.h>
#include <cli_totem/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTLE  "{\"kind\":\"settle\",\"people\":\"wwmmWMe\",\"stay\":7}"
#define FEWER   "{\"kind\":\"settle\",\"people\":\"wwmmWMe\",\"stay\":6}"
#define CHOOSE  "{\"kind\":\"choose\",\"spells\":\"GBTH\",\"most\":2,\"free\":1}"
#define WRITE   "{\"kind\":\"write\",\"spells\":\"TH\",\"most\":2,\"huts\":[\"R1\",\"R2\",\"G1\"]}"
#define CAST    "{\"kind\":\"cast\",\"spells\":\"TH\",\"huts\":[\"R1\",\"G1\"],\"free\":1}"
#define REVEAL  "{\"kind\":\"reveal\",\"spells\":\"GT\"}"
#define NOTHING "{\"kind\":\"reveal\",\"spells\":\"\"}"
#define STARVE                                                                                     \
    "{\"kind\":\"starve\",\"from\":\"R\",\"people\":{\"R1\":\"gw\",\"R3\":\"gm\"},\"count\":2}"
#define TAKE                                                                                       \
    "{\"kind\":\"take\",\"from\":\"G\",\"people\":{\"G1\":\"gw\",\"G2\":\"M\"},\"count\":1}"
#define LISTED "[\"cast@R=T:G1\",\"cast@R=H:R1\",\"pass@R\"]"
#define FORCED "[\"cast@R=T:G1\",\"cast@R=H:R1\"]"

/* Keys: < > ^ v arrows, + more, - fewer. */
static const struct {
    const char *asked, *moves, *keys, *text;
    bool whole;
} FORMS[] = {
    {SETTLE, "[]", "", "settle@R=wme/wm/WM", true},
    {SETTLE, "[]", "-", "settle@R=me/wm/WM", false},
    {SETTLE, "[]", "->+", "settle@R=me/wwm/WM", true},
    {SETTLE, "[]", ">>+", "settle@R=me/wm/wWM", true}, /* nobody is left over: from elsewhere */
    {SETTLE, "[]", ">>++", "settle@R=me/m/wwWM", true},
    {SETTLE, "[]", ">>+++", "settle@R=me/m/wwWM", true}, /* there are but two */
    {SETTLE, "[]", "<+v+", "settle@R=e/wm/wmWM", true},
    {SETTLE, "[]", "^>+", "settle@R=wm/wme/WM", true},      /* around the edge: the elders */
    {SETTLE, "[]", "+v+v+v+", "settle@R=wwmmWe/-/M", true}, /* six in a hut */
    {FEWER, "[]", "", "settle@R=wm/WM/we", true},
    {FEWER, "[]", "v+", "settle@R=wm/WM/we", true}, /* first somebody has to leave */
    {FEWER, "[]", "-v+", "settle@R=mm/WM/we", true},
    {FEWER, "[]", "-^+", "settle@R=me/WM/w", false},
    {CHOOSE, "[]", "", "choose@R=-", true},
    {CHOOSE, "[]", "+", "choose@R=G", true},
    {CHOOSE, "[]", "++", "choose@R=-", true},
    {CHOOSE, "[]", "vv+^^+", "choose@R=GT", true},
    {CHOOSE, "[]", "+v+v+", "choose@R=GB", true}, /* no more than two */
    {CHOOSE, "[]", "+v+-v+", "choose@R=GT", true},
    {CHOOSE, "[]", ">+", "choose@R=G", true},
    {WRITE, "[]", "", "write@R=-", true},
    {WRITE, "[]", "+", "write@R=T:R1", true},
    {WRITE, "[]", "+>+", "write@R=T:R2", true}, /* a spell lies on one hut */
    {WRITE, "[]", "+v>>+", "write@R=T:R1,H:G1", true},
    {CAST, LISTED, "", "cast@R=T:G1", true},
    {CAST, LISTED, "-", "pass@R", true},
    {CAST, LISTED, "+", "pass@R", true},
    {CAST, LISTED, "v>+", "cast@R=H:R1", true},
    {CAST, LISTED, "v+", "cast@R=T:G1", true}, /* that is not legal */
    {CAST, FORCED, "-", "pass@R", false},
    {CAST, "[]", "", "pass@R", true},
    {CAST, "[]", ">+", "cast@R=T:G1", true},
    {REVEAL, "[\"reveal@R=-\"]", "", "reveal@R=-", true},
    {REVEAL, "[]", "+v+", "reveal@R=GT", true},
    {NOTHING, "[]", "<>^v+-", "reveal@R=-", true},
    {STARVE, "[]", "", "starve@R=g/-/g", true},
    {STARVE, "[]", "-", "starve@R=-/-/g", false},
    {STARVE, "[]", "vv+", "starve@R=w/-/g", true}, /* instead of another */
    {STARVE, "[]", "vvv<+", "starve@R=-/-/gm", true},
    {STARVE, "[]", ">+", "starve@R=g/-/g", true}, /* nobody is there */
    {TAKE, "[]", "", "take@R=G:g/-/-", true},
    {TAKE, "[]", "vvvvv>+", "take@R=G:-/M/-", true},
    {TAKE, "[]", "-", "take@R=G:-/-/-", false},
};

static void press(struct form *form, char key)
{
    switch (key) {
    case '<':
        form_step(form, 0, -1);
        break;
    case '>':
        form_step(form, 0, 1);
        break;
    case '^':
        form_step(form, -1, 0);
        break;
    case 'v':
        form_step(form, 1, 0);
        break;
    case '+':
        form_more(form);
        break;
    case '-':
        form_fewer(form);
        break;
    default:
        break;
    }
}

static bool open_form(struct form *form, const char *asked, const char *moves)
{
    json_t *question = json_loads(asked, 0, NULL), *list = json_loads(moves, 0, NULL);
    ck_assert_msg(question && list, "%s %s", asked, moves);
    const bool open = form_open(form, 'R', question, list);
    json_decref(question);
    json_decref(list);
    return open;
}

START_TEST(a_command_is_put_together)
{
    struct form form, again;
    char text[256], same[256];
    ck_assert(open_form(&form, FORMS[_i].asked, FORMS[_i].moves));
    for (const char *key = FORMS[_i].keys; *key; key++)
        press(&form, *key);
    const bool whole = form_write(text, sizeof text, &form);
    ck_assert_msg(strcmp(text, FORMS[_i].text) == 0, "%s: %s, not %s", FORMS[_i].keys, text,
                  FORMS[_i].text);
    ck_assert_int_eq(whole, FORMS[_i].whole);
    /* What is written is read again. */
    ck_assert(open_form(&again, FORMS[_i].asked, FORMS[_i].moves));
    ck_assert(form_read(&again, text) || strcmp(text, "pass@R") == 0);
    form_write(same, sizeof same, &again);
    ck_assert_str_eq(same, text);
}
END_TEST

/* What does not answer the question, or no longer. */
static const struct {
    const char *asked, *move;
} OTHERS[] = {
    {SETTLE, "settle@G=wme/wm/WM"}, {SETTLE, "starve@R=w/-/-"},   {SETTLE, "settle@R=www/-/-"},
    {SETTLE, "settle@R=g/-/-"},     {SETTLE, "settle@R=w/-/-/w"}, {SETTLE, "settle@R=wwmmWMe/-/-"},
    {CHOOSE, "choose@R=GBT"},       {CHOOSE, "choose@R=GG"},      {CHOOSE, "choose@R=P"},
    {WRITE, "write@R=T:R3"},        {WRITE, "write@R=T:R1,T:R2"}, {WRITE, "write@R=T"},
    {WRITE, "write@R=T:"},          {WRITE, "write@R=T:R"},       {REVEAL, "reveal@R=H"},
    {CAST, "cast@R=T:R2"},          {STARVE, "starve@R=w/-/gm"},  {STARVE, "starve@R=-/w/-"},
    {TAKE, "take@R=B:g/-/-"},       {TAKE, "take@R=g/-/-"},       {TAKE, ""},
};

START_TEST(another_command_is_refused)
{
    struct form form;
    ck_assert(open_form(&form, OTHERS[_i].asked, "[]"));
    ck_assert_msg(!form_read(&form, OTHERS[_i].move), "%s", OTHERS[_i].move);
}
END_TEST

START_TEST(nonsense_is_not_asked)
{
    static const char *const asked[] = {
        "{}",
        "[]",
        "{\"kind\":\"dance\"}",
        "{\"kind\":\"settle\",\"people\":\"xyz\",\"stay\":3}",
        "{\"kind\":\"settle\",\"people\":"
        "\"wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
        "wwwwwwww\",\"stay\":70}",
        "{\"kind\":\"starve\",\"from\":\"X\",\"count\":1}",
        "{\"kind\":\"write\",\"spells\":\"T\",\"most\":1}",
    };
    struct form form;
    ck_assert_msg(!open_form(&form, asked[_i], "[]"), "%s", asked[_i]);
    ck_assert_str_eq(form.kind, "");
}
END_TEST

/* ---- how it looks */

static const struct {
    const char *asked, *golden;
    int columns, rows;
} LOOKS[] = {
    {SETTLE, "form-settle", 54, 16},
    {WRITE, "form-write", 54, 16},
    {STARVE, "form-starve", 54, 16},
    {SETTLE, "form-low", 40, 8}, /* the lines around the cell */
};

START_TEST(it_is_drawn)
{
    char path[256], *text;
    size_t len;
    struct form form;
    struct form_place place;
    struct canvas canvas;
    ck_assert(open_form(&form, LOOKS[_i].asked, "[]"));
    form_step(&form, -1, 1);
    ck_assert(canvas_init(&canvas, LOOKS[_i].columns, LOOKS[_i].rows, true));
    form_draw(&canvas, &form, &place);
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    canvas_print(&canvas, CANVAS_MONO, out);
    (void)fclose(out);
    (void)snprintf(path, sizeof path, "tests/unit/clients/golden/%s.txt", LOOKS[_i].golden);
    check_golden(path, text, len);
    /* Where the brackets are is where a click finds the cell, and nowhere else. */
    for (int y = 0; y < canvas.rows; y++) {
        for (int x = 0; x < canvas.columns; x++) {
            int row = -1, column = -1;
            const bool found = form_at(&place, &form, x, y, &row, &column);
            if (canvas.cells[y * canvas.columns + x].code == '[')
                ck_assert(found && row == form.row && column == form.column);
            ck_assert(!found || (row >= 0 && row < form.rows && column < form.columns));
        }
    }
    free(text);
    canvas_release(&canvas);
}
END_TEST

/* The first click shows the form, and changes nothing of what nobody has seen. */
START_TEST(a_first_click_only_shows_it)
{
    json_t *legal = json_pack("{s:{s:o},s:[]}", "asked", "R", json_loads(SETTLE, 0, NULL), "moves");
    const struct game_room room = {NULL, legal, 0};
    const struct game_chooser *chooser = game_totem.chooser;
    struct game_view *view = game_totem.view_create(false);
    struct game_move before, after;
    ck_assert(chooser->open(view, &room, NULL));
    (void)chooser->move(view, &room, &before);
    for (int y = 0; y < 16; y++) {
        for (int x = 0; x < 54; x++) {
            ck_assert_int_eq(chooser->point(view, &room, x, y, false), GAME_CHOOSE_OTHER);
            (void)chooser->move(view, &room, &after);
            ck_assert_str_eq(before.text, after.text);
        }
    }
    game_totem.view_destroy(view);
    json_decref(legal);
}
END_TEST

/* However small it is, nothing is drawn outside. */
START_TEST(any_size)
{
    struct form form;
    struct form_place place;
    ck_assert(open_form(&form, WRITE, "[]"));
    for (int columns = 1; columns < 60; columns += 3) {
        for (int rows = 1; rows < 20; rows++) {
            struct canvas canvas;
            int row, column;
            ck_assert(canvas_init(&canvas, columns, rows, true));
            form_draw(&canvas, &form, &place);
            (void)form_at(&place, &form, columns / 2, rows / 2, &row, &column);
            canvas_release(&canvas);
        }
    }
}
END_TEST

Suite *totem_form_suite(void)
{
    Suite *suite = suite_create("totem form");
    TCase *tcase = tcase_create("totem form");
    tcase_add_loop_test(tcase, a_command_is_put_together, 0, sizeof FORMS / sizeof FORMS[0]);
    tcase_add_loop_test(tcase, another_command_is_refused, 0, sizeof OTHERS / sizeof OTHERS[0]);
    tcase_add_loop_test(tcase, nonsense_is_not_asked, 0, 7);
    tcase_add_loop_test(tcase, it_is_drawn, 0, sizeof LOOKS / sizeof LOOKS[0]);
    tcase_add_test(tcase, a_first_click_only_shows_it);
    tcase_add_test(tcase, any_size);
    suite_add_tcase(suite, tcase);
    return suite;
}
