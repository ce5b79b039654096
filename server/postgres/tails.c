#include "tails.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void tails_init(struct tails *tails)
{
    *tails = (struct tails){0};
    table_init(&tails->table, sizeof(struct tail));
}

void tails_release(struct tails *tails)
{
    table_release(&tails->table);
    free(tails->changes);
}

uint64_t tails_id(const char *room_id)
{
    uint64_t id = 0;
    if (strlen(room_id) == sizeof id)
        memcpy(&id, room_id, sizeof id);
    return id;
}

/* Each change may come to be taken back, and then an end that is gone is put again. */
bool tails_reserve(struct tails *tails, size_t changes)
{
    if (!table_reserve(&tails->table, changes))
        return false;
    if (tails->count + changes <= tails->size)
        return true;
    const size_t size = (tails->count + changes) * 2;
    struct tail_change *grown = realloc(tails->changes, size * sizeof *grown);
    if (!grown)
        return false;
    tails->changes = grown;
    tails->size = size;
    return true;
}

static struct tail *find(const struct tails *tails, uint64_t id)
{
    size_t at = 0;
    return table_find(&tails->table, id, &at);
}

const struct tail *tails_find(const struct tails *tails, uint64_t id)
{
    return find(tails, id);
}

static void put(struct tails *tails, const struct tail *tail)
{
    struct tail *old = find(tails, tail->id);
    if (old)
        *old = *tail;
    else
        table_add(&tails->table, tail);
}

static void drop(struct tails *tails, uint64_t id)
{
    struct tail *old = find(tails, id);
    if (old)
        table_remove(&tails->table, old);
}

static void remember(struct tails *tails, uint64_t id)
{
    assert(tails->count < tails->size);
    const struct tail *before = find(tails, id);
    tails->changes[tails->count++] =
        (struct tail_change){before ? *before : (struct tail){.id = id}, before != NULL};
}

void tails_put(struct tails *tails, const struct tail *tail)
{
    assert(tail->id != 0);
    remember(tails, tail->id);
    put(tails, tail);
}

void tails_remove(struct tails *tails, uint64_t id)
{
    remember(tails, id);
    drop(tails, id);
}

void tails_keep(struct tails *tails)
{
    tails->count = 0;
}

void tails_take_back(struct tails *tails)
{
    while (tails->count > 0) {
        const struct tail_change *change = &tails->changes[--tails->count];
        if (change->existed)
            put(tails, &change->before);
        else
            drop(tails, change->before.id);
    }
}
