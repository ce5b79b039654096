/*
 * A text that is put together piece by piece.
 */
#ifndef CLI_TOTEM_SENTENCE_H
#define CLI_TOTEM_SENTENCE_H

#include <stddef.h>

/* The caller's memory; the text is always terminated. */
struct sentence {
    char *text;
    size_t size;
};

/* Appends; what there is no room for is cut off. */
void sentence_add(const struct sentence *sentence, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
