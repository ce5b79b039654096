#include "model_hand.h"

#include "model_rows.h"
#include <hub/store_row.h>
#include <room/hand.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the room */

static bool has_acted(const struct model_room *room, uint64_t session)
{
    size_t at = 0;
    while (at < room->count && room->events[at].origin.session != session)
        at++;
    return at < room->count;
}

static void hand_guests(struct model_room *room, const struct store_hand *hand)
{
    bool was = false, is = false;
    for (size_t at = 0; at < room->guest_count; at++) {
        was |= room->guests[at] == hand->from;
        is |= room->guests[at] == hand->to;
    }
    for (size_t at = 0; was && at < room->guest_count; at++) {
        if (room->guests[at] == hand->from)
            room->guests[at] = is ? room->guests[--room->guest_count] : hand->to;
    }
}

void model_hand_room(struct model_room *room, const struct store_hand *hand)
{
    for (size_t at = 0; at < room->count; at++) {
        struct room_origin *origin = &room->events[at].origin;
        *origin = room_hand_origin(origin, hand->from, hand->to);
    }
    if (room->row.seed.host == hand->from)
        room->row.seed.host = hand->to;
    hand_guests(room, hand);
}

/* ---- the rows in its lists */

static struct model_store *next_of(const struct model_store *model)
{
    return model->next ? model->next : (struct model_store *)(uintptr_t)model;
}

/* NULL: it is of no list of the session's. */
static const char *room_of(const struct model_row *row, uint64_t session)
{
    size_t len;
    if (!row->table->room_at || store_owner_of(row->table, row->row) != session)
        return NULL;
    return store_bytes(&row->table->columns[row->table->room_at], row->row, &len);
}

static bool is_of(const struct model_row *row, const struct store_table *table, uint64_t session,
                  const char *room_id)
{
    const char *room = room_of(row, session);
    return room && (!table || row->table == table) && strcmp(room, room_id) == 0;
}

static bool has_row(const struct model_store *model, const struct store_table *table,
                    uint64_t session, const char *room_id)
{
    size_t at = 0;
    while (at < model->row_count && !is_of(&model->rows[at], table, session, room_id))
        at++;
    return at < model->row_count;
}

/* False: there is none. */
static bool find_first(const struct model_store *model, uint64_t session, char first[9])
{
    bool found = false;
    for (size_t at = 0; at < model->row_count; at++) {
        const char *room = room_of(&model->rows[at], session);
        if (room && (!found || strcmp(room, first) < 0))
            memcpy(first, room, 9);
        found |= room != NULL;
    }
    return found;
}

static void put_for(struct model_store *to, const struct model_row *row, uint64_t session)
{
    alignas(max_align_t) uint8_t handed[STORE_ROW_SIZE_MAX];
    const struct store_row put = {.table = row->table, .row = handed};
    memcpy(handed, row->row, row->table->size);
    (void)store_set_number(&row->table->columns[row->table->owner_at], handed, (int64_t)session);
    model_put_row(to, &put);
}

/* What the other one has a row of already is dropped. Rows that come are behind those that were
 * there. */
static void hand_rows(struct model_store *from, struct model_store *to, const char *room_id,
                      const struct store_hand *hand)
{
    bool has_one[STORE_TABLES_MAX] = {false};
    for (size_t at = 0; store_tables[at]; at++)
        has_one[at] = has_row(to, store_tables[at], hand->to, room_id);
    for (size_t table = 0; store_tables[table]; table++) {
        const size_t count = from->row_count;
        for (size_t at = 0; at < count && !has_one[table]; at++) {
            if (is_of(&from->rows[at], store_tables[table], hand->from, room_id))
                put_for(to, &from->rows[at], hand->to);
        }
    }
    for (size_t at = 0; at < from->row_count; at++) {
        const struct model_row *row = &from->rows[at];
        if (!is_of(row, NULL, hand->from, room_id))
            continue;
        const struct store_row drop = {.table = row->table, .row = row->row};
        model_drop_row(from, &drop);
        at = (size_t)-1; /* they are others now */
    }
}

/* ---- the op */

static struct model_store *home_of(struct model_store *model, uint64_t session)
{
    struct model_store *at = model;
    do {
        if (model_session(at, session))
            return at;
        at = next_of(at);
    } while (at != model);
    return NULL;
}

/* Of whatever part. */
static void hand_archived(const struct model_store *model, const char *room_id,
                          const struct store_hand *hand)
{
    const struct model_store *at = model;
    do {
        for (size_t place = 0; place < at->room_count; place++) {
            struct model_room *room = &at->rooms[place];
            if (strcmp(room->row.seed.id, room_id) == 0 && room->archived &&
                !has_acted(room, hand->to))
                model_hand_room(room, hand);
        }
        at = next_of(at);
    } while (at != model);
}

void model_hand_matches(struct model_store *model, const struct store_hand *hand)
{
    struct model_store *to = home_of(model, hand->to);
    char room_id[9];
    for (size_t at = 0; to && at < STORE_HAND_ROOMS && find_first(model, hand->from, room_id);
         at++) {
        hand_archived(model, room_id, hand);
        hand_rows(model, to, room_id, hand);
    }
}
