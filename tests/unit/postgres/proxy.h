/* Between a store and its database: cuts the connection, or holds it, at a given message of the
 * protocol. A thread of its own; the connections are not encrypted. */
#ifndef TESTS_UNIT_POSTGRES_PROXY_H
#define TESTS_UNIT_POSTGRES_PROXY_H

#include <stdbool.h>

enum proxy_side { PROXY_OF_STORE, PROXY_OF_DATABASE };
enum proxy_fault {
    PROXY_CUT,        /* both ways, before the next message */
    PROXY_CUT_INSIDE, /* in the middle of it */
    PROXY_HOLD,       /* both stay open, and nothing passes any more */
};

struct proxy;

struct proxy *proxy_start(int database_port);
void proxy_stop(struct proxy *proxy);
int proxy_port(const struct proxy *proxy);

/* Once `count` more messages of that side have passed: once, on the connection of the next. */
void proxy_arm(struct proxy *proxy, enum proxy_side side, unsigned count, enum proxy_fault fault);
/* It has happened. What had not is taken back. */
bool proxy_fired(struct proxy *proxy);
/* New connections are closed at once, or again not. */
void proxy_refuse(struct proxy *proxy, bool refuse);

#endif
