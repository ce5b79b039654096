/* Words that positions are written and read with. */
#ifndef TOTEM_POSITION_TEXT_H
#define TOTEM_POSITION_TEXT_H

#include "text.h"

/* §4 and §7.1: the options that are flags, in their order. */
enum { TOTEM_FLAGS = 7 };
extern const char *const totem_flags[TOTEM_FLAGS];
bool totem_flag_get(const struct totem_options *options, unsigned flag);
void totem_flag_set(struct totem_options *options, unsigned flag);

/* NULL, or why no game comes to this: a phrase for people. */
const char *totem_position_check(const struct totem *game);

#endif
