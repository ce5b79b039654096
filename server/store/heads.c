#include "heads.h"

#include <assert.h>
#include <string.h>

void heads_init(struct heads *heads)
{
    table_init(&heads->table, sizeof(struct head));
}

void heads_release(struct heads *heads)
{
    table_release(&heads->table);
}

uint64_t heads_id(const char *room_id)
{
    uint64_t id = 0;
    if (strlen(room_id) == sizeof id)
        memcpy(&id, room_id, sizeof id);
    return id;
}

bool heads_reserve(struct heads *heads, size_t more)
{
    return table_reserve(&heads->table, more);
}

struct head *heads_find(const struct heads *heads, uint64_t id)
{
    size_t at = 0;
    return table_find(&heads->table, id, &at);
}

void heads_put(struct heads *heads, const struct head *head)
{
    assert(head->id != 0);
    struct head *old = heads_find(heads, head->id);
    if (old)
        *old = *head;
    else
        table_add(&heads->table, head);
}

void heads_remove(struct heads *heads, uint64_t id)
{
    struct head *head = heads_find(heads, id);
    if (head)
        table_remove(&heads->table, head);
}

struct head *heads_next(const struct heads *heads, size_t *at)
{
    return table_next(&heads->table, at);
}
