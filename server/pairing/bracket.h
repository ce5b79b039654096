/*
 * One bracket [1.3] and all that the criteria ask of its pairing, as a matching of all who are
 * left: whoever moved down to it, its residents, those of the next score, those below, and the bye.
 */
#ifndef PAIRING_BRACKET_H
#define PAIRING_BRACKET_H

#include "contestants.h"
#include "matching.h"

/* What a weight has, the least first; each is a number of things that are good. */
enum field {
    FIELD_PICK,      /* one question at a time among equals */
    FIELD_SUM,       /* [4.3] */
    FIELD_EXCHANGES, /* [4.3] */
    FIELD_C21,
    FIELD_C20,
    FIELD_C19,
    FIELD_C18,
    FIELD_C17,
    FIELD_C16,
    FIELD_C15,
    FIELD_C14,
    FIELD_C13,
    FIELD_C12,
    FIELD_C11,
    FIELD_C10,
    FIELD_C9,
    FIELD_C8_SCORES,
    FIELD_C8_PAIRS,
    FIELD_C7,
    FIELD_C6,
    FIELDS
};

struct bracket {
    const struct contestants *all;
    int moved;    /* vertices 0 to moved - 1 came from above */
    int own_end;  /* up to here: with the residents */
    int next_end; /* with those of the next score */
    int rest;     /* vertex of the bye; MATCHING_NONE: there is none */
    int guess; /* pairs for which FIELD_EXCHANGES and FIELD_SUM are in the weights; 0: they are not
                */
    int place[PAIRING_ENTRANTS_MAX + 1]; /* of vertices, in all->list; those below come last */
    int group[PAIRING_ENTRANTS_MAX + 1]; /* of vertices that moved: 0 is the highest score */
    unsigned group_bit[PAIRING_ENTRANTS_MAX + 1];
    unsigned bit[FIELDS];
    struct matching matching;
};

/* Of those who are to be paired: places in all->list, the best first. */
struct bracket_plan {
    const struct contestants *all;
    const uint8_t *legal; /* all->count * all->count: may meet */
    const int *left;      /* places */
    int count;
    int moved;           /* the first of them came from above */
    int own;             /* then so many residents */
    int next;            /* of the next score */
    bool odd;            /* somebody rests: */
    unsigned rest_score; /* who has this one */
};

/* Weighed and solved as far as C21. False: no memory. */
bool bracket_init(struct bracket *bracket, const struct bracket_plan *plan);
void bracket_release(struct bracket *bracket);

/* The criteria of an edge anew, without what stands for the order. */
void bracket_weigh(struct bracket *bracket, int a, int b);

/* [4.3] of two of `count` residents in a remainder: the lower one `index` from 0. */
void bracket_weigh_order(struct bracket *bracket, int a, int b, int index, int pairs, int count);

/* After weights, or what is legal, changed. There is always a solution. */
void bracket_solve(struct bracket *bracket);

static inline bool bracket_is_own(const struct bracket *bracket, int vertex)
{
    return vertex >= bracket->moved && vertex < bracket->own_end;
}

/* With a resident, that is: within the bracket. */
static inline bool bracket_is_paired(const struct bracket *bracket, int vertex)
{
    return bracket_is_own(bracket, bracket->matching.mate[vertex]);
}

static inline const struct contestant *bracket_who(const struct bracket *bracket, int vertex)
{
    return &bracket->all->list[bracket->place[vertex]];
}

#endif
