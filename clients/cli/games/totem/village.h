/*
 * The village as the room's state tells it: families, huts, spells, by their letters. Reads what
 * the server sends and never more than that: what is hidden from us is not there.
 *
 * Families are R G B Y, a hut is a family and 1 to 3. What cannot be read counts as absent.
 */
#ifndef CLI_TOTEM_VILLAGE_H
#define CLI_TOTEM_VILLAGE_H

#include <cli/game.h>
#include <stdbool.h>

enum {
    VILLAGE_FAMILIES = 4,
    VILLAGE_HUTS = 3, /* of a family */
    VILLAGE_SPELLS = 10,
    VILLAGE_KINDS = 7,    /* of people */
    VILLAGE_HUT_ROOM = 6, /* in a hut, after settling */
    VILLAGE_PIECES = 6,   /* of a whole totem pole */
};

/* In their order everywhere. */
extern const char village_families[]; /* RGBY */
extern const char village_spells[];   /* GBTIAFMPHL */
extern const char village_kinds[];    /* gbwmWMe */

/* "red", "twins", "young woman"; "?" for what is none. */
const char *village_family_name(char family);
const char *village_spell_name(char spell);
const char *village_kind_name(char kind, int count); /* "young women" for several */

/* Is the character one of the row? NUL is in none. */
bool village_is_one(const char *row, char letter);

/* The family's member of the table, NULL if it is not in the game. */
const json_t *village_family(const json_t *state, char family);
bool village_is_out(const json_t *state, char family);
int village_seat(const json_t *state, char family); /* who leads it; -1: nobody */
const json_t *village_hut(const json_t *state, char family, int hut);
const char *village_people(const json_t *state, char family, int hut);
int village_count(const json_t *state, char family); /* everybody in its huts */

/* The family's spells that lie face down on this hut, such as "R1", as far as they are ours to
 * know. */
void village_own_down(char spells[VILLAGE_SPELLS + 1], const json_t *state, char family,
                      const char *hut);

/* What the seat may know of its own family: a member of `mine`, or NULL. */
const json_t *village_mine(const json_t *state, char family);

bool village_step_is(const json_t *state, const char *step);
/* Do all families of the step act at the same time? */
bool village_at_once(const json_t *state);
bool village_acts(const json_t *state, char family); /* now */
/* The `i`-th family that must still act, NUL behind the last. */
char village_acting(const json_t *state, size_t i);
/* How many people the family must still lose, and who is dealt with first (NUL: nobody). */
int village_lacks(const json_t *state, char family);
char village_starving(const json_t *state);

/* The families that the seat leads, as letters. */
void village_led_by(char families[VILLAGE_FAMILIES + 1], const json_t *state, int seat);

#endif
