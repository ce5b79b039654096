/*
 * Checks games that somebody else says were played: each turn is made with the rules core, and what
 * it finds is compared with what the file says. Knows no server.
 */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

#include <jansson.h>
#include <rules/taluva.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { REPLAY_SHOWN_MAX = 100 }; /* further differences are counted, not shown */

struct replay {
    uint64_t games, turns, differences;
    FILE *out;         /* differences are written here, a line each */
    const char *where; /* "file:12", for those lines */
    unsigned turn;     /* from 1; 0: not about a turn */
    bool positions;    /* print the last position of each game, a line each */
};

void replay_differs(struct replay *replay, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints the position if that is asked for. */
void replay_position(struct replay *replay, const struct taluva *game);

/* The options and the deck that a JSON line of recorded games names. False with a difference told.
 */
bool replay_read_game(struct replay *replay, const json_t *line, struct taluva *game,
                      taluva_tile deck[TALUVA_TILES_MAX], size_t *deck_count);

/* One game as a JSON object: every choice, count and checksum, and the result. */
void replay_vector(struct replay *replay, const json_t *line);

/* The text record of a match. With `proof` the deal must follow from the secret and the nonces. */
void replay_record(struct replay *replay, const char *bytes, size_t len, bool proof);

#endif
