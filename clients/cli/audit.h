/*
 * Checks games that somebody else says were played: each turn is made with the rules core, and what
 * it finds is compared with what the file says. Knows no server.
 */
#ifndef CLI_AUDIT_H
#define CLI_AUDIT_H

#include <jansson.h>
#include <rules/taluva.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { AUDIT_SHOWN_MAX = 100 }; /* further differences are counted, not shown */

struct audit {
    uint64_t games, turns, differences;
    FILE *out;         /* differences are written here, a line each */
    const char *where; /* "file:12", for those lines */
    unsigned turn;     /* from 1; 0: not about a turn */
    bool positions;    /* print the last position of each game, a line each */
};

void audit_differs(struct audit *audit, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints the position if that is asked for. */
void audit_position(struct audit *audit, const struct taluva *game);

/* The options and the deck that a JSON line of recorded games names. False with a difference told.
 */
bool audit_read_game(struct audit *audit, const json_t *line, struct taluva *game,
                     taluva_tile deck[TALUVA_TILES_MAX], size_t *deck_count);

/* One game as a JSON object: every choice, count and checksum, and the result. */
void audit_vector(struct audit *audit, const json_t *line);

/* The text record of a match. With `proof` the deal must follow from the secret and the nonces. */
void audit_record(struct audit *audit, const char *bytes, size_t len, bool proof);

#endif
