/*
 * What is expected of handles: one that is durable is one session's for ever, and nobody else has
 * one that looks like it. What looks alike is said here once more: the handles that are claimed are
 * a few, in groups of those that look alike.
 */
#ifndef SIM_HANDLES_H
#define SIM_HANDLES_H

#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HANDLES_GROUPS = 6, HANDLES_SPELLINGS = 3 };

/* A handle of the group, both from 0. */
const char *handles_word(unsigned group, unsigned spelling);

struct claimed {
    uint64_t session;
    uint32_t number;            /* of the session's handles */
    char handle[21], claim[33]; /* as the row has them */
};

struct handles {
    struct claimed *rows;
    size_t count, size;
    /* The server was told that something is not durable which is: it may do as if it were not. */
    bool lied;
};

void handles_release(struct handles *handles);
/* What the batch says has become durable, or was not as another has it. NULL: all is well. */
const char *handles_apply(struct handles *handles, const struct store_batch *batch);
/* Is it durable that the session has, or had, that handle, however it is written? */
bool handles_has(const struct handles *handles, uint64_t session, const char *handle);
/* Or somebody else one that looks like it? */
bool handles_has_another(const struct handles *handles, uint64_t session, const char *handle);

#endif
