/* The lists of rooms of several parts as one list, in the order that each of them has. */
#ifndef SITE_MERGE_H
#define SITE_MERGE_H

#include "pieces.h"
#include <hub/part.h>
#include <stdbool.h>
#include <stddef.h>

enum { MERGE_PAGE = 50 };

struct merge { /* begins as {0} */
    struct merged {
        struct piece page, rooms;
        size_t at;
        struct piece room, id; /* the next one; its id, between the quotes */
        bool lobby;
    } parts[PARTS_MAX];
};

/* An object that begins with the members "rooms" and perhaps "more"; none: the part has no rooms.
 */
void merge_add(struct merge *merge, unsigned part, struct piece page);
/* The next room of all, and of which part it is. None: that was the last of those pages. */
struct piece merge_next(struct merge *merge, unsigned *part);
/* Behind what was taken: on these pages, or on the next ones. */
bool merge_has_more(const struct merge *merge);

#endif
