/* Events as they are shown: what is durable of them. */
#ifndef EVENTS_VIEW_H
#define EVENTS_VIEW_H

#include <stdbool.h>

struct call;
struct held;
struct writer;

enum { EVENT_AGAIN_MS = 10000 }; /* until who cannot wait asks again */

/* One in a list. */
void event_view_write_short(const struct held *held, struct writer *writer);
/* All of it, for whoever asks; `again`: who asks cannot wait here for more. */
void event_view_answer(const struct call *call, struct held *held, bool again);

#endif
