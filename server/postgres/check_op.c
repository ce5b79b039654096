#include "check_op.h"

#include "row_table.h"
#include <hub/part.h>
#include <stdio.h>

static bool refuse_op(struct db *db, const char *why, const char *room_id)
{
    snprintf(db->message, sizeof db->message, "%s %s", why, room_id);
    return false;
}

static bool is_ours(struct db *db, struct part part, unsigned of, const char *what)
{
    if (of == part.number)
        return true;
    snprintf(db->message, sizeof db->message, "%s of part %u, and not %u", what, of, part.number);
    return false;
}

static bool check_room(struct db *db, struct pg_log_ends *log_ends, const char *room_id,
                       int64_t key)
{
    const uint64_t id = pg_log_ends_id(room_id);
    if (id == 0 || pg_log_ends_find(log_ends, id))
        return refuse_op(db, "the room exists already:", room_id);
    pg_log_ends_put(log_ends, &(struct pg_log_end){id, key, 0});
    return true;
}

static bool check_append(struct db *db, struct pg_log_ends *log_ends, const struct store_op *op,
                         int64_t term)
{
    const struct pg_log_end *log_end = pg_log_ends_find(log_ends, pg_log_ends_id(op->room_id));
    if (op->epoch != (uint64_t)term)
        return refuse_op(db, "an event under another epoch of room", op->room_id);
    if (!log_end || op->u.event.seq != log_end->seq + 1)
        return refuse_op(db, "not the next event of room", op->room_id);
    pg_log_ends_put(log_ends, &(struct pg_log_end){log_end->id, log_end->key, log_end->seq + 1});
    return true;
}

static bool check_hand(struct db *db, const struct pg_log_ends *log_ends, const struct store_op *op,
                       int64_t term)
{
    return op->epoch == (uint64_t)term && pg_log_ends_find(log_ends, pg_log_ends_id(op->room_id))
               ? true
               : refuse_op(db, "no such room to hand over:", op->room_id);
}

/* What is addressed to others they alone drop. */
static bool check_row(struct db *db, struct part part, const struct store_op *op)
{
    const struct store_row *row = &op->u.row;
    return (op->kind == STORE_PUT_ROW && row->table->owner == STORE_ADDRESSED) ||
           is_ours(db, part, pg_row_part(row->table, row->row, part.count), row->table->what);
}

bool write_check_op(struct db *db, struct pg_log_ends *log_ends,
                    const struct write_request *request, const struct store_op *op)
{
    const struct part part = request->part;
    const uint64_t id = pg_log_ends_id(op->room_id);
    switch (op->kind) {
    case STORE_PUT_ROOM:
        if (!is_ours(db, part, part_of_room(op->room_id, part.count), "a room") ||
            !check_room(db, log_ends, op->u.room.seed.id, *request->next_key))
            return false;
        *request->next_key += PARTS_MAX;
        return true;
    case STORE_APPEND:
        return check_append(db, log_ends, op, request->term);
    case STORE_ARCHIVE_ROOM:
        if (!pg_log_ends_find(log_ends, id))
            return refuse_op(db, "no such room to archive:", op->room_id);
        pg_log_ends_remove(log_ends, id);
        return true;
    case STORE_DROP_ROOM:
        if (pg_log_ends_find(log_ends, id))
            pg_log_ends_remove(log_ends, id);
        return is_ours(db, part, part_of_room(op->room_id, part.count), "a room");
    case STORE_PUT_SESSION:
        return is_ours(db, part, part_of_session(op->u.session.id, part.count), "a session");
    case STORE_DROP_SESSION:
    case STORE_ERASE_NAMES:
        return is_ours(db, part, part_of_session(op->u.session_id, part.count), "a session");
    case STORE_HAND_ROOM:
        return check_hand(db, log_ends, op, request->term);
    case STORE_HAND_MATCHES:
        return is_ours(db, part, part_of_session(op->u.hand.from, part.count), "a session");
    case STORE_PUT_ROW:
    case STORE_DROP_ROW:
        return check_row(db, part, op);
    case STORE_LET_IN:
        return is_ours(db, part, part_of_room(op->room_id, part.count), "a guest");
    }
    return true;
}
