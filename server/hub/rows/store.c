#include <hub/store.h>

#include <assert.h>
#include <hub/store_row.h>
#include <string.h>

uint64_t store_op_session(const struct store_op *op)
{
    switch (op->kind) {
    case STORE_PUT_SESSION:
        return op->u.session.id;
    case STORE_DROP_SESSION:
    case STORE_ERASE_NAMES:
        return op->u.session_id;
    case STORE_HAND_MATCHES:
        return op->u.hand.from;
    case STORE_PUT_ROW:
    case STORE_DROP_ROW:
        return op->u.row.with ? op->u.row.with : store_owner_of(op->u.row.table, op->u.row.row);
    case STORE_PUT_ROOM:
    case STORE_APPEND:
    case STORE_HAND_ROOM:
    case STORE_ARCHIVE_ROOM:
    case STORE_DROP_ROOM:
    case STORE_LET_IN:
        break;
    }
    return 0;
}

/* A row of the desk is refused alone. */
static bool goes_with(const struct store_op *op, const struct store_op *refused)
{
    const uint64_t session = store_op_session(refused);
    if (op == refused || session)
        return op == refused || store_op_session(op) == session;
    return refused->room_id[0] && store_op_session(op) == 0 &&
           strcmp(op->room_id, refused->room_id) == 0;
}

static void refuse_all_of(const struct store_batch *batch, const struct store_op *refused)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->results[i] == STORE_OK && goes_with(&batch->ops[i], refused))
            batch->results[i] = STORE_REFUSED;
    }
}

static const struct store_op *refused_partner(const struct store_batch *batch, size_t new_room)
{
    const struct store_op *op = &batch->ops[new_room];
    for (size_t i = 0; i < batch->count; i++) {
        if (store_op_session(&batch->ops[i]) == 0 &&
            (batch->results[i] == STORE_OK) != (batch->results[new_room] == STORE_OK) &&
            strcmp(batch->ops[i].room_id, op->with_id) == 0)
            return batch->results[i] == STORE_OK ? &batch->ops[i] : op;
    }
    return NULL;
}

void store_batch_refuse(const struct store_batch *batch, size_t at)
{
    const struct store_op *next = &batch->ops[at];
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->results[i] == STORE_TAKEN)
            batch->results[i] = STORE_OK;
    }
    while (next) {
        refuse_all_of(batch, next);
        next = NULL;
        for (size_t i = 0; i < batch->count && !next; i++) {
            if (batch->ops[i].with_id[0])
                next = refused_partner(batch, i);
        }
    }
}

void store_batch_crowd(const struct store_batch *batch, size_t at)
{
    store_batch_refuse(batch, at);
    batch->results[at] = STORE_CROWDED;
}

static const uint64_t drawn_mask = (UINT64_C(1) << STORE_LETTER_DRAWN_BITS) - 1;

uint64_t store_letter_id(uint16_t sender, uint64_t drawn)
{
    assert(sender >> STORE_LETTER_SENDER_BITS == 0);
    return (uint64_t)sender << STORE_LETTER_DRAWN_BITS | (drawn & drawn_mask);
}

/* Versions before have drawn all of it, and may have letters of nobody's. */
bool store_letter_senders(uint64_t id, uint64_t *first, uint64_t *last)
{
    const uint64_t sender = id >> STORE_LETTER_DRAWN_BITS;
    *first = id & ~drawn_mask;
    *last = id | drawn_mask;
    return sender != 0 && sender >> STORE_LETTER_SENDER_BITS == 0;
}

bool store_batch_is_crowded(const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->results[i] == STORE_CROWDED)
            return true;
    }
    return false;
}
