/*
 * What is kept of events: rows of the desk's.
 *
 *     event            one, with its secret
 *     event_entry      a line of its log
 *     event_entrant    how an entrant is called: the log knows accounts by their numbers alone
 *     event_room       the room of a table that has no result
 */
#ifndef EVENTS_ROWS_H
#define EVENTS_ROWS_H

#include <event/entry.h>
#include <hub/store_row.h>
#include <protocol/limits.h>
#include <stdint.h>

struct event_row {
    char event[PROTOCOL_ROOM_BYTES + 1];
    uint8_t going; /* 1: it is old; its other rows go, one by one */
    int64_t made_ms;
    uint8_t secret[DEAL_SECRET_BYTES];
};

struct event_entry_row {
    char event[PROTOCOL_ROOM_BYTES + 1];
    uint64_t n;
    uint16_t text_len;
    const char *text;
};

/* Number 0: who directs it. */
struct event_entrant_row {
    char event[PROTOCOL_ROOM_BYTES + 1];
    uint16_t number;
    uint8_t kind;                           /* enum protocol_account_kind */
    uint64_t session;                       /* 0: erased */
    char handle[PROTOCOL_HANDLE_BYTES + 1]; /* "": no account */
    char name[PROTOCOL_NAME_BYTES + 1];
};

struct event_room_row {
    char event[PROTOCOL_ROOM_BYTES + 1];
    uint16_t round, table; /* from 1 */
    char room[PROTOCOL_ROOM_BYTES + 1];
};

extern const struct store_table event_table, event_entry_table, event_entrant_table,
    event_room_table;

#endif
