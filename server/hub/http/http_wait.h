/*
 * HTTP requests whose answer has to wait for the store, each known by a ticket; and how any answer
 * is made.
 */
#ifndef HUB_HTTP_WAIT_H
#define HUB_HTTP_WAIT_H

#include "limits/origin.h"
#include <hub/hub.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blob;
struct hub;
struct work_job;

struct http_wait {
    struct http_wait *next;
    uint64_t ticket;
    bool done;
    bool keeps;    /* something changes because of it: it gives way to nobody */
    uint64_t work; /* the job that makes it (http_work.h); 0: none does */
    bool paid;     /* somebody pays for what is made or fetched: */
    uint8_t ip[16];
    struct origin origin; /* where that is from; zeros: nobody's */
    struct hub_http_answer answer;
};

struct http_waits {
    struct http_wait *first;
    size_t count, waiting;        /* those that are not done are waiting */
    struct origin_counts origins; /* of these */
    uint64_t next_ticket;
    struct work_job *works; /* that make pages, waiting or out */
    uint64_t next_work;
};

/* 200 with the body. Takes a reference of its own. */
void http_answer_blob(struct hub_http_answer *answer, const char *type, struct blob *body);
/* A line of text; an empty body if there is no memory for it. */
void http_answer_line(struct hub_http_answer *answer, int status, const char *line);
void http_answer_unavailable(struct hub_http_answer *answer); /* 503 */

/* Where that address is from; NULL: nobody's. */
struct origin http_wait_origin(const struct hub *hub, const uint8_t *ip);
/*
 * For who pays by that address (NULL: nobody). When as many wait as may, the latest of where most
 * of them are from (origin.h) gives way to somebody from where fewer are. NULL: too many wait, or
 * no memory.
 */
struct http_wait *http_wait_add(struct hub *hub, const uint8_t *ip);
/* NULL: cancelled, or answered already. */
struct http_wait *http_wait_find(const struct hub *hub, uint64_t ticket);
/* Its answer, which may be waited for no longer, is that of the caller. */
void http_wait_finish(struct hub *hub, struct http_wait *wait);
/* It is not made or fetched. */
void http_wait_refuse(struct hub *hub, struct http_wait *wait);
/* What the answer that is there has waited for is durable; or not, and it is 503. */
void http_wait_done(struct hub *hub, uint64_t ticket, bool durable);
void http_waits_release(struct hub *hub);

#endif
