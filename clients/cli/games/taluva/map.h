/*
 * The island as it will be drawn: a rectangle of hexes around all that lies on the table.
 *
 * A map is made from a position, either the server's state or a game of the rules core; the drawing
 * reads nothing else. A map knows geometry (what is sea and what is lagoon, how many points of a
 * hex lie outside the zone) and decides nothing about what is legal.
 */
#ifndef CLI_TALUVA_MAP_H
#define CLI_TALUVA_MAP_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MAP_NOBODY = 255,
    MAP_SEATS = 5,
    MAP_REACH = 256, /* coordinates beyond this are refused; no island gets that far */
};

enum map_mark {
    MAP_PLACED = 1 << 0, /* part of the last tile */
    MAP_BUILT = 1 << 1,  /* part of the last build */
    MAP_SPOT = 1 << 2,   /* a legal place for the tile's first hex */
    MAP_CURSOR = 1 << 3, /* shown as it would be after the move that is being chosen */
};

struct map_hex {
    uint8_t level;  /* 0: no island here */
    char terrain;   /* J C S R L, V a volcano, v the volcano of a 2-Hex tile */
    uint8_t facing; /* of a volcano */
    char kind;      /* building: h hut, w tower, t temple; 0 none */
    uint8_t owner;  /* of the building, or of the boat if level is 0; MAP_NOBODY */
    uint8_t count;  /* of huts */
    uint8_t marks;  /* enum map_mark */
    uint8_t points; /* corners outside the zone, 0..6 */
    bool lagoon;    /* empty, and cut off from the open sea */
};

struct map {
    int q_min, r_min, columns, rows; /* one hex of table all around the island and the zone */
    struct map_hex *hexes;
    int zone_steps;          /* 0: no zone */
    uint8_t tint[MAP_SEATS]; /* of each seat's pieces, enum tint */
};

struct map_bounds {
    int q_min, q_max, r_min, r_max;
    bool any;
};

struct map_at {
    int q, r;
};

/* "q,r" at the start of a text; NULL if it is none, else where it ends. */
const char *map_at_parse(const char *text, struct map_at *at);

/* The direction's step: 0 E, 1 SE, 2 SW, 3 W, 4 NW, 5 NE. */
struct map_at map_step(struct map_at at, int direction);

void map_bounds_add(struct map_bounds *bounds, struct map_at at);

/* `zone_steps` is 6, 5 or 4, or 0 without a zone. False if memory ran out. */
bool map_init(struct map *map, const struct map_bounds *bounds, int zone_steps);
void map_release(struct map *map);

/* NULL outside the rectangle. */
struct map_hex *map_hex(const struct map *map, struct map_at at);

/* A hex token of the notation ("2J:0h2", "1V4"). False if it is none. */
bool map_hex_parse(struct map_hex *hex, const char *token);

/* After the last hex was set: finds the lagoons. False if memory ran out. */
bool map_finish(struct map *map);

/* Does the hex touch the island? */
bool map_is_shore(const struct map *map, struct map_at at);

#endif
