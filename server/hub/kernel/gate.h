/*
 * What a feature says before somebody comes to a table (feature.gate): whether the request goes on,
 * now or when the store has answered.
 */
#ifndef HUB_GATE_H
#define HUB_GATE_H

#include <stdbool.h>

struct call;
struct store_query;

/* False: it is answered, or waits. */
bool gate_lets_pass(struct call *call);
/* The page that it has waited for is here. */
bool gate_held(struct call *call, const struct store_query *query);

#endif
