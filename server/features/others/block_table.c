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

const struct feature_memory others_memory = {.hub_bytes = sizeof(struct others),
                                             .session_bytes = sizeof(struct blocks)};

struct list_entry {
    uint64_t key; /* the session */
};

struct coming {
    uint64_t key; /* who is about to be blocked */
};

struct others *others_of(const struct hub *hub)
{
    return kernel_state(hub, &others_memory);
}

void blocks_init(struct hub *hub)
{
    table_init(&others_of(hub)->lists, sizeof(struct list_entry));
    table_init(&others_of(hub)->coming, sizeof(struct coming));
}

void blocks_end(struct hub *hub)
{
    table_release(&others_of(hub)->lists);
    table_release(&others_of(hub)->coming);
}

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

bool blocks_reserve(struct hub *hub, const struct session *session)
{
    struct blocks *blocks = blocks_of(hub, session);
    struct table *lists = &others_of(hub)->lists;
    if (blocks->count < blocks->size)
        return true;
    const uint32_t size = blocks->size ? 2 * blocks->size : 4;
    struct block *items =
        table_reserve(lists, 1) ? realloc(blocks->items, size * sizeof *items) : NULL;
    if (!items)
        return false;
    if (blocks->size == 0)
        table_add(lists, &(struct list_entry){kernel_session_id(session)});
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

bool blocks_reserve_coming(struct hub *hub)
{
    return table_reserve(&others_of(hub)->coming, 1);
}

void blocks_add_coming(struct hub *hub, uint64_t other)
{
    table_add(&others_of(hub)->coming, &(struct coming){other});
}

static struct coming *find_coming(const struct hub *hub, uint64_t other)
{
    size_t at = 0;
    return table_find(&others_of(hub)->coming, other, &at);
}

void blocks_remove_coming(struct hub *hub, uint64_t other)
{
    table_remove(&others_of(hub)->coming, find_coming(hub, other));
}

bool blocks_is_coming(const struct hub *hub, uint64_t other)
{
    return find_coming(hub, other);
}

void blocks_release(struct hub *hub, const struct session *session)
{
    struct blocks *blocks = blocks_of(hub, session);
    size_t at = 0;
    void *entry = table_find(&others_of(hub)->lists, kernel_session_id(session), &at);
    if (entry)
        table_remove(&others_of(hub)->lists, entry);
    free(blocks->items);
    *blocks = (struct blocks){0};
}
