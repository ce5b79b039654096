/*
 * Who waits for what comes next in an event: requests `event` that are answered when it has
 * changed, once a second at most, or after EVENT_HOLD_MS. So who is there by a connection that is
 * lost, or at a node that is, asks again, and nobody is remembered longer than that. There are
 * config.event_listeners at most, EVENT_WAITERS_PER_SHARE of an address, and one of a connection.
 */
#ifndef EVENTS_WAITING_H
#define EVENTS_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct held;
struct hub;

enum {
    EVENT_HOLD_MS = 25000,
    EVENT_TELL_MS = 1000,
    EVENT_WAITERS_PER_SHARE = 64,
};

struct event_waiter;
struct event_waiters {
    struct event_waiter *first, *last; /* who has waited longest first */
    size_t count;
    int64_t wake_ms; /* when somebody is answered, if there are any */
};

/* False: there is no place. */
bool event_waiters_wait(const struct call *call, const struct held *held);
int64_t event_waiters_deadline_ms(const struct hub *hub);
/* Answers those whose event has changed, and those who have waited long enough. */
void event_waiters_tick(struct hub *hub);
void event_waiters_release(struct event_waiters *waiters);

#endif
