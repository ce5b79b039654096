/*
 * What becomes of requests that wait for the store: it has answered (hub_read_done and the others),
 * or they have given way to others.
 */
#ifndef HUB_READ_DONE_H
#define HUB_READ_DONE_H

struct hub;

/* The queues are told who is to tell those that give way. */
void read_done_begin(struct hub *hub);

#endif
