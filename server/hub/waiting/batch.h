/*
 * Batches: what is to be made durable, and what waits for that.
 *
 * One is filled while the store may have another. Space is reserved before anything is added, so
 * adding cannot fail; and what has been added since a mark can be removed again.
 */
#ifndef HUB_BATCH_H
#define HUB_BATCH_H

#include <hub/hub.h>
#include <hub/store.h>
#include <protocol/request.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blob;
struct hub;
struct hub_room;
struct kernel_change;
struct kernel_letter;
struct pushes;
struct view;

enum pending_kind {
    PENDING_REPLY,       /* `blob` -> peer */
    PENDING_PUSH,        /* `pushes`, or `blob` -> subscribers of room that are at seq - 1 */
    PENDING_SUBSCRIBE,   /* `view` -> peer, which is subscribed from then on */
    PENDING_UNSUBSCRIBE, /* `blob` -> peer, not subscribed any more */
    PENDING_HELLO,       /* `blob` -> peer; `session` is durable */
    PENDING_RENAME,      /* `blob` -> peer; `session` is called `name` */
    PENDING_CHANGE,      /* `blob` -> peer, if there is one; `change` of `session` is carried out */
    PENDING_DROP_SESSION, /* `session` is gone */
    PENDING_DROP_ROOM,    /* `room` leaves the memory */
    PENDING_HTTP,         /* the answer of the ticket is right */
    PENDING_ADMIN,        /* the operator has closed `room` */
    PENDING_DOCUMENT,     /* a document of the site is kept */
    PENDING_JUMP,         /* a jump of the clock is */
};

struct pending {
    enum pending_kind kind;
    enum request_op op; /* of the request that is answered */
    uint16_t result; /* of PENDING_REPLY: a protocol_error or RESULT_GAME, as a refusal waits too */
    uint16_t undone; /* PENDING_REPLY: the protocol_error that is told instead if what it waits for
                        is refused and `seq` is durable; PROTOCOL_OK: it is as true then */
    uint32_t charged; /* to the peer's pending_bytes */
    uint8_t seat;     /* PENDING_SUBSCRIBE: of the subscriber */
    bool follows;     /* it answers hub_follow */
    bool refused;     /* the store refuses what it waits for */
    bool enters;      /* PENDING_CHANGE: the peer is the session's because of it */
    bool taken;       /* PENDING_CHANGE: a row of it claims what another one has */
    struct hub_peer peer;
    int64_t id; /* of the request, or of hub_follow */
    struct hub_room *hub_room;
    const struct hub_room *behind; /* waits for what this one has in the batch; NULL: hub_room */
    uint64_t seq; /* PENDING_REPLY, PENDING_UNSUBSCRIBE: of the event that its request has made in
                     `behind`; 0: it has made none, or is stored with it or not at all */
    uint64_t session;
    uint64_t ticket;
    struct blob *blob;
    union {
        struct pushes *pushes;
        struct view *view;
        char *name;
        struct kernel_change *change;
    } u;
};

struct text_chunk {
    struct text_chunk *next;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

/* Places that somebody has reserved and not used yet. */
struct batch_kept {
    size_t ops, pending, text;
};

struct batch {
    struct store_letter_bound within; /* of what leads to letters */
    struct store_op *ops;
    enum store_result *results; /* of each op */
    size_t op_count, op_size;
    struct pending *pending;
    size_t pending_count, pending_size;
    struct hub_room **rooms; /* that have events in it */
    size_t room_count, room_size;
    struct batch_kept kept;
    struct text_chunk *texts;  /* the first one is in use */
    bool has_letters;          /* that are sent */
    struct store_batch handed; /* to the store */
};

/* Places for so many ops, pending effects and rooms more, and bytes of text, beside what is kept.
 * <0: out of memory. */
int batch_reserve(struct batch *batch, size_t ops, size_t pending, size_t rooms, size_t text);
/*
 * The same, for somebody who does other things before they use them: so that what reserves for
 * itself (a letter, a room, the end of one) takes nothing of theirs. Kept until they are used, or
 * nothing is kept any more, as when a request or a tick is over.
 */
int batch_keep(struct batch *batch, size_t ops, size_t pending, size_t text);
void batch_use_op(struct batch *batch);
void batch_use_pending(struct batch *batch);
void batch_keep_nothing(struct batch *batch);
/* May `ops` more be added to the batch that fills (config.batch_ops)? */
bool batch_has_room(const struct hub *hub, size_t ops);

struct batch_mark {
    size_t ops, pending, rooms;
};
struct batch_mark batch_mark(const struct batch *batch);
/* Removes the ops and rooms added since the mark; no pending effect may have been added. */
void batch_take_back(struct batch *batch, struct batch_mark mark);

void batch_put_session(struct batch *batch, const struct store_session *row);
void batch_drop_session(struct batch *batch, uint64_t id);
/* A described row is copied; text is reserved for what it borrows (store_row_borrows). */
void batch_put_row(struct batch *batch, const struct store_table *table, const void *row);
/* The same; so many of its session stay (store_row.keep). */
void batch_put_newest(struct batch *batch, const struct store_table *table, const void *row,
                      uint32_t keep);
/* Of which the key counts. */
void batch_drop_row(struct batch *batch, const struct store_table *table, const void *row);
/*
 * A letter that was sent so: because of a room's event, of a session's request or end, or of
 * another letter; text is reserved for it as for a row. Of these a request alone has to be within
 * the bound.
 */
void batch_send_letter(struct batch *batch, const struct store_letter *letter,
                       const struct kernel_letter *sent);
/* With its effect, which is its addressee's. */
void batch_drop_letter(struct batch *batch, const struct store_letter *letter);
void batch_erase_names(struct batch *batch, uint64_t session);
void batch_hand_room(struct batch *batch, const struct hub_room *hub_room,
                     const struct store_hand *hand);
void batch_hand_matches(struct batch *batch, const struct store_hand *hand);
void batch_put_room(struct batch *batch, const struct store_room *row);
/* The room put since the mark changes together with this one: the store takes both or none. */
void batch_join(struct batch *batch, struct batch_mark since, const char *room_id);
void batch_append(struct batch *batch, struct hub_room *hub_room, const struct room_event *event);
void batch_archive_room(struct batch *batch, const struct hub_room *hub_room);
void batch_drop_room(struct batch *batch, const struct hub_room *hub_room);
void batch_let_in(struct batch *batch, const struct hub_room *hub_room,
                  const struct store_guest *guest);
void batch_defer(struct batch *batch, const struct pending *pending);

/* Empties it and keeps its memory. The pending effects must have been carried out or discarded. */
void batch_clear(struct batch *batch);
void batch_release(struct batch *batch);

#endif
