#include "waiting.h"

#include "held.h"
#include "state.h"
#include "view.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <protocol/error.h>
#include <stdlib.h>
#include <string.h>

struct event_waiter {
    struct event_waiter *next;
    struct call_later later;
    uint64_t session;
    uint16_t share; /* of where they ask from */
    char event[PROTOCOL_ROOM_BYTES + 1];
    int64_t have; /* the revision that they have seen */
    int64_t due_ms;
};

static struct event_waiters *waiters_of(const struct hub *hub)
{
    return &events_of(hub)->waiters;
}

static void add_waiter(struct event_waiters *waiters, struct event_waiter *waiter)
{
    *(waiters->last ? &waiters->last->next : &waiters->first) = waiter;
    waiters->last = waiter;
    waiters->count++;
}

/* `before`: the one before it; NULL: it is the first. */
static void take_out(struct event_waiters *waiters, const struct event_waiter *waiter,
                     struct event_waiter *before)
{
    *(before ? &before->next : &waiters->first) = waiter->next;
    if (waiters->last == waiter)
        waiters->last = before;
    waiters->count--;
}

/* To whoever asked, if they are still there as the same. */
static void answer_waiter(struct hub *hub, const struct event_waiter *waiter)
{
    struct call call;
    struct held *held = held_find(hub, waiter->event);
    if (!call_resume(hub, &waiter->later, &call) ||
        kernel_session_id(call.session) != waiter->session)
        return;
    if (!held) {
        call_error(&call, PROTOCOL_UNKNOWN_EVENT, "event");
        return;
    }
    held->answered |= held->revision != waiter->have;
    event_view_answer(&call, held, false);
}

/* When it is answered. */
static int64_t due_ms(const struct hub *hub, const struct event_waiter *waiter)
{
    const struct held *held = held_find(hub, waiter->event);
    if (!held)
        return INT64_MIN;
    const int64_t news_ms =
        held->revision != waiter->have ? held->told_ms + EVENT_TELL_MS : INT64_MAX;
    return news_ms < waiter->due_ms ? news_ms : waiter->due_ms;
}

typedef bool is_due_fn(const struct hub *hub, const struct event_waiter *waiter);

static void answer_who(struct hub *hub, is_due_fn *is_due)
{
    struct event_waiter *before = NULL, *next;
    for (struct event_waiter *one = waiters_of(hub)->first; one; one = next) {
        next = one->next;
        if (!is_due(hub, one)) {
            before = one;
            continue;
        }
        take_out(waiters_of(hub), one, before);
        answer_waiter(hub, one);
        free(one);
    }
}

/* One of a connection waits: the later one. */
static bool is_replaced(const struct hub *hub, const struct event_waiter *waiter)
{
    const struct event_waiter *last = waiters_of(hub)->last;
    return waiter != last && waiter->later.peer == last->later.peer;
}

static bool has_place(const struct hub *hub, uint16_t share, uint64_t peer)
{
    size_t in_all = 0, of_share = 0;
    for (const struct event_waiter *one = waiters_of(hub)->first; one; one = one->next) {
        in_all += one->later.peer != peer;
        of_share += one->later.peer != peer && one->share == share;
    }
    return in_all < (uint64_t)kernel_config(hub)->event_listeners &&
           of_share < EVENT_WAITERS_PER_SHARE;
}

bool event_waiters_wait(const struct call *call, const struct held *held)
{
    struct event_waiters *waiters = waiters_of(call->hub);
    const uint16_t share = kernel_source_share(call);
    const struct call_later later = call_put_off(call);
    struct event_waiter *waiter =
        has_place(call->hub, share, later.peer) ? malloc(sizeof *waiter) : NULL;
    if (!waiter)
        return false;
    *waiter = (struct event_waiter){.later = later,
                                    .session = kernel_session_id(call->session),
                                    .share = share,
                                    .have = held->revision,
                                    .due_ms = kernel_now_ms(call->hub) + EVENT_HOLD_MS};
    memcpy(waiter->event, held->row.event, sizeof waiter->event);
    if (waiters->count == 0 || waiter->due_ms < waiters->wake_ms)
        waiters->wake_ms = waiter->due_ms;
    add_waiter(waiters, waiter);
    answer_who(call->hub, is_replaced);
    return true;
}

/* ---- time */

int64_t event_waiters_deadline_ms(const struct hub *hub)
{
    const struct event_waiters *waiters = waiters_of(hub);
    if (waiters->count == 0)
        return INT64_MAX;
    return events_of(hub)->held.touched ? kernel_now_ms(hub) : waiters->wake_ms;
}

static bool is_due(const struct hub *hub, const struct event_waiter *waiter)
{
    return due_ms(hub, waiter) <= kernel_now_ms(hub);
}

/* Those of one event are told at once, whichever of them is the first. */
void event_waiters_tick(struct hub *hub)
{
    struct held_events *all = &events_of(hub)->held;
    struct event_waiters *waiters = waiters_of(hub);
    if (event_waiters_deadline_ms(hub) > kernel_now_ms(hub))
        return;
    all->touched = false;
    answer_who(hub, is_due);
    for (size_t at = 0; at < all->count; at++) {
        struct held *held = all->items[at];
        if (held->answered)
            held->told_ms = kernel_now_ms(hub);
        held->answered = false;
    }
    waiters->wake_ms = INT64_MAX;
    for (const struct event_waiter *one = waiters->first; one; one = one->next) {
        if (due_ms(hub, one) < waiters->wake_ms)
            waiters->wake_ms = due_ms(hub, one);
    }
}

void event_waiters_release(struct event_waiters *waiters)
{
    struct event_waiter *next;
    for (struct event_waiter *one = waiters->first; one; one = next) {
        next = one->next;
        free(one);
    }
    *waiters = (struct event_waiters){0};
}
