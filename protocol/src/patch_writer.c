#include <protocol/patch_writer.h>

#include <assert.h>
#include <string.h>

void patch_init(struct patch *patch, struct writer *out)
{
    patch->out = out;
    patch->n_pending = 0;
}

void patch_begin(struct patch *patch, const char *key)
{
    assert(patch->n_pending < PATCH_DEPTH);
    patch->pending[patch->n_pending++] = key;
}

void patch_force(struct patch *patch)
{
    for (unsigned i = 0; i < patch->n_pending; i++)
        writer_key_object(patch->out, patch->pending[i]);
    patch->n_pending = 0;
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
    if (patch->n_pending > 0)
        patch_force(patch);
    writer_key(patch->out, key);
    return patch->out;
}

void patch_gone(struct patch *patch, const char *key)
{
    writer_null(patch_value(patch, key));
}

void patch_string(struct patch *patch, const char *key, const char *before, const char *after)
{
    if (!after) {
        if (before)
            patch_gone(patch, key);
    } else if (!before || (before != after && strcmp(before, after) != 0)) {
        writer_string(patch_value(patch, key), after);
    }
}

void patch_flag(struct patch *patch, const char *key, bool before, bool after)
{
    if (after && !before)
        writer_bool(patch_value(patch, key), true);
    else if (before && !after)
        patch_gone(patch, key);
}

void patch_int(struct patch *patch, const char *key, const int64_t *before, int64_t after)
{
    if (!before || *before != after)
        writer_int(patch_value(patch, key), after);
}

void patch_bool(struct patch *patch, const char *key, const bool *before, bool after)
{
    if (!before || *before != after)
        writer_bool(patch_value(patch, key), after);
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
    struct writer *writer = patch_value(patch, key);
    writer_array(writer);
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
