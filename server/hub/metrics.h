/*
 * What is counted, and the page of it in Prometheus' text format.
 */
#ifndef HUB_METRICS_H
#define HUB_METRICS_H

#include "hub_state.h"

/* `result`: an enum protocol_error, or RESULT_GAME. `op` REQUEST_OPS: could not be read. */
void metrics_request(struct hub *hub, enum request_op op, unsigned result);
void metrics_close(struct hub *hub, int code);
void metrics_commit(struct hub *hub, enum store_result result, size_t ops, int64_t elapsed_us);

void metrics_write(const struct hub *hub, struct buffer *out);

#endif
