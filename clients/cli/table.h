/*
 * A room's state, as the server sends it, turned into what is drawn.
 *
 * Whatever the server says that cannot be read is left out, never trusted: a client shows what it
 * understands.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "map.h"

#include <jansson.h>

/*
 * The island with its zone and boats and, if `marks`, what the state tells of the latest turn;
 * `focus` (may be NULL) is set to where that happened, else to the middle. False if memory ran out.
 */
bool table_map(struct map *map, const json_t *state, bool marks, struct map_at *focus);

/* Marks the hexes that are the keys of an object, such as those of a patch. */
void table_mark_hexes(struct map *map, json_t *hexes, enum map_mark bit);

/* Marks the hexes where a placement of the list with direction `k` puts the tile's first hex. */
void table_mark_spots(struct map *map, const json_t *moves, int k);

/* A part of the state by its path, NULL where something is missing: "table.turn.tile". */
json_t *state_at(const json_t *state, const char *path);
const char *state_text(const json_t *state, const char *path); /* "" if it is no text */
int state_number(const json_t *state, const char *path);       /* 0 if it is no number */
bool state_acts(const json_t *state, int seat);                /* may it move now? */

/* "2" as a seat or a team; 0 for what is none. */
int seat_of_key(const char *key);

#endif
