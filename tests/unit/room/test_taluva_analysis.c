/* What the server asks of Taluva about a match that is over: games/game.h, `game_analyst`. */
#include "../../support/long_tests.h"
#include "suites.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <taluva/game.h>
#include <taluva_match.h>

enum { PLAYED_MAX = 64, TEXT_BYTES = 64 };

/* A match with what happened in it. */
static struct taluva_match match;
static struct game_played played[PLAYED_MAX];
static char texts[PLAYED_MAX][TEXT_BYTES];
static size_t n_played;

static void deal(const char *options)
{
    const uint8_t key[DEAL_KEY_BYTES] = {7};
    struct deal_stream stream;
    struct refusal refusal;
    json_t *const given = json_loads(options, 0, NULL);
    memset(&match, 0, sizeof match);
    n_played = 0;
    ck_assert(game_type_taluva.rules->create(&match, 1, given, &refusal));
    json_decref(given);
    deal_stream_init(&stream, key);
    game_type_taluva.rules->deal(&match, &stream);
}

static void play(void)
{
    struct game_change change;
    struct refusal refusal;
    char *const text = texts[n_played];
    const uint8_t seat = match.game.seat;
    const size_t len = game_choose(&game_type_taluva, &match, seat, 2, n_played, text);
    ck_assert(game_type_taluva.rules->act(&match, seat, text, len, true, &change, &refusal));
    played[n_played++] = (struct game_played){.move = text, .len = (uint16_t)len, .seat = seat};
}

static void leave(uint8_t seat)
{
    struct game_change change;
    ck_assert(game_type_taluva.rules->forfeit(&match, seat, &change));
    played[n_played++] = (struct game_played){.seat = seat};
}

/* The text, or NULL if there was none. */
static char *analyse(const atomic_bool *cancel)
{
    struct buffer buffer;
    struct writer writer;
    struct game_thinking thinking = {
        .cancel = cancel,
        .memory = malloc(taluva_analyst.memory_bytes),
        .memory_bytes = taluva_analyst.memory_bytes,
    };
    ck_assert_ptr_nonnull(thinking.memory);
    buffer_init(&buffer, 0, 65536);
    writer_init(&writer, &buffer);
    const bool written = taluva_analyst.analyse(&match, played, n_played, &thinking, &writer);
    free(thinking.memory);
    ck_assert_int_eq(written, writer_done(&writer));
    ck_assert(!buffer.failed);
    if (!written)
        ck_assert_uint_eq(buffer.len, 0);
    buffer_append_byte(&buffer, '\0');
    char *const text = strdup(buffer_payload(&buffer));
    buffer_release(&buffer);
    if (written)
        return text;
    free(text);
    return NULL;
}

START_TEST(test_a_short_match)
{
    deal("{\"players\":3,\"two_hex\":true}");
    while (n_played < 4)
        play();
    leave((uint8_t)((match.game.seat + 1) % 3));
    play();
    leave(match.game.seat);
    char *const text = analyse(NULL);
    ck_assert_ptr_nonnull(text);
    json_t *const json = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(json);
    const json_t *const turns = json_object_get(json, "turns");
    ck_assert_int_eq(json_integer_value(json_object_get(json, "rules")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "simulations")), 400);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "seats")), 3);
    ck_assert_uint_ge(json_array_size(turns), 1);
    const json_t *const moves = json_object_get(json_array_get(turns, 0), "moves");
    ck_assert_uint_eq(json_array_size(moves), 2);
    json_decref(json);
    char *const again = analyse(NULL);
    ck_assert_str_eq(text, again);
    free(again);
    free(text);
}
END_TEST

/* What was never drawn changes nothing, and is not used to say what a turn was worth. */
START_TEST(test_rest_of_the_stack_is_not_used)
{
    deal("{\"players\":3}");
    while (n_played < 8)
        play();
    leave((uint8_t)((match.game.seat + 1) % 3));
    leave(match.game.seat);
    char *const text = analyse(NULL);
    ck_assert_ptr_nonnull(text);
    size_t from = (size_t)(match.options.tiles - match.game.stack), to = match.options.tiles;
    ck_assert_uint_lt(from + 1, to);
    while (from + 1 < to) {
        const taluva_tile tile = match.deck[from];
        match.deck[from++] = match.deck[--to];
        match.deck[to] = tile;
    }
    char *const other = analyse(NULL);
    ck_assert_str_eq(text, other);
    free(other);
    free(text);
}
END_TEST

START_TEST(test_cancelled)
{
    static atomic_bool cancel = true;
    deal("{\"players\":2}");
    while (n_played < 4)
        play();
    ck_assert_ptr_null(analyse(&cancel));
}
END_TEST

START_TEST(test_what_did_not_happen)
{
    deal("{\"players\":2}");
    play();
    play();
    played[1].len--;
    ck_assert_ptr_null(analyse(NULL));
    played[1].len++;
    played[1].seat ^= 1;
    ck_assert_ptr_null(analyse(NULL));
    n_played = 0;
    leave(1);
    played[n_played++] = (struct game_played){.seat = 1};
    ck_assert_ptr_null(analyse(NULL));
}
END_TEST

Suite *taluva_analysis_suite(void)
{
    Suite *suite = suite_create("analysis of Taluva");
    TCase *tests = tcase_create("analysis");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, test_cancelled);
    tcase_add_test(tests, test_what_did_not_happen);
    suite_add_tcase(suite, tests);
    tests = tcase_create("numbers"); /* tests/unit/computer has the same search */
    tcase_set_tags(tests, SAME_NUMBERS);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, test_a_short_match);
    tcase_add_test(tests, test_rest_of_the_stack_is_not_used);
    suite_add_tcase(suite, tests);
    return suite;
}
