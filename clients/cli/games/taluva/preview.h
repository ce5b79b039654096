/*
 * The map as it would be after a move, its hexes lit: what the cursor shows before it is played.
 * Knows the picture and no rules: the move is one that the server lists.
 */
#ifndef CLI_TALUVA_PREVIEW_H
#define CLI_TALUVA_PREVIEW_H

#include "cursor.h"
#include "map.h"

/* All hexes that the moves touch, so that the map has room to show them. */
void preview_bounds(struct map_bounds *bounds, const struct cursor *cursor);

/* Changes the map; `seat` is whose move it is. */
void preview_move(struct map *map, const struct cursor_move *move, int seat);

/* The place of a move that stands for this hex: of its settlement or lagoon the smallest one. */
struct map_at preview_place(const struct map *map, struct map_at at);

#endif
