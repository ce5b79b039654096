#include "op_event.h"

#include "held.h"
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <protocol/account.h>
#include <protocol/request.h>
#include <stdio.h>
#include <string.h>

struct held *op_event_find(const struct call *call)
{
    struct held *held = held_find(call->hub, call->request->event);
    if (!held) {
        call_error(call, PROTOCOL_UNKNOWN_EVENT, "event");
        return NULL;
    }
    if (!held_is_whole(held) && !held_mend(held)) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return NULL;
    }
    return held;
}

/* ---- answers */

static void write_number(struct reply *reply, uint64_t n)
{
    writer_key_int(&reply->writer, "n", (int64_t)n);
}

static void answer_again(const struct call *call, const struct held *held)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    write_number(&reply, held->durable.n);
    call_reply(call, &reply, NULL);
}

static enum protocol_error error_of(enum event_fault fault, const char **field)
{
    *field = NULL;
    switch (fault) {
    case EVENT_FULL:
        return PROTOCOL_EVENT_FULL;
    case EVENT_NOT_ENTITLED:
        return PROTOCOL_NOT_DIRECTOR;
    case EVENT_NO_REASON:
        *field = "text";
        return PROTOCOL_BAD_FIELD;
    case EVENT_BAD_RULES:
        *field = "rules";
        return PROTOCOL_BAD_FIELD;
    case EVENT_NOBODY:
    case EVENT_BAD_PARTNER:
    case EVENT_BAD_ROUND:
    case EVENT_BAD_TABLES:
    case EVENT_BAD_PLACES:
        *field = "act";
        return PROTOCOL_BAD_FIELD;
    case EVENT_NO_MEMORY:
        return PROTOCOL_INTERNAL;
    case EVENT_FINE:
    case EVENT_GAP:
    case EVENT_TIME:
    case EVENT_NOT_NOW:
    case EVENT_AGAIN:
    case EVENT_LATE:
    case EVENT_BAD_SECRET:
    case EVENT_UNREADABLE:
    case EVENT_NOT_DUE:
        break;
    }
    return PROTOCOL_EVENT_NOT_NOW;
}

void op_event_refuse(const struct call *call, const struct held *held, enum protocol_error error,
                     enum event_fault fault)
{
    const char *field = NULL;
    if (fault == EVENT_AGAIN && held) {
        answer_again(call, held);
        return;
    }
    if (fault != EVENT_FINE)
        error = error_of(fault, &field);
    call_error(call, error, field);
}

void op_event_do(struct call *call, struct held *held, const struct event_entry *entry,
                 const struct event_entrant_row *name)
{
    struct reply reply;
    enum event_fault fault;
    call_reply_begin(call, &reply);
    write_number(&reply, entry->n);
    const enum protocol_error error =
        held_enter(call->hub, held, entry, name, call, &reply, &fault);
    if (error == PROTOCOL_OK)
        return;
    call_reply_drop(&reply);
    op_event_refuse(call, held, error, fault);
}

/* ---- for oneself */

struct event_entrant_row op_event_name(const struct call *call, const char *event, unsigned number)
{
    const struct protocol_account *account = kernel_account(call->session);
    struct event_entrant_row row = {.number = (uint16_t)number,
                                    .session = kernel_session_id(call->session)};
    memcpy(row.event, event, sizeof row.event);
    (void)snprintf(row.name, sizeof row.name, "%s", kernel_session_name(call->session));
    if (account) {
        row.kind = (uint8_t)account->kind;
        memcpy(row.handle, account->handle, sizeof row.handle);
    }
    return row;
}

static struct event_entry own_entry(const struct call *call, const struct held *held,
                                    enum event_kind kind, unsigned entrant)
{
    const uint64_t session = kernel_session_id(call->session);
    struct event_entry entry = held_next(call->hub, held, kind, session);
    entry.u.who.entrant = (uint16_t)entrant;
    if (kind == EVENT_JOINED)
        entry.u.who.account = session;
    return entry;
}

/* Whoever has withdrawn comes back. */
void op_event_enter(struct call *call)
{
    struct held *held = op_event_find(call);
    if (!held)
        return;
    const unsigned own = event_find(&held->ahead, kernel_session_id(call->session));
    if (own > 0) {
        const bool is_in = event_is_in(&held->ahead.entrant[own - 1]);
        const struct event_entry entry = own_entry(call, held, EVENT_RETURNED, own);
        if (is_in)
            op_event_refuse(call, held, PROTOCOL_OK, EVENT_AGAIN);
        else
            op_event_do(call, held, &entry, NULL);
        return;
    }
    if (!held->ahead.rules.guests && !kernel_needs_account(call))
        return;
    const unsigned number = held->ahead.entrants + 1;
    const struct event_entry entry = own_entry(call, held, EVENT_JOINED, number);
    const struct event_entrant_row name = op_event_name(call, held->row.event, number);
    op_event_do(call, held, &entry, &name);
}

static void do_own(struct call *call, enum event_kind kind)
{
    struct held *held = op_event_find(call);
    if (!held)
        return;
    const unsigned own = event_find(&held->ahead, kernel_session_id(call->session));
    if (own == 0) {
        call_error(call, PROTOCOL_NOT_ENTERED, NULL);
        return;
    }
    const struct event_entry entry = own_entry(call, held, kind, own);
    op_event_do(call, held, &entry, NULL);
}

void op_event_here(struct call *call)
{
    do_own(call, EVENT_HERE);
}

void op_event_leave(struct call *call)
{
    do_own(call, EVENT_WITHDREW);
}
