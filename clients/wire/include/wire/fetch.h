/*
 * What a server has for everybody, by HTTP: one page after the other, each waited for. For commands
 * that have nothing else to do meanwhile.
 */
#ifndef WIRE_FETCH_H
#define WIRE_FETCH_H

#include <protocol/buffer.h>
#include <wire/url.h>

struct wire_fetcher;

/*
 * From the server whose WebSocket is at `url`, which is copied; `ca_file` as in wire/socket.h. NULL
 * on failure.
 */
struct wire_fetcher *wire_fetcher_create(const struct wire_url *url, const char *ca_file);
void wire_fetcher_destroy(struct wire_fetcher *fetcher); /* NULL is allowed */

/*
 * Asks for "api/book/0", say; returns HTTP's status, and the body in `body`, which is cleared
 * before. 0: no answer has come, or a longer one than `body` takes, and wire_fetch_problem says
 * why, in words that follow on "cannot be reached: ". An answer takes WIRE_FETCH_S at most.
 */
enum { WIRE_FETCH_S = 60 };
int wire_fetch(struct wire_fetcher *fetcher, const char *path, struct buffer *body);
const char *wire_fetch_problem(const struct wire_fetcher *fetcher);

#endif
