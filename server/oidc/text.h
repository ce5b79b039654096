/* Texts of providers: base64url, JSON of any length, URLs, and what is escaped in them. */
#ifndef OIDC_TEXT_H
#define OIDC_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes there are, `max` at most; 0: none, too many, or it is no base64url. */
size_t text_bytes(uint8_t *bytes, size_t max, const char *text, size_t len);

/* An object, the caller's. NULL: it is none; `*memory` says that there was none for it. */
json_t *text_object(const char *text, size_t len, bool *memory);

/* A member that is text; NULL: there is none, or it is something else. */
const char *text_member(const json_t *object, const char *name);

/* Is it scheme://host[:port][/path], by https, or http of this machine, without anything that has
 * to be escaped, a user, or a fragment, and within `max`? */
bool text_is_url(const char *url, size_t max);
bool text_is_of_this_machine(const char *url);
/* Have they the same scheme, host and port? */
bool text_same_origin(const char *url, const char *other);

/* Texts put together; what does not fit is noted. */
struct text {
    char *at, *end; /* where the next byte goes; room for a NUL is there */
    bool full;
};
void text_put(struct text *text, const char *bytes);
void text_put_escaped(struct text *text, const char *bytes); /* as a value in a query or form */

#endif
