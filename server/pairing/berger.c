#include <pairing/berger.h>

unsigned pairing_berger_rounds(unsigned entrants)
{
    return entrants % 2 == 0 ? entrants - 1 : entrants;
}

static void add_board(struct pairing_round *result, unsigned white, unsigned black, bool swapped)
{
    struct pairing_board *board = &result->board[result->boards++];
    board->white = (uint16_t)(swapped ? black : white);
    board->black = (uint16_t)(swapped ? white : black);
}

/* The last of an even number stays where it is, and the others turn by half the table each round.
 */
void pairing_berger(unsigned entrants, unsigned round, struct pairing_round *result)
{
    const unsigned ring = pairing_berger_rounds(entrants), even = ring + 1;
    const unsigned turn = (round - 1) % ring, cycle = (round - 1) / ring;
    const unsigned at = turn * (even / 2) % ring; /* who meets the last one, from 0 */
    const bool swapped = cycle % 2 != 0;
    result->boards = 0;
    if (even == entrants)
        add_board(result, at + 1, even, swapped != (turn % 2 != 0));
    for (unsigned step = 1; step < even / 2; step++)
        add_board(result, (at + step) % ring + 1, (at + ring - step) % ring + 1, swapped);
    if (even != entrants)
        add_board(result, at + 1, 0, false);
}
