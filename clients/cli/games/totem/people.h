/*
 * People by kind and hut, and how they are written: "wwm/WM/me".
 */
#ifndef CLI_TOTEM_PEOPLE_H
#define CLI_TOTEM_PEOPLE_H

#include "village.h"

enum { PEOPLE_HUT_MOST = 63, PEOPLE_TEXT = 208 }; /* persons of a list; three lists as text */

struct people {
    int of[VILLAGE_KINDS];
};

/* How many letters of kinds there are from the beginning; adds them. */
size_t people_add(struct people *people, const char *letters);
int people_count(const struct people *people);

/*
 * Everybody into the hut with the fewest, as the rules do it for who is absent; of more than `stay`
 * those are left out who leave their age soonest. Adds to the huts.
 */
void people_spread(struct people huts[VILLAGE_HUTS], const struct people *all, int stay);

/* Three lists of at most PEOPLE_HUT_MOST, with a slash between; "-" for nobody. */
void people_write(char text[PEOPLE_TEXT], const struct people huts[VILLAGE_HUTS]);

#endif
