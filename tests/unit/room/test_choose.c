/* What a game's computer is asked through games/game.h, with a game that notes how it was asked. */
#include "suites.h"
#include <games/game.h>
#include <string.h>

enum { VALUE_BYTES = 24, MOVE_BYTES = 6, DEFAULT = 2, SEED = 77 };

static const char *const words[] = {"low", "lower", "high", NULL};
static struct game_computer computer;
static struct game_type type;

/* ---- the game */

static struct {
    const unsigned char *known;
    unsigned seat, level;
    uint64_t seed;
    bool stood_in, thought;
} asked;
static size_t answer_len;

static void know(const void *game, unsigned seat, void *known)
{
    memcpy(known, game, VALUE_BYTES);
    memset(known, (int)seat, 1);
}

static void note(const void *known, unsigned seat, uint64_t seed)
{
    const unsigned char *bytes = known;
    asked.known = known;
    asked.seat = seat;
    asked.seed = seed;
    ck_assert_uint_eq((uintptr_t)known % _Alignof(max_align_t), 0);
    ck_assert_uint_eq(bytes[0], seat);
    for (unsigned i = 1; i < VALUE_BYTES; i++)
        ck_assert_uint_eq(bytes[i], 'v');
}

static size_t choose(const void *known, unsigned seat, unsigned level, uint64_t seed,
                     struct game_thinking *thinking, char move[PROTOCOL_MOVE_BYTES])
{
    note(known, seat, seed);
    asked.level = level;
    asked.thought = thinking != NULL;
    memcpy(move, "chosen", MOVE_BYTES);
    return answer_len;
}

static size_t stand_in(const void *known, unsigned seat, uint64_t seed,
                       char move[PROTOCOL_MOVE_BYTES])
{
    note(known, seat, seed);
    asked.stood_in = true;
    memcpy(move, "stands", MOVE_BYTES);
    return answer_len;
}

static size_t thinking_bytes(unsigned level)
{
    return 1000 * (size_t)level;
}

/* ---- tests */

static unsigned char value[VALUE_BYTES];
static char move[PROTOCOL_MOVE_BYTES];

static void begin(void)
{
    computer = (struct game_computer){
        .levels = words, .level_default = DEFAULT, .know = know, .choose = choose};
    type = (struct game_type){.size = VALUE_BYTES, .move_bytes = MOVE_BYTES, .computer = &computer};
    memset(&asked, 0, sizeof asked);
    memset(value, 'v', sizeof value);
    answer_len = MOVE_BYTES;
}

START_TEST(test_words)
{
    ck_assert_uint_eq(game_levels(&type), 3);
    for (unsigned level = 1; level <= 3; level++) {
        const char *word = words[level - 1];
        ck_assert_ptr_eq(game_level_word(&type, level), word);
        ck_assert_uint_eq(game_level_find(&type, word, strlen(word)), level);
    }
    static const char *const none[] = {"", "lo", "lowest", "highs", "LOW", "hugh"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_uint_eq(game_level_find(&type, none[i], strlen(none[i])), 0);
}
END_TEST

/* One level is enough, and so many are not too many. */
START_TEST(test_how_many)
{
    static const char *const one[] = {"only", NULL};
    static const char *most[PROTOCOL_LEVELS + 1];
    computer.levels = one;
    ck_assert_uint_eq(game_levels(&type), 1);
    for (unsigned i = 0; i < PROTOCOL_LEVELS; i++)
        most[i] = "any";
    computer.levels = most;
    ck_assert_uint_eq(game_levels(&type), PROTOCOL_LEVELS);
}
END_TEST

START_TEST(test_thinking_bytes)
{
    for (unsigned level = 1; level <= 3; level++)
        ck_assert_uint_eq(game_thinking_bytes(&type, level), 0);
    computer.thinking_bytes = thinking_bytes;
    for (unsigned level = 1; level <= 3; level++)
        ck_assert_uint_eq(game_thinking_bytes(&type, level), 1000 * level);
}
END_TEST

START_TEST(test_choice)
{
    for (unsigned level = 1; level <= 3; level++) {
        ck_assert_uint_eq(game_choose(&type, value, 4, level, SEED, move), MOVE_BYTES);
        ck_assert_mem_eq(move, "chosen", MOVE_BYTES);
        ck_assert_uint_eq(asked.level, level);
        ck_assert_uint_eq(asked.seat, 4);
        ck_assert_uint_eq(asked.seed, SEED);
        ck_assert_ptr_ne(asked.known, value);
        ck_assert(!asked.thought);
    }
    answer_len = 1;
    ck_assert_uint_eq(game_choose(&type, value, 0, 1, SEED, move), 1);
}
END_TEST

START_TEST(test_stand_in)
{
    ck_assert_uint_eq(game_stand_in(&type, value, 3, SEED, move), MOVE_BYTES);
    ck_assert_mem_eq(move, "chosen", MOVE_BYTES);
    ck_assert_uint_eq(asked.level, DEFAULT);
    ck_assert_uint_eq(asked.seat, 3);
    ck_assert_uint_eq(asked.seed, SEED);
    ck_assert(!asked.stood_in);
    computer.stand_in = stand_in;
    ck_assert_uint_eq(game_stand_in(&type, value, 5, SEED + 1, move), MOVE_BYTES);
    ck_assert_mem_eq(move, "stands", MOVE_BYTES);
    ck_assert_uint_eq(asked.seat, 5);
    ck_assert_uint_eq(asked.seed, SEED + 1);
    ck_assert(asked.stood_in);
    answer_len = 1;
    ck_assert_uint_eq(game_stand_in(&type, value, 0, SEED, move), 1);
}
END_TEST

/* The largest value that a game may have fits. */
START_TEST(test_largest_value)
{
    static unsigned char largest[GAME_VALUE_MAX];
    memset(largest, 'v', sizeof largest);
    type.size = sizeof largest;
    ck_assert_uint_eq(game_choose(&type, largest, 1, 1, SEED, move), MOVE_BYTES);
}
END_TEST

Suite *choose_suite(void)
{
    Suite *suite = suite_create("levels of a game");
    TCase *tests = tcase_create("levels of a game");
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_test(tests, test_words);
    tcase_add_test(tests, test_how_many);
    tcase_add_test(tests, test_thinking_bytes);
    tcase_add_test(tests, test_choice);
    tcase_add_test(tests, test_stand_in);
    tcase_add_test(tests, test_largest_value);
    return suite;
}
