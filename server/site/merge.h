/* The lists of rooms of several parts as one list, in the order that each of them has. */
#ifndef SITE_MERGE_H
#define SITE_MERGE_H

#include "pieces.h"
#include <hub/part.h>
#include <stdbool.h>
#include <stddef.h>

enum { MERGE_PAGE = 50 };

struct merge { /* begins as {0} */
    struct piece rooms[PARTS_MAX], room[PARTS_MAX];
    size_t at[PARTS_MAX];
    bool more;
};

/* An object with the members "rooms" and perhaps "more"; none: the part has no rooms. */
void merge_add(struct merge *merge, unsigned part, struct piece page);
/* The next room of all, and of which part it is. None: that was the last of those pages. */
struct piece merge_next(struct merge *merge, unsigned *part);
bool merge_has_more(const struct merge *merge);

#endif
