#include <protocol/buffer.h>

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 512 }; /* holds nearly every reply, and a move's push */

void buffer_init(struct buffer *buffer, size_t headroom, size_t max)
{
    assert(max <= SIZE_MAX / 4 && headroom <= SIZE_MAX / 4);
    *buffer = (struct buffer){.headroom = headroom, .max = max};
}

bool buffer_begin(struct buffer *buffer, size_t len)
{
    assert(!buffer->bytes && len > 0 && len <= buffer->max);
    buffer->bytes = malloc(buffer->headroom + len);
    if (buffer->bytes)
        buffer->size = buffer->headroom + len;
    buffer->limit = buffer->bytes ? len : 0;
    buffer->failed = !buffer->bytes;
    return !buffer->failed;
}

void buffer_release(struct buffer *buffer)
{
    free(buffer->bytes);
    buffer_init(buffer, buffer->headroom, buffer->max);
}

void buffer_clear(struct buffer *buffer)
{
    buffer->len = 0;
    buffer->limit = buffer->bytes ? buffer->size - buffer->headroom : 0;
    buffer->failed = false;
}

/* Doubles, so that the cost of growing is constant a byte, but never beyond what may be filled. */
static bool grow(struct buffer *buffer, size_t needed)
{
    size_t most = buffer->headroom + buffer->max;
    size_t size = buffer->size ? buffer->size : FIRST_SIZE;
    while (size < needed)
        size *= 2;
    if (size > most)
        size = most;
    char *bytes = realloc(buffer->bytes, size);
    if (!bytes)
        return false;
    buffer->bytes = bytes;
    buffer->size = size;
    buffer->limit = size - buffer->headroom;
    return true;
}

bool buffer_reserve(struct buffer *buffer, size_t len)
{
    if (buffer->failed)
        return false;
    size_t needed = buffer->headroom + buffer->len + len;
    if (len > buffer->max - buffer->len)
        buffer->failed = true;
    else if (needed > buffer->size || !buffer->bytes)
        buffer->failed = !grow(buffer, needed ? needed : 1);
    if (buffer->failed)
        buffer->limit = buffer->len; /* so whoever writes more asks, and is told */
    return !buffer->failed;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t len)
{
    char *at = len > 0 ? buffer_extend(buffer, len) : NULL;
    if (at)
        memcpy(at, bytes, len);
}

void buffer_append_string(struct buffer *buffer, const char *string)
{
    buffer_append(buffer, string, strlen(string));
}

char *buffer_detach(struct buffer *buffer, size_t *payload_len)
{
    if (buffer->failed || (!buffer->bytes && !buffer_reserve(buffer, 0))) {
        buffer_clear(buffer);
        return NULL;
    }
    char *bytes = buffer->bytes;
    *payload_len = buffer->len;
    buffer_init(buffer, buffer->headroom, buffer->max);
    return bytes;
}
