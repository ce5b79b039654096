#include "log_ends.h"

#include <assert.h>
#include <string.h>

void log_ends_init(struct log_ends *log_ends)
{
    table_init(&log_ends->table, sizeof(struct log_end));
}

void log_ends_release(struct log_ends *log_ends)
{
    table_release(&log_ends->table);
}

uint64_t log_ends_id(const char *room_id)
{
    uint64_t id = 0;
    if (strlen(room_id) == sizeof id)
        memcpy(&id, room_id, sizeof id);
    return id;
}

bool log_ends_reserve(struct log_ends *log_ends, size_t more)
{
    return table_reserve(&log_ends->table, more);
}

struct log_end *log_ends_find(const struct log_ends *log_ends, uint64_t id)
{
    size_t at = 0;
    return table_find(&log_ends->table, id, &at);
}

void log_ends_put(struct log_ends *log_ends, const struct log_end *log_end)
{
    assert(log_end->id != 0);
    struct log_end *old = log_ends_find(log_ends, log_end->id);
    if (old)
        *old = *log_end;
    else
        table_add(&log_ends->table, log_end);
}

void log_ends_remove(struct log_ends *log_ends, uint64_t id)
{
    struct log_end *log_end = log_ends_find(log_ends, id);
    if (log_end)
        table_remove(&log_ends->table, log_end);
}

struct log_end *log_ends_next(const struct log_ends *log_ends, size_t *at)
{
    return table_next(&log_ends->table, at);
}
