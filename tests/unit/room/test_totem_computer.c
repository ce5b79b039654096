/* What the computer of Totem likes, in whole matches without a room around them. */
#include "suites.h"
#include <check.h>
#include <string.h>
#include <totem/game.h>
#include <totem_match.h>

static const struct {
    unsigned level;
    struct totem_options options;
    uint64_t moves; /* a sum over all that it chooses in twenty matches */
} rows[] = {
    {2, {.players = 2, .rounds = 24}, UINT64_C(0x2798616689931164)},
    {2,
     {.players = 3, .rounds = 24, .meals = TOTEM_MEALS_A, .village = true},
     UINT64_C(0x99592816f327f331)},
    {2,
     {.players = 4, .rounds = 24, .spells = TOTEM_SPELLS_A, .meals = TOTEM_MEALS_B},
     UINT64_C(0x2b1d2a8f5571b853)},
    {2,
     {.players = 2, .rounds = 24, .spells = TOTEM_SPELLS_B, .meals = TOTEM_MEALS_B},
     UINT64_C(0x7df9b51c126c66b9)},
    {2,
     {.players = 4, .rounds = 24, .spells = TOTEM_SPELLS_B, .totem_a = true},
     UINT64_C(0xb7609ec9b0a91db1)},
    {2,
     {.players = 3, .rounds = 24, .meals = TOTEM_MEALS_B, .totem_b = true},
     UINT64_C(0xe2da0dd7c32278cf)},
    {1, {.players = 4, .rounds = 24}, UINT64_C(0x4076398bcdc03a82)},
};

static uint64_t add_bytes(uint64_t sum, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return (sum ^ '\n') * UINT64_C(0x100000001b3);
}

static void deal(struct totem_match *match, const struct totem_options *options, uint8_t seed)
{
    const uint8_t key[DEAL_KEY_BYTES] = {seed};
    struct deal_stream stream;
    memset(match, 0, sizeof *match);
    match->options = *options;
    match->first_drawn = true;
    deal_stream_init(&stream, key);
    totem_rules.deal(match, &stream);
}

/* The computer plays all seats; what it chose is added to the sum. */
static uint64_t play(struct totem_match *match, unsigned level, uint64_t sum)
{
    uint32_t acting;
    for (uint64_t moves = 0; (acting = totem_rules.acting(match)) != 0; moves++) {
        char move[PROTOCOL_MOVE_BYTES];
        struct game_change change;
        struct refusal refusal;
        unsigned seat = 0;
        while (!((acting >> seat) & 1))
            seat++;
        size_t len = game_choose(&game_type_totem, match, seat, level, moves, move);
        if (moves > 20000 || !totem_rules.act(match, seat, move, len, false, &change, &refusal))
            ck_abort_msg("move %llu: %.*s", (unsigned long long)moves, (int)len, move);
        sum = add_bytes(sum, move, len);
    }
    return sum;
}

/* What it weighs is a matter of taste, but changes on purpose only: then the sums change too. */
START_TEST(test_chooses_as_it_did)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (uint8_t seed = 0; seed < 20; seed++) {
        struct totem_match match;
        deal(&match, &rows[_i].options, seed);
        sum = play(&match, rows[_i].level, sum);
    }
    ck_assert_msg(sum == rows[_i].moves, "0x%016llx", (unsigned long long)sum);
}
END_TEST

/* Without a couple in a hut no spell of births does anything. */
#define LONELY "t5b9:w,m,-/t1b0:w,m,-/t1b0:w,m,-/t1b0:w,m,- "

static const struct {
    const char *position;
    const char *begin; /* of what seat 0 chooses, whatever the seed */
} choice_rows[] = {
    {"4/R/24 1R cast:R " LONELY "T/-/-/- -/-/-/-", "cast@R=T:"},
    {"4/R/24 1R cast:R " LONELY "M,L:R1/-/-/- -/-/-/-", "cast@R=M:"},
    {"4/R/24/spells-a 1R cast:R " LONELY "A:R1,F:G1,P:G1,H:R1,L:R1/-/-/- -/-/-/-", "pass@R"},
    {"4/R/24/spells-a 1R cast:R " LONELY "F:G1,P:G1,H:R1,L:R1/-/-/- -/-/-/-", "cast@R=A:R"},
    {"4/R/24/spells-a 1R cast:R t2b0:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,- "
     "G:R1/-/-/- -/-/-/-",
     "cast@R="},
    {"4/R/24/spells-a 1R cast:R t2b5:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,- "
     "G:R1,T:R1/-/-/- -/-/-/-",
     "pass@R"},
    {"4/R/24/spells-a 1R cast:R t2b6:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,-/t1b0:wm,-,- "
     "G:R1,T:R1/-/-/- -/-/-/-",
     "cast@R="},
};

START_TEST(test_chooses)
{
    struct totem_match match = {.first_drawn = false};
    size_t offset, len = strlen(choice_rows[_i].position);
    const char *what;
    ck_assert_msg(totem_position_parse(choice_rows[_i].position, len, &match.game, &offset, &what),
                  "%s at %zu", what, offset);
    match.options = match.game.options;
    for (uint64_t seed = 0; seed < 20; seed++) {
        char move[PROTOCOL_MOVE_BYTES];
        len = game_choose(&game_type_totem, &match, 0, 2, seed, move);
        size_t begin = strlen(choice_rows[_i].begin);
        if (len < begin || memcmp(move, choice_rows[_i].begin, begin) != 0)
            ck_abort_msg("%.*s instead of %s", (int)len, move, choice_rows[_i].begin);
    }
}
END_TEST

Suite *totem_computer_suite(void)
{
    Suite *suite = suite_create("Totem's computer");
    TCase *tcase = tcase_create("computer");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, test_chooses_as_it_did, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tcase, test_chooses, 0, sizeof choice_rows / sizeof *choice_rows);
    suite_add_tcase(suite, tcase);
    return suite;
}
