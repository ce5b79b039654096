#include "log_ends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void pg_log_ends_init(struct pg_log_ends *log_ends)
{
    *log_ends = (struct pg_log_ends){0};
    table_init(&log_ends->table, sizeof(struct pg_log_end));
}

void pg_log_ends_release(struct pg_log_ends *log_ends)
{
    table_release(&log_ends->table);
    free(log_ends->changes);
}

uint64_t pg_log_ends_id(const char *room_id)
{
    uint64_t id = 0;
    if (strlen(room_id) == sizeof id)
        memcpy(&id, room_id, sizeof id);
    return id;
}

/* Each change may come to be taken back, and then an end that is gone is put again. */
bool pg_log_ends_reserve(struct pg_log_ends *log_ends, size_t changes)
{
    if (!table_reserve(&log_ends->table, changes))
        return false;
    if (log_ends->count + changes <= log_ends->size)
        return true;
    const size_t size = (log_ends->count + changes) * 2;
    struct log_end_change *grown = realloc(log_ends->changes, size * sizeof *grown);
    if (!grown)
        return false;
    log_ends->changes = grown;
    log_ends->size = size;
    return true;
}

static struct pg_log_end *find_end(const struct pg_log_ends *log_ends, uint64_t id)
{
    size_t at = 0;
    return table_find(&log_ends->table, id, &at);
}

const struct pg_log_end *pg_log_ends_find(const struct pg_log_ends *log_ends, uint64_t id)
{
    return find_end(log_ends, id);
}

static void put_end(struct pg_log_ends *log_ends, const struct pg_log_end *log_end)
{
    struct pg_log_end *old = find_end(log_ends, log_end->id);
    if (old)
        *old = *log_end;
    else
        table_add(&log_ends->table, log_end);
}

static void drop_end(struct pg_log_ends *log_ends, uint64_t id)
{
    struct pg_log_end *old = find_end(log_ends, id);
    if (old)
        table_remove(&log_ends->table, old);
}

static void remember_end(struct pg_log_ends *log_ends, uint64_t id)
{
    assert(log_ends->count < log_ends->size);
    const struct pg_log_end *before = find_end(log_ends, id);
    log_ends->changes[log_ends->count++] =
        (struct log_end_change){before ? *before : (struct pg_log_end){.id = id}, before != NULL};
}

void pg_log_ends_put(struct pg_log_ends *log_ends, const struct pg_log_end *log_end)
{
    assert(log_end->id != 0);
    remember_end(log_ends, log_end->id);
    put_end(log_ends, log_end);
}

void pg_log_ends_remove(struct pg_log_ends *log_ends, uint64_t id)
{
    remember_end(log_ends, id);
    drop_end(log_ends, id);
}

void pg_log_ends_keep(struct pg_log_ends *log_ends)
{
    log_ends->count = 0;
}

void pg_log_ends_take_back(struct pg_log_ends *log_ends)
{
    while (log_ends->count > 0) {
        const struct log_end_change *change = &log_ends->changes[--log_ends->count];
        if (change->existed)
            put_end(log_ends, &change->before);
        else
            drop_end(log_ends, change->before.id);
    }
}
