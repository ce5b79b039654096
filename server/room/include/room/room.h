/*
 * One match: seats, options, turn clock, event log, views.
 *
 * A room knows its game through game.h alone and its peers as session numbers; it never sees a socket, a
 * clock (time is an argument), a store or another room. It decides first and changes after:
 *
 *     request --room_decide--> event (validated, nothing changed) --room_apply--> state, diff for every audience
 *
 * The hub appends the event to the store and, once it is durable, hands out the encoded pushes. If the
 * store refuses, `room_rewind` takes the room back to what is durable.
 */
#ifndef ROOM_ROOM_H
#define ROOM_ROOM_H

#include <protocol/error.h>
#include <protocol/json_writer.h>
#include <protocol/request.h>
#include <room/event.h>
#include <room/seed.h>
#include <stdbool.h>

struct room;

struct room_refusal { /* either a protocol error, or the game's own reason (then code/text are set) */
    enum protocol_error error;
    const char *code, *text; /* static strings */
    const char *field;       /* static string or NULL */
};

struct room_actor {
    uint64_t session;
    const char *name; /* display name, for seats taken now */
};

/* NULL and *refusal set if the options are bad, or error PROTOCOL_OUT_OF_MEMORY. Leaves the ROOM_CREATED event as seq 1. */
struct room *room_create(const struct room_seed *seed, const struct request *create, int64_t now_ms,
                         struct room_refusal *refusal);
/* From the store: the seed, then every event with room_restore_event, in order. */
struct room *room_restore(const struct room_seed *seed);
int room_restore_event(struct room *room, const struct room_event *event); /* <0: not a log of this program */
void room_destroy(struct room *room);

/*
 * Would this request of a room (sit join bot unseat ready start move undo resign offer withdraw leave rematch) be
 * accepted now? Changes nothing. On success *event is filled (its text in *scratch, at least ROOM_EVENT_TEXT_MAX bytes)
 * and ready for room_apply; event->seq 0 means: accepted, but nothing to change. A repeat of a remembered (session, id) is
 * ROOM_REPEATED with *repeat_seq.
 */
enum room_decision { ROOM_ACCEPTED, ROOM_REFUSED, ROOM_REPEATED };
enum room_decision room_decide(const struct room *room, const struct room_actor *actor, const struct request *request,
                               int64_t now_ms, struct room_event *event, char *scratch,
                               struct room_refusal *refusal, uint64_t *repeat_seq);

/* What time or a computer player does now, or false. To be asked whenever room_deadline_ms has passed. */
bool room_decide_due(const struct room *room, int64_t now_ms, struct room_event *event, char *scratch);
int64_t room_deadline_ms(const struct room *room); /* INT64_MAX: nothing is due */

/*
 * Appends the event to the log, changes the state, and writes the push ({"push":"event",...}) for each audience.
 * An audience is ROOM_NO_SEAT for watchers, or a seat; `room_audiences` says how many differ: a game without
 * hidden information has one (everybody). <0 on allocation failure: then nothing has changed.
 */
int room_apply(struct room *room, const struct room_event *event, struct buffer *push_by_audience[]);

uint64_t room_seq(const struct room *room);
const struct room_event *room_event_at(const struct room *room, uint64_t seq);
/* Drops every event after `seq` and rebuilds the state as of `seq`. */
int room_rewind(struct room *room, uint64_t seq);

/* Views. */
int room_write_state(const struct room *room, uint8_t audience, uint64_t seq, struct json_writer *writer);
/* Calls `sink` with the encoded push of every event in (have, upto], oldest first. */
int room_write_missed(const struct room *room, uint8_t audience, uint64_t have, uint64_t upto,
                      int (*sink)(void *ctx, const char *bytes, size_t len), void *ctx);
/* The answers to `moves`, `check`, `record`; and the line of this room in `rooms`. */
/* ... to be completed by the room's author ... */

#endif
