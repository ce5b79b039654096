/*
 * Takes the place of clients/load/line.c: its connections end in a hub in the same process, whose
 * store answers at once. So the load tester plays whole matches without a network, and a test may
 * falsify, lose or add any message on its way.
 *
 * Connections are numbered from 0 in the order in which they are opened, a client that comes back
 * anew. The hub starts with the first one. Misuse fails an assertion.
 */
#ifndef TESTS_LOAD_HUB_WIRE_H
#define TESTS_LOAD_HUB_WIRE_H

#include <hub/config.h>
#include <stdbool.h>
#include <stddef.h>

struct hub_wire {
    /* A message to a client: a new text (malloc) instead, "" to lose it, or NULL to leave it. */
    char *(*to_client)(unsigned connection, const char *text);
    /* A request; false to lose it. */
    bool (*to_server)(unsigned connection, const char *text);
    unsigned connections_max; /* further ones are refused */
    unsigned resume_pushes;   /* the hub's limit of that name; 0: its default */
    unsigned opened;          /* connections so far */
};
extern struct hub_wire hub_wire;

/* What the load tester asked for, in whichever of its processes. */
struct hub_wire_seen {
    _Atomic unsigned opened, contexts, answer_s;
    char sources[8][16];       /* of the contexts */
    _Atomic unsigned marks[2]; /* a hook's own */
};
extern struct hub_wire_seen *hub_wire_seen;

void hub_wire_setup(void);    /* before a test: no hook, no limit, nothing seen */
void hub_wire_teardown(void); /* after it */

/* Opens and ends what is to be, and hands one message to each connection that reads. False: there
 * was nothing to do. */
bool hub_wire_step(void);
void hub_wire_run(void); /* until there is nothing more */

void hub_wire_add(unsigned connection, const char *text); /* one more message to a client */
void hub_wire_end(unsigned connection, int code);         /* the server ends it */
bool hub_wire_reads(unsigned connection);
unsigned hub_wire_open(void); /* how many connections are open */

#endif
