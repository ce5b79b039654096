/*
 * Pages of HTTP that are made of rows which the store is asked for (features/feature.h): page by
 * page, until there are no more or the answer is long enough.
 */
#ifndef HUB_HTTP_QUERY_H
#define HUB_HTTP_QUERY_H

#include <hub/hub.h>
#include <stdbool.h>
#include <stdint.h>

struct feature_page;
struct http_query;
struct hub;
struct query_waiting;
struct store_query;

/* For who pays by that address (NULL: nobody). True: answered now. */
bool http_query_begin(struct hub *hub, const struct feature_page *page, const char *rest,
                      const uint8_t *ip, struct hub_http_answer *answer, uint64_t *ticket);
/* The store has answered. False: it is asked for more, and `waiting` waits again. */
bool http_query_done(struct hub *hub, struct query_waiting *waiting,
                     const struct store_query *query);
/* The store is not asked: whoever waits for it is told so. */
void http_query_gives_way(struct hub *hub, const struct http_query *query);

#endif
