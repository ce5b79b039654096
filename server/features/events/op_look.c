#include "op_look.h"

#include "held.h"
#include "rows.h"
#include "state.h"
#include "view.h"
#include "waiting.h"
#include <hub/call.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <protocol/request.h>
#include <string.h>

enum { PAGE_EVENTS = 50, PAGE_LINES = 32 };

/* ---- which there are */

/* The newest first. */
static void write_page(const struct held_events *all, size_t before, struct writer *writer)
{
    size_t written = 0;
    writer_key_array(writer, "events");
    for (; before > 0 && written < PAGE_EVENTS; before--) {
        const struct held *held = all->items[before - 1];
        if (held->durable.n == 0 || held->row.going)
            continue;
        event_view_write_short(held, writer);
        written++;
    }
    writer_end(writer);
    if (before > 0)
        writer_key_bool(writer, "more", true);
}

void op_events(struct call *call)
{
    const struct held_events *all = &events_of(call->hub)->held;
    size_t before = all->count;
    struct reply reply;
    if (request_has(call->request, REQUEST_AFTER)) {
        while (before > 0 && strcmp(all->items[before - 1]->row.event, call->request->after) != 0)
            before--;
        before -= before > 0;
    }
    call_reply_begin(call, &reply);
    write_page(all, before, &reply.writer);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

/* ---- one */

static struct held *find_event(const struct call *call)
{
    struct held *held = held_find(call->hub, call->request->event);
    if (!held)
        call_error(call, PROTOCOL_UNKNOWN_EVENT, "event");
    return held;
}

/* Whoever has what there is waits for more. */
void op_event(struct call *call)
{
    struct held *held = find_event(call);
    if (!held)
        return;
    if (!request_has(call->request, REQUEST_HAVE) || call->request->have != held->revision)
        event_view_answer(call, held, false);
    else if (!event_waiters_wait(call, held))
        event_view_answer(call, held, true);
}

/* ---- its log */

void op_event_log(struct call *call)
{
    struct event_entry_row from = {.text = ""};
    const struct held *held = find_event(call);
    if (!held)
        return;
    memcpy(from.event, held->row.event, sizeof from.event);
    if (request_has(call->request, REQUEST_HAVE))
        from.n = (uint64_t)call->request->have;
    const struct kernel_query query = {.table = &event_entry_table,
                                       .index = 0,
                                       .limit = PAGE_LINES,
                                       .behind = from.n > 0,
                                       .from = &from};
    if (!call_query(call, &query))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
}

void op_event_log_queried(struct call *call, const struct store_query *query)
{
    struct reply reply;
    if (query->result != STORE_OK) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    writer_key_array(&reply.writer, "lines");
    for (size_t at = 0; at < query->count; at++) {
        const struct event_entry_row *row = store_query_row(query, at);
        writer_string_n(&reply.writer, row->text, row->text_len);
    }
    writer_end(&reply.writer);
    if (query->more)
        writer_key_bool(&reply.writer, "more", true);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}
