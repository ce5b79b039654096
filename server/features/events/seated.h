/* Whoever sits at a table is told where, at home, by a letter with its room: the push `seated`. */
#ifndef EVENTS_SEATED_H
#define EVENTS_SEATED_H

#include "held.h"
#include <hub/letter.h>

extern const char event_seated_letter[];
enum { EVENT_SEATED_TEXT = 256 };

/* Entrant `number`. Without memory, or where there are too many letters, they are not told: what
 * they are shown of the event says it as well. */
void seated_tell(struct hub *hub, const struct held *held, unsigned round, unsigned table,
                 unsigned number, const char *room);
enum letter_fate seated_apply(struct hub *hub, const struct store_letter *letter);

#endif
