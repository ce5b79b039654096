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
    case STORE_PUT_PUSH:
        *len = strlen(op->u.push.endpoint);
        return &op->u.push.endpoint;
    case STORE_PUT_PASS:
        *len = strlen(op->u.pass.name);
        return &op->u.pass.name;
    case STORE_PUT_GAMES:
        *len = op->u.games.text_len;
        return &op->u.games.text;
    case STORE_PUT_ROOM:
    case STORE_DROP_ROOM:
    case STORE_ARCHIVE_ROOM:
    case STORE_PUT_SESSION:
    case STORE_DROP_SESSION:
    case STORE_LET_IN:
    case STORE_DROP_PASS:
    case STORE_DROP_PUSH:
        break;
    }
    return NULL;
}

static void copy_text(struct store_op *op)
{
    size_t len;
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
        copy_text(&ops[i]);
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
    }
    free(ops);
    free(batch->results);
}
