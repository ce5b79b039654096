/* The messages that are read in place, and what each game takes from them. */
#include "message.h"
#include "taluva/parts.h"
#include <check.h>
#include <rules/notation.h>
#include <string.h>

Suite *message_suite(void);

static const char room[] = "AAAAAAAA";
#define BEGIN(number)                                                                              \
    "{\"push\":\"event\",\"room\":\"AAAAAAAA\",\"seq\":" number ",\"at\":5,\"event\":"

static const struct {
    const char *text;
    bool read, is_move;
    int64_t seq;
} events[] = {
    {BEGIN("7") "{\"kind\":\"move\",\"seat\":1,\"move\":\"x\"}}", true, true, 7},
    {BEGIN("999999999999999999") "{\"kind\":\"started\"}}", true, false, 999999999999999999},
    {BEGIN("7") "{\"kind\":\"moved\",\"seat\":1,\"move\":\"x\"}}", true, false, 7},
    {BEGIN("7") "{\"kind\":\"move\",\"seat\":-1,\"move\":\"x\"}}", true, false, 7},
    {BEGIN("7") "{\"kind\":\"move\",\"seat\":1,\"text\":\"x\"}}", true, false, 7},
    {BEGIN("9999999999999999999") "{\"kind\":\"started\"}}", false, false, 0},
    {BEGIN("") "{\"kind\":\"started\"}}", false, false, 0},
    {BEGIN("-7") "{\"kind\":\"started\"}}", false, false, 0},
    {BEGIN("7") "{\"seat\":1}}", false, false, 0},
    {"{\"push\":\"event\",\"room\":\"AAAAAAAB\",\"seq\":7,\"at\":5,\"event\":{\"kind\":\"x\"}}",
     false, false, 0},
    {"{\"push\":\"said\",\"room\":\"AAAAAAAA\",\"seq\":7}", false, false, 0},
    {"{ \"push\":\"event\"}", false, false, 0},
    {"", false, false, 0},
};

START_TEST(an_event_is_read_in_place)
{
    struct message_event event = {.seq = -1, .seat = -1};
    const char *text = events[_i].text;
    const size_t len = strlen(text);
    ck_assert_int_eq(message_event(&event, text, len, room), events[_i].read);
    if (!events[_i].read)
        return;
    ck_assert_int_eq(event.seq, events[_i].seq);
    ck_assert_int_eq(event.is_move, events[_i].is_move);
    if (events[_i].is_move) {
        ck_assert_int_eq(event.seat, 1);
        ck_assert_ptr_eq(event.move.at, strstr(text, "x\""));
        ck_assert_ptr_eq(event.move.end, text + len);
    }
}
END_TEST

/* Nothing behind the end is looked at, however long the message is. */
START_TEST(a_message_ends_where_it_ends)
{
    static const char text[] = BEGIN("7") "{\"kind\":\"move\",\"seat\":1,\"move\":\"x\"}}";
    static const char answer[] = "{\"id\":12,\"ok\":{\"seq\":34}}";
    char part[sizeof text];
    for (size_t len = 0; len < sizeof text - 1; len++) {
        struct message_event event;
        char *copy = memcpy(part + sizeof part - len, text, len);
        const bool has_kind = len >= strlen(BEGIN("7") "{\"kind\":\"");
        ck_assert_int_eq(message_event(&event, copy, len, room), has_kind);
    }
    for (size_t len = 0; len < sizeof answer; len++) {
        int64_t id, seq;
        char *copy = memcpy(part + sizeof part - len, answer, len);
        ck_assert_int_eq(message_answer(copy, len, &id, &seq), len == sizeof answer - 1);
    }
}
END_TEST

static const char *const other_answers[] = {
    "{\"id\":12,\"ok\":{\"seq\":34}} ", "{\"id\":12,\"ok\":{}}",
    "{\"id\":-1,\"ok\":{\"seq\":34}}",  "{\"id\":12,\"ok\":{\"seq\":34,\"room\":\"x\"}}",
    "{\"id\":12,\"error\":{}}",         "{\"id\":1234567890123456789,\"ok\":{\"seq\":34}}",
};

START_TEST(an_answer_is_read_in_place)
{
    static const char answer[] = "{\"id\":12,\"ok\":{\"seq\":34}}";
    int64_t id, seq;
    ck_assert(message_answer(answer, strlen(answer), &id, &seq));
    ck_assert(id == 12 && seq == 34);
    for (size_t i = 0; i < sizeof other_answers / sizeof *other_answers; i++)
        ck_assert(!message_answer(other_answers[i], strlen(other_answers[i]), &id, &seq));
}
END_TEST

/* ---- Taluva */

static void begin(struct taluva *game, uint8_t seats)
{
    const struct taluva_options options = {.seats = seats, .tiles = 48};
    taluva_tile tile;
    ck_assert_int_eq(taluva_init(game, &options), TALUVA_OK);
    ck_assert(taluva_tile_parse("JC", 2, &tile));
    ck_assert_int_eq(taluva_draw(game, 0, tile, NULL), TALUVA_OK);
}

static bool follow(struct taluva *game, const char *text, bool confirm, const char *push)
{
    struct load_move move = {.confirm = confirm};
    memcpy(move.text, text, strlen(text) + 1);
    return taluva_copy_follow(game, &move, (struct scan){push, push + strlen(push)});
}

static const char *tile_of(const struct taluva *game)
{
    static char text[TALUVA_TILE_TEXT];
    ck_assert_int_eq(game->step, TALUVA_STEP_PLACE);
    taluva_tile_format(game->tile, text);
    return text;
}

START_TEST(the_tile_is_taken_from_the_patch)
{
    struct taluva game;
    begin(&game, 2);
    ck_assert(!follow(&game, "JC@0,0:0", false, "JC@0,0:1\"},\"patch\":{}}"));
    ck_assert(!follow(&game, "JC@0,0:0", false, "JC@0,0:0"));
    ck_assert_uint_eq(game.n_cells, 0); /* another move plays nothing */
    ck_assert(follow(&game, "JC@0,0:0", false,
                     "JC@0,0:0\"},\"patch\":{\"turn\":{\"step\":\"build\",\"tile\":null}}}"));
    ck_assert_int_eq(game.step, TALUVA_STEP_BUILD);
    struct taluva later = game;
    ck_assert(!follow(&later, "hut@5,5", false, "hut@5,5\"},\"patch\":{}}"));
    ck_assert(follow(&game, "hut@1,0", false,
                     "hut@1,0\"},\"patch\":{\"turn\":{\"seat\":1,\"tile\":\"LS\"}}}"));
    ck_assert_str_eq(tile_of(&game), "LS");
    ck_assert_uint_eq(game.seat, 1);
    ck_assert(!follow(&later, "hut@1,0", false, "hut@1,0\"},\"patch\":{\"tile\":\"ZZ\"}}"));
}
END_TEST

/* A draw that is the player's own choice: no tile is named until then. */
START_TEST(a_tile_that_is_not_drawn_yet_is_not_there)
{
    struct taluva game;
    begin(&game, 2);
    ck_assert(follow(&game, "JC@0,0:0", false, "JC@0,0:0\"},\"patch\":{\"tile\":null}}"));
    ck_assert(follow(&game, "hut@1,0", false, "hut@1,0\"},\"patch\":{\"seat\":1}}"));
    ck_assert_int_eq(game.step, TALUVA_STEP_DRAW);
    struct taluva other = game;
    ck_assert(!follow(&other, "draw", false, "draw\"},\"patch\":{}}"));
    ck_assert(follow(&game, "draw", false, "draw\"},\"patch\":{\"tile\":\"RS\"}}"));
    ck_assert_str_eq(tile_of(&game), "RS");
}
END_TEST

/* Who places and cannot build is out; the next may draw the same tile, of which no patch speaks. */
START_TEST(the_same_tile_again_is_not_patched)
{
    struct taluva game;
    begin(&game, 3);
    memset(game.reserve[0], 0, sizeof game.reserve[0]);
    game.reserve[0][TALUVA_TOWER] = 1;
    struct taluva other = game;
    ck_assert(!follow(&other, "JC@0,0:0", false, "JC@0,0:0\"},\"patch\":{\"seat\":1}}"));
    other = game;
    ck_assert(follow(&game, "JC@0,0:0", true, "JC@0,0:0\"},\"patch\":{\"seat\":1}}"));
    ck_assert_str_eq(tile_of(&game), "JC");
    ck_assert_uint_eq(game.seat, 1);
    ck_assert(follow(&other, "JC@0,0:0", true, "JC@0,0:0\"},\"patch\":{\"tile\":\"LS\"}}"));
    ck_assert_str_eq(tile_of(&other), "LS");
}
END_TEST

Suite *message_suite(void)
{
    Suite *suite = suite_create("message");
    TCase *tests = tcase_create("message");
    tcase_add_loop_test(tests, an_event_is_read_in_place, 0, sizeof events / sizeof *events);
    tcase_add_test(tests, a_message_ends_where_it_ends);
    tcase_add_test(tests, an_answer_is_read_in_place);
    tcase_add_test(tests, the_tile_is_taken_from_the_patch);
    tcase_add_test(tests, a_tile_that_is_not_drawn_yet_is_not_there);
    tcase_add_test(tests, the_same_tile_again_is_not_patched);
    suite_add_tcase(suite, tests);
    return suite;
}
