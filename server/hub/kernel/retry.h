/* When to send a request again that was refused with `slow_down`. */
#ifndef HUB_RETRY_H
#define HUB_RETRY_H

#include <stdbool.h>
#include <stdint.h>

struct conn;
struct hub;
struct request;

/*
 * Milliseconds, at least 1: when every bucket that this request takes from will have a token, if
 * nothing else is asked until then. What waits for the disk or a reader has no such time, and gets
 * a short one. Of a crowd at one address each connection is told a moment of its own, at most a
 * second later. `is_long`: its answer may be long.
 */
int64_t retry_ms(const struct hub *hub, const struct conn *conn, const struct request *request,
                 bool is_long);
/* The same for a wrong code or credential, after too many of them. */
int64_t retry_guess_ms(const struct hub *hub, const struct conn *conn);

#endif
