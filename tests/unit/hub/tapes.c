#include "tapes.h"

#include <check.h>
#include <stdlib.h>

void tapes_begin(struct tapes *tapes)
{
    for (unsigned i = 0; i < TAPES; i++) {
        tapes->file[i] = open_memstream(&tapes->text[i], &tapes->bytes[i]);
        ck_assert_ptr_nonnull(tapes->file[i]);
    }
}

void tapes_end(struct tapes *tapes)
{
    for (unsigned i = 0; i < TAPES; i++)
        ck_assert_int_eq(fclose(tapes->file[i]), 0);
}

void tapes_release(struct tapes *tapes)
{
    for (unsigned i = 0; i < TAPES; i++)
        free(tapes->text[i]);
}

void tapes_expect_same(const struct tapes *first, const struct tapes *second, unsigned which)
{
    const char *a = first->text[which], *b = second->text[which];
    size_t line = 0;
    for (size_t i = 0; a[i] == b[i]; i++) {
        if (a[i] == '\0')
            return;
        if (a[i] == '\n')
            line = i + 1;
    }
    ck_abort_msg("%.300s\n%.300s", a + line, b + line);
}
