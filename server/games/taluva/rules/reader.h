/*
 * Reading arbitrary text byte by byte, never past the end; and writing text.
 *
 * A reader remembers its first failure and fails from then on, so that callers can read on and
 * check once.
 */
#ifndef RULES_READER_H
#define RULES_READER_H

#include <assert.h>
#include <rules/notation.h>

struct rules_reader {
    const char *text;
    size_t len, at;
    struct taluva_notation_error error;
};

static inline bool rules_reader_ok(const struct rules_reader *in)
{
    return in->error.status == TALUVA_NOTATION_OK;
}

void rules_reader_init(struct rules_reader *in, const char *text, size_t len);

/* Copies the failure, if any, to `error` (may be NULL); false if there was one. */
bool rules_reader_done(struct rules_reader *in, struct taluva_notation_error *error);

/* Fails at this offset, unless it has failed before. Always false. */
bool rules_reader_fail(struct rules_reader *in, size_t offset, enum taluva_notation_status status,
                       const char *what);

/* The next byte without taking it; 0 at the end and after a failure. */
char rules_peek(const struct rules_reader *in);

/* Takes the byte if it is next. */
bool rules_accept(struct rules_reader *in, char c);

/* Takes it or fails. */
bool rules_expect(struct rules_reader *in, char c, const char *what);

/* Takes a run of a-z and hyphens that is one of the words; its index. */
unsigned rules_read_word(struct rules_reader *in, const char *const *words, unsigned n,
                         const char *what);

/* A decimal number without sign or leading zeros, at most `max`. */
unsigned rules_read_number(struct rules_reader *in, unsigned max, const char *what);

taluva_tile rules_read_tile(struct rules_reader *in);
struct taluva_hex rules_read_hex(struct rules_reader *in);
unsigned rules_read_terrain(struct rules_reader *in);
void rules_read_cell(struct rules_reader *in, struct taluva_cell *cell);

/* Texts that end with 0. */
bool rules_text_equal(const char *a, const char *b);

/* The buffer is the caller's and always large enough: what is written is bounded by the format. */
struct rules_writer {
    char *text;
    size_t len, size;
};

static inline void rules_write_char(struct rules_writer *out, char c)
{
    assert(out->len + 1 < out->size);
    out->text[out->len++] = c;
}

void rules_write_text(struct rules_writer *out, const char *text);
void rules_write_number(struct rules_writer *out, int number);
void rules_write_tile(struct rules_writer *out, taluva_tile tile);
void rules_write_hex(struct rules_writer *out, struct taluva_hex hex);
void rules_write_cell(struct rules_writer *out, const struct taluva_cell *cell);

/* Terminates; the length. */
size_t rules_writer_done(struct rules_writer *out);

#endif
