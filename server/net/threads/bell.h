/*
 * How the loop is told that something has come back from the threads of the stores: one bell, which
 * all of them ring.
 *
 *     a thread:  bell_ring, once for each thing that has come back and can be taken
 *     the loop:  takes it, and calls bell_answer for it
 *
 * `wake` is called on the thread that rings, and only between bell_begin_poll and bell_end_poll,
 * once: a loop that runs looks by itself before it sleeps. All else but bell_ring is called on the
 * loop's thread.
 */
#ifndef NET_BELL_H
#define NET_BELL_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct bell {
    /*
     * What the loop does, in the lowest bits, and above them how often it was rung for what was not
     * taken yet. In one number, so that who rings first while the loop sleeps knows that it is the
     * one that has to wake it, and no lock is needed, which the loop when it is woken would find
     * taken. Below zero for a moment if the loop has taken something right before it is rung for.
     */
    atomic_int state;
    sem_t told;
    void (*wake)(void *ctx);
    void *ctx;
};

/* False: it cannot be made. */
bool bell_init(struct bell *bell, void (*wake)(void *ctx), void *ctx);
/* Nobody rings any more. */
void bell_destroy(struct bell *bell);

void bell_ring(struct bell *bell);
void bell_answer(struct bell *bell);

/* The loop is about to wait for something else too. False: something has come back already. */
bool bell_begin_poll(struct bell *bell);
void bell_end_poll(struct bell *bell); /* it has waited; also where it did not begin to */
/* Waits for what comes back and for nothing else, until then (net_clock_monotonic_us). False if
 * nothing has come back. */
bool bell_wait(struct bell *bell, int64_t until_us);

#endif
