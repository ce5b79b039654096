/*
 * A search over whole turns (PUCT): from the root down the most promising turns, tiles as they are
 * likely to come, to a position not seen yet; its turns are rated, and what the best of them gives
 * goes back up to all on the way.
 */
#ifndef COMPUTER_SEARCH_H
#define COMPUTER_SEARCH_H

#include "turns.h"
#include <computer/computer.h>

/* What shapes the search; chosen in matches, see README.md. */
struct search_style {
    struct turns_width root, inner, tile; /* `tile`: to rate a draw against a 2-Hex tile */
    uint32_t tiles;  /* after v visits of a turn about sqrt(tiles * v) different tiles follow it */
    int32_t explore; /* of CHANCE_ONE: how far a turn's chance is stretched by its prior */
    int32_t warmth;  /* of CHANCE_ONE: how much worse a turn is whose prior is 1/e of the best */
};
extern const struct search_style search_usual;

void search_run(const struct net *net, const struct search_style *style,
                const struct computer_question *question, struct computer_answer *answer);

#endif
