#include "model_divide.h"

#include <assert.h>
#include <hub/part.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more at the end. */
static void *place_at_end(void **items, size_t *count, size_t *size, size_t item_size)
{
    if (*count == *size) {
        *size = *size ? *size * 2 : 8;
        *items = realloc(*items, *size * item_size);
        assert(*items);
    }
    return (unsigned char *)*items + (*count)++ * item_size;
}

#define ADD(to, items, count, size, row)                                                           \
    do {                                                                                           \
        void *list = (to)->items;                                                                  \
        memcpy(place_at_end(&list, &(to)->count, &(to)->size, sizeof *row), row, sizeof *row);     \
        (to)->items = list;                                                                        \
    } while (0)

/* To the parts that it is handed out to. */
static void give_row(const struct model_row *from, struct model_store *to, unsigned parts)
{
    const struct store_row row = {.table = from->table, .row = from->row};
    const unsigned home = part_of_session(store_home_of(row.table, row.row), parts);
    model_put_row(&to[home], &row);
    for (size_t at = 0; at < row.table->count; at++) {
        const struct store_column *column = &row.table->columns[at];
        size_t len;
        if (!(column->flags & STORE_SECRET))
            continue;
        const unsigned place = part_of_secret(store_bytes(column, row.row, &len), parts);
        if (place != home)
            model_put_row(&to[place], &row);
    }
}

static void give(struct model_store *from, unsigned part, unsigned before, struct model_store *to,
                 unsigned parts)
{
    for (size_t i = 0; i < from->session_count; i++)
        ADD(&to[part_of_session(from->sessions[i].id, parts)], sessions, session_count,
            session_size, &from->sessions[i]);
    for (size_t i = 0; i < from->row_count; i++) {
        const struct model_row *row = &from->rows[i];
        if (row->table->owner == STORE_ADDRESSED ||
            part_of_session(store_home_of(row->table, row->row), before) == part)
            give_row(row, to, parts);
    }
    for (size_t i = 0; i < from->room_count; i++)
        ADD(&to[part_of_room(from->rooms[i].row.seed.id, parts)], rooms, room_count, room_size,
            &from->rooms[i]);
    from->room_count = 0; /* what they own has been given away */
    model_release(from);
}

void model_divide(struct model_store *from, unsigned before, struct model_store *to, unsigned parts)
{
    for (unsigned part = 0; part < parts; part++)
        model_init(&to[part]);
    for (unsigned part = 0; part < before; part++)
        give(&from[part], part, before, to, parts);
}

/* ---- the same once more */

static char *copy_text(const char *text, size_t len)
{
    char *copy = malloc(len + 1);
    assert(copy);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

static void *copy_list(const void *items, size_t count, size_t item_size)
{
    void *copy = malloc(count * item_size + 1);
    assert(copy);
    if (count > 0)
        memcpy(copy, items, count * item_size);
    return copy;
}

static void copy_room(const struct model_room *from, struct model_store *to)
{
    struct model_room room = *from;
    room.events = copy_list(from->events, from->count, sizeof *from->events);
    room.guests = copy_list(from->guests, from->guest_count, sizeof *from->guests);
    room.size = from->count;
    room.guest_size = from->guest_count;
    for (size_t i = 0; i < room.count; i++)
        room.events[i].text = copy_text(from->events[i].text, from->events[i].text_len);
    ADD(to, rooms, room_count, room_size, &room);
}

void model_copy(const struct model_store *from, struct model_store *copy)
{
    model_init(copy);
    copy->epoch = from->epoch;
    for (size_t i = 0; i < from->session_count; i++)
        ADD(copy, sessions, session_count, session_size, &from->sessions[i]);
    for (size_t i = 0; i < from->row_count; i++)
        model_put_row(copy,
                      &(struct store_row){.table = from->rows[i].table, .row = from->rows[i].row});
    for (size_t i = 0; i < from->room_count; i++)
        copy_room(&from->rooms[i], copy);
}
