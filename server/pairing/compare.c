#include <pairing/compare.h>

static void add_board(struct pairing_round *round, unsigned white, unsigned black)
{
    round->board[round->boards].white = (uint16_t)white;
    round->board[round->boards++].black = (uint16_t)black;
}

/* The boards of a round that has been paired, by the number of the white player. */
static void read_given(const struct pairing_event *event, unsigned round,
                       struct pairing_round *given)
{
    given->boards = 0;
    for (unsigned number = 1; number <= event->entrants; number++) {
        const struct pairing_meeting *own = pairing_meeting_of(event, number, round);
        if (!pairing_took_part(own))
            continue;
        if (own->opponent == 0) {
            add_board(given, number, 0);
            continue;
        }
        const struct pairing_meeting *other = pairing_meeting_of(event, own->opponent, round);
        if (own->colour == 'w' || (own->colour == '-' && other->colour == 'b') ||
            (own->colour == other->colour && number < own->opponent))
            add_board(given, number, own->opponent);
    }
}

/* Whether the colours of a board stand in the file. */
static bool tells_colours(const struct pairing_event *event, unsigned round, unsigned number)
{
    const struct pairing_meeting *own = pairing_meeting_of(event, number, round);
    if (own->opponent == 0 || own->colour != '-')
        return true;
    return pairing_meeting_of(event, own->opponent, round)->colour != '-';
}

static bool has_board(const struct pairing_round *round, unsigned white, unsigned black)
{
    for (unsigned i = 0; i < round->boards; i++) {
        if (round->board[i].white == white && round->board[i].black == black)
            return true;
    }
    return false;
}

static void subtract_boards(const struct pairing_event *event, unsigned round,
                            const struct pairing_round *all, const struct pairing_round *others,
                            struct pairing_round *left)
{
    left->boards = 0;
    for (unsigned i = 0; i < all->boards; i++) {
        const unsigned white = all->board[i].white, black = all->board[i].black;
        const bool either = !tells_colours(event, round, white);
        if (!has_board(others, white, black) && !(either && has_board(others, black, white)))
            add_board(left, white, black);
    }
}

bool pairing_compare(const struct pairing_event *event, unsigned round,
                     const struct pairing_round *expected, struct pairing_difference *difference)
{
    struct pairing_round given;
    read_given(event, round, &given);
    subtract_boards(event, round, expected, &given, &difference->expected);
    subtract_boards(event, round, &given, expected, &difference->given);
    return difference->expected.boards > 0 || difference->given.boards > 0;
}
