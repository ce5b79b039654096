/*
 * A room's state, as the server sends it, turned into what is drawn.
 *
 * Whatever the server says that cannot be read is left out, never trusted: a client shows what it
 * understands.
 */
#ifndef CLI_TALUVA_STATE_MAP_H
#define CLI_TALUVA_STATE_MAP_H

#include "cursor.h"
#include "map.h"
#include <jansson.h>

/*
 * The island with its zone and boats and, if `marks`, what the state has of the latest turn;
 * `focus` (may be NULL) is set to where that happened, else to the middle. False if memory ran out.
 */
bool state_map(struct map *map, const json_t *state, bool marks, struct map_at *focus);

/* The same with room for all moves of a cursor. */
bool state_map_around(struct map *map, const json_t *state, bool marks, struct map_at *focus,
                      const struct cursor *cursor);

/* Marks a turn as records write it, "JC@2,-1:4 hut@1,0"; `focus` is set if it can be read. */
void state_mark_turn(struct map *map, const char *turn, struct map_at *focus);

/* Marks the hexes that are the keys of an object, such as those of a patch. */
void state_mark_hexes(struct map *map, json_t *hexes, enum map_mark bit);

/* Marks the hexes where a placement of the list with direction `k` puts the tile's first hex. */
void state_mark_spots(struct map *map, const json_t *moves, int k);

#endif
