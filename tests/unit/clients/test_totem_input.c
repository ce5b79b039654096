/*
 * Totem at the terminal: what can be typed, what Tab offers, what a random player does.
 */
#include "suites.h"
#include "totem_cases.h"
#include <cli/state.h>
#include <cli_totem/game.h>
#include <stdio.h>
#include <string.h>

/* ---- typing */

static const struct {
    const char *state, *line, *move; /* NULL: it is no move, and is told why */
} LINES[] = {
    {"settle", "settle wwm/WM/me", "settle@B=wwm/WM/me"},
    {"settle", "settle mww/MW/em", "settle@B=wwm/WM/me"}, /* in any order */
    {"settle", "settle wwmWMe", "settle@B=wwmWMe/-/-"},
    {"settle", "settle wm//e", "settle@B=wm/-/e"},
    {"settle", "settle wm WM e", "settle@B=wm/WM/e"},
    {"settle", "settle wm B3 e B1", "settle@B=e/-/wm"},
    {"settle", "settle wm b3 e b1", "settle@B=e/-/wm"},
    {"settle", "settle wm R3", NULL}, /* another family's hut */
    {"settle", "settle B wm", "settle@B=wm/-/-"},
    {"settle", "settle R wm", "settle@R=wm/-/-"}, /* the server says whose it is */
    {"settle", "settle@B=wwm/WM/me", "settle@B=wwm/WM/me"},
    {"settle", "settle", NULL},
    {"settle", "settle wx", NULL},
    {"settle", "settle w/m/e/w", NULL},
    {"settle", "settle wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww w", NULL},
    {"cast", "choose TG", "choose@G=GT"},
    {"cast", "choose gtg", "choose@G=GT"},
    {"cast", "choose G", "choose@G=G"},     /* the spell of girls */
    {"cast", "choose G GT", "choose@G=GT"}, /* of green */
    {"cast", "choose none", "choose@G=-"},
    {"cast", "choose -", "choose@G=-"},
    {"cast", "choose GX", NULL},
    {"cast", "choose G T H", NULL},
    {"cast", "choose", NULL},
    {"cast", "cast T G1", "cast@G=T:G1"},
    {"cast", "cast t:g1", "cast@G=T:G1"},
    {"cast", "cast G T G1", "cast@G=T:G1"},
    {"cast", "cast@G=T:G1", "cast@G=T:G1"},
    {"cast", "cast T", NULL},
    {"cast", "cast T Q1", NULL},
    {"cast", "cast T G4", NULL},
    {"cast", "cast TG G1", NULL},
    {"cast", "cast T G1 H G2", NULL},
    {"cast", "pass", "pass@G"},
    {"cast", "pass G", "pass@G"},
    {"cast", "pass now", NULL},
    {"cast", "reveal none", "reveal@G=-"},
    {"cast", "reveal TG", "reveal@G=GT"},
    {"cast", "starve b/-/m", "starve@G=b/-/m"},
    {"cast", "take e/-/-", NULL}, /* nobody starves */
    {"note", "take -/w/-", "take@R=Y:-/w/-"},
    {"note", "take w Y2", "take@R=Y:-/w/-"},
    {"note", "take Y w Y2", "take@R=Y:-/w/-"},
    {"note", "take R w Y2", "take@R=Y:-/w/-"},
    {"note", "take R Y -/w/-", "take@R=Y:-/w/-"},
    {"note", "take@R=Y:-/w/-", "take@R=Y:-/w/-"},
    {"note", "take w R2", NULL},
    {"two", "write H:R1,T:G1", NULL}, /* whose? */
    {"two", "write R H:R1,T:G1", "write@R=T:G1,H:R1"},
    {"two", "write R H R1 T G1", "write@R=T:G1,H:R1"},
    {"two", "write B none", "write@B=-"},
    {"two", "write@B=-", "write@B=-"},
    {"two", "write none", NULL},
    {"two", "write R", NULL},
    {"two", "write R T:R1,H", NULL},
    {"two", "write R T:R1,T:R2", "write@R=T:R1,T:R2"}, /* the server refuses it */
    {"full", "settle wm", NULL},                       /* who only watches leads no family */
};

START_TEST(is_read)
{
    struct game_move move;
    json_t *of = read_case(LINES[_i].state);
    struct game_room room = room_of(of);
    enum game_input outcome = game_totem.move_read(&move, LINES[_i].line, NULL, &room);
    if (LINES[_i].move) {
        ck_assert_msg(outcome == GAME_INPUT_MOVE, "%s: %s", LINES[_i].line, move.problem);
        ck_assert_str_eq(move.text, LINES[_i].move);
    } else {
        ck_assert_msg(outcome == GAME_INPUT_WRONG, "%s: %s", LINES[_i].line, move.text);
        ck_assert_str_ne(move.problem, "");
    }
    json_decref(of);
}
END_TEST

START_TEST(is_no_command)
{
    static const char *const lines[] = {"", " ", "hut 1,0", "settled w", "@@", "SETTLE w"};
    struct game_move move;
    json_t *of = read_case("settle");
    struct game_room room = room_of(of);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        ck_assert_int_eq(game_totem.move_read(&move, lines[i], NULL, &room), GAME_INPUT_UNKNOWN);
    json_decref(of);
}
END_TEST

static const struct {
    const char *state, *move, *begun, *line;
} SHORT[] = {
    {"cast", "cast@G=G:R1", "", "cast G R1"},       {"cast", "cast@G=G:R1", "cast@", "cast@G=G:R1"},
    {"cast", "choose@G=GT", "", "choose GT"},       {"cast", "choose@G=-", "", "choose none"},
    {"cast", "reveal@G=-", "", "reveal none"},      {"cast", "pass@G", "", "pass"},
    {"cast", "starve@G=b/-/m", "", "starve b/-/m"}, {"note", "take@R=Y:-/e/-", "", "take -/e/-"},
    {"two", "cast@R=G:R1", "", "cast R G R1"},      {"two", "pass@B", "", "pass B"},
    {"two", "write@B=-", "", "write B none"},       {"cast", "nonsense", "", "nonsense"},
};

/* A command is offered in its short form, and what is offered is read as that command. */
START_TEST(is_written)
{
    char text[256];
    struct game_move move;
    json_t *of = read_case(SHORT[_i].state);
    struct game_room room = room_of(of);
    game_totem.move_write(text, sizeof text, SHORT[_i].move, SHORT[_i].begun, &room);
    ck_assert_str_eq(text, SHORT[_i].line);
    if (strchr(SHORT[_i].move, '@')) {
        ck_assert_int_eq(game_totem.move_read(&move, text, NULL, &room), GAME_INPUT_MOVE);
        ck_assert_str_eq(move.text, SHORT[_i].move);
    }
    json_decref(of);
}
END_TEST

/* ---- completion */

static const struct {
    const char *state, *begun, *offers;
} OFFERS[] = {
    {"settle", "", "settle wwmmWM/wwmmWM/wwwmme|"},
    {"settle", "settle w", "settle ww|settle wm|settle wW|settle wM|settle we|settle w/|"},
    {"settle", "settle we/",
     "settle we/w|settle we/m|settle we/W|settle we/M|settle we/e|settle we//|"},
    {"settle", "settle wwwwww", "settle wwwwww/|"}, /* six are in the hut */
    {"settle", "settle w/m/e/", ""},
    {"settle", "settle x", ""},
    {"settle", "settle wwwwww/mmmmmm/WWMMee", "settle wwwwww/mmmmmm/WWMMee|"}, /* all are settled */
    {"settle", "choose", ""},
    {"two", "", "write R none|write B none|"},
    {"two", "write B ",
     "write B none|write B G:|write B B:|write B T:|write B I:|write B A:|write B F:|write B M:|"
     "write B P:|write B H:|write B L:|"},
    {"two", "write B T:Y", "write B T:Y1|write B T:Y2|write B T:Y3|"},
    {"two", "write B T:Y1", "write B T:Y1|write B T:Y1,|"},
    {"two", "write B G:R1,B:R1,T:R1,I:R1,A:R1,F:R1,M:R1,",
     "write B G:R1,B:R1,T:R1,I:R1,A:R1,F:R1,M:R1,P:|write B G:R1,B:R1,T:R1,I:R1,A:R1,F:R1,M:R1,H:|"
     "write B G:R1,B:R1,T:R1,I:R1,A:R1,F:R1,M:R1,L:|"},
    {"two", "write B G:R1,B:R1,T:R1,I:R1,A:R1,F:R1,M:R1",
     "write B G:R1,B:R1,T:R1,I:R1,A:R1,F:R1,M:R1|"}, /* more are not allowed */
    {"cast", "", ""},                                /* the server lists them */
    {"full", "", ""},
};

struct offered {
    char text[1024];
};

static void on_offer(void *user, const char *line)
{
    struct offered *offered = user;
    size_t len = strlen(offered->text);
    snprintf(offered->text + len, sizeof offered->text - len, "%s|", line);
}

START_TEST(is_offered)
{
    struct offered offered = {""};
    json_t *of = read_case(OFFERS[_i].state);
    struct game_room room = room_of(of);
    game_totem.move_offer(&room, OFFERS[_i].begun, on_offer, &offered);
    ck_assert_str_eq(offered.text, OFFERS[_i].offers);
    json_decref(of);
}
END_TEST

/* What else may not be listed: many chosen spells, many people who can go. */
START_TEST(is_offered_unlisted)
{
    static const struct {
        const char *asked, *begun, *offers;
    } rows[] = {
        {"{\"kind\":\"choose\",\"spells\":\"GTHL\",\"most\":2}", "", "choose none|"},
        {"{\"kind\":\"choose\",\"spells\":\"GTHL\",\"most\":2}", "choose ",
         "choose none|choose G|choose T|choose H|choose L|"},
        {"{\"kind\":\"choose\",\"spells\":\"GTHL\",\"most\":2}", "choose T",
         "choose T|choose TH|choose TL|"},
        {"{\"kind\":\"choose\",\"spells\":\"GTHL\",\"most\":2}", "choose TH", "choose TH|"},
        {"{\"kind\":\"starve\",\"from\":\"G\",\"people\":{\"G1\":\"ww\",\"G3\":\"m\"},\"count\":2}",
         "starve ", "starve w|starve /|"},
        {"{\"kind\":\"starve\",\"from\":\"G\",\"people\":{\"G1\":\"ww\",\"G3\":\"m\"},\"count\":2}",
         "starve w/-/", "starve w/-/m|"},
        {"{\"kind\":\"starve\",\"from\":\"G\",\"people\":{\"G1\":\"ww\",\"G3\":\"m\"},\"count\":2}",
         "starve w/-/m", "starve w/-/m|"},
        {"{\"kind\":\"take\",\"from\":\"B\",\"people\":{\"B2\":\"e\"},\"count\":1}", "take /",
         "take /e|take //|"},
    };
    json_t *of = read_case("cast");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct offered offered = {""};
        json_t *legal = json_pack("{s:{s:o}}", "asked", "G", json_loads(rows[i].asked, 0, NULL));
        struct game_room room = {.state = state_at(of, "state"), .legal = legal, .seat = 1};
        game_totem.move_offer(&room, rows[i].begun, on_offer, &offered);
        ck_assert_str_eq(offered.text, rows[i].offers);
        json_object_set_new(legal, "moves", json_pack("[s,s]", "choose@R=-", "choose@G=-"));
        offered.text[0] = '\0';
        game_totem.move_offer(&room, rows[i].begun, on_offer, &offered);
        ck_assert_str_eq(offered.text, ""); /* what is listed is not offered again */
        json_decref(legal);
    }
    json_decref(of);
}
END_TEST

/* ---- playing by chance */

/* Many settlements of one family: six in a hut at most, a couple among them, as many as asked. */
static void check_settled(const char *text, int stay)
{
    int huts = 0, here = 0, all = 0;
    ck_assert(strncmp(text, "settle@B=", 9) == 0);
    for (const char *at = text + 9; *at; at++) {
        here = *at == '/' ? 0 : here + (*at != '-');
        all += *at != '/' && *at != '-';
        huts += *at == '/';
        ck_assert_msg(here <= 6, "%s", text);
    }
    ck_assert_int_eq(huts, 2);
    ck_assert_msg(all == stay, "%s", text);
    ck_assert_msg(strpbrk(text + 9, "wW") && strpbrk(text + 9, "mM"), "%s", text);
}

START_TEST(settles_by_chance)
{
    static const char *const people[] = {"wwwwwwwmmmmmmWWMMeee", "wMeeeeeeeeeeeeeeeeeee", "wm"};
    struct rng rng = {7};
    struct game_move move;
    for (size_t i = 0; i < sizeof people / sizeof people[0]; i++) {
        int stay = strlen(people[i]) > 18 ? 18 : (int)strlen(people[i]);
        json_t *legal = json_pack("{s:{s:{s:s,s:s,s:i}}}", "asked", "B", "kind", "settle", "people",
                                  people[i], "stay", stay);
        struct game_room room = {.legal = legal};
        for (int round = 0; round < 500; round++) {
            ck_assert(game_totem.move_make(&move, &rng, &room));
            check_settled(move.text, stay);
        }
        json_decref(legal);
    }
}
END_TEST

/* Each of these comes up, and nothing else. */
static const struct {
    const char *asked, *moves[9];
} MADE[] = {
    {"{\"kind\":\"choose\",\"spells\":\"GTH\",\"most\":2}",
     {"choose@G=-", "choose@G=G", "choose@G=T", "choose@G=H", "choose@G=GT", "choose@G=GH",
      "choose@G=TH"}},
    {"{\"kind\":\"choose\",\"spells\":\"GT\",\"most\":1}",
     {"choose@G=-", "choose@G=G", "choose@G=T"}},
    {"{\"kind\":\"write\",\"spells\":\"GT\",\"most\":2,\"huts\":[\"R1\"]}",
     {"write@G=-", "write@G=G:R1", "write@G=T:R1", "write@G=G:R1,T:R1"}},
    {"{\"kind\":\"starve\",\"from\":\"G\",\"people\":{\"G1\":\"ww\",\"G3\":\"m\"},\"count\":2}",
     {"starve@G=ww/-/-", "starve@G=w/-/m"}},
    {"{\"kind\":\"take\",\"from\":\"B\",\"people\":{\"B2\":\"e\",\"B3\":\"b\"},\"count\":1}",
     {"take@G=B:-/e/-", "take@G=B:-/-/b"}},
};

START_TEST(is_made_by_chance)
{
    struct rng rng = {3};
    json_t *legal = json_pack("{s:{s:o}}", "asked", "G", json_loads(MADE[_i].asked, 0, NULL));
    struct game_room room = {.legal = legal};
    unsigned seen = 0, all = 0;
    while (MADE[_i].moves[all])
        all++;
    for (int round = 0; round < 500; round++) {
        struct game_move move = {.confirm = true};
        unsigned which = 0;
        ck_assert(game_totem.move_make(&move, &rng, &room));
        ck_assert(!move.confirm); /* no move of Totem is confirmed */
        while (which < all && strcmp(move.text, MADE[_i].moves[which]) != 0)
            which++;
        ck_assert_msg(which < all, "%s", move.text);
        seen |= 1U << which;
    }
    ck_assert_uint_eq(seen, (1U << all) - 1);
    json_decref(legal);
}
END_TEST

Suite *totem_input_suite(void)
{
    Suite *suite = suite_create("totem input");
    TCase *tcase = tcase_create("totem");
    tcase_add_loop_test(tcase, is_read, 0, sizeof LINES / sizeof LINES[0]);
    tcase_add_test(tcase, is_no_command);
    tcase_add_loop_test(tcase, is_written, 0, sizeof SHORT / sizeof SHORT[0]);
    tcase_add_loop_test(tcase, is_offered, 0, sizeof OFFERS / sizeof OFFERS[0]);
    tcase_add_test(tcase, is_offered_unlisted);
    tcase_add_test(tcase, settles_by_chance);
    tcase_add_loop_test(tcase, is_made_by_chance, 0, sizeof MADE / sizeof MADE[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
