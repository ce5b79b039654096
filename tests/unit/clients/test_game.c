/* The whole client with a second game (game_sticks.c), run as a program of its own against a mock
 * server: the client knows sticks only through the game's table. */
#include "client_run.h"
#include "game_sticks.h"
#include "suites.h"
#include <cli/program.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int run_client(int argc, char **argv)
{
    static const struct game *const games[] = {&game_taluva, &game_sticks, &game_totem, NULL};
    return program_run(games, NULL, argc, argv);
}

/* ---- playing */

#define SEATS                                                                                      \
    "\"seats\":{\"0\":{\"name\":\"Ana\",\"colour\":\"green\",\"ready\":true},"                     \
    "\"5\":{\"name\":\"Computer\",\"colour\":\"red\",\"ready\":true,\"bot\":true,\"level\":2},"    \
    "\"6\":{\"name\":\"Bo\",\"colour\":\"blue\",\"ready\":true}}"
#define STATE(acting)                                                                              \
    "{\"game\":\"sticks\",\"phase\":\"playing\"," SEATS ",\"options\":{\"players\":7,"             \
    "\"sticks\":5},\"clock\":{\"kind\":\"none\"},\"acting\":" acting                               \
    ",\"table\":{\"sticks\":5,\"taken\":{\"6\":4}}}"
#define VIEW(acting)                                                                               \
    "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":3,\"you\":{\"seat\":0},\"online\":{},"        \
    "\"time\":1,\"state\":" STATE(acting) "}}"
#define HELLO "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"limits\":{}}}"
#define LEGAL                                                                                      \
    "{\"id\":$,\"ok\":{\"seq\":3,\"moves\":[\"take-1\",\"take-2\",\"take-3\"],"                    \
    "\"eliminating\":[\"take-3\"]}}"
#define UNLISTED "{\"id\":$,\"ok\":{\"seq\":3,\"moves\":[],\"most\":2}}"
#define UNDONE                                                                                     \
    "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":4,\"at\":5,"                                \
    "\"event\":{\"kind\":\"undone\",\"seat\":0},\"patch\":{\"table\":{\"sticks\":5}}}"
#define RESIGNED                                                                                   \
    "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":5,\"at\":5,"                                \
    "\"event\":{\"kind\":\"resigned\",\"seat\":0,\"left\":2,\"over\":\"empty\"},"                  \
    "\"patch\":{\"phase\":\"over\",\"acting\":null,\"result\":{\"why\":\"empty\",\"winner\":6},"   \
    "\"table\":{\"sticks\":2}}}"
#define TAKEN(move)                                                                                \
    "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":4,\"at\":5,"                                \
    "\"event\":{\"kind\":\"move\",\"seat\":0,\"move\":\"" move "\",\"over\":\"empty\"},"           \
    "\"patch\":{\"phase\":\"over\",\"acting\":null,\"result\":{\"why\":\"empty\",\"winner\":6},"   \
    "\"table\":{\"sticks\":2}}}"

START_TEST(is_played)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"join\"", {VIEW("[0,6]")}, NULL, NULL},
        {"\"op\":\"moves\"",
         {LEGAL},
         "stick #\nstick ##\ntake 9\nplace 1,1\nhelp\nhelp stick\nhelp take\n"
         "check take 3\n",
         NULL},
        {"\"op\":\"check\",\"room\":\"k3m9x0aq\",\"move\":\"take-3\"",
         {"{\"id\":$,\"ok\":{}}"},
         "moves\nsit g\nsit H blue\n",
         "That would be allowed."},
        {"\"op\":\"sit\",\"room\":\"k3m9x0aq\",\"seat\":6", {"{\"id\":$,\"ok\":{}}"}, NULL, NULL},
        {"\"op\":\"sit\",\"room\":\"k3m9x0aq\",\"colour\":\"blue\"",
         {"{\"id\":$,\"ok\":{}}"},
         "bot g strong\nsit strong\n",
         NULL},
        {"\"op\":\"bot\",\"room\":\"k3m9x0aq\",\"seat\":6,\"level\":2",
         {"{\"id\":$,\"ok\":{}}"},
         NULL,
         NULL},
        {"\"op\":\"sit\",\"room\":\"k3m9x0aq\",\"colour\":\"strong\"",
         {"{\"id\":$,\"ok\":{}}"},
         "take 3\n",
         NULL},
        {"\"op\":\"move\",\"room\":\"k3m9x0aq\",\"move\":\"take-3\"",
         {"{\"id\":$,\"ok\":{\"seq\":4}}", TAKEN("take-3")},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"join", "k3m9x0aq", "--name=Ana", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "|||||\n");               /* the picture */
    client_run_said(&run, "#####\n");               /* the game's own command */
    client_run_said(&run, "One character.");        /* and its answer */
    client_run_said(&run, "You: take sticks.");     /* what we are asked for; two seats may move */
    client_run_said(&run, "has 4");                 /* beside a player */
    client_run_said(&run, " strong\n");             /* how well a computer plays */
    client_run_said(&run, "each for himself");      /* below them */
    client_run_said(&run, "take 3 (!)");            /* legal moves as they are typed */
    client_run_said(&run, "Take one to three.");    /* a move that is none */
    client_run_said(&run, "I do not know 'place'"); /* a command of Taluva */
    client_run_said(&run, "Take: take 2");          /* help */
    ck_assert_ptr_null(strstr(strstr(run.text, "Take: take 2") + 1, "Take: take 2"));
    client_run_said(&run, "stick CHARACTER: draws the sticks with it.");
    client_run_said(&run, "There is no help on 'take'; `help` alone lists what there is.");
    client_run_said(&run,
                    "A Ana did take-3. The match is over: empty.\n`taluva record k3m9x0aq --");
    ck_assert(!strstr(run.text, "expand") && !strstr(run.text, "analyse"));
}
END_TEST

/* Where no moves are listed the game has examples; and its own words for all that happens. */
START_TEST(is_typed_without_a_list)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"join\"", {VIEW("[0,6]")}, NULL, NULL},
        {"\"op\":\"moves\"", {UNLISTED}, "check take 2\n", NULL},
        {"\"op\":\"check\"",
         {"{\"id\":$,\"ok\":{}}"},
         "moves\nmoves 7\nhelp rules\nhelp\nundo\n",
         "That would be allowed."},
        {"\"op\":\"undo\"", {"{\"id\":$,\"ok\":{\"seq\":4}}", UNDONE}, NULL, NULL},
        {"\"op\":\"moves\"", {UNLISTED}, "resign yes\n", NULL},
        {"\"op\":\"resign\"", {"{\"id\":$,\"ok\":{\"seq\":5}}", RESIGNED}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"join", "k3m9x0aq", "--name=Ana", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "take 2\nThere are too many to list all; Tab completes.\n");
    client_run_said(&run, "None.\n");
    client_run_said(&run, "Who takes the last stick wins.\n");
    client_run_said(&run, "`help NAME` explains a command, rules.\n");
    client_run_said(&run, "A Ana puts them back.\n");
    client_run_said(&run, "A Ana resigns. 2 sticks are left. The match is over: empty.\n");
}
END_TEST

/* A program that does not know the game says so and does not play. */
START_TEST(unknown_game)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"join\"",
         {"{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":3,\"you\":{\"seat\":0},\"online\":{},"
          "\"time\":1,\"state\":{\"game\":\"chess\",\"phase\":\"lobby\"}}}"},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"join", "k3m9x0aq", "--name=Ana", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_USAGE);
}
END_TEST

START_TEST(is_played_by_chance)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"join\"", {VIEW("[0]")}, NULL, NULL},
        {"\"op\":\"moves\"", {LEGAL}, NULL, NULL},
        {"\"move\":\"take-2\"", {TAKEN("take-2"), "{\"id\":$,\"ok\":{\"seq\":4}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"bot", "k3m9x0aq", "--name=Ana", "--seed=1", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
}
END_TEST

START_TEST(is_played_by_chance_without_a_list)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"join\"", {VIEW("[0]")}, NULL, NULL},
        {"\"op\":\"moves\"", {UNLISTED}, NULL, NULL},
        {"\"move\":\"take-2\"", {TAKEN("take-2"), "{\"id\":$,\"ok\":{\"seq\":4}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"bot", "k3m9x0aq", "--name=Ana", "--seed=1", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
}
END_TEST

START_TEST(is_created)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"options\":{\"sticks\":9}", {"{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\"}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"sticks",    "create",     "--sticks=9",
                                        "--no-join", "--name=Ana", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    ck_assert_str_eq(run.text, "k3m9x0aq\n");
}
END_TEST

/* The game of `create --game` is asked for, and its options are the ones that are read. */
START_TEST(is_created_by_option)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"create\",\"game\":\"sticks\",\"options\":{\"sticks\":9}",
         {"{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\"}}"},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[][8] = {
        {"create", "--game=sticks", "--sticks=9", "--no-join", "--name=Ana", NULL},
        {"create", "--sticks=9", "--game", "sticks", "--no-join", "--name=Ana", NULL},
    };
    static struct client_run run;
    client_run_with(&run, script, words[_i]);
    ck_assert_int_eq(run.status, EXIT_OK);
    ck_assert_str_eq(run.text, "k3m9x0aq\n");
}
END_TEST

static const struct {
    const char *words[5], *clock;
} CLOCKS[] = {
    {{"--clock=none"}, "{\"kind\":\"none\"}"},
    {{"--clock=move", "--move=45", "--on-timeout=computer"},
     "{\"kind\":\"move\",\"move_s\":45,\"on_timeout\":\"computer\"}"},
    {{"--clock=fischer", "--bank=300", "--increment=7"},
     "{\"kind\":\"fischer\",\"bank_s\":300,\"increment_s\":7}"},
    {{"--clock=byoyomi", "--bank=300", "--periods=2", "--period=20"},
     "{\"kind\":\"byoyomi\",\"bank_s\":300,\"periods\":2,\"period_s\":20}"},
    {{"--clock=days", "--days=2"}, "{\"kind\":\"days\",\"days\":2}"},
};

START_TEST(is_created_with_a_clock)
{
    char clock[160];
    (void)snprintf(clock, sizeof clock, "\"clock\":%s,\"id\"", CLOCKS[_i].clock);
    const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {clock, {"{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\"}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    const char *words[CLIENT_ARGUMENTS_MAX] = {"sticks", "create", "--no-join", "--name=Ana"};
    for (size_t i = 0; CLOCKS[_i].words[i]; i++)
        words[4 + i] = CLOCKS[_i].words[i];
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
}
END_TEST

/* Who reads JSON reads the answer of the server, and no line for people. */
START_TEST(is_created_in_json)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"create\"", {"{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\"}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"sticks", "create",     "--no-join",
                                        "--json", "--name=Ana", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "\"room\":\"k3m9x0aq\"");
    for (const char *line = run.text; *line; line += strcspn(line, "\n") + 1)
        ck_assert_msg(*line == '{', "%s", line);
}
END_TEST

/* Rooms of all games are listed, each in its game's words, those of no known game by its name. */
START_TEST(is_listed)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"rooms\"",
         {"{\"id\":$,\"ok\":{\"more\":false,\"rooms\":["
          "{\"room\":\"aaaaaaaa\",\"game\":\"sticks\",\"phase\":\"lobby\",\"size\":2,"
          "\"options\":{\"sticks\":5},\"clock\":{\"kind\":\"none\"},\"seats\":{}},"
          "{\"room\":\"bbbbbbbb\",\"game\":\"chess\",\"phase\":\"lobby\",\"size\":2,"
          "\"options\":{},\"clock\":{\"kind\":\"none\"},\"seats\":{},\"away\":1790000000000}]}}"},
         NULL,
         NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"rooms", "--name=Ana", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    client_run_said(&run, "aaaaaaaa  lobby   0/2 sticks: 5 sticks\n");
    client_run_said(&run, "bbbbbbbb  lobby   0/2 chess  (all are away)\n");
}
END_TEST

#define LOBBY(room) "{\"room\":\"" room "\",\"game\":\"chess\",\"phase\":\"lobby\",\"size\":2}"

/* A long list comes in pages: the next one is asked for after the last room. */
START_TEST(is_listed_in_pages)
{
    static const struct client_step script[] = {
        {"\"op\":\"hello\"", {HELLO}, NULL, NULL},
        {"\"op\":\"rooms\"",
         {"{\"id\":$,\"ok\":{\"more\":true,\"rooms\":[" LOBBY("aaaaaaaa") "," LOBBY(
             "bbbbbbbb") "]}}"},
         NULL,
         NULL},
        {"\"after\":\"bbbbbbbb\"",
         {"{\"id\":$,\"ok\":{\"more\":true,\"rooms\":[" LOBBY("cccccccc") "," LOBBY(
             "dddddddd") "]}}"},
         NULL,
         NULL},
        {"\"after\":\"dddddddd\"", {"{\"id\":$,\"ok\":{\"more\":true,\"rooms\":[]}}"}, NULL, NULL},
        {NULL, {NULL}, NULL, NULL},
    };
    static const char *const words[] = {"rooms", "--name=Ana", NULL};
    static struct client_run run;
    client_run_with(&run, script, words);
    ck_assert_int_eq(run.status, EXIT_OK);
    client_run_said(&run, "aaaaaaaa");
    client_run_said(&run, "dddddddd");
}
END_TEST

/* ---- without a server */

#define POSITION                                                                                   \
    "4/R/24 1R cast:BG t1b6:wwm,WM,me/t1b5:wwmW,M,me/t1b6:wwmmWM,-,e/t1b6:wm,wm,WMe "              \
    "T:R1/G,H:G1/I/- -/-/-/-"
#define SETTLING                                                                                   \
    "4/R/24 1R settle:RGBY t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,-/t1b6:wwmmWMe,-,- "   \
    "-/-/-/- -/-/-/-"
#define STARVING                                                                                   \
    "4/R/9/spells-a 4Y starve:YRG:Y2,R2,G1 t4b0:wmWWee,mmMMee,mmMMe/t1b0:gbbwmWWe,gbwmWMe,mmMe/"   \
    "t2b0:ggbwwmWee,mee,Mee/t3b0:ggbbwwmWWe,wmWWWe,mmMMMe "                                        \
    "G:R1!,I:Y2!,M:Y1,P:Y3/I:R1!/M:R1,P:R2/I:R1!,A:Y3!,M:R1 -/-/-/-"

/* Options and tools of each game are its own, whatever their names. */
static const struct {
    const char *const words[5];
    int status;
    const char *says;
} CASES[] = {
    {{"sticks", "perft", "3"}, EXIT_OK, "3 of sticks\n"},
    {{"perft", "/dev/null/no"}, EXIT_FILE, ""},
    {{"perft", SOURCE_ROOT "/tests/vectors/perft.json"},
     EXIT_OK,
     "4 games, 21 turns, 0 differences\n"},
    {{"sticks", "legal", "x"}, EXIT_USAGE, ""},
    {{"totem"}, EXIT_USAGE, "Usage: taluva totem COMMAND"},
    {{"totem", "--help"}, EXIT_OK, "List the legal commands of a position"},
    {{"totem", "legal", "--help"}, EXIT_OK, "Usage: taluva totem legal [OPTIONS] POSITION"},
    {{"totem", "legal"}, EXIT_USAGE, "Try: taluva totem legal --help"},
    {{"legal"}, EXIT_USAGE, "Try: taluva legal --help"},
    {{"sticks", "create", "--preset", "ferti-2014"}, EXIT_USAGE, ""},
    {{"create", "--sticks", "5"}, EXIT_USAGE, ""},
    {{"create", "--game", "chess"},
     EXIT_USAGE,
     "taluva create: there is no game 'chess'; this program knows: taluva, sticks, totem\n"},
    {{"create", "--game=chess"}, EXIT_USAGE, "there is no game 'chess'"},
    {{"create", "--game="}, EXIT_USAGE, "there is no game ''"},
    {{"create", "--bots=1", "--level=godlike"},
     EXIT_USAGE,
     "taluva create: there is no level 'godlike' of taluva; its levels are: beginner simple"},
    {{"create", "--game=sticks", "-b1", "--level=3"}, EXIT_USAGE, "its levels are: weak strong\n"},
    {{"create", "--game=sticks", "-b1", "--level="}, EXIT_USAGE, "there is no level ''"},
    {{"create", "--game=sticks", "--players=2"},
     EXIT_USAGE,
     "--players=2: there is no such option"},
    {{"create", "--game=taluva", "--preset=customs"},
     EXIT_USAGE,
     "--preset is ferti-2014, ferti-2013, original-2006 or custom, not customs"},
    {{"create", "--preset=custom", "--help"}, EXIT_OK, "edition whose rules are played"},
    {{"create", "--game=sticks", "--help"}, EXIT_OK, "play with these pieces: green, blue\n"},
    {{"rooms", "--game=sticks"}, EXIT_USAGE, ""},
    {{"record", "xx"}, EXIT_USAGE, "taluva record: 'xx' is no room: a room's id has eight"},
    {{"watch", "nosuchrm"}, EXIT_USAGE, "taluva watch: 'nosuchrm' is no room"},
    {{"join", "K3M9X0AQ"}, EXIT_USAGE, "taluva join: 'K3M9X0AQ' is no room"},
    {{"bot", "k3m9x0aq", "k3m9x0aqq"}, EXIT_USAGE, "taluva bot: 'k3m9x0aqq' is no room"},
    {{"record", "--help"}, EXIT_OK, "cannot be reached; 0: for ever (10)\n"},
    {{"whois", "--help"}, EXIT_OK, "cannot be reached; 0: for ever (10)\n"},
    {{"join", "--help"}, EXIT_OK, "cannot be reached; 0: for ever (0)\n"},
    {{"create", "--help"}, EXIT_OK, "and end; --patience is 10 then\n"},
    {{"sticks", "create", "--colour", "red"}, EXIT_USAGE, ""},
    {{"create", "--colour", "blue"}, EXIT_USAGE, ""},
    {{"create", "--seat", "6"}, EXIT_USAGE, ""},
    {{"sticks", "create", "--help"}, EXIT_OK, "play with these pieces: green, blue\n"},
    {{"create", "--help"}, EXIT_OK, "play with these pieces: red, white"},
    {{"totem", "create", "--colour", "red"}, EXIT_USAGE, ""}, /* nobody chooses one */
    {{"totem", "create", "--seat", "4"}, EXIT_USAGE, ""},
    {{"totem", "create", "--help"}, EXIT_OK, "--totem-b "},
    {{"legal", "--tile=JC", "--after=JC@0,0:0", "2/0/48 - h20w2t3/h20w2t3 - - 47 place:0:JC"},
     EXIT_USAGE,
     "--tile and --after exclude each other"},
    {{"totem", "legal", POSITION}, EXIT_OK, "cast@B=I:R1\ncast@B=I:R2\n"},
    {{"totem", "legal", "--count", POSITION}, EXIT_OK, "B 12 e73903c5\n"},
    {{"totem", "legal", SETTLING}, EXIT_USAGE, ""},
    {{"totem", "legal", "4/R/24 1Q"}, EXIT_DATA, ""},
    {{"totem", "show", "--ascii", POSITION}, EXIT_OK, "\n R(T)\n"},
    {{"totem", "show", "--as=0", POSITION}, EXIT_OK, "\n R(T)\n"},
    {{"totem", "show", "--as=0", POSITION}, EXIT_OK, "\n G?\n"},
    {{"totem", "show", "--as=watcher", POSITION}, EXIT_OK, "\n R?\n"},
    {{"totem", "show", "--small", POSITION}, EXIT_OK, " G1 wwmW "},
    {{"totem", "show", "--ascii", STARVING}, EXIT_OK, "people 17 lacks 2\n"},
    {{"totem", "show", STARVING}, EXIT_OK, "\n G:R I:GY B(M) Y(M)"},
    {{"totem", "show", STARVING}, EXIT_OK, "To act: yellow, then red, green\n"},
    {{"totem", "show", "4/R/24 1Q"}, EXIT_DATA, ""},
    {{"--help"}, EXIT_OK, "taluva sticks COMMAND ..."},
    {{"--manual"}, EXIT_OK, ".SS \"taluva sticks perft [OPTIONS] N\""},
};

START_TEST(has_its_own_options)
{
    static struct client_run run;
    client_run_with(&run, NULL, CASES[_i].words);
    ck_assert_int_eq(run.status, CASES[_i].status);
    client_run_said(&run, CASES[_i].says);
}
END_TEST

static const char RECORD[] =
    "[Format \"taluva-record 1\"]\n[Server \"taluvad 1.0.0\"]\n[Room \"k3m9x0aq\"]\n"
    "[Game \"sticks\"]\n%s[Start \"2026-03-01T18:00:00.000Z\"]\n"
    "[End \"2026-03-01T18:12:31.250Z\"]\n[Clock \"none\"]\n[Option.sticks \"5\"]\n"
    "[Seat.0.name \"Ana\"]\n[Seat.0.colour \"green\"]\n[Seat.0.nonce \"\"]\n"
    "[Commitment \"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd\"]\n"
    "[Secret \"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\"]\n"
    "[Deal.nothing \"0\"]\n[Result.why \"empty\"]\n\n1. 0 take-3\n2. 0 take-%d\n";

/* The record names its game; the proof is the same for all of them. */
START_TEST(is_replayed)
{
    static const char *const objects = "{\"game\":\"sticks\",\"sticks\":5}\n"
                                       "{\"game\":\"sticks\",\"sticks\":0}\n"
                                       "{\"game\":\"chess\"}\n{\"game\":7}\n";
    struct replay replay = {.where = "test"};
    char text[2048], *shown;
    size_t len;
    static const struct game *const games[] = {&game_taluva, &game_sticks, NULL};
    games_set(games);
    replay.out = open_memstream(&shown, &len);
    ck_assert_ptr_nonnull(replay.out);
    snprintf(text, sizeof text, RECORD, "", 2);
    replay_record(&replay, text, strlen(text));
    ck_assert_uint_eq(replay.differences, 0);
    ck_assert_uint_eq(replay.turns, 2);
    snprintf(text, sizeof text, RECORD, "[Rules \"2\"]\n", 3);
    replay_record(&replay, text, strlen(text));
    ck_assert_uint_eq(replay.differences, 1);
    replay_objects(&replay, &game_taluva, "lines", objects, strlen(objects));
    ck_assert_uint_eq(replay.differences, 4);
    snprintf(text, sizeof text, RECORD, "[Rules \"3\"]\n", 2);
    replay_record(&replay, text, strlen(text));
    ck_assert_uint_eq(replay.games, 7);
    ck_assert_int_eq(fclose(replay.out), 0);
    ck_assert_str_eq(shown, "test: turn 2: 3 of 2 cannot be taken\n"
                            "lines:2: no sticks\n"
                            "lines:3: this program does not know the game\n"
                            "lines:4: this program does not know the game\n"
                            "lines: this program does not know version 3 of the rules of sticks\n");
    free(shown);
}
END_TEST

Suite *game_suite(void)
{
    Suite *suite = suite_create("a second game");
    TCase *tcase = tcase_create("a second game");
    tcase_add_test(tcase, is_played);
    tcase_add_test(tcase, is_typed_without_a_list);
    tcase_add_test(tcase, is_played_by_chance_without_a_list);
    tcase_add_test(tcase, unknown_game);
    tcase_add_test(tcase, is_played_by_chance);
    tcase_add_test(tcase, is_created);
    tcase_add_loop_test(tcase, is_created_with_a_clock, 0, sizeof CLOCKS / sizeof CLOCKS[0]);
    tcase_add_test(tcase, is_created_in_json);
    tcase_add_loop_test(tcase, is_created_by_option, 0, 2);
    tcase_add_test(tcase, is_listed);
    tcase_add_test(tcase, is_listed_in_pages);
    tcase_add_loop_test(tcase, has_its_own_options, 0, sizeof CASES / sizeof CASES[0]);
    tcase_add_test(tcase, is_replayed);
    suite_add_tcase(suite, tcase);
    return suite;
}
