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

static void give_pass(const struct model_pass *pass, struct model_store *to, unsigned parts)
{
    const unsigned home = part_of_session(pass->row.session, parts);
    const unsigned place = part_of_secret(pass->row.secret_hash, parts);
    ADD(&to[home], passes, pass_count, pass_size, pass);
    if (place != home)
        ADD(&to[place], passes, pass_count, pass_size, pass);
}

static void give(struct model_store *from, unsigned part, unsigned before, struct model_store *to,
                 unsigned parts)
{
    for (size_t i = 0; i < from->session_count; i++)
        ADD(&to[part_of_session(from->sessions[i].id, parts)], sessions, session_count,
            session_size, &from->sessions[i]);
    for (size_t i = 0; i < from->pass_count; i++) {
        if (part_of_session(from->passes[i].row.session, before) == part)
            give_pass(&from->passes[i], to, parts);
    }
    for (size_t i = 0; i < from->push_count; i++)
        ADD(&to[part_of_session(from->pushes[i].row.session, parts)], pushes, push_count, push_size,
            &from->pushes[i]);
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
