/*
 * What the records of all games say in the same words, compared with what the rules say: options,
 * seats, what happened beside the turns, and the result. A difference is told, and most functions
 * return nothing else.
 */
#ifndef CLI_REPLAY_COMPARE_H
#define CLI_REPLAY_COMPARE_H

#include <protocol/record.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { REPLAY_SHOWN_MAX = 100 }; /* further differences are counted, not shown */

struct replay_pictures;

struct replay {
    uint64_t games, turns, differences;
    FILE *out;                              /* differences are written here, a line each */
    const char *where;                      /* "file:12", for those lines */
    unsigned turn;                          /* from 1; 0: not about a turn */
    bool proof;                             /* nothing may be missing that follows from the rules */
    bool positions;                         /* print the last position of each game, a line each */
    const struct replay_pictures *pictures; /* NULL: none */
    uint64_t printed;                       /* pictures */
};

void replay_differs(struct replay *replay, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

const char *replay_option(const struct record *record, const char *name); /* "" if it is missing */
int replay_number(const char *text); /* 0 to 255 without leading zeros; else -1 */
/* Are these all the options, and there are no others? `names` ends with NULL. */
bool replay_option_names(struct replay *replay, const struct record *record,
                         const char *const names[]);
bool replay_option_flag(struct replay *replay, const struct record *record, const char *name,
                        bool *out);
/* For a proof: as many seats as players, each with a name, a nonce, and a colour of its own. */
void replay_check_seats(struct replay *replay, const struct record *record, unsigned players);
/* What is said beside the turns goes together with the seats, the clock and the result. */
void replay_check_asides(struct replay *replay, const struct record *record);
/* Is this line about a seat that leaves the match, by its will or by the clock? */
bool replay_leaves(const struct record_line *line);

#define REPLAY_CALLED_OFF "called-off"
#define REPLAY_ABANDONED  "abandoned"
#define REPLAY_CLOSED     "closed"

const char *replay_result(const struct record *record, const char *name); /* or NULL */
/* The room ended the match, which no rule of the game can prove. */
bool replay_room_ended(const struct record *record);
/*
 * Why it ended; `end` is what the rules say, NULL if by them the game goes on. True: winners and
 * all else that the rules say must be compared as well.
 */
bool replay_compare_end(struct replay *replay, const struct record *record, const char *end);
void replay_compare_word(struct replay *replay, const struct record *record, const char *name,
                         const char *found);
void replay_compare_none(struct replay *replay, const struct record *record, const char *name);
/* Winners, a set of seats or teams; groups of seats that share a rank, 0 where teams play. */
void replay_compare_sets(struct replay *replay, const struct record *record, unsigned winners,
                         const uint8_t ranks[], size_t rank_count);

#endif
