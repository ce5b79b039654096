/*
 * The archive: matches that are over and that anybody may open, to be searched by a page of HTTP.
 *
 *     /api/archive/KEY/VALUE/KEY/VALUE...
 *
 *     whose handle that is -> what they are called now -> what they show -> rows, in the order that
 *     fits what is asked for best -> without a handle, who of those there shows nothing
 *
 * What no order is made for is compared row by row: ARCHIVE_PAGES pages of them at most for one
 * answer, which then says where the next one goes on, be there any match in it or not.
 */
#ifndef PEOPLE_ARCHIVE_H
#define PEOPLE_ARCHIVE_H

#include <stdbool.h>

struct buffer;
struct hub;
struct kernel_query;
struct store_query;

enum { ARCHIVE_MATCHES = 20, ARCHIVE_PAGES = 4 }; /* of one answer, at most */

/* As of a page (features/feature.h). */
bool archive_ask(struct hub *hub, const char *rest, struct kernel_query *query, void *from);
bool archive_ask_next(struct hub *hub, unsigned step, const struct store_query *done,
                      struct kernel_query *query, void *from, struct buffer *out);

#endif
