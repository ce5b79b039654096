#include "model_store.h"

#include "model_erase.h"
#include "model_hand.h"
#include "model_query.h"
#include "model_rows.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void room_release(struct model_room *room)
{
    for (size_t i = 0; i < room->count; i++)
        free((char *)(uintptr_t)room->events[i].text);
    free(room->events);
    free(room->guests);
}

void model_release(struct model_store *model)
{
    struct model_store *next = model->next;
    for (size_t i = 0; i < model->room_count; i++)
        room_release(&model->rooms[i]);
    free(model->rooms);
    free(model->sessions);
    model_rows_release(model);
    model_init(model);
    model->next = next;
}

static struct model_room *find_room(const struct model_store *model, const char *id)
{
    for (size_t i = 0; i < model->room_count; i++) {
        if (strcmp(model->rooms[i].row.seed.id, id) == 0)
            return &model->rooms[i];
    }
    return NULL;
}

const struct model_room *model_room(const struct model_store *model, const char *id)
{
    return find_room(model, id);
}

static size_t session_place(const struct model_store *model, uint64_t id)
{
    size_t at = 0;
    while (at < model->session_count && model->sessions[at].id != id)
        at++;
    return at;
}

const struct store_session *model_session(const struct model_store *model, uint64_t id)
{
    size_t at = session_place(model, id);
    return at < model->session_count ? &model->sessions[at] : NULL;
}

/* ---- all operations are checked, in order, before any is carried out */

/* The room's next seq when the ops before `upto` that are not refused are done; 0: no such room, or
 * one whose log is closed, as it is archived. */
static uint64_t next_seq(const struct model_store *model, const struct store_batch *batch,
                         size_t upto, const char *id)
{
    const struct model_room *room = find_room(model, id);
    uint64_t next = room && !room->archived ? room->count + 1 : 0;
    for (size_t i = 0; i < upto; i++) {
        const struct store_op *op = &batch->ops[i];
        if (strcmp(op->room_id, id) != 0)
            continue;
        if (op->kind == STORE_PUT_ROOM)
            next = 1;
        else if (op->kind == STORE_APPEND)
            next++;
        else if (op->kind == STORE_DROP_ROOM || op->kind == STORE_ARCHIVE_ROOM)
            next = 0;
    }
    return next;
}

static bool session_is_there(const struct model_store *model, const struct store_batch *batch,
                             size_t upto, uint64_t id)
{
    bool there = model_session(model, id) != NULL;
    for (size_t i = 0; i < upto; i++) {
        const struct store_op *op = &batch->ops[i];
        if (op->kind == STORE_PUT_SESSION && op->u.session.id == id)
            there = true;
        else if (op->kind == STORE_DROP_SESSION && op->u.session_id == id)
            there = false;
    }
    return there;
}

static bool row_makes_sense(const struct model_store *model, const struct store_batch *batch,
                            size_t at)
{
    const struct store_row *row = &batch->ops[at].u.row;
    return store_row_is_valid(row->table, row->row) &&
           (row->table->owner != STORE_OF_SESSION ||
            session_is_there(model, batch, at, store_owner_of(row->table, row->row)));
}

static bool op_makes_sense(const struct model_store *model, const struct store_batch *batch,
                           size_t at)
{
    const struct store_op *op = &batch->ops[at];
    switch (op->kind) {
    case STORE_PUT_SESSION:
        return op->u.session.id != 0 && memchr(op->u.session.name, 0, sizeof op->u.session.name);
    case STORE_DROP_SESSION:
    case STORE_ERASE_NAMES:
        return true;
    case STORE_HAND_ROOM:
        return op->epoch == model->epoch && next_seq(model, batch, at, op->room_id) > 1;
    case STORE_HAND_MATCHES:
        return op->u.hand.from != 0 && op->u.hand.to != 0;
    case STORE_PUT_ROOM:
        return !find_room(model, op->room_id) && next_seq(model, batch, at, op->room_id) == 0 &&
               strcmp(op->u.room.seed.id, op->room_id) == 0;
    case STORE_APPEND:
        return op->epoch == model->epoch && op->u.event.seq > 0 &&
               op->u.event.seq == next_seq(model, batch, at, op->room_id);
    case STORE_ARCHIVE_ROOM:
        return next_seq(model, batch, at, op->room_id) > 1;
    case STORE_DROP_ROOM:
        return true;
    case STORE_LET_IN:
        return op->u.guest.session != 0;
    case STORE_PUT_ROW:
        return row_makes_sense(model, batch, at);
    case STORE_DROP_ROW:
        return true;
    }
    return false;
}

static void refuse_what_makes_no_sense(struct model_store *model, const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct store_op *op = &batch->ops[i];
        if (batch->results[i] != STORE_OK || op_makes_sense(model, batch, i))
            continue;
        (void)snprintf(model->complaint, sizeof model->complaint,
                       "op %zu of %zu: kind %d, room %s, seq %llu", i, batch->count, (int)op->kind,
                       op->room_id, (unsigned long long)op->u.event.seq);
        store_batch_refuse(batch, i);
    }
}

static void refuse_what_is_crowded(const struct model_store *model, const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->results[i] != STORE_OK || model_is_within(model, batch, i))
            continue;
        store_batch_crowd(batch, i);
        i = (size_t)-1; /* without it there is more room */
    }
}

static void refuse_as_told(const struct model_store *model, const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count && model->refuse; i++) {
        if (strcmp(batch->ops[i].room_id, model->refuse) == 0)
            store_batch_refuse(batch, i);
    }
}

/* ---- carrying the operations out */

static void put_session(struct model_store *model, const struct store_session *row)
{
    size_t at = session_place(model, row->id);
    if (at == model->session_count) {
        model->sessions =
            model_grown(model->sessions, at, &model->session_size, sizeof *model->sessions);
        model->session_count++;
    }
    model->sessions[at] = *row;
}

static void drop_session(struct model_store *model, uint64_t id)
{
    size_t at = session_place(model, id);
    model_drop_rows_of(model, id);
    if (at < model->session_count)
        model->sessions[at] = model->sessions[--model->session_count];
}

static void put_room(struct model_store *model, const struct store_room *row)
{
    model->rooms =
        model_grown(model->rooms, model->room_count, &model->room_size, sizeof *model->rooms);
    model->rooms[model->room_count++] = (struct model_room){.row = *row};
}

static void append(struct model_room *room, const struct room_event *event)
{
    char *text = malloc(event->text_len + 1U);
    assert(text);
    memcpy(text, event->text, event->text_len);
    text[event->text_len] = '\0';
    room->events = model_grown(room->events, room->count, &room->size, sizeof *room->events);
    room->events[room->count] = *event;
    room->events[room->count++].text = text;
}

static void drop_room(struct model_store *model, const char *id)
{
    struct model_room *room = find_room(model, id);
    if (!room)
        return;
    room_release(room);
    *room = model->rooms[--model->room_count];
}

static void remove_guest(struct model_room *room, uint64_t session)
{
    for (size_t i = 0; i < room->guest_count; i++) {
        if (room->guests[i] == session)
            room->guests[i--] = room->guests[--room->guest_count];
    }
}

static void let_in(struct model_room *room, const struct store_guest *guest)
{
    if (!room)
        return;
    remove_guest(room, guest->instead_of);
    remove_guest(room, guest->session);
    room->guests =
        model_grown(room->guests, room->guest_count, &room->guest_size, sizeof *room->guests);
    room->guests[room->guest_count++] = guest->session;
}

/* It has been checked that it is there. */
static struct model_room *the_room(const struct model_store *model, const char *id)
{
    struct model_room *room = find_room(model, id);
    assert(room);
    return room;
}

static void carry_out(struct model_store *model, const struct store_op *op)
{
    switch (op->kind) {
    case STORE_PUT_SESSION:
        put_session(model, &op->u.session);
        break;
    case STORE_DROP_SESSION:
        drop_session(model, op->u.session_id);
        break;
    case STORE_PUT_ROOM:
        put_room(model, &op->u.room);
        break;
    case STORE_APPEND:
        append(the_room(model, op->room_id), &op->u.event);
        break;
    case STORE_ARCHIVE_ROOM:
        the_room(model, op->room_id)->archived = true;
        break;
    case STORE_DROP_ROOM:
        drop_room(model, op->room_id);
        break;
    case STORE_LET_IN:
        let_in(find_room(model, op->room_id), &op->u.guest);
        break;
    case STORE_PUT_ROW:
        model_put_row(model, &op->u.row);
        break;
    case STORE_DROP_ROW:
        model_drop_row(model, &op->u.row);
        break;
    case STORE_ERASE_NAMES:
        model_erase_names(model, op->u.session_id);
        break;
    case STORE_HAND_ROOM:
        model_hand_room(the_room(model, op->room_id), &op->u.hand);
        break;
    case STORE_HAND_MATCHES:
        model_hand_matches(model, &op->u.hand);
        break;
    }
}

/* ---- the interface */

static struct model_store *model_of(struct store *store)
{
    return (struct model_store *)store;
}

static int hand_over_room(const struct model_room *room, const struct store_sink *sink)
{
    int result = sink->room(sink->ctx, &room->row);
    for (size_t i = 0; i < room->count && result == 0; i++)
        result = sink->event(sink->ctx, room->row.seed.id, &room->events[i]);
    return result;
}

static int hand_over_guests(const struct model_room *room, const struct store_sink *sink)
{
    int result = 0;
    for (size_t i = 0; i < room->guest_count && result == 0; i++)
        result = sink->guest(sink->ctx, room->row.seed.id, room->guests[i]);
    return result;
}

static int hand_over_rooms(const struct model_store *model, const struct store_sink *sink,
                           int (*part)(const struct model_room *room,
                                       const struct store_sink *sink))
{
    int result = 0;
    for (size_t i = 0; i < model->room_count && result == 0; i++) {
        if (!model->rooms[i].archived)
            result = part(&model->rooms[i], sink);
    }
    return result;
}

static int compare_rows(const void *one, const void *other)
{
    const struct model_row *first = one, *second = other;
    if (first->table != second->table)
        return first->table->number < second->table->number ? -1 : 1;
    return model_compare_keys(first->table, first->row, second->row);
}

/* In the order of their keys, as the engines do. */
static int hand_over_described(const struct model_store *model, const struct store_sink *sink)
{
    int result = 0;
    if (model->row_count > 0)
        qsort(model->rows, model->row_count, sizeof *model->rows, compare_rows);
    for (size_t at = 0; store_tables[at]; at++) {
        for (size_t i = 0; i < model->row_count && result == 0; i++) {
            if (model->rows[i].table == store_tables[at] && !store_tables[at]->unloaded)
                result = sink->row(sink->ctx, store_tables[at], model->rows[i].row);
        }
    }
    return result;
}

static enum store_result open_model(struct store *store, const struct store_sink *sink,
                                    char message[STORE_MESSAGE_MAX])
{
    struct model_store *model = model_of(store);
    int result = sink->opened(sink->ctx, ++model->epoch);
    for (size_t i = 0; i < model->session_count && result == 0; i++)
        result = sink->session(sink->ctx, &model->sessions[i]);
    if (result == 0)
        result = hand_over_described(model, sink);
    if (result == 0)
        result = hand_over_rooms(model, sink, hand_over_room);
    if (result == 0)
        result = hand_over_rooms(model, sink, hand_over_guests);
    (void)snprintf(message, STORE_MESSAGE_MAX, "refused: %d", result);
    return (enum store_result)result;
}

static void commit(struct store *store, struct store_commit *commit)
{
    struct model_store *model = model_of(store);
    const struct store_batch *batch = commit->batch;
    refuse_as_told(model, batch);
    refuse_what_makes_no_sense(model, batch);
    refuse_what_is_crowded(model, batch);
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->results[i] == STORE_OK && model_has_claimed(model, &batch->ops[i]))
            batch->results[i] = STORE_TAKEN;
        else if (batch->results[i] == STORE_OK)
            carry_out(model, &batch->ops[i]);
    }
    commit->result = STORE_OK;
    commit->done(commit);
}

static void release(struct store_read *read)
{
    (void)read; /* the rows are the model's */
}

static void read_room(struct store *store, struct store_read *read)
{
    const struct model_room *room = find_room(model_of(store), read->room_id);
    if (room)
        read->rows = (struct store_room_read){.room = &room->row,
                                              .events = room->events,
                                              .count = room->count,
                                              .guests = room->guests,
                                              .guest_count = room->guest_count};
    read->result = STORE_OK;
    read->release = release;
    read->done(read);
}

static void query_rows(struct store *store, struct store_query *query)
{
    model_answer_query(model_of(store), query);
    query->more &= !model_of(store)->ends_pages;
    query->done(query);
}

static void close_model(struct store *store)
{
    (void)store;
}

static const struct store_engine model_engine = {
    .open = open_model,
    .commit = commit,
    .read = read_room,
    .query = query_rows,
    .close = close_model,
};

void model_init(struct model_store *model)
{
    *model = (struct model_store){.store = {.engine = &model_engine}};
}

/* ---- synchronous calls */

static void is_done(struct store_commit *commit)
{
    *(bool *)commit->ctx = true;
}

enum store_result model_commit(struct model_store *model, const struct store_batch *batch)
{
    bool done = false;
    struct store_commit commit = {.batch = batch, .done = is_done, .ctx = &done};
    model->store.engine->commit(&model->store, &commit);
    assert(done);
    return commit.result;
}

int model_restore(struct model_store *model, struct hub *hub, int64_t now_ms)
{
    char message[STORE_MESSAGE_MAX];
    struct store_sink sink = hub_sink(hub);
    int result = model->store.engine->open(&model->store, &sink, message);
    return result == 0 ? hub_restored(hub, now_ms) : result;
}

struct reading {
    struct hub *hub;
    int64_t now_ms;
};

static void answer(struct store_read *read)
{
    const struct reading *reading = read->ctx;
    hub_read_done(reading->hub, read->room_id, read->result, &read->rows, reading->now_ms);
}

void model_read(struct model_store *model, struct hub *hub, const char *room_id, int64_t now_ms)
{
    struct reading reading = {hub, now_ms};
    struct store_read read = {.done = answer, .ctx = &reading};
    (void)snprintf(read.room_id, sizeof read.room_id, "%s", room_id);
    model->store.engine->read(&model->store, &read);
    read.release(&read);
}

static void answer_query(struct store_query *query)
{
    const struct reading *reading = query->ctx;
    hub_query_done(reading->hub, query, reading->now_ms);
}

void model_query(struct model_store *model, struct hub *hub, struct store_query *query,
                 int64_t now_ms)
{
    struct reading reading = {hub, now_ms};
    query->done = answer_query;
    query->ctx = &reading;
    model->store.engine->query(&model->store, query);
    query->release(query);
}
