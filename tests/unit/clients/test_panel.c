/* What stands beside the picture, in tables; refusals as sentences; the options of a new room. */
#include "commands.h"
#include "lobby.h"
#include "online.h"
#include "panel.h"
#include "play_enter.h"
#include "refusal.h"
#include "suites.h"
#include <cli/state.h>
#include <cli_taluva/game.h>
#include <cli_totem/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- clocks */

static const struct {
    long long left_ms, spent_ms;
    bool acts;
    const char *phase, *shown;
} CLOCKS[] = {
    {0, 0, true, "playing", "0:00"},          {1, 0, true, "playing", "0:01"},
    {1000, 0, true, "playing", "0:01"},       {1001, 0, true, "playing", "0:02"},
    {59000, 0, true, "playing", "0:59"},      {60000, 0, true, "playing", "1:00"},
    {61000, 1000, true, "playing", "1:00"},   {61000, 1000, false, "playing", "1:01"},
    {61000, 1000, true, "paused", "1:01"},    {500, 1000, true, "playing", "0:00"},
    {3599000, 0, true, "playing", "59:59"},   {3600000, 0, true, "playing", "1:00:00"},
    {7384000, 0, true, "playing", "2:03:04"}, {172799000, 0, true, "playing", "47:59:59"},
    {172800000, 0, true, "playing", "2d"},    {604800000, 0, true, "playing", "7d"},
};

static char *panel_text(const struct panel *panel)
{
    char *text;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    panel_print(panel, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

START_TEST(clocks)
{
    char wanted[32];
    json_t *state =
        json_pack("{s:s,s:{s:i},s:{s:{s:s,s:s}},s:{s:{s:{s:I}}},s:o}", "phase", CLOCKS[_i].phase,
                  "options", "players", 2, "seats", "0", "name", "Ana", "colour", "green", "clock",
                  "seats", "0", "left_ms", (json_int_t)CLOCKS[_i].left_ms, "acting",
                  CLOCKS[_i].acts ? json_pack("[i]", 0) : json_pack("[i]", 1));
    json_t *online = json_pack("{s:b}", "0", 1);
    ck_assert_ptr_nonnull(state);
    struct game_view *view = game_taluva.view_create(false);
    struct panel panel = {.game = &game_taluva,
                          .view = view,
                          .room = "k3m9x0aq",
                          .state = state,
                          .online = online,
                          .seat = -1,
                          .spent_ms = CLOCKS[_i].spent_ms};
    char *text = panel_text(&panel);
    (void)snprintf(wanted, sizeof wanted, " %s\n", CLOCKS[_i].shown);
    ck_assert_msg(strstr(text, wanted), "%s: %s", CLOCKS[_i].shown, text);
    free(text);
    game_taluva.view_destroy(view);
    json_decref(state);
    json_decref(online);
}
END_TEST

/* ---- seats */

static const struct {
    const char *seat, *phase, *word;
    bool online;
} WORDS[] = {
    {"{\"name\":\"Ana\"}", "lobby", "not ready", true},
    {"{\"name\":\"Ana\",\"ready\":true}", "lobby", "ready", true},
    {"{\"name\":\"Ana\",\"ready\":true}", "lobby", "away", false},
    {"{\"name\":\"Ana\",\"ready\":true}", "playing", "Ana", true},
    {"{\"name\":\"Ana\"}", "playing", "away", false},
    {"{\"name\":\"Ana\",\"replaced\":true}", "playing", "stand-in", false},
    {"{\"name\":\"Cy\",\"bot\":true,\"level\":1}", "playing", "beginner", false},
    {"{\"name\":\"Cy\",\"bot\":true,\"level\":4}", "playing", "strong", false},
    {"{\"name\":\"Cy\",\"bot\":true,\"level\":5}", "playing", "computer", false},
    {"{\"name\":\"Cy\",\"bot\":true}", "playing", "computer", false},
};

START_TEST(seats_have_words)
{
    json_t *state = json_pack("{s:s,s:{s:i},s:{s:o}}", "phase", WORDS[_i].phase, "options",
                              "players", 2, "seats", "0", json_loads(WORDS[_i].seat, 0, NULL));
    json_t *online = json_pack("{s:b}", "0", WORDS[_i].online);
    struct game_view *view = game_totem.view_create(false);
    struct panel panel = {.game = &game_totem,
                          .view = view,
                          .room = "k3m9x0aq",
                          .state = state,
                          .online = online,
                          .seat = -1};
    char wanted[32], *text = panel_text(&panel);
    (void)snprintf(wanted, sizeof wanted, " %s\n", WORDS[_i].word);
    ck_assert_msg(strstr(text, wanted), "%s: %s", WORDS[_i].word, text);
    free(text);
    game_totem.view_destroy(view);
    json_decref(state);
    json_decref(online);
}
END_TEST

/* The offers stand below the result, and the result of Totem below its words. */
START_TEST(results_take_their_lines)
{
    json_t *state = json_loads(
        "{\"phase\":\"over\",\"options\":{\"players\":3},\"seats\":{\"0\":{\"name\":\"Ana\"},"
        "\"1\":{\"name\":\"Bo\"},\"2\":{\"name\":\"Cy\"}},\"result\":{\"why\":\"rounds\","
        "\"winners\":[1],\"ranks\":{\"1\":1,\"0\":2,\"2\":2}},"
        "\"offers\":{\"rematch\":{\"0\":true,\"2\":true}}}",
        0, NULL);
    ck_assert_ptr_nonnull(state);
    struct game_view *view = game_totem.view_create(false);
    struct panel panel = {
        .game = &game_totem, .view = view, .room = "k3m9x0aq", .state = state, .seat = 0};
    char *text = panel_text(&panel);
    const char *over = strstr(text, "Over: no rounds are left\n"),
               *first = strstr(text, "1. B Bo\n"), *second = strstr(text, "2. A Ana\n"),
               *third = strstr(text, "2. C Cy\n"),
               *offered = strstr(text, "Offered: rematch by A C\n");
    ck_assert_msg(over && first && second && third && offered, "%s", text);
    ck_assert(over < first && first < second && second < third && third < offered);
    free(text);
    game_totem.view_destroy(view);
    json_decref(state);
}
END_TEST

/* What is no key of a seat counts as the first, which is always there. */
START_TEST(keys_of_seats)
{
    static const struct {
        const char *key;
        int seat;
    } keys[] = {{"0", 0}, {"1", 1}, {"9", 9}, {"10", 0}, {"", 0}, {"/", 0}, {":", 0}, {"a", 0}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        ck_assert_msg(state_seat_of_key(keys[i].key) == keys[i].seat, "'%s'", keys[i].key);
}
END_TEST

/* ---- refusals */

static const struct {
    const char *error, *text;
    size_t size;
} REFUSALS[] = {
    {"{}", "The server refused.", 128},
    {"{\"code\":\"full\"}", "full.", 128},
    {"{\"code\":\"full\",\"message\":\"No room.\"}", "No room.", 128},
    {"{\"message\":\"No.\",\"at\":\"1,2\"}", "No (1,2).", 128},
    {"{\"message\":\"No.\",\"number\":7}", "No (7).", 128},
    {"{\"message\":\"No.\",\"number\":\"7\"}", "No.", 128},
    {"{\"message\":\"No.\",\"field\":\"seat\"}", "No.", 128},
    {"{\"code\":\"bad_field\",\"message\":\"No.\",\"field\":\"text\"}", "No (text).", 128},
    {"{\"message\":\"No.\",\"at\":\"1,2\",\"number\":7,\"field\":\"seat\"}", "No (1,2) (7).", 128},
    {"{\"message\":\"No.\",\"at\":\"1,2\",\"number\":7,\"field\":\"seat\"}", "No (1,2) (7", 12},
    {"{\"message\":\"No.\",\"at\":\"1,2\",\"number\":7,\"field\":\"seat\"}", "No (1", 6},
    {"{\"message\":\"No.\",\"at\":\"1,2\"}", "N", 2},
};

START_TEST(refusals)
{
    char text[160];
    memset(text, '#', sizeof text);
    json_t *error = json_loads(REFUSALS[_i].error, 0, NULL);
    ck_assert_ptr_nonnull(error);
    refusal_text(text, REFUSALS[_i].size, error);
    ck_assert_str_eq(text, REFUSALS[_i].text);
    for (size_t at = REFUSALS[_i].size; at < sizeof text; at++)
        ck_assert_int_eq(text[at], '#');
    json_decref(error);
}
END_TEST

/* The options of a command line are named as they are typed. */
static const struct {
    const char *error, *text;
} OF_OPTIONS[] = {
    {"{\"code\":\"bad_options\",\"message\":\"These do not go together.\",\"field\":"
     "\"options.teams\"}",
     "These do not go together: --teams (four players, seats 0 and 2 against 1 and 3)."},
    {"{\"code\":\"bad_options\",\"message\":\"No.\",\"field\":\"options.two_hex\"}",
     "No: --two-hex (the expansion's 2-Hex tiles)."},
    {"{\"code\":\"bad_options\",\"message\":\"No.\",\"field\":\"options.zone\"}",
     "No: --zone (the expansion's board; none, beginner, player or expert)."},
    {"{\"code\":\"bad_field\",\"message\":\"The field is wrong.\",\"field\":\"clock.move_s\"}",
     "This value is not possible: --move (for each turn; 1 to 60)."},
    {"{\"code\":\"unknown_room\",\"message\":\"There is no such room.\",\"field\":\"room\"}",
     "There is no such room."},
    {"{\"code\":\"bad_options\",\"message\":\"No.\",\"field\":\"options\"}", "No (options)."},
};

START_TEST(refusals_name_options)
{
    static const struct option_row clock[] = {
        {.name = "move", .kind = OPTION_NUMBER, .help = "for each turn", .min = 1, .max = 60},
        {.name = NULL}};
    const struct option_table tables[] = {{clock, NULL}, {game_taluva.create_rows, NULL}};
    const struct invocation invocation = {.tables = tables, .table_count = 2};
    char text[200];
    json_t *error = json_loads(OF_OPTIONS[_i].error, 0, NULL);
    ck_assert_ptr_nonnull(error);
    refusal_of_command(text, sizeof text, error, &invocation);
    ck_assert_str_eq(text, OF_OPTIONS[_i].text);
    json_decref(error);
}
END_TEST

/* ---- how to come back */

static const struct {
    const char *server, *profile, *ca, *command;
} COMMANDS[] = {
    {"ws://127.0.0.1:7400/ws", NULL, NULL, "taluva join k3m9x0aq"},
    {"ws://127.0.0.1:7400/ws", "bo", NULL, "taluva join k3m9x0aq --profile bo"},
    {"wss://example.org/ws", NULL, "my ca.pem",
     "taluva join k3m9x0aq --server wss://example.org/ws --ca 'my ca.pem'"},
    {"ws://[::1]:7401/a?b&c", "bo", "Ana's",
     "taluva join k3m9x0aq --profile bo --server 'ws://[::1]:7401/a?b&c' --ca \"Ana's\""},
};

START_TEST(commands_to_come_back)
{
    char text[ONLINE_COMMAND];
    struct invocation invocation = {
        .online = {.profile = COMMANDS[_i].profile, .ca = COMMANDS[_i].ca}};
    static struct online online;
    online.invocation = &invocation;
    (void)snprintf(online.server, sizeof online.server, "%s", COMMANDS[_i].server);
    online_command(text, &online, "join", "k3m9x0aq");
    ck_assert_str_eq(text, COMMANDS[_i].command);
}
END_TEST

/* Who watches asks for nothing that is a seat's, though the session may have one. */
START_TEST(watchers_do_not_act)
{
    static const char *const acts[] = {
        "bot",    "check",    "create",          "hint",   "join", "move",  "moves",
        "offer",  "ready",    "rematch",         "resign", "sit",  "start", "undo",
        "unseat", "withdraw", "what comes later"};
    const struct play_plan watch = {.watch = true}, play = {0};
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        ck_assert_msg(!play_may_ask(&watch, acts[i]) && play_may_ask(&play, acts[i]), "%s",
                      acts[i]);
    ck_assert(play_may_ask(&watch, "say") && play_may_ask(&watch, "past"));
}
END_TEST

/* ---- what a new room is to be */

static const struct {
    const struct game *game;
    const char *words, *options;
} NEW[] = {
    {&game_taluva, "", "{}"},
    {&game_taluva, "--players=3 --preset=custom --tiles=60 --huts=anywhere --first=1",
     "{\"players\":3,\"preset\":\"custom\",\"tiles\":60,\"huts\":\"anywhere\",\"first\":1}"},
    {&game_taluva, "--first=0 --teams --ranking --boats --two-hex --zone=beginner",
     "{\"first\":0,\"teams\":true,\"ranking\":true,\"boats\":true,\"two_hex\":true,\"zone\":"
     "\"beginner\"}"},
    {&game_totem, "", "{}"},
    {&game_totem, "--players=2 --first=drawn --rounds=99 --spells=B --meals=A",
     "{\"players\":2,\"first\":\"drawn\",\"rounds\":99,\"spells\":\"B\",\"meals\":\"A\"}"},
    {&game_totem, "--village --totem-a", "{\"village\":true,\"totem_a\":true}"},
    {&game_totem, "--totem-b", "{\"totem_b\":true}"},
};

START_TEST(options_of_a_new_room)
{
    _Alignas(8) unsigned char values[GAME_OPTIONS_MAX] = {0};
    char text[256], *words[8], *rest;
    int count = 0;
    struct options_parsed parsed;
    const struct game *game = NEW[_i].game;
    const struct option_table tables[1] = {{game->create_rows, values}};
    (void)snprintf(text, sizeof text, "%s", NEW[_i].words);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    ck_assert_int_eq(options_parse(tables, 1, NULL, count, words, &parsed), OPTIONS_OK);
    json_t *options = game->create_options(values), *wanted = json_loads(NEW[_i].options, 0, NULL);
    char *found = json_dumps(options, JSON_COMPACT);
    ck_assert_msg(json_equal(options, wanted), "%s", found);
    free(found);
    json_decref(options);
    json_decref(wanted);
}
END_TEST

#define ADD_EACH(test, table) tcase_add_loop_test(tcase, test, 0, sizeof table / sizeof(table)[0])

/* ---- Taluva in words */

static const struct {
    const char *event, *sentence;
} MOVES[] = {
    {"{\"move\":\"draw\"}", "Ana draws a tile."},
    {"{\"move\":\"JC@1,0:2\"}", "Ana: JC@1,0:2"},
    {"{\"move\":\"JC@1,0:2\",\"eliminated\":true}",
     "Ana: JC@1,0:2, has nothing to build and is out of the game."},
};

START_TEST(moves_are_told)
{
    char text[128];
    json_t *event = json_loads(MOVES[_i].event, 0, NULL);
    game_taluva.move_sentence(text, sizeof text, "Ana", event);
    ck_assert_str_eq(text, MOVES[_i].sentence);
    json_decref(event);
}
END_TEST

Suite *panel_suite(void)
{
    Suite *suite = suite_create("panel");
    TCase *tcase = tcase_create("panel");
    ADD_EACH(clocks, CLOCKS);
    ADD_EACH(seats_have_words, WORDS);
    tcase_add_test(tcase, results_take_their_lines);
    tcase_add_test(tcase, keys_of_seats);
    ADD_EACH(refusals, REFUSALS);
    ADD_EACH(refusals_name_options, OF_OPTIONS);
    ADD_EACH(commands_to_come_back, COMMANDS);
    tcase_add_test(tcase, watchers_do_not_act);
    ADD_EACH(options_of_a_new_room, NEW);
    tcase_add_loop_test(tcase, moves_are_told, 0, sizeof MOVES / sizeof MOVES[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
