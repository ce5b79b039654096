/* What all of the links know: the other nodes, and who was refused. */
#include "relay_nodes.h"

#include <net/log.h>
#include <sodium.h>
#include <string.h>

const char *const net_relay_refusal_names[RELAY_REFUSALS] = {
#define NAME(id, name) [RELAY_REFUSED_##id] = name,
    NET_RELAY_REFUSALS(NAME)
#undef NAME
};

int64_t relay_now_ms(const struct relay *relay)
{
    return (int64_t)uv_now(relay->loop);
}

void relay_refused(struct relay *relay, enum net_relay_refusal refusal, const char *detail)
{
    static const struct bucket_rule rule = {.burst = 10, .count = 1, .per_ms = 1000};
    const char *const name = net_relay_refusal_names[refusal];
    relay->figures.refused[refusal]++;
    if (!bucket_take(&relay->said, &rule, relay_now_ms(relay))) {
        relay->unsaid++;
        return;
    }
    if (relay->unsaid > 0)
        log_number(LOG_WARN, "relay_refused_more", "count", (long long)relay->unsaid);
    relay->unsaid = 0;
    if (detail[0])
        log_texts(LOG_WARN, "relay_refused", "why", name, "detail", detail);
    else
        log_text(LOG_WARN, "relay_refused", "why", name);
}

/* ---- nodes */

struct relay_node *relay_find(const struct relay *relay, const char *name)
{
    for (size_t at = 0; at < relay->nodes_count; at++) {
        if (strcmp(relay->nodes[at]->name, name) == 0)
            return relay->nodes[at];
    }
    return NULL;
}

/* Both ends must come to the same answer, whatever they know: so it is by the names alone. */
bool relay_dials(const struct relay *relay, const char *name)
{
    return strcmp(relay->options->name, name) < 0;
}

/* Jitter: nodes that have lost the same one at the same time do not come back at the same time. */
void relay_retry_later(struct relay *relay, struct relay_node *node)
{
    const int64_t half_ms = node->wait_ms / 2;
    const int64_t most_ms = relay->limits->retry_max_ms;
    node->due_ms =
        relay_now_ms(relay) + half_ms + (int64_t)randombytes_uniform((uint32_t)half_ms + 1);
    node->wait_ms = node->wait_ms * 2 < most_ms ? node->wait_ms * 2 : most_ms;
}
