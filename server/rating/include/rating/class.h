/*
 * Classes of ratings: what is rated together. GAME.FORM.PACE, as in "taluva.duel.live"; each is a
 * number too, from 1, which is on disk. Knows games by their names alone.
 */
#ifndef RATING_CLASS_H
#define RATING_CLASS_H

#include <rating/update.h>
#include <stdbool.h>
#include <stdint.h>

enum { RATING_CLASS_BYTES = 24, RATING_CLASSES = 12 };

/* What all of them go by: goes up when a scale or a parameter changes. */
enum { RATING_SYSTEM = 1 };

struct rating_class {
    const char *name, *game;
    bool slow;                         /* a move may take half an hour or longer */
    bool places;                       /* count, and not only who won */
    const char *option;                /* of the game, which is on; NULL: all are as usual */
    uint8_t side_seats;                /* of each side: 1, or of teams 2 */
    uint8_t sides_min, sides_max;      /* how many there may be */
    uint8_t percent[RATING_SEATS + 1]; /* scale by the number of sides */
};

/* NULL: there is none of that number, or name. */
const struct rating_class *rating_class_at(unsigned number);
unsigned rating_class_find(const char *name); /* its number; 0: none */

bool rating_class_has_sides(const struct rating_class *class, unsigned sides);
uint32_t rating_class_scale(const struct rating_class *class, unsigned sides);

#endif
