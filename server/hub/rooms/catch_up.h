/*
 * When a connection has read most of what was unsent, it is told what was left out meanwhile
 * (left_out.h): the presence of each room as it is now, whether the store fails, and with the
 * notice `left_out` that lines or notices are missing.
 */
#ifndef HUB_CATCH_UP_H
#define HUB_CATCH_UP_H

struct conn;
struct hub;

/* It has read something. Tells it, if there is place for that now. */
void catch_up(struct hub *hub, struct conn *conn);

#endif
