/*
 * A round of an event at tables of three to five, in which nobody rests: as many tables of four as
 * there can be, the others of three; five sit at one table.
 *
 * Who sits where follows from the standings, from who has met whom, and from lots, so whoever has
 * the seed of the lots finds the same tables. First as few meet again as can be found (two meetings
 * weigh as four), then points are as equal at each table as can be found. What is found is by
 * exchanges, and need not be the best that there is.
 */
#ifndef PAIRING_TABLES_H
#define PAIRING_TABLES_H

#include <pairing/event.h>

enum { TABLE_SEATS_MIN = 3, TABLE_SEATS_MAX = 5 };

/* Where lots come from: 0 to n - 1, each as likely. */
struct pairing_lots {
    uint32_t (*draw)(void *context, uint32_t n);
    void *context;
};

/* Somebody who plays in this round, in the order of the standings. */
struct pairing_seeker {
    uint32_t points; /* tenths */
    uint32_t began;  /* rounds in which this one was the first player of a table */
};

/* The rows of a square of counts, of seekers by their places in the standings. */
struct pairing_met {
    const uint8_t *count; /* count * count, the same both ways */
};

struct pairing_tables {
    unsigned tables;
    uint8_t seats[PAIRING_ENTRANTS_MAX / TABLE_SEATS_MIN];
    /* Seekers by their places from 0; the first of a table begins there. */
    uint16_t seat[PAIRING_ENTRANTS_MAX / TABLE_SEATS_MIN][TABLE_SEATS_MAX];
};

/* How many sit at each; false: there are fewer than three, or too many. */
bool pairing_table_sizes(unsigned count, struct pairing_tables *tables);

/* False: the same, or no memory. */
bool pairing_tables(const struct pairing_seeker seekers[], unsigned count,
                    const struct pairing_met *met, const struct pairing_lots *lots,
                    struct pairing_tables *tables);

/* Pairs at one table who have met before, over all tables. */
unsigned pairing_tables_repeats(const struct pairing_tables *tables, unsigned count,
                                const struct pairing_met *met);

#endif
