/*
 * Positions and turns as protocol/engine.md has them in its lines.
 *
 * What is read comes from a program of anybody's: nothing of it is believed before the rules have
 * seen it.
 */
#ifndef CLI_TALUVA_ENGINE_TEXT_H
#define CLI_TALUVA_ENGINE_TEXT_H

#include <computer/computer.h>
#include <rules/notation.h>

enum {
    ENGINE_POSITION_TEXT = TALUVA_POSITION_TEXT + 512, /* behind it all tiles of the box */
    ENGINE_TURN_TEXT = TALUVA_PLACEMENT_TEXT + TALUVA_BUILD_TEXT,
};

/* What is behind `position`. */
struct engine_position {
    struct taluva game;
    uint8_t unseen[TALUVA_TILE_TWO_HEX]; /* [tile number] */
};

void engine_position_format(const struct engine_position *position, char out[ENGINE_POSITION_TEXT]);

/* Else `why` is a phrase for people, and `out` is anything. */
bool engine_position_parse(const char *text, struct engine_position *out, const char **why);

/* A turn, or what is left of it, in this game. */
void engine_turn_format(const struct computer_turn *turn, const struct taluva *game,
                        char out[ENGINE_TURN_TEXT]);

/* A legal turn: its parts, placement and build are filled in. Else `why` is a phrase. */
bool engine_turn_parse(const char *text, const struct taluva *game, struct computer_turn *out,
                       const char **why);

/* What stands behind `line`. */
struct engine_line {
    unsigned number;           /* from 1 */
    bool has_chances;          /* else those of the turn are 0 */
    struct computer_turn turn; /* legal; visits 0: they are not said */
};

/* Else `why` is a phrase. Words that nobody knows, and what follows on each, are passed over. */
bool engine_line_parse(const char *text, const struct taluva *game, struct engine_line *out,
                       const char **why);

#endif
