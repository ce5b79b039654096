/*
 * Fetching a short text from a server, with a poster's handle: by GET, or with a form by POST. As
 * of posting, the call waits, for a thread of its own, and is bounded in time and in bytes.
 */
#ifndef PUSH_FETCH_H
#define PUSH_FETCH_H

#include <push/poster.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Borrowed for the call. */
struct push_fetch {
    const char *url;
    const char *form;            /* NULL: GET */
    const char *user, *password; /* by basic authentication; NULL: none */
    bool named;                  /* it may be anywhere, and by http; else at a public address */
    int64_t timeout_ms;          /* of all */
    const atomic_bool *cancel;   /* as of struct push_post */
    char *body;                  /* where what comes is put, of up to `body_max` bytes */
    size_t body_max;
};

enum { PUSH_WHY_MAX = 128 };

/* The status of HTTP, and how long the body is; 0: no answer came whole, and `why` says why,
 * without a secret. */
int push_fetch(struct push_poster *poster, const struct push_fetch *fetch, size_t *len,
               char why[static PUSH_WHY_MAX]);

#endif
