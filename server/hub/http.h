/*
 * HTTP answers: what the hub says to a GET, now or when the store has let it.
 */
#ifndef HUB_HTTP_H
#define HUB_HTTP_H

#include <hub/hub.h>
#include <protocol/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blob;
struct hub;

struct http_wait {
    struct http_wait *next;
    uint64_t ticket;
    bool done;
    struct hub_http_answer answer;
};

struct http_waits {
    struct http_wait *first;
    size_t count;
    uint64_t next_ticket;
};

/* The body that the ticket waited for; NULL: it cannot be had now (503). Takes no reference. */
void http_done(struct hub *hub, uint64_t ticket, struct blob *body);
/* The room has been fetched, or not. */
void http_record_done(struct hub *hub, uint64_t ticket, const char *room_id,
                      enum protocol_error error);
void http_release(struct hub *hub);

#endif
