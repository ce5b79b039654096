#include <protocol/patch_writer.h>

#include <assert.h>
#include <string.h>

void patch_init(struct patch *patch, struct writer *out)
{
    patch->out = out;
    patch->n_pending = 0;
}

void patch_begin_n(struct patch *patch, const char *key, size_t len)
{
    assert(patch->n_pending < PATCH_DEPTH);
    patch->pending[patch->n_pending++] = (struct patch_key){key, len};
}

void patch_force(struct patch *patch)
{
    for (unsigned i = 0; i < patch->n_pending; i++)
        writer_member_object(patch->out, patch->pending[i].text, patch->pending[i].len);
    patch->n_pending = 0;
}

/* Where a member may go: what has been begun is written. */
static struct writer *writer_within(struct patch *patch)
{
    if (patch->n_pending > 0)
        patch_force(patch);
    return patch->out;
}

void patch_end(struct patch *patch)
{
    if (patch->n_pending > 0)
        patch->n_pending--;
    else
        writer_end(patch->out);
}

struct writer *patch_value(struct patch *patch, const char *key)
{
    writer_key(writer_within(patch), key);
    return patch->out;
}

void patch_gone(struct patch *patch, const char *key)
{
    writer_key_null(writer_within(patch), key);
}

void patch_text_n(struct patch *patch, const char *key, size_t key_len, const char *text,
                  size_t len)
{
    writer_member_string(writer_within(patch), key, key_len, text, len);
}

void patch_int_n(struct patch *patch, const char *key, size_t key_len, int64_t value)
{
    writer_member_int(writer_within(patch), key, key_len, value);
}

void patch_string_n(struct patch *patch, const char *key, size_t key_len, const char *before,
                    const char *after)
{
    if (!after) {
        if (before)
            patch_gone(patch, key);
    } else if (!before || (before != after && strcmp(before, after) != 0)) {
        patch_text_n(patch, key, key_len, after, strlen(after));
    }
}

void patch_flag(struct patch *patch, const char *key, bool before, bool after)
{
    if (after && !before)
        writer_key_bool(writer_within(patch), key, true);
    else if (before && !after)
        patch_gone(patch, key);
}

void patch_bool(struct patch *patch, const char *key, const bool *before, bool after)
{
    if (!before || *before != after)
        writer_key_bool(writer_within(patch), key, after);
}

void patch_set(struct patch *patch, const char *key, uint32_t before, uint32_t after)
{
    if (after == 0) {
        if (before != 0)
            patch_gone(patch, key);
        return;
    }
    patch_begin(patch, key);
    for (unsigned i = 0; i < 32; i++)
        patch_flag(patch, patch_number(i), (before >> i) & 1, (after >> i) & 1);
    patch_end(patch);
}

void patch_list(struct patch *patch, const char *key, uint32_t before, uint32_t after)
{
    if (after == before)
        return;
    if (after == 0) {
        patch_gone(patch, key);
        return;
    }
    struct writer *writer = writer_within(patch);
    writer_key_array(writer, key);
    for (unsigned i = 0; i < 32; i++) {
        if ((after >> i) & 1)
            writer_int(writer, i);
    }
    writer_end(writer);
}

const char *patch_number(unsigned number)
{
    static const char numbers[][3] = {"0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",
                                      "8",  "9",  "10", "11", "12", "13", "14", "15",
                                      "16", "17", "18", "19", "20", "21", "22", "23",
                                      "24", "25", "26", "27", "28", "29", "30", "31"};
    assert(number < 32);
    return numbers[number];
}
