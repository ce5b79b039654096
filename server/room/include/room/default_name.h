/*
 * Names for those who have given none, so that a table of strangers and computer players can be
 * told apart in every client: animals of the sea and its islands for people, what grows there for
 * computer players. A client may translate them: protocol/README.md lists them all.
 */
#ifndef ROOM_DEFAULT_NAME_H
#define ROOM_DEFAULT_NAME_H

#include <stddef.h>

/* Every `n` has one; those of numbers close to each other differ. */
const char *default_name_person(size_t n);
const char *default_name_computer(size_t n);

#endif
