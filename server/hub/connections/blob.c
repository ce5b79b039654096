#include "blob.h"

#include <assert.h>
#include <protocol/error.h>
#include <stdlib.h>
#include <string.h>

void blob_buffer_init(struct buffer *buffer, size_t max)
{
    buffer_init(buffer, BLOB_HEADROOM, max);
}

/* A blob may wait long in outboxes, so unused memory beyond this is given back. */
enum { SPARE_MAX = 1024 };
static_assert((int)PROTOCOL_ERROR_COUNT <= UINT8_MAX, "a head has a byte for it");

struct blob *blob_from_buffer(struct buffer *buffer)
{
    size_t len, size = buffer->size;
    char *bytes = buffer_detach(buffer, &len);
    if (!bytes) {
        buffer_release(buffer);
        return NULL;
    }
    if (size - BLOB_HEADROOM - len > SPARE_MAX) {
        char *fitting = realloc(bytes, BLOB_HEADROOM + len);
        bytes = fitting ? fitting : bytes;
    }
    assert(len <= UINT32_MAX);
    struct blob *blob = (struct blob *)(void *)bytes;
    *blob = (struct blob){.refs = 1, .len = (uint32_t)len};
    return blob;
}

struct blob *blob_message(struct buffer *buffer, const struct hub_head *head)
{
    struct blob *blob = blob_from_buffer(buffer);
    if (blob)
        blob->head = *head;
    return blob;
}

struct blob *blob_with_facts(struct buffer *buffer, const struct hub_head *head,
                             struct buffer *facts)
{
    const size_t len = buffer->len, facts_len = facts->len;
    buffer_append(buffer, buffer_payload(facts), facts_len);
    buffer->failed = buffer->failed || facts->failed;
    buffer_release(facts);
    struct blob *blob = blob_message(buffer, head);
    if (blob) {
        blob->len = (uint32_t)len;
        blob->facts_len = (uint32_t)facts_len;
    }
    return blob;
}

struct hub_head head_push(enum hub_kind kind, const char *room, int64_t seq)
{
    struct hub_head head = {.kind = (uint8_t)kind, .seq = seq};
    if (room)
        memcpy(head.room, room, sizeof head.room - 1);
    return head;
}

struct blob *blob_copy(const char *bytes, size_t len)
{
    struct blob *blob = malloc(BLOB_HEADROOM + len);
    if (!blob)
        return NULL;
    assert(len <= UINT32_MAX);
    *blob = (struct blob){.refs = 1, .len = (uint32_t)len};
    if (len > 0) /* then `bytes` may be NULL */
        memcpy(blob_bytes(blob), bytes, len);
    return blob;
}

struct blob *blob_ref(struct blob *blob)
{
    blob->refs++;
    return blob;
}

void blob_unref(struct blob *blob)
{
    if (!blob)
        return;
    assert(blob->refs > 0);
    if (--blob->refs == 0)
        free(blob);
}
