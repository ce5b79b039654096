#include "block_table.h"

#include <assert.h>
#include <hub/kernel.h>
#include <stdio.h>
#include <stdlib.h>

const struct store_table block_table = {
    .name = "block",
    .what = "somebody whom an account has blocked",
    .number = 41,
    .size = sizeof(struct block_row),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 5,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct block_row, session)},
                {"other", STORE_NUMBER, STORE_MEMBER(struct block_row, other)},
                {"pair", STORE_NUMBER, STORE_MEMBER(struct block_row, pair)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct block_row, since_ms)},
                {"handle", STORE_STRING, STORE_MEMBER(struct block_row, handle)}},
    .indexes = {[BLOCK_BY_PAIR] = {"by_pair", .columns = {2}, .count = 1, .same = 1},
                [BLOCK_BY_SESSION] = {"by_session", .columns = {0, 1}, .count = 2, .same = 1}},
};

/* Ids are drawn at random. Two pairs that are told apart by their rows alone do no harm. */
struct block_row block_row_of(uint64_t session, uint64_t other)
{
    return (struct block_row){.session = session, .other = other, .pair = session ^ other};
}

/* ---- of a session */

const struct feature_memory others_memory = {.hub_bytes = 1,
                                             .session_bytes = sizeof(struct blocks)};

struct blocks *blocks_of(const struct hub *hub, const struct session *session)
{
    return kernel_session_state(hub, &others_memory, session);
}

static uint32_t place_of(const struct blocks *blocks, uint64_t other)
{
    uint32_t at = 0;
    while (at < blocks->count && blocks->items[at].other != other)
        at++;
    return at;
}

const struct block *blocks_find(const struct blocks *blocks, uint64_t other)
{
    const uint32_t at = place_of(blocks, other);
    return at < blocks->count ? &blocks->items[at] : NULL;
}

bool blocks_reserve(struct blocks *blocks)
{
    if (blocks->count < blocks->size)
        return true;
    const uint32_t size = blocks->size ? 2 * blocks->size : 4;
    struct block *items = realloc(blocks->items, size * sizeof *items);
    if (!items)
        return false;
    blocks->items = items;
    blocks->size = size;
    return true;
}

void blocks_put(struct blocks *blocks, const struct block_row *row)
{
    struct block block = {.other = row->other, .since_ms = row->since_ms};
    const uint32_t at = place_of(blocks, row->other);
    (void)snprintf(block.handle, sizeof block.handle, "%s", row->handle);
    assert(at < blocks->size && "there is place for it");
    blocks->items[at] = block;
    blocks->count += at == blocks->count;
}

void blocks_drop(struct blocks *blocks, uint64_t other)
{
    const uint32_t at = place_of(blocks, other);
    if (at < blocks->count)
        blocks->items[at] = blocks->items[--blocks->count];
}

void blocks_release(struct blocks *blocks)
{
    free(blocks->items);
    *blocks = (struct blocks){0};
}
