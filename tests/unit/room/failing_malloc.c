#include "failing_malloc.h"

#include <jansson.h>
#include <stdlib.h>

static size_t fail_at, count;
static bool fail_on;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static bool fails(void)
{
    count++;
    return fail_at != 0 && (count == fail_at || (fail_on && count > fail_at));
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

void malloc_fail_from(size_t n)
{
    fail_at = n;
    fail_on = true;
    count = 0;
}

void malloc_fail_once(size_t n)
{
    fail_at = n;
    fail_on = false;
    count = 0;
}

size_t malloc_count(void)
{
    return count;
}

void malloc_use_for_json(void)
{
    json_set_alloc_funcs(__wrap_malloc, free);
}
