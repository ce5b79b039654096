/*
 * How everybody stands in an event, and what decides among those with as many points:
 *
 *   tables       the final, before anything else, of those who were in it; wins; what those whom
 * one has met have on average, without the lowest; how often one came before others of the same
 * place at a table with them, less the other way round; second places
 *   round robin  direct encounters; wins; Sonneborn-Berger (FIDE C.07)
 *   cup          there are no points: how far one came, before anything else; the match for the
 * third place
 *   Swiss        Buchholz without the lowest; Buchholz; Sonneborn-Berger (FIDE C.07), of rounds
 * that are over; wins
 *   groups       the last stage in which one was, before anything else; then what one has of that:
 * points, wins, Sonneborn-Berger without matches to which not both came
 *
 * Who is equal in all that shares a place. Whoever has left a round robin before having played half
 * of it has played nothing: their results stay in the log, and count for nobody (FIDE's tournament
 * rules, 5.4).
 */
#ifndef EVENT_STANDINGS_H
#define EVENT_STANDINGS_H

#include <event/event.h>

/* Parts of a point: whole however many share it. */
enum { EVENT_POINT = 60, EVENT_TIES = 4 };

struct event_standing {
    uint16_t entrant, place; /* from 1 */
    bool counts;             /* else has left a round robin too early */
    uint8_t final;   /* more is better; 0: was in none that is over. Of a cup and of groups how far
                        one came */
    unsigned played; /* tables to which this one came */
    uint32_t points; /* in parts of EVENT_POINT */
    int64_t tie[EVENT_TIES]; /* more is better; in the order above, what there is of them */
};

/* What the seats of a table have, of one that is over. */
void event_table_points(enum event_points rule, const struct event_table *table,
                        uint32_t points[static EVENT_SEATS_MAX]);

/* What each entrant has, by number from 1, of all tables that are over; a final gives none. */
void event_sum_points(const struct event *event, uint32_t points[]);

/* Of all entrants that there are, in the order of their places. False: no memory. */
bool event_standings(const struct event *event, struct event_standing standings[]);

#endif
