/*
 * A Swiss event as a tournament report has it (pairing/trf.h), for programs that check pairings.
 * The numbers that entrants have in it are drawn by the event's secret.
 */
#ifndef EVENT_REPORT_H
#define EVENT_REPORT_H

#include <event/event.h>
#include <pairing/event.h>

/*
 * Into an event of zeros; the caller releases it. Of rounds that are over; an entrant's name is the
 * account, of a pair both. False: no memory.
 */
bool event_report(struct pairing_event *report, const struct event *event,
                  const uint8_t secret[static DEAL_SECRET_BYTES]);

#endif
