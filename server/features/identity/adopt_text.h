/* What stands in the letters of adopt.h: numbers in hexadecimal digits, and single letters. */
#ifndef IDENTITY_ADOPT_TEXT_H
#define IDENTITY_ADOPT_TEXT_H

#include <hub/store.h>
#include <stdbool.h>
#include <stdint.h>

enum { ADOPT_ID_DIGITS = 16, ADOPT_PART_DIGITS = 2 };

/* Reads from the beginning; what is not there makes `wrong` true, and is 0. */
struct adopt_text {
    const char *at, *end;
    bool wrong;
};

struct adopt_text adopt_text_of(const struct store_letter *letter);
/* And the blank behind it, unless it is the last. */
uint64_t adopt_text_number(struct adopt_text *text, unsigned digits);
char adopt_text_word(struct adopt_text *text, const char *words); /* one of these letters */
void adopt_text_bytes(struct adopt_text *text, uint8_t *bytes, unsigned count);
bool adopt_text_is_read(const struct adopt_text *text); /* all of it, and nothing was wrong */

#endif
