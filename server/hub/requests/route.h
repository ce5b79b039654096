/*
 * Routing: a request is admitted, decoded and given to the handler of its operation.
 */
#ifndef HUB_ROUTE_H
#define HUB_ROUTE_H

#include <stddef.h>
#include <stdint.h>

struct call;
struct conn;
struct feature_table;
struct hub;
struct hub_decoded;
struct request;
struct store_query;

/* Fills in the operations that the hub itself answers. */
void routes_begin(struct feature_table *table);
/* A message as it came from the connection; and one that has been decoded. */
void route(struct hub *hub, struct conn *conn, const char *bytes, size_t len);
void route_decoded(struct hub *hub, struct conn *conn, const struct hub_decoded *decoded);
/* A `watch` that the site asks for its client (hub_follow). */
void route_follow(struct hub *hub, struct conn *conn, int64_t number, const char *room,
                  int64_t have);
/* A request that has waited until its room was fetched from the store. */
void route_again(struct hub *hub, struct conn *conn, const struct request *request);
/* Answers the requests whose turn it is (long_queue.h), as many as may be. */
void route_in_turn(struct hub *hub);
/* One that a feature has held until that page is here (call_hold). */
void route_held(struct call *call, const struct request *held, const struct store_query *query);

#endif
