#include "json_memory.h"

#include <assert.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stdint.h>

/* The most for its length is an array of empty objects: about 70 bytes for each of the message. */
enum { RESERVE_BYTES = 128 * PROTOCOL_MESSAGE_BYTES, ALIGN = 16 };

static struct {
    _Alignas(ALIGN) unsigned char bytes[RESERVE_BYTES];
    size_t used;
    bool ran_out;
    json_malloc_t take;
    json_free_t give;
} reserve;

static void *take(size_t size)
{
    void *got = reserve.ran_out ? NULL : reserve.take(size);
    if (got || size > RESERVE_BYTES - ALIGN)
        return got;
    reserve.ran_out = true;
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    assert(size <= RESERVE_BYTES - reserve.used);
    got = &reserve.bytes[reserve.used];
    reserve.used += size;
    return got;
}

static void give(void *block)
{
    uintptr_t at = (uintptr_t)block, first = (uintptr_t)reserve.bytes;
    if (at < first || at >= first + RESERVE_BYTES)
        reserve.give(block);
}

json_t *json_load_message(const char *bytes, size_t len, size_t flags, json_error_t *error)
{
    assert(len <= PROTOCOL_MESSAGE_BYTES);
    reserve.used = 0;
    reserve.ran_out = false;
    json_get_alloc_funcs(&reserve.take, &reserve.give);
    json_set_alloc_funcs(take, give);
    json_t *message = json_loadb(bytes, len, flags, error);
    if (reserve.ran_out) {
        json_decref(message);
        message = NULL;
    }
    json_set_alloc_funcs(reserve.take, reserve.give);
    return message;
}
