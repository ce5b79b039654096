/*
 * What those who look after the server have decided of whoever plays here, as others have reported
 * them: said in words, with the reason and until when.
 */
#ifndef CLI_JUDGED_H
#define CLI_JUDGED_H

#include <jansson.h>
#include <stdbool.h>

/* Who is told; borrowed. */
struct judged_reader {
    void (*say)(void *ctx, const char *line);
    void *ctx;
};

/* Says what `push` is about, if that is a judgement. True: something was said. */
bool judged_hear(const struct judged_reader *reader, const json_t *push);

/* The same with those in the answer to hello that were not read yet. */
bool judged_greet(const struct judged_reader *reader, const json_t *hello);

#endif
