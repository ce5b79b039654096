/*
 * Analyses of matches that are over: each is made once by a worker thread, for all who ask for it
 * meanwhile, and kept as long as there is space.
 *
 *     (asked for) --> WAITING: has a job and askers --answered--> KEPT: has the text -->
 * (forgotten)
 *                        '--no answer, or nobody waits any more--> (forgotten)
 *
 * A match that is over never changes, so what is kept never becomes wrong. op_analysis.c makes the
 * jobs and answers; this part knows what there is and who waits for it.
 */
#ifndef HUB_ANALYSIS_H
#define HUB_ANALYSIS_H

#include "key_map.h"
#include "waiting/think_queue.h"
#include <hub/hub.h>
#include <protocol/buffer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct room_played;

/* Who waits for it. */
struct asker {
    struct asker *next;
    struct hub_peer peer;
    int64_t id; /* of the request */
};

struct analysis {
    char room[9];
    struct analysis *newer, *older; /* in the list of those that wait, or of those that are kept */
    struct analysis_job *job;       /* NULL: it is kept */
    struct asker *askers, **last;
    size_t asker_count;
    int64_t until_ms;   /* then it is late */
    struct buffer text; /* JSON */
};

struct analysis_job {
    struct think_job job;
    struct analysis *analysis;  /* not the worker's */
    struct room_played *played; /* the worker's until it is back, as is `text` */
    struct buffer text;
};

struct analysis_list {
    struct analysis *newest, *oldest;
};

struct analyses {
    struct key_map by_room;
    struct analysis_list waiting; /* a few, see config.think_asks */
    struct analysis_list kept;    /* in the order in which they were asked for last */
    size_t bytes;                 /* of these */
};

/* NULL: it is neither kept nor waited for. */
struct analysis *analysis_find(const struct hub *hub, const char *room);
/* Somebody has asked for one that is kept: it will be forgotten later than others. */
void analysis_touch(struct hub *hub, struct analysis *analysis);

/* One that waits for this job; nobody waits for it yet. NULL: no memory. */
struct analysis *analysis_add(struct hub *hub, const char *room, struct analysis_job *job);
/* False: too many wait for it, or no memory. */
bool analysis_wait(struct hub *hub, struct analysis *analysis, struct hub_peer peer, int64_t id);
/* Its job is gone, and who waited has been answered. */
void analysis_remove(struct hub *hub, struct analysis *analysis);
/* Its job is back: it has this text from now on, whose memory it takes over. */
void analysis_keep(struct hub *hub, struct analysis *analysis, struct buffer *text);
/* Forgets the oldest until what is kept is within config.analysis_bytes. */
void analyses_shrink(struct hub *hub);

/* When the next of those that wait will be late; INT64_MAX: none. One that is late now, or NULL. */
int64_t analyses_deadline_ms(const struct hub *hub);
struct analysis *analysis_late(const struct hub *hub);

/* The peer is gone; what nobody else waits for is not made. */
void analyses_forget(struct hub *hub, struct hub_peer peer);
void analyses_release(struct hub *hub);

#endif
