/*
 * Legal moves of a position as lines of the notation, from the rules core.
 */
#ifndef CLI_TALUVA_MOVE_LIST_H
#define CLI_TALUVA_MOVE_LIST_H

#include <rules/notation.h>

struct move_list {
    size_t count;
    char (*lines)[TALUVA_PLACEMENT_TEXT]; /* in the core's order */
    bool *dead_end;                       /* of placements: leaves nothing to build */
};

/* False if memory ran out; the list is then empty. Either way it may be released. */
bool move_list_placements(struct move_list *list, const struct taluva *game, taluva_tile tile);
bool move_list_builds(struct move_list *list, const struct taluva *game);
void move_list_release(struct move_list *list);

/* Sorts bytewise (forgetting which are dead ends) and gives the CRC-32 of the lines joined by \n.
 */
uint32_t move_list_crc(struct move_list *list);

#endif
