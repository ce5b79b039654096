/* The part of a site that a store is of. */
#ifndef POSTGRES_PART_H
#define POSTGRES_PART_H

#include <hub/part.h>

struct part {
    unsigned number, count; /* from 0 on, and of how many */
};

#endif
