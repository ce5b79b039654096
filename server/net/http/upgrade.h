/*
 * The handshake of a WebSocket (RFC 6455, section 4): a request in, an answer out; knows no socket.
 */
#ifndef NET_UPGRADE_H
#define NET_UPGRADE_H

#include "http_head.h"

#define UPGRADE_PROTOCOL "taluva.v1+json"

enum { UPGRADE_ANSWER_MAX = 256 };

/* 0, or the status to refuse it with, if it is no handshake of our protocol. */
int upgrade_check(const struct http_head *head);

/*
 * Is the server called by a name of its own, or not by any? `names` and `origins` are lists for
 * host_is_known.
 */
bool upgrade_host_is_known(const struct http_head *head, const char *const *names,
                           const char *const *origins);
/* Has it come to one of these names, or to any if "*" is among them, or says not to which? */
bool upgrade_host_is_named(const struct http_head *head, const char *const *names);

/*
 * May a page of that origin connect? A page that may not cannot see an error over HTTP, so it gets
 * a WebSocket that is closed with a code. `allowed` ends with NULL.
 */
bool upgrade_origin_is_allowed(const struct http_head *head, const char *const *allowed);

/* Writes the answer to a handshake that was checked; returns its length. */
size_t upgrade_write_answer(const struct http_head *head, char to[static UPGRADE_ANSWER_MAX]);

#endif
