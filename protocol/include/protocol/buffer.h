/*
 * Bytes that grow up to a bound, with room kept free at the front.
 *
 *      bytes                                bytes + headroom + len
 *        |  headroom (not ours to fill)  |  payload ...  |  spare  |
 *
 * The headroom lets a transport put its frame header (and a reference count, say) in front of the
 * payload without copying it. Memory stays when the buffer is cleared, so a buffer that is used
 * again and again stops allocating.
 *
 * `failed` stays set: once memory or the bound ran out, nothing more is appended until the buffer
 * is cleared, so one check at the end is enough. A failed buffer's payload is cut and must not be
 * sent.
 */
#ifndef PROTOCOL_BUFFER_H
#define PROTOCOL_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

struct buffer {
    char *bytes;     /* NULL until the first append */
    size_t headroom; /* bytes kept free before the payload */
    size_t len;      /* payload bytes */
    size_t size;     /* allocated bytes, headroom included */
    size_t limit;    /* so long the payload may become without asking; 0: there are no bytes */
    size_t max;      /* the payload never grows beyond this */
    bool failed;
};

/* Allocates nothing yet. */
void buffer_init(struct buffer *buffer, size_t headroom, size_t max);

/* Of an empty buffer, for what is short: the first memory is for `len` bytes and not for the usual
 * message. False: it has failed. */
bool buffer_begin(struct buffer *buffer, size_t len);

/* Frees the memory; the buffer is then as after init. */
void buffer_release(struct buffer *buffer);

/* Forgets the payload and a failure, keeps the memory. */
void buffer_clear(struct buffer *buffer);

/* Makes sure that the next `len` bytes allocate nothing. False if that cannot be: it has failed. */
bool buffer_reserve(struct buffer *buffer, size_t len);

/* Makes the payload `len` bytes longer and says where they are to be written; NULL: it has failed.
 */
static inline char *buffer_extend(struct buffer *buffer, size_t len)
{
    if (len >= buffer->limit - buffer->len && !buffer_reserve(buffer, len))
        return NULL;
    char *at = buffer->bytes + buffer->headroom + buffer->len;
    buffer->len += len;
    return at;
}

static inline void buffer_append_byte(struct buffer *buffer, char byte)
{
    char *at = buffer_extend(buffer, 1);
    if (at)
        *at = byte;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t len);
void buffer_append_string(struct buffer *buffer, const char *string);

/* The payload, not NUL-terminated; NULL or not if the buffer is empty. */
static inline const char *buffer_payload(const struct buffer *buffer)
{
    return buffer->bytes ? buffer->bytes + buffer->headroom : NULL;
}

/*
 * Hands the memory over: `headroom` bytes, then the payload, to be freed with free(). The buffer is
 * then as after init. NULL if the buffer has failed (it is cleared) or memory for an empty payload
 * ran out.
 */
char *buffer_detach(struct buffer *buffer, size_t *payload_len);

#endif
