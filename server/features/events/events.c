#include <events/events.h>

#include "clock.h"
#include "held.h"
#include "op_act.h"
#include "op_event.h"
#include "op_look.h"
#include "op_make.h"
#include "past.h"
#include "rows.h"
#include "seated.h"
#include "state.h"
#include "tables.h"
#include "waiting.h"
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/prometheus.h>
#include <protocol/request.h>

static int begin_feature(struct hub *hub)
{
    (void)hub;
    return 0;
}

static void end_feature(struct hub *hub)
{
    event_waiters_release(&events_of(hub)->waiters);
    held_release(&events_of(hub)->held);
}

static const char *called(const struct request *request, const char **field)
{
    *field = "title";
    return request->op == REQUEST_EVENT_MAKE ? request->title : NULL;
}

static void match_over(struct hub *hub, const struct room *room, const struct room_result *result)
{
    (void)room;
    tables_match_over(hub, result);
}

static void write_figures(const struct hub *hub, struct buffer *out)
{
    const struct events *events = events_of(hub);
    prometheus_count(out, "events", "gauge", "Events that have not ended.",
                     held_count_open(hub, 0));
    prometheus_count(out, "events_past", "gauge", "Events that have ended, and are kept.",
                     events->held.count - held_count_open(hub, 0));
    prometheus_count(out, "event_entries_total", "counter", "Entries into logs of events.",
                     events->held.entries);
    prometheus_count(out, "event_results_total", "counter",
                     "Matches whose results have come into an event.", events->held.results);
    prometheus_count(out, "event_listeners", "gauge", "Who waits for the next change of an event.",
                     events->waiters.count);
}

static const struct store_table *const tables[] = {&event_table, &event_entry_table,
                                                   &event_entrant_table, &event_room_table, NULL};

static const struct letter_row letters[] = {
    {event_result_letter, EVENT_RESULT_OPS, EVENT_RESULT_TEXT, tables_apply},
    {event_seated_letter, 0, 0, seated_apply},
};

static const struct request_row requests[] = {
    {REQUEST_EVENT, REQUEST_AT_DESK | REQUEST_LONG, op_event},
    {REQUEST_EVENT_ACT, REQUEST_AT_DESK | REQUEST_ONCE, op_event_act},
    {REQUEST_EVENT_ENTER, REQUEST_AT_DESK, op_event_enter},
    {REQUEST_EVENT_HERE, REQUEST_AT_DESK, op_event_here},
    {REQUEST_EVENT_LEAVE, REQUEST_AT_DESK, op_event_leave},
    {REQUEST_EVENT_LOG, REQUEST_AT_DESK | REQUEST_LONG, op_event_log},
    {REQUEST_EVENT_MAKE, REQUEST_AT_DESK | REQUEST_ONCE, op_event_make},
    {REQUEST_EVENTS, REQUEST_AT_DESK | REQUEST_LONG, op_events},
};

const struct feature feature_events = {
    .name = "events",
    .memory = &events_memory,
    .begin = begin_feature,
    .end = end_feature,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .called = called,
    .write_kept = past_write_kept,
    .write_figures = write_figures,
    .match_over = match_over,
    .forget = past_forget,
    .tables = tables,
    .restore_row = held_restore,
    .deadline_ms = events_deadline_ms,
    .tick = events_tick,
    .queried = op_event_log_queried,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
};
