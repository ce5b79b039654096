/*
 * Whom those who seek somebody alone have named last, and when these were told, in the memory of
 * the desk alone: so that nobody is told more often than they want to know it.
 */
#ifndef RATINGS_NAMED_H
#define RATINGS_NAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NAMED_MAX: of so many who seek it is known; the one who told somebody longest ago goes.
 * NAMED_TELL_MS: one who seeks has somebody told once in that time, whoever it is. */
enum { NAMED_MAX = 1024, NAMED_TELL_MS = 30000 };

struct named_one {
    uint64_t seeker, with;
    int64_t told_ms;
};

struct named {
    struct named_one *list; /* NAMED_MAX of them */
    size_t count;
};

void named_begin(struct named *named, struct named_one list[static NAMED_MAX]); /* it is borrowed */
/* Is that one to be told now? Somebody else than last time is; the same one again when half of the
 * time that they were told is over: so what they know of does not end while it is said again. */
bool named_is_to_know(const struct named *named, uint64_t seeker, uint64_t with, int64_t seek_ms,
                      int64_t now_ms);
void named_knows(struct named *named, uint64_t seeker, uint64_t with, int64_t now_ms);

#endif
