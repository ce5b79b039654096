/*
 * What an export of somebody's own is made of: operations that are asked one after the other, and
 * members of the answer to `hello`. Whatever is kept of an account says in which of them it is
 * (tests/unit/hub/test_own_rows.c), so that nothing is kept that cannot be had.
 */
#ifndef PROTOCOL_EXPORT_H
#define PROTOCOL_EXPORT_H

#include <stdbool.h>

struct export_step {
    const char *op;  /* whose answer is the member of that name */
    bool of_account; /* asked by who has an account alone */
};

enum { EXPORT_STEPS = 11, EXPORT_HELLO = 7 };
extern const struct export_step export_steps[EXPORT_STEPS];
extern const char *const export_hello[EXPORT_HELLO];

#endif
