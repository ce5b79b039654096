/*
 * Any bytes as a record: either it is refused with a line and a reason, or it is written again byte
 * for byte.
 */
#include "fuzz.h"
#include <protocol/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOLD(promise)                                                                              \
    do {                                                                                           \
        if (!(promise)) {                                                                          \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #promise);                    \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void hold_refused(const struct record *record, const struct record_problem *problem,
                         const char *bytes, size_t len)
{
    size_t lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += bytes[i] == '\n';
    HOLD(problem->message);
    HOLD(problem->line <= lines + 1);
    HOLD(!record->memory);
}

static void hold_written(const struct record *record, const char *bytes, size_t len)
{
    struct buffer out;
    buffer_init(&out, 3, RECORD_BYTES);
    HOLD(record_write(&out, record));
    HOLD(out.len == len && memcmp(buffer_payload(&out), bytes, len) == 0);
    buffer_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record record;
    struct record_problem problem;
    const char *bytes = (const char *)data;
    if (record_parse(&record, bytes, size, &problem)) {
        hold_written(&record, bytes, size);
        record_release(&record);
    } else {
        hold_refused(&record, &problem, bytes, size);
    }
    return 0;
}
