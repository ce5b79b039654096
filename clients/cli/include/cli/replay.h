/*
 * Checks recorded games: each turn is played with the game's rules, and the result is compared with
 * what the file says. Needs no server.
 */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { REPLAY_SHOWN_MAX = 100 }; /* further differences are counted, not shown */

struct game;

struct replay {
    uint64_t games, turns, differences;
    FILE *out;         /* differences are written here, a line each */
    const char *where; /* "file:12", for those lines */
    unsigned turn;     /* from 1; 0: not about a turn */
    bool positions;    /* print the last position of each game, a line each */
};

void replay_differs(struct replay *replay, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * JSON objects, one behind the other, each a game; `game` is whose form they have unless they name
 * one. What is no JSON is a difference.
 */
void replay_objects(struct replay *replay, const struct game *game, const char *path,
                    const char *bytes, size_t len);

/* The text record of a match. With `proof` the deal must follow from the secret and the nonces. */
void replay_record(struct replay *replay, const char *bytes, size_t len, bool proof);

/* Prints the last line of a run: the totals and how many differences there were. */
void replay_print_totals(const struct replay *replay);

#endif
