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
    for (size_t i = 0; i < from->game_count; i++)
        ADD(&to[part_of_session(from->games[i].row.session, parts)], games, game_count, game_size,
            &from->games[i]);
    for (size_t i = 0; i < from->room_count; i++)
        ADD(&to[part_of_room(from->rooms[i].row.seed.id, parts)], rooms, room_count, room_size,
            &from->rooms[i]);
    from->game_count = from->room_count = 0; /* what they own has been given away */
    model_release(from);
}

void model_divide(struct model_store *from, unsigned before, struct model_store *to, unsigned parts)
{
    for (unsigned part = 0; part < parts; part++)
        model_init(&to[part]);
    for (unsigned part = 0; part < before; part++)
        give(&from[part], part, before, to, parts);
}
