/*
 * Writes JSON, value after value, into a buffer. All that the server says goes through it.
 *
 * Why not jansson, which reads our requests: it builds a tree, several allocations for each value,
 * and then prints it. A move goes to every client of a room, thousands of moves a second; here the
 * bytes are written once, in place, and parts that are encoded already are spliced in raw.
 *
 * Misuse (a key outside an object, a value without a key, an end without a beginning) is our own
 * fault and asserted. Running out of memory or of the buffer's bound makes the buffer fail; further
 * writing has no effect, and one check of `buffer.failed` at the end is enough.
 *
 *     writer_init(&writer, &buffer);
 *     writer_object(&writer);
 *     writer_key_string(&writer, "room", room);
 *     writer_key_int(&writer, "seq", seq);
 *     writer_end(&writer);
 *     assert(writer_done(&writer));
 */
#ifndef PROTOCOL_JSON_WRITER_H
#define PROTOCOL_JSON_WRITER_H

#include <protocol/buffer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct json_t;

enum { WRITER_DEPTH = 32 };

struct writer {
    struct buffer *out;
    uint32_t objects; /* a bit for each open container, the innermost lowest: is it an object? */
    uint8_t depth;
    bool comma; /* the innermost container has a member already; outside of all: there is a value */
    bool keyed; /* a key was written, its value is due */
};

/* Appends to `out`, which must outlive the writer. One writer writes one value. */
void writer_init(struct writer *writer, struct buffer *out);

void writer_object(struct writer *writer);
void writer_array(struct writer *writer);
void writer_end(struct writer *writer); /* the innermost object or array */

/*
 * Most keys are names of ours, printable ASCII without quotes and backslashes, and are written as
 * they are: only those of writer_key_n may be anything. Inline, so that the length of a literal is
 * known when this is compiled.
 */
void writer_key_plain(struct writer *writer, const char *key, size_t len);
static inline void writer_key(struct writer *writer, const char *key)
{
    writer_key_plain(writer, key, strlen(key));
}
void writer_key_n(struct writer *writer, const char *key, size_t len);
void writer_key_number(struct writer *writer, uint32_t key); /* "0": seats as keys */

/* Bytes that are not UTF-8 come out as U+FFFD: what we send is always UTF-8. */
void writer_string(struct writer *writer, const char *string);
void writer_string_n(struct writer *writer, const char *string, size_t len);
void writer_int(struct writer *writer, int64_t value);
void writer_bool(struct writer *writer, bool value);
void writer_null(struct writer *writer);

/* Where in the buffer's payload the next value begins, of an array. */
static inline size_t writer_place(const struct writer *writer)
{
    return writer->out->len + writer->comma;
}

/* Splices one value that is JSON already. */
void writer_raw(struct writer *writer, const char *json, size_t len);

/* Splices the members of an object that is JSON already, and has some, into an object. */
void writer_members(struct writer *writer, const char *object, size_t len);

/* A value that jansson holds (integers, reals, strings, containers), for clients and tools. */
void writer_json(struct writer *writer, const struct json_t *value);

/* A plain key and its value at once, in one piece. */
void writer_member_object(struct writer *writer, const char *key, size_t key_len);
void writer_member_array(struct writer *writer, const char *key, size_t key_len);
void writer_member_string(struct writer *writer, const char *key, size_t key_len,
                          const char *string, size_t len);
void writer_member_int(struct writer *writer, const char *key, size_t key_len, int64_t value);
void writer_member_raw(struct writer *writer, const char *key, size_t key_len, const char *json,
                       size_t len);

/* The same. */
static inline void writer_key_object(struct writer *writer, const char *key)
{
    writer_member_object(writer, key, strlen(key));
}

static inline void writer_key_array(struct writer *writer, const char *key)
{
    writer_member_array(writer, key, strlen(key));
}

static inline void writer_key_string(struct writer *writer, const char *key, const char *string)
{
    writer_member_string(writer, key, strlen(key), string, strlen(string));
}

static inline void writer_key_int(struct writer *writer, const char *key, int64_t value)
{
    writer_member_int(writer, key, strlen(key), value);
}

/* A session, an account or another number of 64 bits, which JSON has as 16 hex digits. */
void writer_key_id(struct writer *writer, const char *key, uint64_t id);

static inline void writer_key_bool(struct writer *writer, const char *key, bool value)
{
    writer_member_raw(writer, key, strlen(key), value ? "true" : "false", value ? 4 : 5);
}

static inline void writer_key_null(struct writer *writer, const char *key)
{
    writer_member_raw(writer, key, strlen(key), "null", 4);
}

static inline void writer_key_raw(struct writer *writer, const char *key, const char *json,
                                  size_t len)
{
    writer_member_raw(writer, key, strlen(key), json, len);
}

/* Is the value complete? (It may still be cut short if the buffer has failed.) */
static inline bool writer_done(const struct writer *writer)
{
    return writer->depth == 0 && writer->comma;
}

#endif
