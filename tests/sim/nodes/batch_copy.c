/* A batch is copied when it is sent, as what it borrows may be gone when it is written. */
#include "world.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The text of an operation; NULL: it has none. */
static const char **text_of_op(struct store_op *op, size_t *len)
{
    switch (op->kind) {
    case STORE_APPEND:
        *len = op->u.event.text_len;
        return &op->u.event.text;
    case STORE_PUT_ROOM:
    case STORE_DROP_ROOM:
    case STORE_ARCHIVE_ROOM:
    case STORE_PUT_SESSION:
    case STORE_DROP_SESSION:
    case STORE_ERASE_NAMES:
    case STORE_HAND_ROOM:
    case STORE_HAND_MATCHES:
    case STORE_LET_IN:
    case STORE_PUT_ROW:
    case STORE_DROP_ROW:
        break;
    }
    return NULL;
}

/* The struct, and behind it what it borrows; of a row that is dropped the key counts. */
static void copy_row(struct store_op *op)
{
    const struct store_table *table = op->u.row.table;
    const bool put = op->kind == STORE_PUT_ROW;
    char *copy = malloc(table->size + (put ? store_row_borrows(table, op->u.row.row) : 0));
    assert(copy);
    if (put)
        store_row_copy(table, copy, op->u.row.row, copy + table->size);
    else
        memcpy(copy, op->u.row.row, table->size);
    op->u.row.row = copy;
}

static void copy_borrowed(struct store_op *op)
{
    size_t len;
    if (op->kind == STORE_PUT_ROW || op->kind == STORE_DROP_ROW) {
        copy_row(op);
        return;
    }
    const char **text = text_of_op(op, &len);
    if (!text)
        return;
    char *copy = malloc(len + 1);
    assert(copy);
    memcpy(copy, *text, len);
    copy[len] = '\0';
    *text = copy;
}

struct store_batch batch_copy(const struct store_batch *batch)
{
    struct store_op *ops = calloc(batch->count + 1, sizeof *ops);
    enum store_result *results = calloc(batch->count + 1, sizeof *results);
    assert(ops && results);
    for (size_t i = 0; i < batch->count; i++) {
        ops[i] = batch->ops[i];
        copy_borrowed(&ops[i]);
    }
    return (struct store_batch){batch->count, ops, results};
}

void batch_free(struct store_batch *batch)
{
    struct store_op *ops = (struct store_op *)(uintptr_t)batch->ops;
    for (size_t i = 0; i < batch->count; i++) {
        size_t len;
        const char **text = text_of_op(&ops[i], &len);
        if (text)
            free((char *)(uintptr_t)*text);
        if (ops[i].kind == STORE_PUT_ROW || ops[i].kind == STORE_DROP_ROW)
            free((void *)(uintptr_t)ops[i].u.row.row);
    }
    free(ops);
    free(batch->results);
}
