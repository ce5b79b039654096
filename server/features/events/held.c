#include "held.h"

#include "rows.h"
#include "state.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/kernel.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 1 << 20 }; /* more than 512 entrants and 171 tables take */

static struct held_events *all_of(const struct hub *hub)
{
    return &events_of(hub)->held;
}

/* ---- which there are */

static struct held *find_any(const struct hub *hub, const char *id)
{
    const struct held_events *all = all_of(hub);
    for (size_t at = 0; at < all->count; at++) {
        if (strcmp(all->items[at]->row.event, id) == 0)
            return all->items[at];
    }
    return NULL;
}

struct held *held_find(const struct hub *hub, const char *id)
{
    struct held *held = find_any(hub, id);
    return held && held->durable.n > 0 && !held->row.going ? held : NULL;
}

bool held_is_known(const struct hub *hub, const char *id)
{
    return find_any(hub, id);
}

static bool is_over(const struct event *event)
{
    return event->phase == EVENT_IS_OVER || event->phase == EVENT_IS_OFF;
}

bool held_is_over(const struct held *held)
{
    return is_over(&held->durable);
}

size_t held_count_open(const struct hub *hub, uint64_t director)
{
    const struct held_events *all = all_of(hub);
    size_t count = 0;
    for (size_t at = 0; at < all->count; at++) {
        const struct held *held = all->items[at];
        count += !is_over(&held->durable) && !held->row.going &&
                 (director == 0 || held->ahead.director == director);
    }
    return count;
}

struct held *held_add(struct hub *hub, const struct event_row *row)
{
    struct held_events *all = all_of(hub);
    if (all->count == all->capacity) {
        const size_t capacity = all->capacity ? 2 * all->capacity : 16;
        struct held **grown = realloc(all->items, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        all->items = grown;
        all->capacity = capacity;
    }
    struct held *held = calloc(1, sizeof *held);
    if (!held)
        return NULL;
    held->row = *row;
    buffer_init(&held->shown, 0, SHOWN_MAX);
    held->wake_ms = INT64_MAX;
    all->items[all->count++] = held;
    return held;
}

static void free_held(struct held *held)
{
    event_release(&held->durable);
    event_release(&held->ahead);
    buffer_release(&held->shown);
    free(held->names);
    free(held);
}

void held_drop(struct hub *hub, struct held *held)
{
    struct held_events *all = all_of(hub);
    size_t kept = 0;
    for (size_t at = 0; at < all->count; at++) {
        if (all->items[at] != held)
            all->items[kept++] = all->items[at];
    }
    all->count = kept;
    free_held(held);
}

void held_release(struct held_events *all)
{
    for (size_t at = 0; at < all->count; at++)
        free_held(all->items[at]);
    free(all->items);
    *all = (struct held_events){0};
}

/* ---- names */

/* Memory for one name more. False: there is none. */
static bool reserve_name(struct held *held)
{
    if (held->name_count < held->name_capacity)
        return true;
    const size_t capacity = held->name_capacity ? 2 * held->name_capacity : 4;
    struct event_entrant_row *grown = realloc(held->names, capacity * sizeof *grown);
    if (!grown)
        return false;
    held->names = grown;
    held->name_capacity = capacity;
    return true;
}

/* Of numbers that nobody has any more: it was not stored. */
static void forget_names(struct held *held)
{
    if (held->name_count > held->durable.entrants + 1)
        held->name_count = held->durable.entrants + 1;
}

/* ---- what waits for the store */

void held_touch(struct hub *hub, struct held *held)
{
    const int64_t now_ms = kernel_now_ms(hub);
    held->revision = held->revision < now_ms ? now_ms : held->revision + 1;
    all_of(hub)->touched = true;
}

void held_wait(struct held *held)
{
    held->pending++;
}

bool held_is_whole(const struct held *held)
{
    return !held->broken && !held->undone;
}

bool held_mend(struct held *held)
{
    struct event fresh;
    if (held->broken || held->pending > 0 || !event_copy(&fresh, &held->durable))
        return false;
    event_release(&held->ahead);
    held->ahead = fresh;
    held->undone = false;
    forget_names(held);
    return true;
}

void held_settle(struct hub *hub, struct held *held, bool stored)
{
    assert(held->pending > 0);
    held->pending--;
    held->undone |= !stored;
    held->wake_ms = kernel_now_ms(hub);
    if (held->pending > 0 || !held->undone)
        return;
    if (held->durable.n == 0) /* it was never there */
        held_drop(hub, held);
    else
        (void)held_mend(held); /* else later */
}

/* ---- entering */

struct entering {
    struct kernel_change change;
    struct held *held;
    struct event_entry entry;
};

static void begin_round(struct held *held, unsigned round)
{
    held->rooms_of = round;
    memset(held->rooms, 0, sizeof held->rooms);
}

static void become_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct entering *entering = (const struct entering *)(const void *)change;
    struct held *held = entering->held;
    (void)session;
    if (event_follow(&held->durable, &entering->entry) != EVENT_FINE)
        held->broken = true;
    if (entering->entry.kind == EVENT_PAIRED)
        begin_round(held, held->durable.rounds);
    all_of(hub)->entries++;
    held_touch(hub, held);
    held_settle(hub, held, true);
}

static void become_nothing(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session;
    held_settle(hub, ((const struct entering *)(const void *)change)->held, false);
}

static void destroy_entering(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type entering_type = {
    .carry_out = become_durable, .undo = become_nothing, .destroy = destroy_entering};

struct event_entry held_next(const struct hub *hub, const struct held *held, enum event_kind kind,
                             uint64_t by)
{
    const int64_t now_ms = kernel_now_ms(hub), last_ms = held->ahead.last_ms;
    return (struct event_entry){.n = held->ahead.n + 1,
                                .at_ms = now_ms > last_ms ? now_ms : last_ms,
                                .by = by,
                                .kind = kind};
}

static void put_line(struct hub *hub, const struct held *held, const struct event_entry *entry)
{
    char line[EVENT_LINE_MAX + 1];
    struct event_entry_row row = {.n = entry->n, .text = line};
    memcpy(row.event, held->row.event, sizeof row.event);
    row.text_len = (uint16_t)event_write(entry, line);
    kernel_put_row(hub, &event_entry_table, &row);
}

/* The room of a table that is over is looked at no more. */
static void drop_room(struct hub *hub, const struct held *held, const struct event_outcome *outcome)
{
    struct event_room_row row = {.round = outcome->round, .table = outcome->table};
    memcpy(row.event, held->row.event, sizeof row.event);
    kernel_drop_row(hub, &event_room_table, &row);
}

static void put_rows(struct hub *hub, struct held *held, const struct event_entry *entry,
                     const struct event_entrant_row *name)
{
    put_line(hub, held, entry);
    if (entry->kind == EVENT_RESULT || entry->kind == EVENT_JUDGED)
        drop_room(hub, held, &entry->u.outcome);
    if (entry->kind == EVENT_MADE)
        kernel_put_row(hub, &event_table, &held->row);
    if (name) {
        held->names[held->name_count++] = *name;
        kernel_put_row(hub, &event_entrant_table, name);
    }
}

/* All that may fail, with nothing put. NULL: no memory. */
static struct entering *begin_entering(struct held *held, const struct event_entry *entry,
                                       bool named)
{
    struct entering *entering = malloc(sizeof *entering);
    if (!entering || (named && !reserve_name(held)) ||
        event_follow(&held->ahead, entry) != EVENT_FINE) {
        free(entering);
        return NULL;
    }
    *entering = (struct entering){.change.type = &entering_type, .held = held, .entry = *entry};
    return entering;
}

/* Why it cannot be entered. */
static enum protocol_error check_entry(const struct hub *hub, const struct held *held,
                                       const struct event_entry *entry, const struct call *call,
                                       enum event_fault *fault)
{
    *fault = EVENT_FINE;
    if (!held_is_whole(held))
        return PROTOCOL_STORE_FAILING;
    *fault = event_check(&held->ahead, entry);
    if (*fault != EVENT_FINE)
        return PROTOCOL_EVENT_NOT_NOW;
    if (call && kernel_session_is_changing(call->session))
        return PROTOCOL_SLOW_DOWN;
    return kernel_may_store(hub, HELD_OPS);
}

/* The last thing that may fail has failed: it is as it was. */
static void take_back(struct hub *hub, struct held *held, struct kernel_mark mark)
{
    kernel_take_back(hub, mark);
    held->pending--;
    held->undone = true;
    if (held->pending == 0)
        (void)held_mend(held);
}

static enum protocol_error enter(struct hub *hub, struct held *held,
                                 const struct event_entry *entry,
                                 const struct event_entrant_row *name, const struct call *call,
                                 struct reply *reply, enum event_fault *fault)
{
    const enum protocol_error error = check_entry(hub, held, entry, call, fault);
    if (error != PROTOCOL_OK)
        return error;
    if (kernel_reserve(hub, HELD_OPS, HELD_TEXT) < 0)
        return PROTOCOL_INTERNAL;
    struct entering *entering = begin_entering(held, entry, name);
    if (!entering)
        return PROTOCOL_INTERNAL;
    const struct kernel_mark mark = kernel_mark(hub);
    put_rows(hub, held, entry, name);
    held_wait(held);
    if (!call) {
        kernel_change_hub(hub, &entering->change);
    } else if (kernel_change_answered(call, call->session, reply, &entering->change) < 0) {
        free(entering);
        take_back(hub, held, mark);
        return PROTOCOL_INTERNAL;
    }
    return PROTOCOL_OK;
}

enum protocol_error held_enter(struct hub *hub, struct held *held, const struct event_entry *entry,
                               const struct event_entrant_row *name, const struct call *call,
                               struct reply *reply, enum event_fault *fault)
{
    const enum protocol_error error = enter(hub, held, entry, name, call, reply, fault);
    if (error != PROTOCOL_OK && entry->kind == EVENT_MADE)
        held_drop(hub, held);
    return error;
}

bool held_put(struct hub *hub, struct held *held, const struct event_entry *entry)
{
    struct entering *entering = begin_entering(held, entry, false);
    if (!entering)
        return false;
    put_rows(hub, held, entry, NULL);
    held_wait(held);
    kernel_change_hub(hub, &entering->change);
    return true;
}

/* ---- from the store */

/* Those of one event come in their order; one that does not follow ends it. */
static bool restore_entry(struct held *held, const struct event_entry_row *row)
{
    struct event_entry entry;
    enum event_fault fault = EVENT_UNREADABLE;
    if (held->row.going)
        held->durable.n = row->n; /* as many are to go */
    if (held->row.going || held->broken)
        return true;
    const enum event_read read = event_read(&entry, row->text, row->text_len);
    if (read == EVENT_READ)
        fault = event_follow(&held->durable, &entry);
    if (fault == EVENT_FINE && entry.kind == EVENT_PAIRED)
        begin_round(held, held->durable.rounds);
    held->broken = fault != EVENT_FINE;
    return read != EVENT_READ_NO_MEMORY && fault != EVENT_NO_MEMORY;
}

static bool restore_name(struct held *held, const struct event_entrant_row *row)
{
    if (row->number != held->name_count)
        return true;
    if (!reserve_name(held))
        return false;
    held->names[held->name_count++] = *row;
    return true;
}

static void restore_room(struct held *held, const struct event_room_row *row)
{
    if (row->round == held->rooms_of && row->table >= 1 && row->table <= EVENT_TABLES_MAX)
        memcpy(held->rooms[row->table - 1].id, row->room, sizeof row->room);
}

bool held_restore(struct hub *hub, const struct store_table *table, const void *row)
{
    /* Each row begins with the id of its event. */
    struct held *held = find_any(hub, row);
    if (table == &event_table) {
        held = held_add(hub, row);
        if (held) { /* the clock begins with it */
            held->undone = true;
            held->wake_ms = kernel_now_ms(hub);
            held_touch(hub, held);
        }
        return held;
    }
    if (!held) /* of one that is gone */
        return true;
    if (table == &event_entry_table)
        return restore_entry(held, row);
    if (table == &event_entrant_table)
        return restore_name(held, row);
    restore_room(held, row);
    return true;
}
