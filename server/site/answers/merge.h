/* The lists of rooms of several parts as one list, in the order that each of them has. */
#ifndef SITE_MERGE_H
#define SITE_MERGE_H

#include "messages/piece.h"
#include <hub/facts.h>
#include <hub/part.h>
#include <stdbool.h>
#include <stddef.h>

enum { MERGE_PAGE = 50 };

struct merge { /* begins as {0} */
    struct merged {
        struct piece text;
        struct facts facts;
        size_t at;
        bool any, more; /* there is a next one; there are others behind the page */
        struct facts_room next;
    } parts[PARTS_MAX];
};

struct merged_room {
    struct piece text;
    unsigned part;
    char id[PROTOCOL_ROOM_BYTES + 1];
};

/* The text in which the facts say where each room is. What is no list has no rooms. */
void merge_add(struct merge *merge, unsigned part, struct piece text, struct facts facts);
/* The next room of all. False: that was the last of those pages. */
bool merge_next(struct merge *merge, struct merged_room *room);
/* Behind what was taken: on these pages, or on the next ones. */
bool merge_has_more(const struct merge *merge);

#endif
