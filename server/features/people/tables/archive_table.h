/*
 * The archive as it is kept: a row of everybody with an account who sat in a match that anybody may
 * open, once it is decided. It is searched by rows alone (archive.h), so nothing of it is in
 * memory. A row goes with its account, and with the log of its room.
 */
#ifndef PEOPLE_ARCHIVE_TABLE_H
#define PEOPLE_ARCHIVE_TABLE_H

#include <hub/store_row.h>
#include <protocol/limits.h>
#include <stdint.h>

enum {
    ARCHIVE_WHY_BYTES = 24,
    ARCHIVE_OPTIONS_MAX = 1024, /* of a match with longer ones that member stays away */
};

enum tally_against { TALLY_PEOPLE = 1, TALLY_COMPUTERS }; /* who else was there */

/* How it went for who sat there. */
enum archive_result {
    ARCHIVE_WON = 1,
    ARCHIVE_FINISHED = 2, /* played to the end, without a computer in its place */
};

struct archive_row {
    uint64_t session;
    char room[PROTOCOL_ROOM_BYTES + 1];
    int64_t at_ms; /* when it ended */
    char game[PROTOCOL_GAME_BYTES + 1];
    char why[ARCHIVE_WHY_BYTES + 1]; /* it ended: the game's word; "": not known */
    uint64_t rules;                  /* the same number for the same options of a game */
    uint8_t against;                 /* enum tally_against */
    uint8_t size, seat;
    uint8_t result;                         /* bits */
    char level[PROTOCOL_LEVEL_BYTES + 1];   /* of the strongest computer there; "": none */
    char handle[PROTOCOL_HANDLE_BYTES + 1]; /* that the account had then */
    const char *options;                    /* borrowed: an object; "": not known */
};

extern const struct store_table archive_table;
/* Its orders, the newest first. */
enum { ARCHIVE_BY_SESSION, ARCHIVE_BY_GAME, ARCHIVE_BY_WHY, ARCHIVE_BY_RULES };

/* What the options of a match are in a row. */
uint64_t archive_rules(const char *options);

#endif
