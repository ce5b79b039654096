#include "batch.h"

#include "hub_private.h"
#include <assert.h>
#include <hub/letter.h>
#include <hub/store_row.h>
#include <hub/store_tables.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_CHUNK_SIZE = 16384 - (int)sizeof(struct text_chunk), SPARE_OPS = 256 };

/* An op may be of a row, whose struct is kept beside the texts. */
enum { ROW_BYTES = STORE_ROW_SIZE_MAX + alignof(max_align_t) };

/* At least `more` places behind `count`. */
static int grow_items(void **items, size_t item_size, size_t count, size_t *size, size_t more)
{
    if (count + more <= *size)
        return 0;
    size_t larger = *size ? *size * 2 : 16;
    while (larger < count + more)
        larger *= 2;
    void *grown = realloc(*items, larger * item_size);
    if (!grown)
        return -1;
    *items = grown;
    *size = larger;
    return 0;
}

static int reserve_text(struct batch *batch, size_t len)
{
    if (len == 0 || (batch->texts && batch->texts->size - batch->texts->used >= len))
        return 0;
    size_t size = len > (size_t)TEXT_CHUNK_SIZE ? len : (size_t)TEXT_CHUNK_SIZE;
    struct text_chunk *chunk = malloc(sizeof *chunk + size);
    if (!chunk)
        return -1;
    *chunk = (struct text_chunk){.next = batch->texts, .size = size};
    batch->texts = chunk;
    return 0;
}

/* The results are as many as the ops, so they grow first, by the same size. */
static int reserve_ops(struct batch *batch, size_t ops)
{
    size_t size = batch->op_size;
    void *results = batch->results, *items = batch->ops;
    int grown = grow_items(&results, sizeof *batch->results, batch->op_count, &size, ops);
    batch->results = results;
    if (grown == 0)
        grown = grow_items(&items, sizeof *batch->ops, batch->op_count, &batch->op_size, ops);
    batch->ops = items;
    return grown;
}

int batch_reserve(struct batch *batch, size_t ops, size_t pending, size_t rooms, size_t text)
{
    const struct batch_kept *kept = &batch->kept;
    ops += kept->ops;
    pending += kept->pending;
    text += kept->text;
    void *pending_items = batch->pending, *room_items = batch->rooms;
    int grown = reserve_ops(batch, ops);
    if (grown == 0)
        grown = grow_items(&pending_items, sizeof *batch->pending, batch->pending_count,
                           &batch->pending_size, pending);
    if (grown == 0)
        grown = grow_items(&room_items, sizeof(struct hub_room *), batch->room_count,
                           &batch->room_size, rooms);
    batch->pending = pending_items;
    batch->rooms = room_items;
    return grown == 0 ? reserve_text(batch, text + ops * ROW_BYTES) : -1;
}

int batch_keep(struct batch *batch, size_t ops, size_t pending, size_t text)
{
    if (batch_reserve(batch, ops, pending, 0, text) < 0)
        return -1;
    batch->kept.ops += ops;
    batch->kept.pending += pending;
    batch->kept.text += text;
    return 0;
}

void batch_use_op(struct batch *batch)
{
    batch->kept.ops -= batch->kept.ops > 0;
    if (batch->kept.ops == 0)
        batch->kept.text = 0;
}

void batch_use_pending(struct batch *batch)
{
    batch->kept.pending -= batch->kept.pending > 0;
}

void batch_keep_nothing(struct batch *batch)
{
    batch->kept = (struct batch_kept){0};
}

bool batch_has_room(const struct hub *hub, size_t ops)
{
    return hub->commit.filling->op_count + ops <= (size_t)hub->config.batch_ops;
}

struct batch_mark batch_mark(const struct batch *batch)
{
    return (struct batch_mark){batch->op_count, batch->pending_count, batch->room_count};
}

void batch_take_back(struct batch *batch, struct batch_mark mark)
{
    assert(batch->pending_count == mark.pending);
    batch->op_count = mark.ops;
    while (batch->room_count > mark.rooms)
        batch->rooms[--batch->room_count]->fill_seq = 0;
}

static struct store_op *add_op(struct batch *batch, enum store_op_kind kind, const char *room_id)
{
    assert(batch->op_count < batch->op_size);
    batch->results[batch->op_count] = STORE_OK;
    struct store_op *op = &batch->ops[batch->op_count++];
    op->kind = kind;
    op->within = (struct store_letter_bound){0};
    memset(op->room_id, 0, sizeof op->room_id);
    memset(op->with_id, 0, sizeof op->with_id);
    if (room_id)
        memcpy(op->room_id, room_id, sizeof op->room_id);
    return op;
}

void batch_put_session(struct batch *batch, const struct store_session *row)
{
    add_op(batch, STORE_PUT_SESSION, NULL)->u.session = *row;
}

void batch_drop_session(struct batch *batch, uint64_t id)
{
    add_op(batch, STORE_DROP_SESSION, NULL)->u.session_id = id;
}

void batch_put_room(struct batch *batch, const struct store_room *row)
{
    struct store_op *op = add_op(batch, STORE_PUT_ROOM, row->seed.id);
    op->within = batch->within;
    op->u.room = *row;
}

void batch_join(struct batch *batch, struct batch_mark since, const char *room_id)
{
    for (size_t i = since.ops; i < batch->op_count; i++) {
        if (batch->ops[i].kind == STORE_PUT_ROOM)
            memcpy(batch->ops[i].with_id, room_id, sizeof batch->ops[i].with_id);
    }
}

void batch_archive_room(struct batch *batch, const struct hub_room *hub_room)
{
    add_op(batch, STORE_ARCHIVE_ROOM, hub_room->id);
}

void batch_drop_room(struct batch *batch, const struct hub_room *hub_room)
{
    add_op(batch, STORE_DROP_ROOM, hub_room->id);
}

void batch_let_in(struct batch *batch, const struct hub_room *hub_room,
                  const struct store_guest *guest)
{
    add_op(batch, STORE_LET_IN, hub_room->id)->u.guest = *guest;
}

static const char *keep_text(struct batch *batch, const char *text, size_t len)
{
    if (len == 0)
        return "";
    struct text_chunk *chunk = batch->texts;
    assert(chunk && chunk->size - chunk->used >= len);
    char *kept = chunk->bytes + chunk->used;
    memcpy(kept, text, len);
    chunk->used += len;
    return kept;
}

void batch_append(struct batch *batch, struct hub_room *hub_room, const struct room_event *event)
{
    struct store_op *op = add_op(batch, STORE_APPEND, hub_room->id);
    op->epoch = hub_room->epoch;
    op->u.event = *event;
    op->u.event.text = keep_text(batch, event->text, event->text_len);
    op->u.event.draft = NULL;
    if (!hub_room->fill_seq) {
        assert(batch->room_count < batch->room_size);
        batch->rooms[batch->room_count++] = hub_room;
    }
    hub_room->fill_seq = event->seq;
}

static void *keep_space(struct batch *batch, size_t len, size_t align)
{
    struct text_chunk *chunk = batch->texts;
    const size_t from = (chunk->used + align - 1) / align * align;
    assert(chunk && from + len <= chunk->size);
    chunk->used = from + len;
    return chunk->bytes + from;
}

void batch_put_row(struct batch *batch, const struct store_table *table, const void *row)
{
    void *copy = keep_space(batch, table->size, alignof(max_align_t));
    char *borrowed = keep_space(batch, store_row_borrows(table, row), 1);
    store_row_copy(table, copy, row, borrowed);
    add_op(batch, STORE_PUT_ROW, NULL)->u.row = (struct store_row){.table = table, .row = copy};
}

void batch_put_newest(struct batch *batch, const struct store_table *table, const void *row,
                      uint32_t keep)
{
    batch_put_row(batch, table, row);
    batch->ops[batch->op_count - 1].u.row.keep = keep;
}

void batch_drop_row(struct batch *batch, const struct store_table *table, const void *row)
{
    void *copy = keep_space(batch, table->size, alignof(max_align_t));
    memcpy(copy, row, table->size);
    add_op(batch, STORE_DROP_ROW, NULL)->u.row = (struct store_row){.table = table, .row = copy};
}

void batch_send_letter(struct batch *batch, const struct store_letter *letter,
                       const struct kernel_letter *sent)
{
    batch_put_row(batch, &store_letter_table, letter);
    struct store_op *op = &batch->ops[batch->op_count - 1];
    if (sent->room_id)
        memcpy(op->room_id, sent->room_id, sizeof op->room_id);
    op->u.row.with = sent->session;
    if (sent->session && !sent->at_end)
        op->within = batch->within;
    batch->has_letters = true;
}

void batch_drop_letter(struct batch *batch, const struct store_letter *letter)
{
    batch_drop_row(batch, &store_letter_table, letter);
    batch->ops[batch->op_count - 1].u.row.with = letter->addressee;
}

void batch_erase_names(struct batch *batch, uint64_t session)
{
    add_op(batch, STORE_ERASE_NAMES, NULL)->u.session_id = session;
}

void batch_hand_room(struct batch *batch, const struct hub_room *hub_room,
                     const struct store_hand *hand)
{
    struct store_op *op = add_op(batch, STORE_HAND_ROOM, hub_room->id);
    op->epoch = hub_room->epoch;
    op->u.hand = *hand;
}

void batch_hand_matches(struct batch *batch, const struct store_hand *hand)
{
    add_op(batch, STORE_HAND_MATCHES, NULL)->u.hand = *hand;
}

void batch_defer(struct batch *batch, const struct pending *pending)
{
    assert(batch->pending_count < batch->pending_size);
    batch->pending[batch->pending_count++] = *pending;
}

static void free_texts(struct batch *batch, struct text_chunk *but)
{
    while (batch->texts) {
        struct text_chunk *chunk = batch->texts;
        batch->texts = chunk->next;
        if (chunk != but)
            free(chunk);
    }
    batch->texts = but;
}

void batch_clear(struct batch *batch)
{
    struct text_chunk *kept = batch->texts;
    free_texts(batch, kept && kept->size == (size_t)TEXT_CHUNK_SIZE ? kept : NULL);
    if (batch->texts) {
        batch->texts->used = 0;
        batch->texts->next = NULL;
    }
    batch->op_count = batch->pending_count = batch->room_count = 0;
    batch->has_letters = false;
    batch_keep_nothing(batch);
    if (batch->op_size > SPARE_OPS) { /* a burst is over: give its memory back */
        free(batch->ops);
        free(batch->results);
        batch->ops = NULL;
        batch->results = NULL;
        batch->op_size = 0;
    }
}

void batch_release(struct batch *batch)
{
    free_texts(batch, NULL);
    free(batch->ops);
    free(batch->results);
    free(batch->pending);
    free(batch->rooms);
    *batch = (struct batch){0};
}
