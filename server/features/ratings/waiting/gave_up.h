/*
 * Who gives up rated matches long before such matches end, again and again, may lose on purpose, to
 * be put together with weaker people. That is no judgement: those who look after the site are told
 * what was seen. Pure computations.
 */
#ifndef RATINGS_GAVE_UP_H
#define RATINGS_GAVE_UP_H

#include <room/result.h>
#include <stdbool.h>

enum {
    GAVE_UP_OF = 7,  /* of the last so many ... */
    GAVE_UP_MIN = 3, /* ... at least so many */
    GAVE_UP = 'r',   /* among the outcomes of conduct.h */
};

/* Before half of what is usual had been played. */
bool gave_up_early(const struct room_result *result, unsigned seat);

/* How many of the last GAVE_UP_OF outcomes are such, if the last one is and they are
 * enough to be told; else 0. */
unsigned gave_up_often(const char *outcomes);

#endif
