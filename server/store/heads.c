#include "heads.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void heads_init(struct heads *heads)
{
    *heads = (struct heads){0};
}

void heads_release(struct heads *heads)
{
    free(heads->slots);
    heads_init(heads);
}

uint64_t heads_id(const char *room_id)
{
    uint64_t id = 0;
    if (strlen(room_id) == sizeof id)
        memcpy(&id, room_id, sizeof id);
    return id;
}

static size_t slot_of(const struct heads *heads, uint64_t id)
{
    /* Fibonacci hashing: the ids are random, but only in 5 bits of each byte. */
    return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (heads->size - 1);
}

static struct head *probe(const struct heads *heads, uint64_t id)
{
    size_t at = slot_of(heads, id);
    while (heads->slots[at].id != 0 && heads->slots[at].id != id)
        at = (at + 1) & (heads->size - 1);
    return &heads->slots[at];
}

bool heads_reserve(struct heads *heads, size_t more)
{
    size_t size = heads->size ? heads->size : 16;
    while ((heads->count + more) * 4 > size * 3)
        size *= 2;
    if (size == heads->size)
        return true;
    struct heads grown = {calloc(size, sizeof *grown.slots), size, 0};
    if (!grown.slots)
        return false;
    for (size_t at = 0; at < heads->size; at++) {
        if (heads->slots[at].id != 0)
            heads_put(&grown, &heads->slots[at]);
    }
    free(heads->slots);
    *heads = grown;
    return true;
}

struct head *heads_find(struct heads *heads, uint64_t id)
{
    if (heads->size == 0 || id == 0)
        return NULL;
    struct head *head = probe(heads, id);
    return head->id == id ? head : NULL;
}

void heads_put(struct heads *heads, const struct head *head)
{
    assert(head->id != 0 && heads->count < heads->size);
    struct head *slot = probe(heads, head->id);
    if (slot->id == 0)
        heads->count++;
    *slot = *head;
}

void heads_remove(struct heads *heads, uint64_t id)
{
    struct head *head = heads_find(heads, id);
    if (!head)
        return;
    size_t mask = heads->size - 1, hole = (size_t)(head - heads->slots);
    for (size_t at = (hole + 1) & mask; heads->slots[at].id != 0; at = (at + 1) & mask) {
        size_t home = slot_of(heads, heads->slots[at].id);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            heads->slots[hole] = heads->slots[at];
            hole = at;
        }
    }
    heads->slots[hole].id = 0;
    heads->count--;
}
