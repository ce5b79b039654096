/*
 * Events on their way into the log: gathered, and then stored several by one statement.
 *
 * To begin and end a statement costs SQLite a fifth of what it costs to store a row.
 */
#ifndef STORE_APPEND_H
#define STORE_APPEND_H

#include "log_ends.h"
#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>

enum { APPENDS_MAX = 8 };

struct sqlite_store;

/* Events of different rooms, as each has its place in the log (last_n of its log end) only when the
 * rows are stored. Everything else of its log end says already that it is there. */
struct appends {
    struct {
        struct log_end *log_end;        /* stays where it is until the rows are stored */
        const struct room_event *event; /* the batch's */
    } rows[APPENDS_MAX];
    size_t count;
};

/* Whether the rows have to be stored before one more of this room. */
bool appends_hold(const struct appends *appends, const struct log_end *log_end);

/* The next event of the room, which the log end follows but for its last_n. */
void appends_add(struct appends *appends, struct log_end *log_end, const struct room_event *event);

/* Stores them, in order, in the transaction that is open. */
enum store_result appends_store(struct sqlite_store *store);

#endif
