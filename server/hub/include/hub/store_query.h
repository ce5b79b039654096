/* The rows of a page that was asked for (struct store_query of hub/store.h). */
#ifndef HUB_STORE_QUERY_H
#define HUB_STORE_QUERY_H

#include <stdbool.h>
#include <stddef.h>

struct store_query;

/* For engines: no rows yet; and one more, copied, or beyond the limit noted. False: out of memory.
 * After both the query is to be released. */
bool store_query_begin(struct store_query *query);
bool store_query_add(struct store_query *query, const void *row);

const void *store_query_row(const struct store_query *query, size_t at);

#endif
