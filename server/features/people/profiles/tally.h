/*
 * How often an account has played what, and which matches can be opened: learnt from letters that
 * go with the event that ends a match, so that each is counted once, whatever dies in between.
 *
 * The sums of the accounts at home here are in memory, those of all are rows; matches are rows
 * of the archive alone (archive_table.h). A profile is made of rows (profile.h).
 */
#ifndef PEOPLE_TALLY_H
#define PEOPLE_TALLY_H

#include "tables/archive_table.h"
#include <hub/letter.h>
#include <hub/store_row.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;
struct room;
struct room_result;
struct session;
struct writer;

/* What an account has played of a kind. */
struct tally_row {
    uint64_t session;
    char game[PROTOCOL_GAME_BYTES + 1];
    uint8_t against; /* enum tally_against: with another person, or with computers alone */
    uint8_t size;    /* seats */
    uint32_t matches, won;
    uint32_t finished; /* of them it played to the end, without a computer in its place */
    int64_t last_ms;
};

extern const struct store_table tally_table;

void tallies_init(struct hub *hub);
void tallies_release(struct hub *hub);
/* False: out of memory. */
bool tally_restore(struct hub *hub, const struct tally_row *row);
/* How many matches are counted of a session that is at home here. */
uint64_t tallies_count(const struct hub *hub, uint64_t session);
/* The next one of it at `at` or behind, from 0 on; NULL: there are no more. */
const struct tally_row *tally_next(const struct hub *hub, uint64_t session, size_t *at);
/* Members of an object. */
void tally_write(const struct tally_row *row, struct writer *writer);
void tallies_gone(struct hub *hub, const struct session *session);

/* Tells everybody with an account who sat there. */
void tally_match_over(struct hub *hub, const struct room *room, const struct room_result *result);
extern const char tally_letter[];
enum letter_fate tally_apply(struct hub *hub, const struct store_letter *letter);

#endif
