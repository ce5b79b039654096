/*
 * Rooms: the hub's side of a room. Which rooms there are, who holds their seats, which are listed,
 * and when they are forgotten.
 *
 * A room is in memory from its creation (before it is durable) until its room has been archived or
 * dropped by the store, or until its creation could not be stored.
 */
#ifndef HUB_ROOM_H
#define HUB_ROOM_H

#include "map.h"
#include "timer.h"
#include <protocol/error.h>
#include <room/room.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct session;
struct subscription;

/* A seat that a session holds in a room that is not over; part of the room. */
struct seat_link {
    struct hub_room *hub_room;
    struct session *session;        /* NULL: free, a computer's, or the room is over */
    uint64_t session_id;            /* 0: free, or a computer's */
    uint64_t since_seq;             /* whose seat it is since then */
    struct seat_link *next, **self; /* in session->seats */
};

struct hub_room {
    char id[9];
    bool listed;     /* in hub->listed */
    bool archived;   /* the store does not hand it out at start any more */
    bool dropping;   /* its archiving or dropping is under way */
    bool unsettled;  /* in the queue of hub_settle */
    bool list_begun; /* listed among those that have begun */
    uint8_t seats;
    struct room *room;
    uint64_t key, created_key;
    uint64_t durable_seq; /* 0: not even its creation */
    uint64_t out_seq;     /* last seq in the batch that is out; 0: none */
    uint64_t fill_seq;    /* last seq in the batch that fills; 0: none */
    struct subscription *subscriptions;
    uint32_t subscription_count;
    uint32_t watchers;       /* subscriptions without a seat, as told last */
    uint32_t online;         /* seats whose owner is subscribed, as told last to the peers */
    uint32_t present;        /* ... to the room */
    uint32_t unasked;        /* seats whose presence the room is to be told, whatever it was */
    struct session *host;    /* counted in its host_count; NULL: over, or not known any more */
    struct timer timer;      /* the room's deadline, or forgetting */
    struct timer presence;   /* the number of watchers is to be told */
    int64_t unsubscribed_ms; /* since when nobody is subscribed */
    int64_t retry_ms;        /* the timer has no use before */
    int64_t presence_ms;     /* when the number of watchers was told last */
    struct hub_room *unsettled_next;
    struct seat_link links[]; /* by seat */
};

struct hub_rooms {
    struct map by_id;
    struct map by_request; /* the same, by who created them with which request */
    struct hub_room *unsettled;
};

/* Those that GET /api/rooms and the request `rooms` show, sorted. */
struct room_list {
    struct hub_room **rooms;
    size_t count, size;
};

struct hub_room *hub_room_find(const struct hub *hub, const char *id);
/* The one that this session's request of that id has made; NULL: none in memory. */
struct hub_room *hub_room_created_by(const struct hub *hub, uint64_t session, int64_t request_id,
                                     uint64_t *digest);
/* A random id that no room in memory has, and if the request wants one an invitation code. */
void hub_room_seed(const struct hub *hub, struct room_seed *seed, uint64_t host, bool code);
/* Takes over the room, which has its first event, on success only. NULL: out of memory. */
struct hub_room *hub_room_add(struct hub *hub, struct room *room);
/* Ends all subscriptions to it. No batch may know it. */
void hub_room_destroy(struct hub *hub, struct hub_room *hub_room);
void matches_release(struct hub *hub);

bool hub_room_is_dirty(const struct hub_room *hub_room);

/* After the room has changed, or gone back: seats, host, timer, presence. */
void hub_room_sync(struct hub *hub, struct hub_room *hub_room);
/* After something has become durable: its place among the listed. */
void hub_room_list(struct hub *hub, struct hub_room *hub_room);
/* Rooms that are listed, from the one behind `after` ("" for the first). */
size_t hub_room_listed_after(const struct hub *hub, const char *after);

/* What time does: the room's own events, forgetting. */
void hub_room_arm_timer(struct hub *hub, struct hub_room *hub_room);
void hub_room_due(struct hub *hub, struct hub_room *hub_room);
/* The room's own events that are due; before a request is decided. */
void hub_room_run_due(struct hub *hub, struct hub_room *hub_room);
/* Clocks that ran before `since_ms` go on, without the time in between. */
void hub_room_resume_clocks(struct hub *hub, struct hub_room *hub_room, int64_t since_ms);
/* The store was told to archive or drop it: it has, or has not. */
void hub_room_dropped(struct hub *hub, struct hub_room *hub_room, bool done);

#endif
