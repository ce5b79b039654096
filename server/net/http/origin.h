/*
 * Which web pages may open a WebSocket here: those of the same host, and those on the list; with
 * the default port of their scheme or without any.
 * Programs that are not browsers send no Origin, and a browser cannot leave it out.
 */
#ifndef NET_ORIGIN_H
#define NET_ORIGIN_H

#include <stdbool.h>

/* scheme://host or scheme://host:port in lower case, nothing else. */
bool origin_is_valid(const char *origin);

/* `allowed` ends with NULL. */
bool origin_is_allowed(const char *origin, const char *host, const char *const *allowed);

#endif
