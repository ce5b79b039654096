/*
 * What the server itself enters into the log of an event, and when: that it begins or does not take
 * place, its rounds, tables that nobody can play or that take too long, who stays away, its end.
 * Whatever people do, there is always a next one until the event is over, at a time that is known:
 * so no event waits for anybody for ever.
 */
#ifndef EVENT_DUE_H
#define EVENT_DUE_H

#include <event/event.h>

enum event_due {
    EVENT_IS_DUE,
    EVENT_NOT_YET, /* or never, as the event has ended */
    EVENT_DUE_NO_MEMORY,
};

/* When something is to be entered next, if nothing else is before; INT64_MAX: the event has ended.
 */
int64_t event_due_ms(const struct event *event);

/*
 * What is to be entered now. The same log and time give the same entry; several may follow each
 * other. That of people who do something at that time comes before or after.
 */
enum event_due event_due(const struct event *event, int64_t now_ms,
                         const uint8_t secret[static DEAL_SECRET_BYTES], struct event_entry *entry);

#endif
