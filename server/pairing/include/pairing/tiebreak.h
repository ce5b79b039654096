/*
 * Tie-breaks of individual Swiss events by FIDE's C.07 as in force from 1 March 2026: Buchholz and
 * Sonneborn-Berger, whole and without the lowest (Cut-1), and direct encounters.
 *
 * A bye that was asked for (H, Z, or nothing) and a lost forfeit are rounds that the entrant did
 * not want to play (the rules call them voluntary). In an unplayed round one has met somebody with
 * one's own points: but at most with the score of whom one should have met, or with half a point
 * for each round of the event.
 */
#ifndef PAIRING_TIEBREAK_H
#define PAIRING_TIEBREAK_H

#include <pairing/event.h>

/* Tenths of points; of the last two, hundredths. */
struct pairing_tiebreaks {
    unsigned points;
    unsigned buchholz, buchholz_cut;
    unsigned sonneborn, sonneborn_cut;
};

/*
 * The score of each entrant as it counts for the others, scores[number - 1], in tenths: byes asked
 * for that nothing but such rounds follow count as half a point.
 */
void pairing_adjusted_scores(const struct pairing_event *event, unsigned scores[]);

void pairing_tiebreaks(const struct pairing_event *event, const unsigned scores[], unsigned number,
                       struct pairing_tiebreaks *result);

/*
 * Sorts numbers of `count` who are tied by the games between them, forfeits left out, and places[i]
 * is the place of numbers[i] from 0; who stay tied have the same, and keep their order.
 */
void pairing_direct(const struct pairing_event *event, unsigned numbers[], unsigned places[],
                    unsigned count);

#endif
