/*
 * What can be said about a match of Taluva when its room is made.
 */
#ifndef CLI_TALUVA_CREATE_H
#define CLI_TALUVA_CREATE_H

#include <stdbool.h>
#include <stdint.h>

struct taluva_create {
    int64_t players, tiles, first; /* CREATE_NOT_GIVEN: as the edition has it */
    const char *preset, *huts, *zone;
    bool teams, ranking, boats, two_hex;
};

#endif
