/* All that each of some people is sent, and when: what two runs of a world are compared by. */
#ifndef TEST_TAPES_H
#define TEST_TAPES_H

#include <stddef.h>
#include <stdio.h>

enum { TAPES = 4 };

struct tapes {
    char *text[TAPES]; /* after tapes_end: a line for each message */
    size_t bytes[TAPES];
    FILE *file[TAPES]; /* for struct tab */
};

void tapes_begin(struct tapes *tapes);
void tapes_end(struct tapes *tapes);
void tapes_release(struct tapes *tapes);

/* They are the same; else the first lines that differ are shown. */
void tapes_expect_same(const struct tapes *first, const struct tapes *second, unsigned i);

#endif
