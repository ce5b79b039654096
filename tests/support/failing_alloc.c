#include "failing_alloc.h"

#include <jansson.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static struct {
    bool armed, inside, all_after, failed;
    uint64_t nth, count;
} state;

static bool fails(void)
{
    if (!state.armed || !state.inside)
        return false;
    state.count++;
    bool hit = state.count == state.nth || (state.all_after && state.count > state.nth);
    state.failed |= hit;
    return hit;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

/* Always moves the memory and overwrites the old copy. */
static void *moved(void *old, size_t size)
{
    size_t old_size = malloc_usable_size(old);
    void *new = __real_malloc(size);
    if (!new)
        return NULL;
    memcpy(new, old, old_size < size ? old_size : size);
    memset(old, 0xdd, old_size);
    free(old);
    return new;
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails())
        return NULL;
    return old && size > 0 ? moved(old, size) : __real_realloc(old, size);
}

static void *json_malloc_failing(size_t size)
{
    return __wrap_malloc(size);
}

void failing_alloc_init(void)
{
    json_set_alloc_funcs(json_malloc_failing, free);
}

void failing_alloc_arm(uint64_t nth, bool all_after)
{
    state.armed = true;
    state.all_after = all_after;
    state.failed = false;
    state.nth = nth;
    state.count = 0;
}

uint64_t failing_alloc_disarm(bool *failed)
{
    if (failed)
        *failed = state.armed && state.failed;
    state.armed = false;
    return state.count;
}

void failing_alloc_enter(void)
{
    state.inside = true;
}

void failing_alloc_leave(void)
{
    state.inside = false;
}
