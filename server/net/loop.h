/*
 * The loop: what wakes it, and what is done before it sleeps.
 *
 *     sockets, timers, other threads --> calls to the hub --> before the loop sleeps: batch to the
 * store, reads, questions to the threads that think, what is to be written, answers of HTTP, when
 * to wake up next
 *
 * The latter is a uv_prepare, which libuv calls right before it waits, so the answers to everything
 * that arrived at once go out together, and output of the hub never waits for an unrelated event.
 */
#ifndef NET_LOOP_H
#define NET_LOOP_H

#include <stdbool.h>

struct net;

void loop_init(struct net *net);
void loop_close(struct net *net);
/* There are threads that think. False: they cannot be watched. */
bool loop_watch_thinkers(struct net *net);
void loop_wake(void *net); /* from the store's threads */
/* On the threads that send messages to browsers: one is done. */
void loop_pushed(void *ctx);

#endif
