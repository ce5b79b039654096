/*
 * What moderators have decided, from the hubs into the audit log (hub/audit_line.h). What cannot be
 * written waits and is tried again, also when nothing else happens; when its part ends it goes on
 * waiting here, and what waits when the server ends is tried once more, and else logged.
 */
#ifndef NET_AUDIT_MODERATORS_H
#define NET_AUDIT_MODERATORS_H

#include <stdint.h>

struct hub;
struct hub_audit_line;
struct net;

struct audit_left {
    struct hub_audit_line *first, *last; /* of parts that are gone; NULL: none */
    int64_t again_ms; /* one could not be written: none is tried sooner; 0: all could */
};

/* All that there is to be written, of all parts. */
void audit_moderators_write(struct net *net);
/* INT64_MAX: nothing waits. */
int64_t audit_moderators_deadline_ms(const struct net *net);
/* The part is gone, and its hub about to be. */
void audit_moderators_part_gone(struct net *net, struct hub *hub);
/* All parts are gone. */
void audit_moderators_end(struct net *net);

#endif
