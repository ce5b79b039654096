#include "model_erase.h"

#include "model_rows.h"
#include <assert.h>
#include <room/erased.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text, size_t len)
{
    char *copy = malloc(len + 1);
    assert(copy);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

/* ---- whether it is in a list of the session's */

static const char *room_of_row(const struct store_table *table, const void *row)
{
    size_t len;
    return store_bytes(&table->columns[table->room_at], row, &len);
}

static bool is_row_of(const struct model_row *row, uint64_t session, const char *room_id)
{
    return row->table->room_at && store_owner_of(row->table, row->row) == session &&
           strcmp(room_of_row(row->table, row->row), room_id) == 0;
}

static bool is_in_lists(const struct model_store *model, uint64_t session, const char *room_id)
{
    for (size_t at = 0; at < model->row_count; at++) {
        if (is_row_of(&model->rows[at], session, room_id))
            return true;
    }
    return false;
}

static void drop_from_lists(struct model_store *model, uint64_t session, const char *room_id)
{
    for (size_t at = 0; at < model->row_count; at++) {
        const struct model_row *row = &model->rows[at];
        if (is_row_of(row, session, room_id)) {
            const struct store_row drop = {.table = row->table, .row = row->row};
            model_drop_row(model, &drop);
            at = (size_t)-1; /* they are others now */
        }
    }
}

/* ---- what is written anew */

static void erase_in_log(const struct model_room *room, uint64_t session)
{
    for (size_t at = 0; at < room->count; at++) {
        char text[ROOM_EVENT_TEXT_MAX];
        struct room_event *event = &room->events[at];
        const size_t len = room_erase_event(event, session, text);
        if (len == 0)
            continue;
        free((char *)(uintptr_t)event->text);
        event->text = copy_of(text, len);
        event->text_len = (uint16_t)len;
    }
}

static bool has_acted(const struct model_room *room, uint64_t session)
{
    size_t at = 0;
    while (at < room->count && room->events[at].origin.session != session)
        at++;
    return at < room->count;
}

static void rewrite_row(struct model_row *row, const struct store_column *line, const char *text,
                        size_t len)
{
    alignas(max_align_t) uint8_t changed[STORE_ROW_SIZE_MAX];
    memcpy(changed, row->row, row->table->size);
    const bool is_set = store_set_bytes(line, changed, text, len);
    char *borrowed = malloc(store_row_borrows(row->table, changed) + 1);
    assert(is_set && borrowed);
    (void)is_set;
    store_row_copy(row->table, row->row, changed, borrowed);
    free(row->borrowed);
    row->borrowed = borrowed;
}

static void erase_in_row(struct model_row *row, uint8_t seat)
{
    for (size_t at = 0; at < row->table->count; at++) {
        const struct store_column *column = &row->table->columns[at];
        char text[STORE_TEXT_MAX];
        size_t len;
        if (!(column->flags & STORE_LINE))
            continue;
        const char *line = store_bytes(column, row->row, &len);
        len = room_erase_ended(line, len, seat, text, column->max);
        if (len > 0)
            rewrite_row(row, column, text, len);
    }
}

static void erase_in_lists(struct model_store *model, const struct model_room *room,
                           uint64_t session)
{
    const uint8_t seat = room_erased_seat(room->events, room->count, session);
    for (size_t at = 0; at < model->row_count && seat != ROOM_NO_SEAT; at++) {
        struct model_row *row = &model->rows[at];
        const uint64_t owner = store_owner_of(row->table, row->row);
        if (owner != session && has_acted(room, owner) && is_row_of(row, owner, room->row.seed.id))
            erase_in_row(row, seat);
    }
}

/* ---- the op */

static struct model_store *next_of(struct model_store *model)
{
    return model->next ? model->next : model;
}

static void erase_in_room(struct model_store *model, const struct model_room *room,
                          uint64_t session)
{
    struct model_store *at = model;
    erase_in_log(room, session);
    do {
        erase_in_lists(at, room, session);
        at = next_of(at);
    } while (at != model);
    drop_from_lists(model, session, room->row.seed.id);
}

/* How many of that store's rooms; `max` at most. */
static size_t erase_of(struct model_store *model, const struct model_store *rooms, uint64_t session,
                       size_t max)
{
    size_t done = 0;
    for (size_t at = 0; at < rooms->room_count && done < max; at++) {
        const struct model_room *room = &rooms->rooms[at];
        if (!room->archived || !is_in_lists(model, session, room->row.seed.id))
            continue;
        erase_in_room(model, room, session);
        done++;
    }
    return done;
}

void model_erase_names(struct model_store *model, uint64_t session)
{
    size_t left = STORE_ERASE_ROOMS;
    const struct model_store *at = model;
    do {
        left -= erase_of(model, at, session, left);
        at = next_of((struct model_store *)(uintptr_t)at);
    } while (at != model);
}
