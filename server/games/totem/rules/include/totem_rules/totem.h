/*
 * Totem: the rules of protocol/totem.md as a library of values. Its sections are named here as §1
 * to §11.
 *
 * A game is one plain value without pointers: copy it, compare it, put it anywhere. Nothing here
 * allocates, reads a clock, draws a random number or keeps anything between calls. What chance
 * decides is an argument: who is first, and which children are born (§8).
 *
 * A family acts, not a seat: with two players a seat leads two. Families have the numbers 0 to 3
 * (R, G, B, Y), huts 0 to 11 (R1 R2 R3 G1 ... Y3); sets of families, seats, spells have bit i for
 * number i.
 *
 * A command is checked by a function that changes nothing, and then done. What follows from it
 * without anybody's choice happens at once, up to the next command that somebody must give.
 */
#ifndef TOTEM_RULES_TOTEM_H
#define TOTEM_RULES_TOTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <totem_rules/status.h>

enum {
    TOTEM_SEATS_MAX = 4,
    TOTEM_FAMILIES = 4,
    TOTEM_HUTS = 3, /* of a family */
    TOTEM_HUTS_ALL = TOTEM_FAMILIES * TOTEM_HUTS,
    TOTEM_ROUNDS_MAX = 99,
    TOTEM_PIECES_MAX = 6,
    TOTEM_BIRDS = 36,        /* §1: all that there are */
    TOTEM_CHILDREN_MAX = 10, /* §8: born in one hut in one round */
    /*
     * No hut of a game holds more than 16: six settle and ten are born. Positions may have more.
     */
    TOTEM_HUT_PEOPLE_MAX = 63,
    TOTEM_NONE = 255, /* no family, no hut */
};

/* ---- values */

/* §2.2, in their order. */
enum totem_kind {
    TOTEM_GIRL,
    TOTEM_BOY,
    TOTEM_YOUNG_WOMAN,
    TOTEM_YOUNG_MAN,
    TOTEM_WOMAN,
    TOTEM_MAN,
    TOTEM_ELDER,
};
enum { TOTEM_KINDS = 7 };

/* How many there are of each kind. */
struct totem_people {
    uint8_t of[TOTEM_KINDS];
};

/* §3, in their order. */
enum totem_spell {
    TOTEM_GIRLS,
    TOTEM_BOYS,
    TOTEM_TWINS,
    TOTEM_INFERTILITY,
    TOTEM_ABUNDANCE,
    TOTEM_FAMINE,
    TOTEM_MEASLES,
    TOTEM_PLAGUE,
    TOTEM_HEALTH,
    TOTEM_LONG_LIFE,
};
enum { TOTEM_SPELLS = 10 };

/* Where each spell lies: TOTEM_NONE or a hut. */
struct totem_puts {
    uint8_t hut[TOTEM_SPELLS];
};

/* §4. */
enum totem_spells_variant { TOTEM_SPELLS_TURNS, TOTEM_SPELLS_A, TOTEM_SPELLS_B };
enum totem_meals_variant { TOTEM_MEALS_OWNER, TOTEM_MEALS_A, TOTEM_MEALS_B };

struct totem_options {
    uint8_t players; /* 2 to 4 */
    uint8_t first;   /* the first family of round 1, drawn or chosen */
    uint8_t rounds;  /* the last one, 1 to TOTEM_ROUNDS_MAX */
    uint8_t spells;  /* enum totem_spells_variant */
    uint8_t meals;   /* enum totem_meals_variant */
    bool village;
    bool totem_a;
    bool totem_b;
};

/* §5 and §7.1: what is asked for. Several families may have to answer. */
enum totem_step {
    TOTEM_STEP_SETTLE,
    TOTEM_STEP_CHOOSE,
    TOTEM_STEP_CAST,
    TOTEM_STEP_WRITE,
    TOTEM_STEP_REVEAL_BIRTHS,      /* reveal3 */
    TOTEM_STEP_REVEAL_CATCH,       /* reveal4 */
    TOTEM_STEP_REVEAL_ILLNESS,     /* reveal6 */
    TOTEM_STEP_REVEAL_GENERATIONS, /* reveal7 */
    TOTEM_STEP_STARVE,
    TOTEM_STEP_TAKE,
    TOTEM_STEP_OVER,
};
enum { TOTEM_STEPS = 11 };

/* §9. */
enum totem_end { TOTEM_END_NONE, TOTEM_END_TOTEM, TOTEM_END_ROUNDS, TOTEM_END_LAST_STANDING };
enum { TOTEM_ENDS = 4 };

enum totem_family_state {
    TOTEM_FAMILY_PLAYING,
    TOTEM_FAMILY_ABSENT, /* yellow with three players */
    TOTEM_FAMILY_OUT,    /* §5.11 */
};

enum totem_spell_state {
    TOTEM_SPELL_HOME,
    TOTEM_SPELL_CHOSEN, /* laid aside, and not placed yet */
    TOTEM_SPELL_DOWN,
    TOTEM_SPELL_UP, /* uncovered */
};

struct totem_spell_place {
    uint8_t state; /* enum totem_spell_state */
    uint8_t hut;   /* where it is down or up; else 0 */
};

/* What is written and not read yet (`write`, and `take` with meals B). Unwritten: all zero. */
struct totem_note {
    bool written;
    struct totem_puts puts; /* in step write */
    struct totem_people people[TOTEM_HUTS];
};

struct totem_family {
    uint8_t state; /* enum totem_family_state; unless it is playing the rest is zero */
    uint8_t pieces;
    uint8_t birds;
    bool barred; /* has lost its elders in this round: builds nothing (§5.9) */
    struct totem_people huts[TOTEM_HUTS];
    struct totem_spell_place spells[TOTEM_SPELLS];
    struct totem_note note;
};

/* A family of which people must go, and how many still (§5.5). */
struct totem_hungry {
    uint8_t family;
    uint8_t number;
};

/*
 * The game. Read it through the functions below or directly; only this library writes it.
 *
 * `queue` are the families that must still act, in their order: in write, and in take with meals B,
 * all of them now, else the first. With meals A a family stands there once for each person that it
 * takes; who leaves the game takes nobody any more, and as many more stay (§5.11).
 */
enum { TOTEM_QUEUE_MAX = 48 };
struct totem {
    struct totem_options options;
    uint8_t round; /* from 1 */
    uint8_t first; /* the round's first family */
    uint8_t step;  /* enum totem_step */
    uint8_t end;   /* enum totem_end */
    uint8_t n_queue;
    uint8_t n_hungry;
    uint8_t n_winners;
    uint8_t queue[TOTEM_QUEUE_MAX];             /* unused ones 0 */
    struct totem_hungry hungry[TOTEM_FAMILIES]; /* in starve and take; the first is dealt with */
    uint8_t winners[TOTEM_FAMILIES];            /* families in turn order, when it is over */
    struct totem_family families[TOTEM_FAMILIES];
};

_Static_assert(sizeof(struct totem) <= 1024, "a server keeps one of these for every room");

/* §8.2: bit i of a hut's word: its child i would be a boy. For the round that is being played. */
struct totem_births {
    uint16_t words[TOTEM_HUTS_ALL];
};

/* §6. What a verb does not use is zero (puts: TOTEM_NONE). */
enum totem_verb {
    TOTEM_VERB_SETTLE,
    TOTEM_VERB_CHOOSE,
    TOTEM_VERB_CAST,
    TOTEM_VERB_PASS,
    TOTEM_VERB_WRITE,
    TOTEM_VERB_REVEAL,
    TOTEM_VERB_STARVE,
    TOTEM_VERB_TAKE,
};
enum { TOTEM_VERBS = 8 };

struct totem_command {
    uint16_t set;                           /* choose, reveal: spells */
    uint8_t verb;                           /* enum totem_verb */
    uint8_t family;                         /* whose command it is */
    uint8_t victim;                         /* take: the family that starves */
    uint8_t spell;                          /* cast */
    uint8_t hut;                            /* cast */
    struct totem_puts puts;                 /* write */
    struct totem_people people[TOTEM_HUTS]; /* settle, starve, take */
};

/* §7.2: what followed from a command, in the order in which it happened. */
enum totem_effect_kind {
    TOTEM_EFFECT_BURN,  /* number: birds */
    TOTEM_EFFECT_PUT,   /* puts */
    TOTEM_EFFECT_SHOW,  /* puts */
    TOTEM_EFFECT_BORN,  /* hut, people[0] */
    TOTEM_EFFECT_CATCH, /* number: birds */
    TOTEM_EFFECT_EAT,
    TOTEM_EFFECT_SPILL,
    TOTEM_EFFECT_LACK,  /* number: people */
    TOTEM_EFFECT_TOOK,  /* people */
    TOTEM_EFFECT_GONE,  /* people */
    TOTEM_EFFECT_ILL,   /* hut, people[0] */
    TOTEM_EFFECT_AGE,   /* of nobody alone */
    TOTEM_EFFECT_MOURN, /* number: pieces now */
    TOTEM_EFFECT_FALL,
    TOTEM_EFFECT_BUILD, /* number: pieces now */
    TOTEM_EFFECT_BIRD,  /* number: birds got */
    TOTEM_EFFECT_ROUND, /* number; family: its first */
    TOTEM_EFFECT_NEW,   /* people[0] */
    TOTEM_EFFECT_OUT,
    TOTEM_EFFECT_OVER, /* number: enum totem_end; order: the winning families */
};
enum { TOTEM_EFFECT_KINDS = 20 };

struct totem_effect {
    uint8_t kind; /* enum totem_effect_kind */
    uint8_t family;
    uint8_t hut;
    uint8_t number;
    uint8_t n_order;
    uint8_t order[TOTEM_FAMILIES];
    struct totem_puts puts;
    struct totem_people people[TOTEM_HUTS];
};

/*
 * The longest list: written spells are laid (burn and put), births and illness in every hut, the
 * catch, the meal (eat, lack, spill), what was written there (took), deaths (gone), four families
 * that fall and mourn, build, begin again, and some single ones.
 */
enum { TOTEM_EFFECTS_MAX = 2 * TOTEM_HUTS_ALL + 12 * TOTEM_FAMILIES + 8 };
struct totem_effects {
    size_t count;
    struct totem_effect list[TOTEM_EFFECTS_MAX];
};

/* ---- a game's life */

enum totem_status totem_check_options(const struct totem_options *options);

/*
 * Round 1, about to settle (§2.6, §2.7). Options must be good (totem_check_options). All bytes of
 * the value are set.
 */
void totem_init(struct totem *game, const struct totem_options *options);

/* §6.2, but for bad-command, which is a matter of text. Changes nothing. */
enum totem_status totem_check(const struct totem *game, unsigned seat,
                              const struct totem_command *command);

/*
 * Does a command, and all that follows from it (§5). A refused one changes nothing. `births`: of
 * the round that is being played. `effects` may be NULL.
 */
enum totem_status totem_play(struct totem *game, unsigned seat, const struct totem_command *command,
                             const struct totem_births *births, struct totem_effects *effects);

/* §5.11: the seat leaves the game, whoever is to act. Refused if the game is over or it has left.
 */
enum totem_status totem_forfeit(struct totem *game, unsigned seat,
                                const struct totem_births *births, struct totem_effects *effects);

/* §6.4: what is written and not read is taken back, and is to be written again. */
bool totem_may_take_back(const struct totem *game, unsigned family);
void totem_take_back(struct totem *game, unsigned family); /* only if it may */

/* ---- what may be done */

/* The families that may give a command now, and the seats that lead them; 0 when it is over. */
unsigned totem_acting(const struct totem *game);
unsigned totem_acting_seats(const struct totem *game);

/* The seats that have not left. */
unsigned totem_seats_in_play(const struct totem *game);

/*
 * Every command that the family may give now, where it may act: but for settle and write, of which
 * there are too many; those yield none. Writes at most `max` of them and tells how many there are;
 * an answer above `max` only says that there are more. Their order is fixed, and no other promise.
 */
size_t totem_list(const struct totem *game, unsigned family, struct totem_command *out, size_t max);

/* §6.3: what is done for a family that may act and does not. Always allowed. */
void totem_default_command(const struct totem *game, unsigned family, struct totem_command *out);

/* §5.2: how many spells a family may use this round at most: pieces and birds, ten. */
unsigned totem_allowance(const struct totem *game, unsigned family);

/* §5.1: how many of a family's people must be settled: all, or as many as have room. */
unsigned totem_to_settle(const struct totem *game, unsigned family);
unsigned totem_hut_room(void); /* of a hut, when people settle */

/* §5.5: how many persons a family that may act in starve or take must name. */
unsigned totem_to_name(const struct totem *game, unsigned family);

/* ---- looking */

/* §2.1. The families of a game: 4, or 3 with three players. */
unsigned totem_families(const struct totem_options *options);
unsigned totem_seat_of(const struct totem_options *options, unsigned family);

unsigned totem_count(const struct totem_people *people);
unsigned totem_count_women(const struct totem_people *people);
unsigned totem_count_men(const struct totem_people *people);

/* Everybody of a family, whatever the hut. */
struct totem_people totem_everybody(const struct totem_family *family);

/* §2.4: birds that are in no enclosure. */
unsigned totem_supply(const struct totem *game);

/* The spells of the family in this state, as a set: bit i is spell i; and how many a set has. */
unsigned totem_spells_in(const struct totem_family *family, enum totem_spell_state state);
unsigned totem_set_size(unsigned set);

/* §3.3: of the spells uncovered on one hut, those that work. */
unsigned totem_not_cancelled(unsigned up);

/* §3: the phase of a spell, as the step in which it may be uncovered. */
enum totem_step totem_spell_step(enum totem_spell spell);

/* ---- the result */

/*
 * §9. `winners` is a set of seats: one, or nobody. Ranks are groups of seats that share one, best
 * first. Before the end: as if it were counted now, without a winner.
 */
struct totem_outcome {
    uint8_t end; /* enum totem_end */
    uint8_t winners;
    uint8_t n_ranks;
    uint8_t ranks[TOTEM_SEATS_MAX];
};
void totem_outcome(const struct totem *game, struct totem_outcome *out);

/* ---- who knows what */

/* §7.2: who looks on. A seat is its number. */
enum { TOTEM_WATCHER = 254, TOTEM_SERVER = 253 };

/* May this audience know what the family hides? */
bool totem_may_know(const struct totem_options *options, unsigned audience, unsigned family);

#endif
