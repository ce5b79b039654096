/* A text that is put together piece by piece and remembers whether all of it had room. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Begin with {.bytes = BUFFER, .size = its size, at least 1}. Always terminated once added to. */
struct text {
    char *bytes;
    size_t size, len;
    bool failed; /* something had no room; callers set it where something is missing */
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
