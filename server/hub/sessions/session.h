/*
 * Sessions: who a client is. What proves that is a feature's (features/feature.h, doors).
 *
 * A session without connection, seat or room of its own is idle, and idle ones expire, oldest
 * first: those that never had a seat and never came back (visitors) much sooner than the others
 * (players). Visitors count for no address, so one of which features keep more than
 * everybody has is a player.
 *
 * A foreign session is one whose home is another part of the site (hub/part.h). It is here because
 * it is connected, holds a seat or hosts a room here, and only for so long. Nothing of it is
 * stored, and nothing opens it; in rooms it is as any other.
 *
 * One with an account is never dropped: it is what keeps a handle from being anybody else's.
 */
#ifndef HUB_SESSION_H
#define HUB_SESSION_H

#include "key_map.h"
#include "limits/origin.h"
#include <hub/bucket.h>
#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conn;
struct hub;
struct kernel_account;
struct room_actor;
struct seat_link;

/*
 *      NEW --stored--> STORED --drop--> DROPPING --dropped--> (destroyed)
 *       |                                 |  ^
 *       | could not be stored  not dropped|  |drop
 *       |                                 v  |
 *       |---- a durable room names it --> DISOWNED
 *       '---- no room does -------------> (destroyed)
 *
 *      FOREIGN --unused at the end of a call--> (destroyed)
 *
 * Beside that, one that nobody uses is in a queue of the idle, except while it is DROPPING. A
 * FOREIGN one is never there, but in the list of those that go at the end of the call.
 */
enum session_state {
    SESSION_NEW,      /* in a batch, and not known to be durable */
    SESSION_STORED,   /* durable */
    SESSION_DROPPING, /* its STORE_DROP_SESSION is in a batch */
    SESSION_DISOWNED, /* the store may not have it, so nothing opens it any more */
    SESSION_FOREIGN,  /* its home is another part: it is not the store's, and nothing opens it */
};

struct session {
    uint64_t id;
    int64_t created_ms, seen_ms; /* as stored; the same in one that never was a player; of one that
                                    is FOREIGN: since when it is here */
    char *name;
    struct kernel_account *account; /* NULL: none */
    struct conn *conns;
    struct seat_link *seats;
    struct session *newer, *older; /* in the queue of the idle; see session.c */
    int64_t idle_ms;               /* since when */
    struct bucket says, guesses, hints;
    uint16_t conn_count;
    uint16_t seat_count;
    uint16_t host_count;  /* rooms made by it that are not over */
    uint16_t share;       /* of the address that it came from first; see address.h */
    struct origin origin; /* the same; see origin.h */
    enum session_state state;
    bool changing; /* a change of what a feature has of it waits for the store */
    bool counted;  /* in that share */
    bool idle;     /* in a queue of the idle, or FOREIGN and about to go */
    bool kept;     /* has played in another part */
    bool player;   /* has had a seat, made a room, or features keep it: kept longer */
    bool refused;  /* by the store, in the batch that is being dealt with */
    _Alignas(max_align_t) unsigned char states[]; /* of features, see feature_table.h */
};

struct session_queue {
    struct session *oldest, *newest;
};

struct sessions {
    struct key_map by_id;
    size_t dropping_count;                  /* sessions whose dropping is under way */
    int64_t expire_after_ms;                /* nothing is tried before */
    struct session_queue visitors, players; /* idle, oldest first */
    struct session_queue accounts;          /* the same, which stay */
    struct session_queue unused;            /* foreign ones, which go at the end of the call */
    size_t foreign_count;
    struct origin_counts origins; /* of all */
};

struct session *session_find(const struct hub *hub, uint64_t id);

/* A new one, not durable yet; `beside` not NULL: in whatever part of a site that one is. NULL: out
 * of memory. */
struct session *session_create(struct hub *hub, const char *name, const struct session *beside);
/* NULL: out of memory. */
struct session *session_restore(struct hub *hub, const struct store_session *stored);
/*
 * The session of that id; if its home is another part and it is not here yet a foreign one of that
 * name, which stays if it is used before the call ends. NULL: it is not known, or out of memory.
 */
struct session *session_meet(struct hub *hub, uint64_t id, const char *name);
/* Is the home of that session another part? Not of 0, which is none. */
bool session_is_elsewhere(const struct hub *hub, uint64_t id);
/* Has that name from now on, which is not stored. False: out of memory. */
bool session_call(struct session *session, const char *name);
/* Has that account from now on, which it takes over; NULL: none. */
void session_give_account(struct hub *hub, struct session *session, struct kernel_account *account);
/* As rooms see it, for as long as it stays as it is. */
struct room_actor session_actor(const struct session *session);
/* It has played in another part. Not while it is gone. */
void session_keep(struct hub *hub, struct session *session);
/* Foreign ones that nobody uses any more go, and no change of which waits for the store. */
void sessions_end_unused(struct hub *hub);

/* Is this the connection by which a client of a site is at home, or has it no session yet? */
bool session_is_own(const struct conn *conn);

/* Its first row is durable. */
void session_stored(struct session *session);
/* It could not be stored. */
void session_disown(struct session *session);
/* DROPPING or DISOWNED: nothing opens it any more. */
bool session_is_gone(const struct session *session);
void session_destroy(struct hub *hub, struct session *session);
void sessions_release(struct hub *hub);

/* Is there a place for one more? May mark the longest idle visitor for dropping. */
bool sessions_have_room(struct hub *hub);
/*
 * May this session (NULL: a new one) be used from an address of that share? Not if the address has
 * too many sessions already.
 */
bool session_within_share(const struct hub *hub, const struct session *session, uint16_t share);

/* A connection that came with a token of that device. */
void session_attach(struct hub *hub, struct session *session, struct conn *conn, uint32_t device);
void session_detach(struct hub *hub, struct conn *conn);
/* To be called when it may have lost its last connection, seat or room, or got its first; or
 * features have something of it. Not while it is DROPPING. */
void session_check_idle(struct hub *hub, struct session *session);

/* Its row for the store; `name` NULL: its present name. */
void session_row(const struct session *session, const char *name, struct store_session *row);

/* Drops what has expired. */
void sessions_expire(struct hub *hub);
/* So much of the time in which they were away does not count. */
void sessions_excuse(struct hub *hub, int64_t ms);
int64_t sessions_deadline_ms(const struct hub *hub);
/* The store has answered the request to drop it: done, or not. */
void session_dropped(struct hub *hub, uint64_t id, bool done);
/* An idle one is to go. False: there is no space in the batch, or no memory. */
bool session_drop(struct hub *hub, struct session *session);

#endif
