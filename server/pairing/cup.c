#include <pairing/cup.h>

unsigned pairing_cup_rounds(unsigned entrants)
{
    unsigned rounds = 0;
    while (1U << rounds < entrants)
        rounds++;
    return rounds;
}

/* The seed at a place of the bracket, from 0: 1 and the last, 2 and the last but one at the other
 * end. */
static unsigned find_seed(unsigned rounds, unsigned place)
{
    unsigned seed = 1;
    for (unsigned round = 1; round <= rounds; round++) {
        /* Of two halves the one further from its winner has whoever makes up the sum. */
        const unsigned bit = place >> (rounds - round) & 1;
        const unsigned above = round == 1 ? 0 : place >> (rounds - round + 1) & 1;
        if (bit != above)
            seed = (1U << round) + 1 - seed;
    }
    return seed;
}

/* Who is still in of a part of the bracket, which begins there; 0: nobody. */
static unsigned find_winner(unsigned entrants, const uint8_t out[], unsigned round, unsigned from,
                            unsigned size)
{
    const unsigned rounds = pairing_cup_rounds(entrants);
    for (unsigned place = from; place < from + size; place++) {
        const unsigned seed = find_seed(rounds, place);
        if (seed <= entrants && (out[seed - 1] == 0 || out[seed - 1] >= round))
            return seed;
    }
    return 0;
}

void pairing_cup(unsigned entrants, const uint8_t out[], unsigned round,
                 struct pairing_round *result)
{
    const unsigned half = 1U << (round - 1), size = 1U << pairing_cup_rounds(entrants);
    result->boards = 0;
    for (unsigned from = 0; from < size; from += 2 * half) {
        const unsigned a = find_winner(entrants, out, round, from, half);
        const unsigned b = find_winner(entrants, out, round, from + half, half);
        const bool swapped = a == 0 || (b != 0 && b < a);
        struct pairing_board *board = &result->board[result->boards];
        board->white = (uint16_t)(swapped ? b : a);
        board->black = (uint16_t)(swapped ? a : b);
        result->boards += board->white != 0;
    }
}
