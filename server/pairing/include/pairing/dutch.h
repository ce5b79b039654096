/*
 * A round of a Swiss event by FIDE's (Dutch) System, C.04.3 as in force from 1 February 2026.
 * Sections in brackets here and in the sources are of that text, C1 to C21 its criteria:
 *
 *   C1 nobody meets twice, C2 no second bye        who may meet at all, and rest  contestants.c
 *   C3 no two of the same absolute preference      the same                       contestants.c
 *   C4 the rest of the round can still be paired   everybody is in the graph      bracket.c
 *   C5 the bye goes to the lowest score that may   found before the brackets      dutch.c
 *   C6 most pairs, C7 least differences of score   weights of edges               bracket.c
 *   C8 the same for the bracket below              weights of edges               bracket.c
 *   C9 the bye: fewest unplayed games              weights of edges               bracket.c
 *   C10 to C13 colours, C14 to C21 floats          weights of edges               bracket.c
 *   [3], [4] which of several equals is taken      one choice after another       order.c
 *   [5] colours                                    of each pair                   colours.c
 *
 * A bracket is a matching of the greatest weight in the graph of all who are left, where a weight
 * has the criteria one below the other; so no order of trying is needed to find the best, and each
 * choice among equals is one more question to the same graph. Pure: the same event gives the same
 * round everywhere.
 */
#ifndef PAIRING_DUTCH_H
#define PAIRING_DUTCH_H

#include <pairing/event.h>

/* Numbers; no black: the bye. */
struct pairing_board {
    uint16_t white, black;
};

struct pairing_round {
    unsigned boards; /* in their order [C.04.2]: the bye is the last */
    struct pairing_board board[PAIRING_ENTRANTS_MAX];
};

enum pairing_outcome {
    PAIRING_DONE,
    PAIRING_IMPOSSIBLE,     /* there is no legal one: an arbiter decides [1.9.2] */
    PAIRING_UNKNOWN_COLOUR, /* event->first was not said, and does not follow */
    PAIRING_OUT_OF_MEMORY,
};

/*
 * Round `round`, from 1 to event->rounds + 1, from the rounds before it. In the one after the last
 * everybody plays who is not away; in one that has been paired who took part in it. Rounds planned
 * are event->planned, or event->rounds if that was not said.
 */
enum pairing_outcome pairing_dutch(const struct pairing_event *event, unsigned round,
                                   struct pairing_round *result);

#endif
