#include "told.h"

#include <check.h>

static void begin(struct buffer *buffer, struct writer *writer)
{
    buffer_init(buffer, 0, 1 << 20);
    writer_init(writer, buffer);
}

static json_t *read_buffer(struct buffer *buffer)
{
    ck_assert(!buffer->failed);
    json_t *value = json_loadb((const char *)buffer->bytes, buffer->len, 0, NULL);
    ck_assert_ptr_nonnull(value);
    buffer_release(buffer);
    return value;
}

json_t *told_table(const struct game_views *views, const void *before, const void *after,
                   unsigned viewer)
{
    struct buffer buffer;
    struct writer writer;
    struct patch patch;
    begin(&buffer, &writer);
    writer_object(&writer);
    patch_init(&patch, &writer);
    views->table(before, after, viewer, &patch);
    writer_end(&writer);
    return read_buffer(&buffer);
}

json_t *told_options(const struct game_rules *rules, const void *value)
{
    struct buffer buffer;
    struct writer writer;
    begin(&buffer, &writer);
    rules->write_options(value, &writer);
    return read_buffer(&buffer);
}
