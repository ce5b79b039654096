/*
 * One match: seats, options, turn clock, event log, views.
 *
 * A room knows its game through games/game.h alone and its peers as session numbers; it never sees
 * a socket, a clock (time is an argument), a store or another room. It first decides and then
 * changes:
 *
 *     request --room_decide--> event (checked, nothing changed) --room_apply--> state, and the push
 *     time ---room_decide_due->                                                for every audience
 *
 * A move is checked by playing it on a draft, a copy in the caller's memory. The event refers to
 * the draft, and room_apply takes it over instead of playing the move a second time.
 *
 * The caller appends the event to the store and, once it is durable, sends the pushes and calls
 * room_set_durable. If the store refuses, room_rewind takes the room back to what is durable.
 *
 * There are two kinds of state. What follows from the log (seats, game, clocks, offers) is the same
 * after every replay. The rest only the running server knows: who is connected, who has given the
 * invitation code, when the last event became durable. The caller reports it (room_present,
 * room_let_in, room_set_durable); it is in no view, and whatever follows from it becomes an event
 * before it has an effect.
 *
 * Sessions are numbers from 1. Times are milliseconds since 1970-01-01 UTC. Functions that return
 * int return 0, or -1 when memory ran out; then nothing has changed.
 */
#ifndef ROOM_ROOM_H
#define ROOM_ROOM_H

#include <protocol/account.h>
#include <protocol/buffer.h>
#include <protocol/error.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <protocol/request.h>
#include <protocol/terms.h>
#include <room/event.h>
#include <room/seed.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct room;
struct record_signer;
struct game_type;

struct room_actor {
    uint64_t session;
    const char *name;                       /* display name, for a seat taken now */
    const struct protocol_account *account; /* the same; NULL: none */
};

/*
 * ---- creating and restoring
 * --------------------------------------------------------------------------
 */

/*
 * A new lobby. Leaves the ROOM_CREATED event as seq 1 in its log. NULL with *refusal: unknown_game,
 * bad_options, or internal when memory ran out. With access "code" the seed must have a code. The
 * seed and the request are copied. `rated`: the class by which the match is rated, a word (a-z and
 * dots) that stands in the first event; its seats are given, and nobody takes another one. "": it
 * is not.
 */
struct room *room_create(const struct game_type *const games[], const struct room_seed *seed,
                         const struct request *create, const char *rated, int64_t now_ms,
                         struct refusal *refusal);

/*
 * From the store: the seed (NULL: no memory), then every event in order. room_restore_event: 0; -1
 * no memory; -2 not a log of this program; -3 of a game, or rules of one, that only a later version
 * of it knows. After the last one room_restored, always.
 */
struct room *room_restore(const struct game_type *const games[], const struct room_seed *seed);
int room_restore_event(struct room *room, const struct room_event *event);

/*
 * All events have been restored. Nobody is present, and the last event counts as durable.
 */
void room_restored(struct room *room, int64_t now_ms);

void room_destroy(struct room *room);

/* ---- deciding and changing */

/* What the operator sets; every field is a time in milliseconds. */
struct room_limits {
    /*
     * A match without a connected player for so long is called off; the second while it is paused.
     * The others wait for the answer of a player who is away for the first, with days per move for
     * the second.
     */
    int64_t abandoned_ms;
    int64_t paused_ms;
    int64_t
        computer_ms; /* pause before a computer player moves, so that people can follow; may be 0 */
};

enum {
    /*
     * The network and the server's loop may be late: a flag falls so long after the clock is at 0.
     */
    ROOM_FLAG_GRACE_MS = 250,
    /*
     * A paused match goes on so long after somebody who is still there offered to, whether the
     * others who are there agree or not; the second with days per move. What follows from them
     * stands in views, so they are a part of the format: others would need a kind of event.
     */
    ROOM_RESUME_MS = 600000,
    ROOM_RESUME_DAYS_MS = 86400000,
    /* Without a clock the computer may be asked to play for who is away for so long. */
    ROOM_AWAY_MS = 600000,
    /* ... and for so long the others may claim the end: whoever is away is out. */
    ROOM_CLAIM_END_MS = 1800000,
    /*
     * A log accepts so many events that could be repeated for ever (sit, undo, moves that are taken
     * back, ...), in the lobby and in the match. Each of its people has a part of them (budget.h),
     * and only what takes back what was said before goes beyond.
     */
    ROOM_LOBBY_EVENTS_MAX = 410,
    ROOM_LOBBY_OTHERS = 160, /* of these for who is not the host, as they come */
    ROOM_REPEATABLE_EVENTS_MAX = 1000,
};

/*
 * What room_decide works with: one for all rooms is enough, as it need last from room_decide to
 * room_apply only. Nothing has to be initialized; all but the text is for room/ alone.
 */
enum { ROOM_DRAFT_BYTES = 12288 };
struct room_draft {
    char text[ROOM_EVENT_TEXT_MAX]; /* the event's */
    const struct room *room;
    uint64_t changes;        /* of the room, when this was decided */
    struct room_event event; /* which was tried */
    _Alignas(max_align_t) unsigned char match[ROOM_DRAFT_BYTES]; /* as the event leaves it */
};

/*
 * Would this request (join sit bot unseat ready start leave move undo resign offer withdraw hint
 * rematch) be accepted now? Changes nothing in the room.
 *
 * ROOM_ACCEPTED: *event is filled and ready for room_apply, its text in *draft. event->seq 0
 *     means: accepted, and there is nothing to change (a seated player joins, a watcher leaves, a
 *     hint for the same position is asked for again).
 * ROOM_REFUSED: *refusal says why.
 * ROOM_REPEATED: this session's request of that id was carried out before, at *repeat_seq: answer
 *     as then.
 *
 * The invitation code is not checked here: see room_admits. For `rematch` the caller makes the new
 * room (room_create_rematch) and puts its id into the event (room_fill_rematch); with seq 0 there
 * is one already: room_rematch.
 *
 * The caller asks room_decide_due first whenever room_deadline_ms has passed.
 */
enum room_decision { ROOM_ACCEPTED, ROOM_REFUSED, ROOM_REPEATED };
enum room_decision room_decide(const struct room *room, const struct room_actor *actor,
                               const struct request *request, int64_t now_ms,
                               struct room_event *event, struct room_draft *draft,
                               struct refusal *refusal, uint64_t *repeat_seq);

/*
 * The next event that time, a rule or a computer player causes now; false if there is none. To be
 * called again until it returns false.
 */
bool room_decide_due(const struct room *room, const struct room_limits *limits, int64_t now_ms,
                     struct room_event *event, char scratch[ROOM_EVENT_TEXT_MAX]);

/* When room_decide_due will have an event; a time in the past: now; INT64_MAX: none is known. */
int64_t room_deadline_ms(const struct room *room, const struct room_limits *limits);

/*
 * The operator ends the match, for a reason that no rule knows. False: there is none under way. The
 * caller asks room_decide_due first.
 */
bool room_decide_close(const struct room *room, int64_t now_ms, struct room_event *event,
                       char scratch[ROOM_EVENT_TEXT_MAX]);

/*
 * The server was down, or could not store, from `since_ms` (when it was last known to run) to now:
 * clocks did not run. False if no clock of this room was running, else an event for room_apply,
 * like any other. To be called after room_restored, and when the store has recovered.
 */
bool room_decide_held(const struct room *room, int64_t since_ms, int64_t now_ms,
                      struct room_event *event);

/*
 * Appends the event to the log, changes the state, and appends to push[a] the encoded push
 * ({"push":"event",...}) for every audience a below room_audiences. `push` may be NULL. The event
 * must come from one of the functions above, with nothing applied in between.
 */
int room_apply(struct room *room, const struct room_event *event, struct buffer *const push[]);

/* The event `seq` (the last one that was applied) is durable: from now on clocks run again. */
void room_set_durable(struct room *room, uint64_t seq, int64_t now_ms);

/* Drops every event after `seq` and rebuilds the state as of `seq`. Needs no memory. */
void room_rewind(struct room *room, uint64_t seq);

/*
 * ---- who is present ---------------------------------------------------------------------------
 */

/*
 * May this session see the room? PROTOCOL_OK, CODE_NEEDED (`code` is NULL) or WRONG_CODE. Open
 * rooms, the host, seated sessions and those let in before need no code. The comparison takes
 * constant time.
 */
enum protocol_error room_admits(const struct room *room, uint64_t session, const char *code);

/*
 * The session has given the code and need not again. Remembers a bounded number: *instead_of is the
 * session, or 0, that is not let in any more. False: it has been let in before, or all are.
 */
bool room_let_in(struct room *room, uint64_t session, uint64_t *instead_of);

/* Reports that the owner of `seat` is connected or not; ignored for empty and computer seats. */
void room_present(struct room *room, uint8_t seat, bool present, int64_t now_ms);

/* Since when the owner of `seat` is not there; of one who is, it means nothing. */
int64_t room_away_ms(const struct room *room, uint8_t seat);

/* ---- looking */

const char *room_id(const struct room *room);
const struct room_seed *room_seed(const struct room *room);
enum protocol_phase room_phase(const struct room *room);
enum protocol_access room_access(const struct room *room);
uint64_t room_host(const struct room *room);
const char *room_rated(const struct room *room); /* by which class; "": it is not to be rated */

unsigned room_seats(const struct room *room);                      /* 2..PROTOCOL_SEATS */
uint8_t room_seat_of(const struct room *room, uint64_t session);   /* or ROOM_NO_SEAT */
uint64_t room_seat_session(const struct room *room, uint8_t seat); /* 0: free, or a computer */
const char *room_seat_name(const struct room *room, uint8_t seat); /* "": free */
bool room_seat_is_ready(const struct room *room, uint8_t seat);    /* to begin, in a lobby */
/* That its owner had when they sat down. */
const struct protocol_account *room_seat_account(const struct room *room, uint8_t seat);

const char *room_title(const struct room *room); /* "": none */
const char *room_game(const struct room *room);
/* Bit set of the seats of people who may act now; 0 unless the match is being played. */
uint32_t room_waits_for(const struct room *room);
/* How long a player with a full clock may take for a move; INT64_MAX: there is no clock. */
int64_t room_move_s(const struct room *room);

uint64_t room_seq(const struct room *room);
/* Event seq (1..room_seq). Its text is borrowed until the room changes. */
void room_event_at(const struct room *room, uint64_t seq, struct room_event *event);
/* The id of the room in which this one goes on, "" if there is none. */
const char *room_rematch(const struct room *room);
/* Bytes of memory that the room holds. */
size_t room_bytes(const struct room *room);

/*
 * Audiences. A game without hidden information has one, number 0, for everybody; else every seat is
 * one and all watchers are another.
 */
unsigned room_audiences(const struct room *room);
unsigned room_audience(const struct room *room, uint8_t viewer);
enum { ROOM_AUDIENCES_MAX = PROTOCOL_SEATS + 1 };

/*
 * A viewer is a seat, ROOM_NO_SEAT (a watcher) or ROOM_SERVER. The last is told everything that any
 * seat may know. Nothing is pushed to it: its audience is none of those below room_audiences, and
 * views for it may be sent of a match that is over, see room_may_view_as.
 */
enum { ROOM_SERVER = 254 };

/*
 * May who holds `seat` (or ROOM_NO_SEAT) look back as `viewer`? As itself always; as anybody else
 * once the match is over, which it then is for ever. UNKNOWN_SEAT, NOT_OVER.
 */
enum protocol_error room_may_view_as(const struct room *room, uint8_t seat, uint8_t viewer);

/* ---- views */

/* Writes the state as of `seq` (1..room_seq) as one object. */
int room_write_state(const struct room *room, unsigned audience, uint64_t seq,
                     struct writer *writer);

/*
 * Calls `sink` with the encoded push of every event in (have, upto], oldest first; byte for byte
 * what room_apply wrote. `sink` returns 0 to go on; anything else ends it and is returned.
 */
int room_write_missed(const struct room *room, unsigned audience, uint64_t have, uint64_t upto,
                      int (*sink)(void *ctx, const char *bytes, size_t len), void *ctx);

/* Would this `check` (or `move`) be accepted now? False with *refusal. */
bool room_check(const struct room *room, const struct room_actor *actor,
                const struct request *request, int64_t now_ms, struct refusal *refusal);

/*
 * The members of the answer to `moves` ("seq", "step", "moves", ...), into an object that the
 * caller has begun. False with *refusal and nothing written.
 */
bool room_write_moves(const struct room *room, const struct room_actor *actor,
                      struct writer *writer, struct refusal *refusal);

/*
 * The room's line in `rooms`, one object. For who holds `own_seat` (else ROOM_NO_SEAT) also that
 * seat, whose turn it is, and the clocks; for others since when all who sit there are away.
 */
void room_write_summary(const struct room *room, uint8_t own_seat, struct writer *writer);

/*
 * What those who sat in a match that is over are shown of it later, one object: who played, how it
 * ended and when.
 */
void room_write_ended(const struct room *room, struct writer *writer);

/*
 * Appends the text record as of `seq` (protocol/record.h). `server` is a name and version. The
 * record of a match that is over is signed with `signer`, unless that is NULL.
 */
int room_write_record(const struct room *room, uint64_t seq, const char *server,
                      const struct record_signer *signer, struct buffer *out);

/*
 * The event that gives a free seat of a lobby to a session that has not asked for it here, or, with
 * an `actor` of NULL, to a computer of the level that the game chooses. The seat's colour is the
 * game's first for it, so all seats that are given are given before others are taken.
 */
void room_decide_given_seat(const struct room *room, uint8_t seat, const struct room_actor *actor,
                            int64_t now_ms, struct room_event *event,
                            char scratch[ROOM_EVENT_TEXT_MAX]);

/* ---- a rematch */

/* A new lobby with the options of `old`, as room_create. */
struct room *room_create_rematch(const struct room *old, const struct room_seed *seed,
                                 int64_t now_ms, struct refusal *refusal);

/*
 * The i-th event (from 0) that seats a player of `old` in `room`, one seat further round; false
 * when there are no more. Each is applied, or left out for good, before the next is asked for.
 */
bool room_decide_rematch_seat(const struct room *room, const struct room *old, unsigned i,
                              int64_t now_ms, struct room_event *event,
                              char scratch[ROOM_EVENT_TEXT_MAX]);

/* Puts the new room's id into the event that room_decide made of `rematch`. */
void room_fill_rematch(struct room_event *event, const char *new_id,
                       char scratch[ROOM_EVENT_TEXT_MAX]);

#endif
