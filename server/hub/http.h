/*
 * HTTP requests: which paths there are and what is answered, at once or after the store.
 */
#ifndef HUB_HTTP_H
#define HUB_HTTP_H

#include <protocol/error.h>
#include <stdint.h>

struct hub;

/* The room that a record was asked of has been fetched, or could not be. */
void http_record_done(struct hub *hub, uint64_t ticket, const char *room_id,
                      enum protocol_error error);

#endif
