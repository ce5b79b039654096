/*
 * Reading text that may be anything, byte by byte and never past the end; and writing it.
 *
 * A reader remembers its first failure and answers "no" to everything after it, so that callers may
 * read on and ask once.
 */
#ifndef TOTEM_TEXT_H
#define TOTEM_TEXT_H

#include <totem_rules/notation.h>

struct totem_reader {
    const char *text;
    size_t len, at;
    const char *failed; /* NULL: not yet */
};

void totem_reader_init(struct totem_reader *in, const char *text, size_t len);
bool totem_reader_ok(const struct totem_reader *in);
/* True if and only if nothing failed and nothing is left. */
bool totem_reader_done(struct totem_reader *in);
/* Fails, unless it has failed before. Always false. */
bool totem_fail(struct totem_reader *in, const char *what);

/* The next byte without taking it; 0 at the end and after a failure. */
char totem_peek(const struct totem_reader *in);
bool totem_accept(struct totem_reader *in, char c);
bool totem_accept_word(struct totem_reader *in, const char *word);
void totem_expect(struct totem_reader *in, char c, const char *what);

/* One of these letters; its index, and 0 after a failure. */
unsigned totem_read_letter(struct totem_reader *in, const char *letters, const char *what);
/* Is one of these letters next? */
bool totem_peek_letter(const struct totem_reader *in, const char *letters);
/* A number of `min` to `max` without leading zeros. */
unsigned totem_read_number(struct totem_reader *in, unsigned min, unsigned max, const char *what);

unsigned totem_read_hut(struct totem_reader *in);
void totem_read_people(struct totem_reader *in, struct totem_people *people);
/* Three lists with this between them. */
void totem_read_huts(struct totem_reader *in, struct totem_people people[TOTEM_HUTS],
                     char separator);
/* "T:R1,I:G2", at least one, or "-". */
void totem_read_puts(struct totem_reader *in, struct totem_puts *puts);

/* The buffer is the caller's and always large enough: what is written is bounded by its form. */
struct totem_writer {
    char *text;
    size_t len, size;
};

void totem_write_char(struct totem_writer *out, char c);
void totem_write_text(struct totem_writer *out, const char *text);
void totem_write_number(struct totem_writer *out, unsigned number);
void totem_write_family(struct totem_writer *out, unsigned family);
void totem_write_hut(struct totem_writer *out, unsigned hut);
void totem_write_people(struct totem_writer *out, const struct totem_people *people);
void totem_write_huts(struct totem_writer *out, const struct totem_people people[TOTEM_HUTS],
                      char separator);
void totem_write_set(struct totem_writer *out, unsigned set);
/* Hidden: "?:HUT" for each, by hut. */
void totem_write_puts(struct totem_writer *out, const struct totem_puts *puts, bool hidden);
/* Terminates; the length. */
size_t totem_writer_done(struct totem_writer *out);

#endif
