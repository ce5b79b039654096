#include "clock.h"

#include "held.h"
#include "past.h"
#include "state.h"
#include "tables.h"
#include "waiting.h"
#include <event/due.h>
#include <hub/kernel.h>

enum { AGAIN_MS = 1000, AT_ONCE = 64 };

static int64_t earlier(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

int64_t events_deadline_ms(const struct hub *hub)
{
    const struct held_events *all = &events_of(hub)->held;
    int64_t due_ms = event_waiters_deadline_ms(hub);
    for (size_t at = 0; at < all->count; at++)
        due_ms = earlier(due_ms, all->items[at]->wake_ms);
    return due_ms;
}

/* Several may follow each other; what is left is for the next turn of the loop. When to go on;
 * INT64_MAX: when something happens. */
static int64_t enter_due(struct hub *hub, struct held *held)
{
    const int64_t now_ms = kernel_now_ms(hub);
    struct event_entry entry;
    enum event_fault fault;
    for (unsigned entered = 0; entered < AT_ONCE; entered++) {
        switch (event_due(&held->ahead, now_ms, held->row.secret, &entry)) {
        case EVENT_NOT_YET:
            return event_due_ms(&held->ahead);
        case EVENT_DUE_NO_MEMORY:
            return now_ms + AGAIN_MS;
        case EVENT_IS_DUE:
            break;
        }
        if (held_enter(hub, held, &entry, NULL, NULL, NULL, &fault) != PROTOCOL_OK)
            return now_ms + AGAIN_MS;
    }
    return now_ms;
}

static void look_at(struct hub *hub, struct held *held)
{
    const int64_t now_ms = kernel_now_ms(hub);
    held->wake_ms = INT64_MAX;
    if (held->undone && held->pending == 0 && !held->broken && !held_mend(held))
        held->wake_ms = now_ms + AGAIN_MS;
    if (!held_is_whole(held) || held->durable.n == 0)
        return;
    const int64_t due_ms = enter_due(hub, held);
    held->wake_ms = earlier(due_ms, tables_look(hub, held));
}

void events_tick(struct hub *hub)
{
    const struct held_events *all = &events_of(hub)->held;
    const int64_t now_ms = kernel_now_ms(hub);
    for (size_t at = 0; at < all->count; at++) {
        struct held *held = all->items[at];
        if (held->wake_ms > now_ms)
            continue;
        if (held->row.going)
            past_let_go(hub, held);
        else
            look_at(hub, held);
    }
    past_look(hub);
    event_waiters_tick(hub);
}
