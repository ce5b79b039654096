/* People in an event of a test, who do what they like, or nothing. */
#ifndef EVENT_PEOPLE_H
#define EVENT_PEOPLE_H

#include "../../support/rng.h"
#include "held.h"

/* An event of whatever rules, and some who have joined. */
void people_make_event(struct held *held, struct rng *rng);

/* Somebody tries to do something, which may be refused. */
void people_do_something(struct held *held, struct rng *rng);

/* Time goes on, mostly to when something is due, and that is entered. False: it has ended. */
bool people_wait(struct held *held, struct rng *rng);

#endif
