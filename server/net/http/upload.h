/*
 * What is sent to a page of a feature's (POST): who may send what, and the body, which is read
 * whole before anybody sees it. Nobody waits for more than the page says that it takes.
 */
#ifndef NET_UPLOAD_H
#define NET_UPLOAD_H

#include "http_head.h"
#include <hub/hub.h>
#include <stdbool.h>
#include <stddef.h>

struct connection;
struct site_page;
struct upload;

enum { UPLOAD_PATH_MAX = 256 };

/* 0, or the status to refuse it with. `page` is that of the path; zeros: there is none. */
unsigned int upload_check(const struct site_page *page, const struct http_head *head);
/* Of a connection that has none; what was checked, and a path of up to UPLOAD_PATH_MAX. False: out
 * of memory. */
bool upload_begin(struct connection *connection, const struct http_head *head);
/* Takes what there is of it from the first `*used` bytes on of what the connection has kept, and
 * adds that to `*used`. True: it is whole. */
bool upload_take(struct connection *connection, size_t *used);
/* Of one that is whole, borrowed from it; and may the connection be used again? */
struct hub_http_post upload_post(const struct upload *upload);
const char *upload_token(const struct upload *upload); /* NULL: none was sent */
bool upload_keeps_alive(const struct upload *upload);
void upload_forget(
    struct connection *connection); /* the connection has none any more, if it had one */

#endif
