/* What a seat may build on a surveyed board, most promising first. */
#ifndef COMPUTER_BUILDS_H
#define COMPUTER_BUILDS_H

#include "survey.h"

enum {
    BUILDS_KEPT = 24,    /* most that are listed */
    BUILDS_SURE = 10000, /* at least this much promise: the game is won by it */
};

struct choice {
    int32_t promise;          /* by hand, only to choose what is looked at closely */
    uint8_t verb;             /* enum taluva_verb */
    uint8_t terrain;          /* of an expansion */
    uint8_t cell;             /* hut, tower, temple */
    uint8_t settlement;       /* expansion: its number in the survey */
    struct taluva_hex lagoon; /* boat */
};

/*
 * At most `most` (up to BUILDS_KEPT) of them; how many. `boats` are the lagoons where the seat may
 * place one, as the rules list them.
 */
unsigned builds_list(const struct board *board, const struct survey *survey, unsigned seat,
                     const struct taluva_hex *boats, unsigned n_boats, unsigned most,
                     struct choice *out);

/* What it changes on the board. */
void builds_plan(const struct board *board, const struct survey *survey, unsigned seat,
                 const struct choice *choice, struct board_built *built);

/* As the rules name it; `placement` is the tile that was laid since the board was made, or NULL. */
void builds_name(const struct board *board, const struct survey *survey,
                 const struct taluva_placement *placement, const struct choice *choice,
                 struct taluva_build *out);

#endif
