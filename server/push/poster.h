/*
 * A handle of libcurl and what all requests by it have in common: no proxy, no redirect, only
 * addresses that may be connected to, and an answer that is bounded.
 */
#ifndef PUSH_POSTER_H
#define PUSH_POSTER_H

#include "libcurl.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Of one request, before it is carried out. */
struct push_poster {
    CURL *curl;
    const atomic_bool *cancel; /* set by another thread: it soon ends; NULL: never */
    size_t received, most;     /* bytes of the answer, its head among them */
    bool named;                /* the service may be anywhere */
    bool not_public;           /* an address was refused */
    char *body;                /* where the answer's is put; NULL: nowhere */
    size_t body_len, body_max;
};

#endif
