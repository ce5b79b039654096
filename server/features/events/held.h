/*
 * Events in the memory of the desk.
 *
 * Each is there twice: `durable` is what people are told of, `ahead` has also what waits for the
 * store, and what comes next is decided by it. What cannot be stored is forgotten with all that
 * came behind it: `ahead` is then what is durable.
 */
#ifndef EVENTS_HELD_H
#define EVENTS_HELD_H

#include "rows.h"
#include <event/event.h>
#include <protocol/buffer.h>
#include <protocol/error.h>

struct call;
struct hub;
struct kernel_change;
struct reply;
struct session;

/* The room of a table of the round that is being played. */
struct held_room {
    char id[PROTOCOL_ROOM_BYTES + 1]; /* "": none, yet */
    bool opening;                     /* it waits for the store */
    bool begun;                       /* nobody is waited for any more */
};

struct held {
    struct event_row row;
    struct event durable, ahead;
    unsigned pending; /* entries, rooms and names that wait for the store */
    bool undone;      /* some could not be stored: `ahead` is to be made anew */
    bool broken;      /* there was no memory for what is durable: until the next start */
    struct event_entrant_row *names; /* by number, from 0: who directs it */
    size_t name_count, name_capacity;
    unsigned rooms_of; /* the round that these are of */
    struct held_room rooms[EVENT_TABLES_MAX];
    int64_t wake_ms;     /* when the clock has something to do with it */
    struct buffer shown; /* what everybody is shown, of that revision; 0: of none */
    int64_t shown_revision;
    int64_t revision; /* of what is shown: a number that never goes back, not below the time */
    int64_t told_ms;  /* when who waits was told last */
    bool answered;    /* ... and is, now */
};

struct held_events {
    struct held **items; /* in the order in which they were made */
    size_t count, capacity;
    bool touched;              /* one of them, since who waits was looked at */
    uint64_t entries, results; /* since the start, for figures */
};

/* NULL: there is none of that id, or it is not durable. */
struct held *held_find(const struct hub *hub, const char *id);
/* Has it ended? By what is durable. */
bool held_is_over(const struct held *held);
/* Is there one of that id, whatever becomes of it? */
bool held_is_known(const struct hub *hub, const char *id);
/* How many have not ended: of that director; 0: of anybody. Those that are about to be are among
 * them. */
size_t held_count_open(const struct hub *hub, uint64_t director);

/* One more, empty, last; NULL: no memory. */
struct held *held_add(struct hub *hub, const struct event_row *row);
void held_drop(struct hub *hub, struct held *held);
void held_release(struct held_events *events);

/* The number and time of the next entry, by that account (0: the server). */
struct event_entry held_next(const struct hub *hub, const struct held *held, enum event_kind kind,
                             uint64_t by);

/*
 * Enters it: its line, and for EVENT_JOINED and EVENT_MADE `name`, for a table that is over the row
 * of its room. PROTOCOL_OK, or why not: `event_not_now` and others by `*fault`, `slow_down`,
 * `store_failing`, `internal`. With a call the reply, which is filled in, goes out when it is
 * durable. An event that is not made is dropped.
 */
enum { HELD_OPS = 3, HELD_TEXT = EVENT_LINE_MAX + 1 };
enum protocol_error held_enter(struct hub *hub, struct held *held, const struct event_entry *entry,
                               const struct event_entrant_row *name, const struct call *call,
                               struct reply *reply, enum event_fault *fault);
/* The same where ops and text are reserved already, and nobody is answered. False: no memory. */
bool held_put(struct hub *hub, struct held *held, const struct event_entry *entry);

/* What is shown of it has changed. */
void held_touch(struct hub *hub, struct held *held);

/* Something of it waits for the store; and is durable, or will never be. */
void held_wait(struct held *held);
void held_settle(struct hub *hub, struct held *held, bool stored);
/* Can something be entered into it? */
bool held_is_whole(const struct held *held);
/* What was undone is made anew, once nothing waits. False: not now. */
bool held_mend(struct held *held);

/* From the store. False: no memory. What makes no sense is left out, and that event stands still.
 */
bool held_restore(struct hub *hub, const struct store_table *table, const void *row);

#endif
