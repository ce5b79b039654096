/* Cups of all sizes, to their ends. */
#include "../../support/rng.h"
#include "suites.h"
#include <pairing/cup.h>
#include <string.h>

enum { CUPS = 2000, MOST = 70 };

static struct pairing_round found;
static uint8_t out[MOST];

START_TEST(the_best_meet_as_late_as_they_can)
{
    for (unsigned entrants = 2; entrants <= MOST; entrants++) {
        memset(out, 0, sizeof out);
        for (unsigned round = 1, left = 1U << pairing_cup_rounds(entrants); left > 1;
             round++, left /= 2) {
            pairing_cup(entrants, out, round, &found);
            ck_assert_uint_eq(found.boards, left / 2);
            for (unsigned i = 0; i < found.boards; i++) {
                const unsigned better = found.board[i].white, other = left + 1 - better;
                ck_assert_uint_eq(found.board[i].black, other <= entrants ? other : 0);
                if (other <= entrants)
                    out[other - 1] = (uint8_t)round;
            }
        }
        ck_assert_uint_eq(out[0], 0);
    }
}
END_TEST

/* One of two goes out, or both, if neither comes. */
static void play_board(struct rng *rng, const struct pairing_board *board, unsigned round)
{
    const uint32_t lot = rng_below(rng, 20);
    if (lot != 1 && board->black != 0 && lot % 2 == 0)
        out[board->white - 1] = (uint8_t)round;
    else if (board->black != 0)
        out[board->black - 1] = (uint8_t)round;
    if (lot == 1 && board->black != 0)
        out[board->white - 1] = (uint8_t)round;
}

static unsigned count_in(unsigned entrants)
{
    unsigned in = 0;
    for (unsigned i = 0; i < entrants; i++)
        in += out[i] == 0;
    return in;
}

/* Everybody who is in has one board, and after the last round no more than one is in. */
START_TEST(cups_end)
{
    for (uint64_t seed = 1; seed <= CUPS; seed++) {
        struct rng rng = {seed};
        const unsigned entrants = 2 + rng_below(&rng, MOST - 1);
        memset(out, 0, sizeof out);
        for (unsigned round = 1; round <= pairing_cup_rounds(entrants); round++) {
            unsigned players = 0, byes = 0;
            pairing_cup(entrants, out, round, &found);
            for (unsigned i = 0; i < found.boards; i++) {
                ck_assert_uint_eq(out[found.board[i].white - 1], 0);
                byes += found.board[i].black == 0;
                players += found.board[i].black != 0 ? 2 : 1;
            }
            ck_assert_uint_eq(players, count_in(entrants));
            if (round == 1)
                ck_assert_uint_eq(byes, (1U << pairing_cup_rounds(entrants)) - entrants);
            for (unsigned i = 0; i < found.boards; i++)
                play_board(&rng, &found.board[i], round);
        }
        ck_assert_uint_le(count_in(entrants), 1);
    }
}
END_TEST

Suite *cup_suite(void)
{
    Suite *suite = suite_create("cup");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, the_best_meet_as_late_as_they_can);
    tcase_add_test(cases, cups_end);
    suite_add_tcase(suite, cases);
    return suite;
}
