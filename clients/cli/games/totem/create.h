/*
 * What can be said about a match of Totem when its room is made.
 */
#ifndef CLI_TOTEM_CREATE_H
#define CLI_TOTEM_CREATE_H

#include <stdbool.h>
#include <stdint.h>

struct totem_create {
    int64_t players, rounds; /* CREATE_NOT_GIVEN: as the server has it */
    const char *first, *spells, *meals;
    bool village, totem_a, totem_b;
};

#endif
