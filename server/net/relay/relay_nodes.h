/* The other nodes, and who was refused: what all of the links know. */
#ifndef NET_RELAY_NODES_H
#define NET_RELAY_NODES_H

#include "relay_private.h"

int64_t relay_now_ms(const struct relay *relay);
struct relay_node *relay_find(const struct relay *relay, const char *name); /* NULL: none */
bool relay_dials(const struct relay *relay, const char *name);
/* The attempt came to nothing, or the link is lost. */
void relay_retry_later(struct relay *relay, struct relay_node *node);
/* Counts it, and says it in the log, but not without end. */
void relay_refused(struct relay *relay, enum net_relay_refusal refusal, const char *detail);

#endif
