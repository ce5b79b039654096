#include "model_store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void model_init(struct model_store *model)
{
    *model = (struct model_store){0};
}

static void room_release(struct model_room *room)
{
    for (size_t i = 0; i < room->count; i++)
        free((char *)(uintptr_t)room->events[i].text);
    free(room->events);
    free(room->guests);
}

void model_release(struct model_store *model)
{
    for (size_t i = 0; i < model->room_count; i++)
        room_release(&model->rooms[i]);
    free(model->rooms);
    free(model->sessions);
    model_init(model);
}

static void *grown(void *items, size_t count, size_t *size, size_t item_size)
{
    if (count < *size)
        return items;
    *size = *size ? *size * 2 : 8;
    items = realloc(items, *size * item_size);
    assert(items);
    return items;
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

/* ---- what is asked must make sense, in order, before anything is done */

struct check {
    char id[9];
    uint64_t next_seq; /* 0: no such room */
};

static struct check *check_of(const struct model_store *model, struct check *checks, size_t *count,
                              const char *id)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(checks[i].id, id) == 0)
            return &checks[i];
    }
    const struct model_room *room = find_room(model, id);
    struct check *check = &checks[(*count)++];
    memcpy(check->id, id, sizeof check->id);
    check->next_seq = room ? room->count + 1 : 0;
    return check;
}

static bool op_makes_sense(const struct store_op *op, struct check *check)
{
    switch (op->kind) {
    case STORE_PUT_SESSION:
        return op->u.session.id != 0 && memchr(op->u.session.name, 0, sizeof op->u.session.name);
    case STORE_DROP_SESSION:
        return true;
    case STORE_PUT_ROOM:
        if (check->next_seq != 0 || strcmp(op->u.room.seed.id, op->room_id) != 0)
            return false;
        check->next_seq = 1;
        return true;
    case STORE_APPEND:
        return check->next_seq != 0 && op->u.event.seq == check->next_seq++;
    case STORE_ARCHIVE_ROOM:
        return check->next_seq > 1;
    case STORE_DROP_ROOM:
        check->next_seq = 0;
        return true;
    case STORE_LET_IN:
        return op->u.guest.session != 0;
    }
    return false;
}

static bool batch_makes_sense(struct model_store *model, const struct store_batch *batch)
{
    struct check *checks = calloc(batch->count + 1, sizeof *checks);
    size_t count = 0;
    bool sense = true;
    assert(checks);
    for (size_t i = 0; i < batch->count && sense; i++) {
        const struct store_op *op = &batch->ops[i];
        bool on_room = op->kind != STORE_PUT_SESSION && op->kind != STORE_DROP_SESSION;
        struct check *check = on_room ? check_of(model, checks, &count, op->room_id) : NULL;
        sense = op_makes_sense(op, check);
        if (!sense)
            (void)snprintf(model->complaint, sizeof model->complaint,
                           "op %zu of %zu: kind %d, room %s, seq %llu", i, batch->count,
                           (int)op->kind, op->room_id, (unsigned long long)op->u.event.seq);
    }
    free(checks);
    return sense;
}

/* ---- doing it */

static void put_session(struct model_store *model, const struct store_session *row)
{
    size_t at = session_place(model, row->id);
    if (at == model->session_count) {
        model->sessions = grown(model->sessions, at, &model->session_size, sizeof *model->sessions);
        model->session_count++;
    }
    model->sessions[at] = *row;
}

static void drop_session(struct model_store *model, uint64_t id)
{
    size_t at = session_place(model, id);
    if (at < model->session_count)
        model->sessions[at] = model->sessions[--model->session_count];
}

static void put_room(struct model_store *model, const struct store_room *row)
{
    model->rooms = grown(model->rooms, model->room_count, &model->room_size, sizeof *model->rooms);
    model->rooms[model->room_count++] = (struct model_room){.row = *row};
}

static void append(struct model_room *room, const struct room_event *event)
{
    char *text = malloc(event->text_len + 1U);
    assert(text);
    memcpy(text, event->text, event->text_len);
    text[event->text_len] = '\0';
    room->events = grown(room->events, room->count, &room->size, sizeof *room->events);
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
    if (!room || room->archived)
        return;
    remove_guest(room, guest->instead_of);
    remove_guest(room, guest->session);
    room->guests = grown(room->guests, room->guest_count, &room->guest_size, sizeof *room->guests);
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
    }
}

enum store_result model_commit(struct model_store *model, const struct store_batch *batch)
{
    if (!batch_makes_sense(model, batch))
        return STORE_FENCED;
    for (size_t i = 0; i < batch->count; i++)
        carry_out(model, &batch->ops[i]);
    return STORE_OK;
}

/* ---- the way back */

static int restore_room(const struct model_room *room, struct hub *hub)
{
    int result = hub_restore_room(hub, &room->row);
    for (size_t i = 0; i < room->count && result == 0; i++)
        result = hub_restore_event(hub, room->row.seed.id, &room->events[i]);
    for (size_t i = 0; i < room->guest_count && result == 0; i++)
        result = hub_restore_guest(hub, room->row.seed.id, room->guests[i]);
    return result;
}

int model_restore(const struct model_store *model, struct hub *hub, int64_t now_ms)
{
    int result = 0;
    for (size_t i = 0; i < model->session_count && result == 0; i++)
        result = hub_restore_session(hub, &model->sessions[i]);
    for (size_t i = 0; i < model->room_count && result == 0; i++) {
        if (!model->rooms[i].archived)
            result = restore_room(&model->rooms[i], hub);
    }
    return result == 0 ? hub_restored(hub, now_ms) : result;
}

void model_read(const struct model_store *model, struct hub *hub, const char *room_id,
                int64_t now_ms)
{
    const struct model_room *room = find_room(model, room_id);
    struct store_room_read rows = {0};
    if (room)
        rows = (struct store_room_read){&room->row, room->events, room->count};
    hub_read_done(hub, room_id, STORE_OK, &rows, now_ms);
}
