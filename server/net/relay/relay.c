#include "relay.h"

#include "relay_accept.h"
#include "relay_conn.h"
#include "relay_end.h"
#include "relay_frames.h"
#include "relay_nodes.h"
#include "relay_private.h"
#include "relay_tls.h"
#include "sockets/listen_address.h"
#include <arpa/inet.h>
#include <libwebsockets.h>
#include <net/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct relay_limits relay_usual = {
    .strangers = 16,
    .strangers_per_s = 10,
    .neighbours = 2 * NET_RELAY_NODES_MAX,
    .neighbours_per_s = 100,
    .proof_ms = 3000,
    .ping_ms = 500,
    .silent_ms = 1500,
    .stuck_ms = 10000,
    .units_per_s = 200000,
    .retry_ms = 100,
    .retry_max_ms = 2000,
};

/* ---- nodes */

/* Numbers only: looking up a name would stop the loop. */
static bool read_address(struct relay_node *node, const char *address)
{
    struct listen_addresses read;
    const char *why;
    const bool is_number = strspn(address, "0123456789abcdefABCDEF.:[]") == strlen(address);
    node->host[0] = '\0';
    if (!is_number || strncmp(address, "unix:", 5) == 0 || !strchr(address, ':') ||
        listen_addresses_read(&read, address, &why) != NET_OK)
        return false;
    const bool is_ipv6 = read.list[0].any.sa_family == AF_INET6;
    const void *const from = is_ipv6 ? (const void *)&read.list[0].ipv6.sin6_addr
                                     : (const void *)&read.list[0].ipv4.sin_addr;
    node->port = ntohs(listen_address_port(&read.list[0]));
    return node->port != 0 &&
           inet_ntop(read.list[0].any.sa_family, from, node->host, sizeof node->host);
}

static struct relay_node *add_node(struct relay *relay, const char *name)
{
    struct relay_node *const node =
        relay->nodes_count < NET_RELAY_NODES_MAX ? calloc(1, sizeof *node) : NULL;
    if (!node)
        return NULL;
    snprintf(node->name, sizeof node->name, "%s", name);
    node->wait_ms = relay->limits->retry_ms;
    node->due_ms = relay_now_ms(relay);
    node->said_ms = node->due_ms - RELAY_SAID_MS;
    relay->nodes[relay->nodes_count++] = node;
    return node;
}

static void forget_node(struct relay *relay, size_t at)
{
    struct relay_node *const node = relay->nodes[at];
    for (struct relay_conn *conn = relay->conns; conn; conn = conn->next) {
        if (conn->node == node) {
            relay_conn_end(conn, "not a node any more");
            conn->node = NULL;
        }
    }
    free(node);
    relay->nodes[at] = relay->nodes[--relay->nodes_count];
}

static void take_node(struct relay *relay, const struct net_relay_node *given)
{
    if (strcmp(given->name, relay->options->name) == 0)
        return;
    struct relay_node *node = relay_find(relay, given->name);
    if (!node && relay_name_is_valid(given->name))
        node = add_node(relay, given->name);
    if (!node) {
        log_text(LOG_ERROR, "relay_node_left_out", "node", given->name);
        return;
    }
    char before[INET6_ADDRSTRLEN];
    const uint16_t port = node->port;
    memcpy(before, node->host, sizeof before);
    node->listed = true;
    if (!read_address(node, given->address))
        node->host[0] = '\0';
    if (strcmp(before, node->host) == 0 && port == node->port)
        return;
    node->due_ms = relay_now_ms(relay); /* it was elsewhere that it could not be reached */
    node->wait_ms = relay->limits->retry_ms;
    if (!node->host[0])
        log_texts(LOG_ERROR, "relay_address", "node", node->name, "address", given->address);
}

static void dial_due(struct relay *relay)
{
    const int64_t now_ms = relay_now_ms(relay);
    for (size_t at = 0; at < relay->nodes_count && !relay->closing; at++) {
        struct relay_node *const node = relay->nodes[at];
        if (relay_dials(relay, node->name) && node->host[0] && !node->link && !node->trial &&
            node->due_ms <= now_ms)
            relay_dial(relay, node);
    }
}

void relay_set_nodes(struct relay *relay, const struct net_relay_node nodes[], size_t count)
{
    for (size_t at = 0; at < relay->nodes_count; at++)
        relay->nodes[at]->listed = false;
    for (size_t at = 0; at < count; at++)
        take_node(relay, &nodes[at]);
    for (size_t at = relay->nodes_count; at-- > 0;) {
        if (!relay->nodes[at]->listed)
            forget_node(relay, at);
    }
    dial_due(relay);
}

/* ---- time */

static void on_tick(uv_timer_t *timer)
{
    struct relay *const relay = timer->data;
    for (struct relay_conn *conn = relay->conns; conn; conn = conn->next)
        relay_conn_tick(conn);
    dial_due(relay);
}

void relay_read(struct relay *relay)
{
    for (size_t at = 0; at < relay->nodes_count; at++) {
        if (relay->nodes[at]->link && relay->nodes[at]->link->received)
            relay_conn_read(relay->nodes[at]->link);
    }
}

void relay_flush(struct relay *relay)
{
    for (size_t at = 0; at < relay->nodes_count; at++) {
        if (relay->nodes[at]->link)
            relay_conn_flush(relay->nodes[at]->link);
    }
}

/* ---- files */

/* A link whose certificate would not be believed any more is as good as one that is not. */
static void end_unbelieved(struct relay *relay)
{
    for (struct relay_conn *conn = relay->conns; conn; conn = conn->next) {
        if (conn->state == RELAY_LINK &&
            !relay_tls_believes(&relay->tls, lws_get_ssl(conn->wsi), conn->dialled))
            relay_conn_end(conn, "certificate");
    }
}

void relay_reload(struct relay *relay)
{
    char message[NET_MESSAGE_MAX];
    if (!relay_tls_read(&relay->tls, relay->options, message)) {
        log_text(LOG_ERROR, "relay_not_reloaded", "why", message);
        return;
    }
    relay_tls_prepare(&relay->tls, relay->client);
    relay_tls_prepare(&relay->tls, relay->server);
    log_event(LOG_INFO, "relay_reloaded");
    end_unbelieved(relay);
}

/* ---- figures */

unsigned relay_port(const struct relay *relay)
{
    return relay_listen_port(relay);
}

bool relay_is_up(const struct relay *relay, const char *name)
{
    const struct relay_node *const node = relay_find(relay, name);
    return node && node->link;
}

struct net_relay_figures relay_figures(const struct relay *relay)
{
    struct net_relay_figures figures = relay->figures;
    figures.nodes = relay->nodes_count;
    for (size_t at = 0; at < relay->nodes_count; at++) {
        const struct relay_conn *const link = relay->nodes[at]->link;
        figures.links += link != NULL;
        figures.queued_bytes += link ? relay->ends->queued(link->end) : 0;
    }
    return figures;
}

int64_t relay_certificate_s(const struct relay *relay)
{
    return relay_tls_ends_s(&relay->tls);
}

size_t relay_neighbours(const struct relay *relay,
                        struct relay_neighbour list[static NET_RELAY_NODES_MAX])
{
    for (size_t at = 0; at < relay->nodes_count; at++) {
        const struct relay_node *const node = relay->nodes[at];
        list[at] = (struct relay_neighbour){.node = node->name, .traffic = node->traffic};
        if (!node->link)
            continue;
        list[at].end = node->link->end;
        list[at].up_ms = node->link->ticks * RELAY_TICK_MS;
    }
    return relay->nodes_count;
}

/* ---- beginning and end */

static enum net_result create_parts(struct relay *relay, char message[static NET_MESSAGE_MAX])
{
    if (!relay_name_is_valid(relay->options->name)) {
        snprintf(message, NET_MESSAGE_MAX,
                 "a node's name has 1 to %d letters, digits, '-' and '.': %.100s",
                 NET_RELAY_NAME_MAX, relay->options->name);
        return NET_BAD_OPTION;
    }
    if (!relay_tls_read(&relay->tls, relay->options, message))
        return NET_UNAVAILABLE;
    relay->client = SSL_CTX_new(TLS_client_method());
    if (!relay->client)
        return NET_NO_MEMORY;
    relay_tls_prepare(&relay->tls, relay->client);
    enum net_result result = relay_conns_create(relay, message);
    if (result == NET_OK)
        result = relay_listen(relay, message);
    return result;
}

enum net_result relay_create(uv_loop_t *loop, const struct net_relay_options *options,
                             const struct relay_limits *limits, const struct relay_ends *ends,
                             void *ctx, struct relay **out, char message[static NET_MESSAGE_MAX])
{
    struct relay *const relay = calloc(1, sizeof *relay);
    *out = relay;
    snprintf(message, NET_MESSAGE_MAX, "out of memory");
    if (!relay)
        return NET_NO_MEMORY;
    *relay = (struct relay){
        .loop = loop, .options = options, .limits = limits, .ends = ends, .ctx = ctx};
    uv_timer_init(loop, &relay->tick);
    relay->tick.data = relay;
    relay->timed = true;
    uv_timer_start(&relay->tick, on_tick, RELAY_TICK_MS, RELAY_TICK_MS);
    return create_parts(relay, message);
}

void relay_close(struct relay *relay)
{
    if (!relay || relay->closing)
        return;
    relay->closing = true;
    for (struct relay_conn *conn = relay->conns; conn; conn = conn->next)
        relay_conn_end(conn, "the end");
    relay_stop_listening(relay);
    uv_close((uv_handle_t *)&relay->tick, NULL);
    if (relay->lws)
        lws_context_destroy(relay->lws); /* the first half, see net_destroy */
}

void relay_destroy(struct relay *relay)
{
    if (!relay)
        return;
    if (relay->lws)
        lws_context_destroy(relay->lws);
    SSL_CTX_free(relay->client);
    relay_tls_release(&relay->tls);
    for (size_t at = 0; at < relay->nodes_count; at++)
        free(relay->nodes[at]);
    free(relay);
}
