/*
 * Writes the difference between two states as an RFC 7396 merge patch, or the whole state if there
 * is none before: one function does both, so they cannot disagree.
 *
 * Objects are written late: patch_begin writes nothing until a member inside differs, and an object
 * without such a member is not written at all. Members are given as they were and as they are;
 * NULL, false of a flag, an empty set is "absent", which a patch says with null. State itself never
 * holds null.
 */
#ifndef PROTOCOL_PATCH_WRITER_H
#define PROTOCOL_PATCH_WRITER_H

#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PATCH_DEPTH = 6 };

struct patch_key {
    const char *text;
    size_t len;
};

struct patch {
    struct writer *out;
    struct patch_key pending[PATCH_DEPTH]; /* keys of objects begun and not yet written */
    uint8_t n_pending;
};

/* Into an object that the caller has begun and will end. */
void patch_init(struct patch *patch, struct writer *out);

void patch_begin_n(struct patch *patch, const char *key, size_t len);
/* `key` outlives patch_end. Inline, as others are: so the length of a literal is known. */
static inline void patch_begin(struct patch *patch, const char *key)
{
    patch_begin_n(patch, key, strlen(key));
}
void patch_force(struct patch *patch); /* writes the objects begun, even if they stay empty */
void patch_end(struct patch *patch);

void patch_string_n(struct patch *patch, const char *key, size_t key_len, const char *before,
                    const char *after);
static inline void patch_string(struct patch *patch, const char *key, const char *before,
                                const char *after)
{
    patch_string_n(patch, key, strlen(key), before, after);
}

void patch_flag(struct patch *patch, const char *key, bool before, bool after);

/* `before` NULL: it was absent. */
void patch_int_n(struct patch *patch, const char *key, size_t key_len, int64_t value);
static inline void patch_int(struct patch *patch, const char *key, const int64_t *before,
                             int64_t after)
{
    if (!before || *before != after)
        patch_int_n(patch, key, strlen(key), after);
}

void patch_bool(struct patch *patch, const char *key, const bool *before, bool after);

/* {"0": true, "2": true}; absent if empty. */
void patch_set(struct patch *patch, const char *key, uint32_t before, uint32_t after);

/* [0, 2], written whole: shorter for what changes all the time; absent if empty. */
void patch_list(struct patch *patch, const char *key, uint32_t before, uint32_t after);

void patch_gone(struct patch *patch, const char *key);

/* A text that is known to be another one, whatever it was. */
void patch_text_n(struct patch *patch, const char *key, size_t key_len, const char *text,
                  size_t len);

/* The writer, ready for the value of `key`: for what has no function here. */
struct writer *patch_value(struct patch *patch, const char *key);

/* "0".."31" */
const char *patch_number(unsigned number);

#endif
