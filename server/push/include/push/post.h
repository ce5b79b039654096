/*
 * Posting to push services (RFC 8030): one message, and what has become of it. By libcurl, with
 * HTTP/2 where the service speaks it.
 *
 * The call waits, for a thread of its own. A service may be slow, answer without end, redirect or
 * send rubbish: it costs that thread PUSH_POST_MS at most, and memory for some KiB.
 */
#ifndef PUSH_POST_H
#define PUSH_POST_H

#include <push/message.h>
#include <push/poster.h>
#include <push/service.h>
#include <stdatomic.h>
#include <stdint.h>

enum {
    PUSH_POST_MS = 10000,
    PUSH_RETRY_MAX_S = 3600,
};

/* Borrowed for the call. */
struct push_post {
    const char *endpoint; /* push_endpoint_allowed gave the target */
    const struct push_target *target;
    const char *authorization; /* of push_sign */
    const char *topic;         /* up to 32 letters, digits, - and _: replaces an earlier one that
                                  waits; NULL: none */
    const uint8_t *body;
    size_t body_len;
    int64_t ttl_s;             /* how long the service keeps it for a browser that is away */
    int64_t timeout_ms;        /* of all */
    const atomic_bool *cancel; /* set by another thread: the call soon returns; NULL: never */
    const char *ca;            /* file of the authorities to trust; NULL: the system's */
};

enum push_outcome {
    PUSH_TAKEN,   /* by the service */
    PUSH_GONE,    /* the subscription does not exist any more */
    PUSH_REFUSED, /* for good: another try would fare no better */
    PUSH_LATER,   /* not reached, or not now: try again */
    PUSH_OUTCOMES
};

struct push_answer {
    enum push_outcome outcome;
    int status;            /* of HTTP; 0: none came */
    int64_t retry_after_s; /* with PUSH_LATER, as the service asks, up to PUSH_RETRY_MAX_S; 0: no */
    char why[128];         /* without an answer: for a log; no secrets */
};

void push_post(struct push_poster *poster, const struct push_post *post,
               struct push_answer *answer);

#endif
