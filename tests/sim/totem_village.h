/*
 * The families of Totem and what befalls them: the part of an independent reading of
 * protocol/totem.md (totem_reference.h) in which nobody decides anything.
 */
#ifndef SIM_TOTEM_VILLAGE_H
#define SIM_TOTEM_VILLAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { FAMILIES = 4, HUTS = 3, ALL_HUTS = FAMILIES * HUTS, KINDS = 7, SPELLS = 10 };
enum kind { GIRL, BOY, YOUNG_WOMAN, YOUNG_MAN, WOMAN, MAN, ELDER };
enum where { HOME, CHOSEN, DOWN, UP };

struct spell {
    enum where where;
    int hut; /* where it is down or up */
};

struct note {
    bool written;
    int hut[SPELLS]; /* -1: not cast */
    int people[HUTS][KINDS];
};

struct family {
    bool in; /* the game, and has not left it */
    int pieces, birds;
    bool barred;
    int people[HUTS][KINDS];
    struct spell spells[SPELLS];
    struct note note;
};

struct village {
    int players, families;
    bool small, whole_pole, ties_divided; /* variants village, totem_a, totem_b */
    bool owner_starves;                   /* meals: owner */
    int round, first;
    struct family of[FAMILIES];
};

struct order { /* families, in the order in which things befall them */
    int count, family[FAMILIES];
};

int village_seat(const struct village *village, int family);
struct order village_order(const struct village *village);
int village_supply(const struct village *village);
int village_count(const struct family *family); /* people */
int village_of_kind(const struct family *family, enum kind kind);
int village_spells(const struct family *family, enum where where); /* how many */

void village_begin(struct village *village); /* round 1 */
void village_begin_round(struct village *village);

/* People have left, or aged: 5.9, 5.10. `lost`: the last elder was among them. */
void village_mourn(struct village *village, int family, bool lost);

void village_births(struct village *village, const uint32_t words[ALL_HUTS]);
void village_catch(struct village *village);
/* Everybody eats; how many people each family lacks birds for. */
void village_meal(struct village *village, int lack[FAMILIES]);
void village_spill(struct village *village);
void village_illness(struct village *village);
void village_generations(struct village *village);
void village_poles(struct village *village);
void village_spells_home(struct village *village);

#endif
