/*
 * The queue of questions for the worker threads (hub/think.h): moves, hints, analyses, pages of
 * HTTP.
 *
 *     think_add            taken           done: its answer goes to job->done
 *        |--> waiting ------------> out -------------------------------------> released
 *        |       |-- think_drop --.  '-- think_drop: comes back unread ---------^
 *        |       '-- job->give_way, '--> released
 *        '--> false
 *
 * When as many wait as may, the latest of whoever has most waiting, by networks (origin.h), gives
 * way to somebody who has fewer, even with this one.
 *
 * A job is part of a larger struct of whoever makes it, which has the question and the answer; it
 * does not refer to anything else that changes. Who makes one keeps a pointer to it until `done` or
 * think_drop.
 */
#ifndef HUB_THINK_QUEUE_H
#define HUB_THINK_QUEUE_H

#include "limits/origin.h"
#include "think_kind.h"
#include <hub/think.h>
#include <room/think.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

struct think_job {
    /* Set by who makes it. */
    enum think_kind kind;
    uint16_t share;       /* of the address that it is for; see address.h; 0: none */
    struct origin origin; /* the same, where jobs give way; zeros: nobody's */
    size_t memory_bytes;  /* that `run` needs */
    /*
     * On a worker's thread: answers, with at least memory_bytes. False: there is no answer. Looks
     * often at thinking->cancel, and keeps to thinking->simulations_max; says in
     * thinking->simulations how many there were.
     */
    bool (*run)(struct think_job *job, struct game_thinking *thinking);
    /* In the hub: it is back, `answered` or not. Not called after think_drop. */
    void (*done)(struct hub *hub, struct think_job *job, bool answered);
    /* In the hub, instead of `done`: it has lost its place, and who waits for it is to be told.
     * NULL: it keeps its place. */
    void (*give_way)(struct hub *hub, struct think_job *job);
    /* Frees all of it. The last call. */
    void (*release)(struct think_job *job);

    /* think_queue.c's own. */
    struct think_job *next, **self; /* among those of its kind that wait, or those that are out */
    uint32_t turn;                  /* those of earlier turns come first */
    bool out, dropped, answered;
    atomic_bool cancel;
    uint32_t simulations_max, simulations;
};

/* So many pages are made at once: the rest of the workers are for those who play. */
enum { THINK_PAGES_OUT = 1 };

enum { THINK_SHARES = 16384 }; /* as many as address.h has */

/*
 * Addresses have turns: whoever asks much waits behind those who ask little, and nobody waits for
 * more than one question of each other address for each of their own.
 */
struct think_queue {
    struct think_job *first, **last; /* by turns, and in each as they came */
    size_t count;
    uint32_t turn;                     /* of the one that was taken last */
    uint32_t next_turns[THINK_SHARES]; /* of each (origin.h, `turns`), if that is later */
    struct origin_counts origins;      /* of those that wait */
};

struct thinking {
    unsigned workers;
    size_t memory_bytes; /* of each */
    struct think_queue waiting[THINK_KINDS];
    struct think_job *out;
    unsigned out_count;
    unsigned pages_out; /* of them are pages, at most THINK_PAGES_OUT */
    bool page_was_last; /* of what is no move: another kind is next, if one waits */
    unsigned in_a_row;  /* moves that were taken while others were waiting */
    int64_t mean_us;    /* of the latest moves, roughly */
};

void think_init(struct thinking *thinking);
/* Releases all jobs. */
void think_release(struct hub *hub);

/* Is there a worker, and has it that much memory? */
bool think_can(const struct hub *hub, size_t memory_bytes);
/*
 * From now on the job is in the queue. False, and counted as refused: too many are waiting, in all
 * or of its address, or there is no worker with enough memory; the job is still the caller's.
 */
bool think_add(struct hub *hub, struct think_job *job);
/* *job is not wanted any more, for this reason, and becomes NULL. It may be NULL before. */
void think_drop(struct hub *hub, struct think_job **job, enum think_outcome why);
/* hub_think_done without what goes with every call of the hub. */
void think_finish(struct hub *hub, struct think_job *job, int64_t elapsed_us);

#endif
