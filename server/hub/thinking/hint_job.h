/*
 * The hints that worker threads are making, or will make. op_hint.c makes them and answers; this
 * part knows which of them are not wanted any more.
 */
#ifndef HUB_HINT_JOB_H
#define HUB_HINT_JOB_H

#include "waiting/think_queue.h"
#include <hub/hub.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;
struct hub_room;
struct room_hint;

struct hint_job {
    struct think_job job;
    struct hint_job *next, **self; /* all that are under way: a few, see config.think_asks */
    struct hub_peer peer;          /* who waits for it, with the request of this id */
    int64_t id;
    int64_t until_ms; /* then it is late */
    char room[9];
    struct room_hint *hint; /* the worker's until it is back, but for what it is about */
};

struct hint_jobs {
    struct hint_job *first;
};

/* Puts it into the list and into the queue. False: there is no place in the queue. */
bool hint_job_add(struct hub *hub, struct hint_job *hint_job);
/* It is back: takes it out of the list. */
void hint_job_remove(struct hint_job *hint_job);
void hint_job_release(struct think_job *job);

/* The room has changed: hints for an earlier position come back without an answer soon. */
void hint_jobs_follow(struct hub *hub, const struct hub_room *hub_room);
/* When the next of them will be late; INT64_MAX: none. And one that is late now; NULL: none. */
int64_t hint_jobs_deadline_ms(const struct hub *hub);
struct hint_job *hint_job_late(const struct hub *hub);

/* The peer is gone, and its hints are not wanted any more. */
void hint_jobs_forget(struct hub *hub, struct hub_peer peer);

#endif
