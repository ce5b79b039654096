/*
 * Rooms: the hub's side of a room. Which rooms there are, who holds their seats, which are listed,
 * and when they are forgotten.
 *
 * A room is in memory from its creation (before it is durable) until its room has been archived or
 * dropped by the store, or until its creation could not be stored.
 */
#ifndef HUB_ROOM_H
#define HUB_ROOM_H

#include "key_map.h"
#include "limits/origin.h"
#include "timer.h"
#include <hub/bucket.h>
#include <protocol/error.h>
#include <room/room.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address;
struct history_piece;
struct hub;
struct session;
struct subscription;
struct think_job;

/* A seat that a session holds in a room that is not over; part of the room. */
struct seat_link {
    struct hub_room *hub_room;
    struct session *session;        /* NULL: free, a computer's, not known, or the room is over */
    uint64_t session_id;            /* 0: free, or a computer's */
    uint64_t since_seq;             /* whose seat it is since then */
    int64_t told_ms;                /* when its owner's home is told of a turn; 0: it is not */
    struct seat_link *next, **self; /* in session->seats */
};

/*
 *      LIVE --forgotten--> DROPPING --a match, archived--> ARCHIVED --forgotten--> (destroyed)
 *       ^                   |    |                            ^
 *       '---not dropped-----'    '--a lobby--> (destroyed)    '-- read from the store
 */
enum hub_room_state {
    HUB_ROOM_LIVE,     /* the store hands it out at start, or it is not durable yet */
    HUB_ROOM_DROPPING, /* its STORE_DROP_ROOM or STORE_ARCHIVE_ROOM is in a batch */
    HUB_ROOM_ARCHIVED, /* finished, and kept by the store for those who ask for it */
};

enum room_listing { UNLISTED, LISTED_LOBBY, LISTED_BEGUN };

struct hub_room {
    char id[9];
    enum hub_room_state state;
    enum room_listing listing; /* in the room list */
    bool presence_queued;
    bool refused; /* by the store, in the batch that is being dealt with */
    uint8_t seats;
    uint16_t share;       /* of the address that made it; see address.h */
    struct origin origin; /* the same; see origin.h */
    bool from_here;       /* made on this machine itself */
    uint16_t other;       /* the widest network of the first who sat in it from another; 0: none */
    bool evicted;         /* it is to go, whoever watches it */
    bool handing;         /* what somebody has there becomes another one's: in a batch */
    bool taken_back;      /* ... as not all have come for whom it was opened */
    struct room *room;
    struct think_job *thinking; /* its next move is being thought of; NULL: no */
    uint64_t epoch;             /* under which it is owned */
    uint64_t key, created_key;
    uint64_t handed_seq;           /* when a seat became another one's last; 0: never, since the
                                      server started */
    uint64_t durable_seq;          /* 0: not even its creation */
    uint64_t out_seq;              /* last seq in the batch that is out; 0: none */
    uint64_t fill_seq;             /* last seq in the batch that fills; 0: none */
    struct history_piece *history; /* see history.h */
    struct kept_record *record;    /* see record_cache.h */
    struct subscription *subscriptions;
    uint32_t subscription_count;
    struct bucket watchers_say;  /* lines of talk of all who have no seat */
    uint16_t watcher_said;       /* where the last of them was said: the share of that address */
    uint32_t pushed_watchers;    /* subscriptions without a seat, as pushed last */
    uint32_t pushed_online;      /* bit set of seats whose owner is subscribed, as pushed last */
    uint32_t reported_present;   /* the same, as reported last to the room */
    uint32_t unreported;         /* bit set of seats to be reported whether they changed or not */
    uint32_t refusals;           /* batches in a row of which the store refused this room */
    struct session *host;        /* counted in its host_count; NULL: over, or not known any more */
    struct timer timer;          /* the room's next event, or forgetting */
    struct timer presence_timer; /* the number of watchers is to be pushed */
    int64_t unsubscribed_ms;     /* since when nobody is subscribed */
    int64_t retry_ms;            /* the timer has no use before */
    int64_t pushed_ms;           /* when the number of watchers was pushed last */
    struct hub_room *presence_next; /* in the presence queue */
    struct seat_link links[];       /* by seat */
};

/* So many rooms are found in one search for those that are not used. */
enum { ROOMS_UNUSED_MAX = 64 };

struct hub_rooms {
    struct key_map by_id;
    struct key_map by_request; /* the same, by who created them with which request */
    size_t dropping_count;     /* of those whose archiving or dropping is under way */
    int64_t evict_after_ms;    /* when to look again for a room to evict */
    char unused[ROOMS_UNUSED_MAX][PROTOCOL_ROOM_BYTES + 1]; /* found then, the newest first */
    size_t unused_count;
    struct origin_counts origins; /* of all */
};

struct hub_room *hub_room_find(const struct hub *hub, const char *id);
/* The room that was created by this session's request of that id; NULL: none in memory. */
struct hub_room *hub_room_created_by(const struct hub *hub, uint64_t session, int64_t request_id,
                                     uint64_t *digest);
/* A random id of this part that no room in memory has, and if the request wants one an invitation
 * code. */
void hub_room_seed(const struct hub *hub, struct room_seed *seed, uint64_t host, bool code);
/* Takes over the room, which has its first event, on success only. NULL: out of memory. */
struct hub_room *hub_room_add(struct hub *hub, struct room *room);
/* Who made it, if that is known. */
void hub_room_set_origin(struct hub *hub, struct hub_room *hub_room, const struct address *address);
/* Ends all subscriptions to it. No batch may know it. */
void hub_room_destroy(struct hub *hub, struct hub_room *hub_room);
void hub_rooms_release(struct hub *hub);

/* Which of its room's seats that is. */
uint8_t hub_room_seat_of(const struct seat_link *link);
/* Does whoever has that seat have it durably? */
bool hub_room_seat_is_durable(const struct hub_room *hub_room, uint8_t seat);

/* Where what features have of it begins, behind its links. */
unsigned char *hub_room_states(const struct hub_room *hub_room);

/* Asserts that there is such a transition. */
void hub_room_set_state(struct hub_room *hub_room, enum hub_room_state state);
/* Has events that are not durable. */
bool hub_room_is_dirty(const struct hub_room *hub_room);

/*
 * Makes the foreign sessions that hold its seats, or host it, known here. False: out of memory, and
 * some may not be.
 */
bool hub_room_meet(struct hub *hub, struct hub_room *hub_room);
/*
 * After the room has changed, or gone back: seats, host, timer, presence. Without memory for a
 * foreign session that is not known here its seat is as that of one that has gone.
 */
void hub_room_sync(struct hub *hub, struct hub_room *hub_room);
/*
 * When the room's own next event is due, and when the room is to be forgotten; INT64_MAX: never.
 * The room's clocks stand still while the store fails, and while it has events to be stored.
 */
int64_t hub_room_due_ms(const struct hub *hub, const struct hub_room *hub_room);
int64_t hub_room_forget_ms(const struct hub *hub, const struct hub_room *hub_room);
/*
 * Arms the timer for the earlier of the two. One that is armed for an earlier time stays as it is
 * and is armed again when it fires.
 */
void hub_room_arm_timer(struct hub *hub, struct hub_room *hub_room);
/* The store has answered the request to archive or drop it: done, or not. */
void hub_room_dropped(struct hub *hub, struct hub_room *hub_room, bool done);

#endif
