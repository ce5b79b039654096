#include "past.h"

#include "held.h"
#include "rows.h"
#include "state.h"
#include <hub/config.h>
#include <hub/kernel.h>
#include <protocol/json_writer.h>
#include <stdlib.h>
#include <string.h>

enum { AGAIN_MS = 1000, STEP_ROWS = 64 };

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

/* ---- events */

/* A step of one that goes: so many entries and names are left then. */
struct going {
    struct kernel_change change;
    struct held *held;
    uint64_t entries;
    size_t names;
    bool marks, ends;
};

static void drop_step(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct going *going = (const struct going *)(const void *)change;
    struct held *held = going->held;
    (void)session;
    held->pending--;
    held->wake_ms = kernel_now_ms(hub);
    held->durable.n = going->entries;
    held->name_count = going->names;
    held_touch(hub, held);
    if (going->ends)
        held_drop(hub, held);
}

static void undo_step(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct going *going = (const struct going *)(const void *)change;
    (void)session;
    if (going->marks)
        going->held->row.going = 0;
    going->held->pending--;
    going->held->wake_ms = kernel_now_ms(hub) + AGAIN_MS;
}

static const struct kernel_change_type going_type = {
    .carry_out = drop_step, .undo = undo_step, .destroy = destroy_change};

/* NULL: not now. */
static struct going *begin_step(struct hub *hub, struct held *held)
{
    struct going *going = NULL;
    if (held->pending == 0 && kernel_may_store(hub, STEP_ROWS) == PROTOCOL_OK &&
        kernel_reserve(hub, STEP_ROWS, 0) == 0)
        going = calloc(1, sizeof *going);
    if (!going) {
        held->wake_ms = kernel_now_ms(hub) + AGAIN_MS;
        return NULL;
    }
    going->change.type = &going_type;
    going->held = held;
    going->entries = held->durable.n;
    going->names = held->name_count;
    held->pending++;
    held->wake_ms = INT64_MAX;
    return going;
}

void past_let_go(struct hub *hub, struct held *held)
{
    struct event_entry_row entry = {.n = 0};
    struct event_entrant_row name = {.number = 0};
    struct going *going = begin_step(hub, held);
    unsigned rows = 0;
    if (!going)
        return;
    memcpy(entry.event, held->row.event, sizeof entry.event);
    memcpy(name.event, held->row.event, sizeof name.event);
    for (; rows < STEP_ROWS && going->entries > 0; rows++) {
        entry.n = going->entries--;
        kernel_drop_row(hub, &event_entry_table, &entry);
    }
    for (; rows < STEP_ROWS && going->names > 0; rows++) {
        name.number = (uint16_t)--going->names;
        kernel_drop_row(hub, &event_entrant_table, &name);
    }
    going->ends = rows < STEP_ROWS;
    if (going->ends)
        kernel_drop_row(hub, &event_table, &held->row);
    kernel_change_hub(hub, &going->change);
}

/* The one that ended first. */
static struct held *find_oldest(const struct held_events *all, size_t *count)
{
    struct held *oldest = NULL;
    *count = 0;
    for (size_t at = 0; at < all->count; at++) {
        struct held *held = all->items[at];
        if (held->row.going || !held_is_over(held))
            continue;
        ++*count;
        if (!oldest || held->durable.last_ms < oldest->durable.last_ms)
            oldest = held;
    }
    return oldest;
}

void past_look(struct hub *hub)
{
    size_t count;
    struct held *held = find_oldest(&events_of(hub)->held, &count);
    if (count <= (uint64_t)kernel_config(hub)->events_kept || held->pending > 0)
        return;
    struct going *going = begin_step(hub, held);
    if (!going)
        return;
    going->marks = true;
    held->row.going = 1;
    kernel_put_row(hub, &event_table, &held->row);
    kernel_change_hub(hub, &going->change);
}

/* ---- names */

struct forgetting {
    struct kernel_change change;
    struct held *held;
    unsigned number;
};

static void forget_name(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct forgetting *forgetting = (const struct forgetting *)(const void *)change;
    struct event_entrant_row *name = &forgetting->held->names[forgetting->number];
    (void)session;
    name->session = 0;
    name->kind = 0;
    name->handle[0] = name->name[0] = '\0';
    held_touch(hub, forgetting->held);
    held_settle(hub, forgetting->held, true);
}

static void keep_name(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session;
    held_settle(hub, ((const struct forgetting *)(const void *)change)->held, false);
}

static const struct kernel_change_type forgetting_type = {
    .carry_out = forget_name, .undo = keep_name, .destroy = destroy_change};

static bool forget_in(struct hub *hub, struct held *held, unsigned number)
{
    struct forgetting *forgetting = calloc(1, sizeof *forgetting);
    if (!forgetting)
        return false;
    struct event_entrant_row row = {.number = (uint16_t)number};
    memcpy(row.event, held->row.event, sizeof row.event);
    kernel_put_row(hub, &event_entrant_table, &row);
    forgetting->change.type = &forgetting_type;
    forgetting->held = held;
    forgetting->number = number;
    held_wait(held);
    kernel_change_hub(hub, &forgetting->change);
    return true;
}

/* Of an event of which something waits for the store names go later. */
size_t past_forget(struct hub *hub, uint64_t session, size_t max, bool *more)
{
    const struct held_events *all = &events_of(hub)->held;
    size_t count = 0;
    for (size_t at = 0; at < all->count; at++) {
        struct held *held = all->items[at];
        for (unsigned number = 0; number < held->name_count; number++) {
            if (held->names[number].session != session)
                continue;
            if (count < max && held->pending == 0 && !held->row.going &&
                forget_in(hub, held, number))
                count++;
            else
                *more = true;
        }
    }
    return count;
}

/* ---- what is kept of somebody */

void past_write_kept(const struct hub *hub, uint64_t session, bool at_desk, struct writer *writer)
{
    const struct held_events *all = &events_of(hub)->held;
    if (!at_desk)
        return;
    writer_key_array(writer, "events");
    for (size_t at = 0; at < all->count; at++) {
        const struct held *held = all->items[at];
        for (unsigned number = 0; number < held->name_count; number++) {
            if (held->names[number].session != session)
                continue;
            writer_object(writer);
            writer_key_string(writer, "event", held->row.event);
            if (number > 0)
                writer_key_int(writer, "entrant", number);
            writer_end(writer);
        }
    }
    writer_end(writer);
}
