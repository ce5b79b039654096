/*
 * Text for tiles, turns and positions, as protocol/notation.md has it.
 *
 * Readers take any bytes, need no terminator, and accept the canonical spelling only, so that
 * format(parse(x)) == x. Writers need a buffer of the size named here, always terminate it and
 * return the length without the terminator.
 */
#ifndef RULES_NOTATION_H
#define RULES_NOTATION_H

#include <rules/taluva.h>

enum {
    TALUVA_TILE_TEXT = 4,       /* "2VL" */
    TALUVA_HEX_TEXT = 14,       /* "-32768,-32768" */
    TALUVA_PLACEMENT_TEXT = 24, /* "2VL@-32768,-32768:0" */
    TALUVA_BUILD_TEXT = 24,     /* "expand@-32768,-32768=L" */
    TALUVA_CELL_TEXT = 16,      /* "12J:0h12" */
    TALUVA_POSITION_TEXT = 4096,
};

enum taluva_notation_status {
    TALUVA_NOTATION_OK,
    TALUVA_NOTATION_SYNTAX,        /* not of this form */
    TALUVA_NOTATION_RANGE,         /* a number is too large, or there is no such thing */
    TALUVA_NOTATION_NOT_CANONICAL, /* another spelling of this is the right one */
    TALUVA_NOTATION_TRAILING,      /* something follows */
    TALUVA_NOTATION_IMPOSSIBLE,    /* well written, but no game can reach it */
};

struct taluva_notation_error {
    enum taluva_notation_status status;
    size_t offset;    /* byte at which reading stopped */
    const char *what; /* a phrase for people: "island is not connected" */
};

const char *taluva_notation_status_code(enum taluva_notation_status status);

/* `error` may be NULL. True if and only if all of text[0..len) was read. */
bool taluva_tile_parse(const char *text, size_t len, taluva_tile *out);
size_t taluva_tile_format(taluva_tile tile, char out[TALUVA_TILE_TEXT]);

bool taluva_hex_parse(const char *text, size_t len, struct taluva_hex *out,
                      struct taluva_notation_error *error);
size_t taluva_hex_format(struct taluva_hex hex, char out[TALUVA_HEX_TEXT]);

bool taluva_placement_parse(const char *text, size_t len, struct taluva_placement *out,
                            struct taluva_notation_error *error);
size_t taluva_placement_format(const struct taluva_placement *placement,
                               char out[TALUVA_PLACEMENT_TEXT]);

bool taluva_build_parse(const char *text, size_t len, struct taluva_build *out,
                        struct taluva_notation_error *error);
size_t taluva_build_format(const struct taluva_build *build, char out[TALUVA_BUILD_TEXT]);

/* A hex of the island without its place: "1J", "2V4", "1v3" (of a 2-Hex tile), "2J:0h2", "3R:2w".
 */
bool taluva_cell_parse(const char *text, size_t len, struct taluva_cell *out,
                       struct taluva_notation_error *error);
size_t taluva_cell_format(const struct taluva_cell *cell, char out[TALUVA_CELL_TEXT]);

/* A whole game in one line. `out` is untouched on error. */
bool taluva_position_parse(const char *text, size_t len, struct taluva *out,
                           struct taluva_notation_error *error);
size_t taluva_position_format(const struct taluva *game, char out[TALUVA_POSITION_TEXT]);

/* Words used in options, results and views: "isolated", "beginner", "two-kinds", "hut", "J". */
const char *taluva_zone_name(enum taluva_zone zone); /* "none", "beginner", "player", "expert" */
bool taluva_zone_find(const char *name, enum taluva_zone *out);
const char *taluva_end_name(enum taluva_end end);        /* "none", "two-kinds", ... */
const char *taluva_step_name(enum taluva_step step);     /* "draw", "place", "build", "over" */
const char *taluva_kind_name(enum taluva_kind kind);     /* "hut", "tower", "temple", "boat" */
char taluva_terrain_letter(enum taluva_terrain terrain); /* JCSRLV */

#endif
