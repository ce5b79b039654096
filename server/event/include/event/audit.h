/*
 * Goes through the whole log of an event, and sees whether all follows: that each entry might come
 * where it stands, that the server has entered what was due and nothing else, and that each round
 * was paired by the secret that was committed to before and is revealed at the end. For whoever
 * wants to know, long after, without a server.
 *
 * Results that name a room are taken as they are: whether they are the match's is in its record
 * (protocol/record.md).
 */
#ifndef EVENT_AUDIT_H
#define EVENT_AUDIT_H

#include <event/event.h>

struct event_audit {
    struct event event; /* by what was right of it */
    enum event_fault fault;
    uint64_t line;    /* from 1, where that is */
    bool is_ended;    /* else the secret is not known, and what follows from it was not looked at */
    unsigned by_hand; /* rounds that a person has paired */
    unsigned judged;
};

/* Lines, each with an end of line. The caller releases audit->event. */
void event_audit(struct event_audit *audit, const char *text, size_t len);

#endif
