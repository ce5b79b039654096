/* The rows of a page that was asked for (struct store_query of hub/store.h). */
#ifndef HUB_STORE_QUERY_H
#define HUB_STORE_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store_query;

/* For engines: the columns whose values `from` says, in the order of the statement's parameters;
 * how many they are. */
enum { STORE_GIVEN_MAX = 20 };
size_t store_query_given(const struct store_query *query, uint8_t columns[static STORE_GIVEN_MAX]);

/* For engines: no rows yet; and one more, copied, or beyond the limit noted. False: out of memory.
 * After both the query is to be released. */
bool store_query_begin(struct store_query *query);
bool store_query_add(struct store_query *query, const void *row);
/* The same of one that is damaged: it takes its place in the page, so that a page with any rows
 * says rightly whether there are more. */
void store_query_leave_out(struct store_query *query);

const void *store_query_row(const struct store_query *query, size_t at);

#endif
