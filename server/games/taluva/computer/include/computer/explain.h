/*
 * What a turn does, as facts that words can be made of: what it threatens, what it prevents, and
 * what it lets others do. They are found by what each seat could build before it and after it on
 * the island as it lies: what somebody's next tile changes before he builds is not foreseen.
 *
 * Knows the rules and nothing else: no search, no chances. The same turn has the same facts.
 */
#ifndef COMPUTER_EXPLAIN_H
#define COMPUTER_EXPLAIN_H

#include <rules/taluva.h>

enum explain_verb {
    EXPLAIN_DOES,
    EXPLAIN_THREATENS, /* its player can build that next, and could not before; or can win */
    EXPLAIN_PREVENTS,  /* a rival could have built that, and cannot any more */
    EXPLAIN_ALLOWS,    /* a rival can build that now, and could not before */
    EXPLAIN_LEAVES,    /* a rival could win before, and still can */
};

enum explain_what {
    EXPLAIN_WIN,
    EXPLAIN_TEMPLE,
    EXPLAIN_TOWER,
    /* Only EXPLAIN_DOES. */
    EXPLAIN_OUT,  /* leaves its player nothing to build */
    EXPLAIN_HUTS, /* covers huts of a seat */
    EXPLAIN_LAST, /* builds the last piece of a kind */
};

struct explain_fact {
    uint8_t verb, what;
    uint8_t seat;              /* whom it is about */
    uint8_t n;                 /* HUTS: how many; LAST: enum taluva_kind; else 0 */
    struct taluva_build build; /* of all verbs but EXPLAIN_DOES: one that it would be done with */
};

enum {
    /* Of its player win, out, last and three threats; of each seat huts; of each rival three. */
    EXPLAIN_FACTS = 6 + TALUVA_SEATS_MAX + 3 * (TALUVA_SEATS_MAX - 1),
};

/* Those about winning come first, then what is done, then temples and towers. */
struct explain {
    unsigned n;
    struct explain_fact facts[EXPLAIN_FACTS];
};

/*
 * In a game that is not over. `placement` is NULL in step build; before a draw its tile is the one
 * that is drawn. `build` is NULL where the placement puts its player out. False: the rules refuse
 * it, and there are no facts.
 */
bool explain_turn(const struct taluva *game, const struct taluva_placement *placement,
                  const struct taluva_build *build, struct explain *out);

/* Leaves out what is true of the other turn, too, with whatever build. */
void explain_without(struct explain *explain, const struct explain *other);

#endif
