/*
 * A message that is encoded once and sent to many: bytes with a reference count.
 *
 *      struct blob | HUB_OUTPUT_HEADROOM bytes, the transport's | payload | facts (hub/facts.h)
 *
 * Made from a protocol buffer without copying: `blob_buffer_init` sets up a buffer whose headroom
 * has the place for all that. Single-threaded.
 */
#ifndef HUB_BLOB_H
#define HUB_BLOB_H

#include <hub/facts.h>
#include <hub/hub.h>
#include <protocol/buffer.h>

struct blob {
    uint32_t refs;
    uint32_t len, facts_len;
    struct hub_head head; /* of a message; of anything else HUB_NO_MESSAGE */
};

enum { BLOB_HEADROOM = sizeof(struct blob) + HUB_OUTPUT_HEADROOM };

void blob_buffer_init(struct buffer *buffer, size_t max);
/*
 * The buffer's payload as a blob with one reference; NULL if the buffer has failed. Either way the
 * buffer is then empty and without memory.
 */
struct blob *blob_from_buffer(struct buffer *buffer);
struct blob *blob_message(struct buffer *buffer, const struct hub_head *head);
/* The same with what it says beside its text, of which the buffer is released. */
struct blob *blob_with_facts(struct buffer *buffer, const struct hub_head *head,
                             struct buffer *facts);
/* NULL: out of memory. */
struct blob *blob_copy(const char *bytes, size_t len);

struct blob *blob_ref(struct blob *blob);
void blob_unref(struct blob *blob); /* NULL too */

/* Of a push; `room`: NULL, of none. */
struct hub_head head_push(enum hub_kind kind, const char *room, int64_t seq);

static inline unsigned char *blob_bytes(struct blob *blob)
{
    return (unsigned char *)(blob + 1) + HUB_OUTPUT_HEADROOM;
}

static inline struct facts blob_facts(struct blob *blob)
{
    return (struct facts){blob_bytes(blob) + blob->len, blob->facts_len};
}

#endif
