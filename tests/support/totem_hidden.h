/*
 * Matches of Totem that one audience cannot tell apart: two spells of a family change places where
 * others may not know which is which.
 */
#ifndef TEST_TOTEM_HIDDEN_H
#define TEST_TOTEM_HIDDEN_H

#include <totem_match.h>

/*
 * Exchanges two spells of the family, on their places and in what it has written. Uncovered ones
 * stay. False: nothing changed.
 */
bool totem_exchange(struct totem_family *family, unsigned a, unsigned b);

/* Of the people whom the family has named in secret, others are named. */
void totem_exchange_people(struct totem_family *family);

/* The two spells change places in a command of this family: text of *len bytes. */
void totem_exchange_command(char *text, size_t *len, unsigned family, unsigned a, unsigned b);

/* The spells of this family that the command uncovers. */
unsigned totem_shown_by(const char *text, size_t len, unsigned family);

/*
 * Two spells of the family that are hidden before and after and are not `shown` in between, one of
 * them on the table; or false.
 */
bool totem_hidden_pair(const struct totem_family *before, const struct totem_family *after,
                       unsigned shown, uint64_t seed, unsigned pair[2]);

/*
 * What led from `before` to `after`, a command of *len bytes or (0) something else, in a match in
 * which the family has hidden something else: other spells on their places, and other people where
 * what it has named is not read yet. Nobody knows the births to come, so their key changes too.
 * False: the family hides nothing.
 */
bool totem_exchange_event(struct totem_match *before, struct totem_match *after, unsigned family,
                          uint64_t seed, char *text, size_t *len);

#endif
