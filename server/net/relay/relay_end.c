/* Connections to other nodes: how they are counted, and how they end. */
#include "relay_end.h"

#include "relay_nodes.h"
#include <assert.h>
#include <libwebsockets.h>
#include <net/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { STEADY_MS = 2000 }; /* a link that has lived so long is no failed attempt */

/* ---- counting */

void relay_conn_note(struct relay_conn *conn, enum net_relay_refusal refusal, const char *why)
{
    conn->refusal = refusal;
    if (!conn->why[0])
        snprintf(conn->why, sizeof conn->why, "%s", why);
}

void relay_conn_stop_counting(struct relay_conn *conn)
{
    if (conn->counted)
        conn->relay->unproven[conn->near]--;
    conn->counted = false;
}

struct relay_conn *relay_conn_create(struct relay *relay, struct relay_node *node, bool near)
{
    struct relay_conn *const conn = calloc(1, sizeof *conn);
    if (!conn)
        return NULL;
    *conn = (struct relay_conn){.relay = relay,
                                .node = node,
                                .dialled = node != NULL,
                                .near = near,
                                .counted = !node,
                                .refusal = RELAY_REFUSED_HANDSHAKE,
                                .self = &relay->conns,
                                .next = relay->conns};
    if (conn->next)
        conn->next->self = &conn->next;
    relay->conns = conn;
    if (conn->counted)
        relay->unproven[near]++;
    return conn;
}

void relay_conn_free(struct relay_conn *conn)
{
    assert(conn->state == RELAY_GONE);
    *conn->self = conn->next;
    if (conn->next)
        conn->next->self = conn->self;
    if (conn->destroyed)
        *conn->destroyed = true;
    free(conn->input);
    free(conn);
}

/* ---- the end */

static void say_unreachable(struct relay *relay, struct relay_node *node, const char *why)
{
    if (relay_now_ms(relay) - node->said_ms < RELAY_SAID_MS)
        return;
    node->said_ms = relay_now_ms(relay);
    log_texts(LOG_WARN, "relay_unreachable", "node", node->name, "why", why);
}

static void trial_failed(struct relay_conn *conn)
{
    struct relay *const relay = conn->relay;
    conn->node->trial = NULL;
    relay->figures.unreachable++;
    if (relay->closing)
        return;
    say_unreachable(relay, conn->node, conn->why);
    relay_retry_later(relay, conn->node);
}

static void link_lost(struct relay_conn *conn)
{
    struct relay *const relay = conn->relay;
    struct relay_node *const node = conn->node;
    node->link = NULL;
    relay->figures.lost++;
    node->traffic.lost++;
    log_texts(LOG_INFO, "relay_down", "node", node->name, "why", conn->why);
    relay->ends->close(relay->ctx, conn->end);
    conn->end = NULL;
    if (!conn->dialled)
        return;
    if (conn->ticks * RELAY_TICK_MS >= STEADY_MS) {
        node->wait_ms = relay->limits->retry_ms;
        node->said_ms = relay_now_ms(relay) - RELAY_SAID_MS;
    }
    relay_retry_later(relay, node);
}

/* What is known of the reason already is nearer to it than `why`. */
void relay_conn_conclude(struct relay_conn *conn, const char *why)
{
    const enum relay_state before = conn->state;
    if (before == RELAY_GONE)
        return;
    conn->state = RELAY_GONE;
    relay_conn_note(conn, conn->refusal, why);
    relay_conn_stop_counting(conn);
    if (before == RELAY_LINK)
        link_lost(conn);
    else if (conn->dialled)
        trial_failed(conn);
    else if (!conn->relay->closing)
        relay_refused(conn->relay, conn->refusal, conn->why);
}

void relay_conn_end(struct relay_conn *conn, const char *why)
{
    if (conn->state == RELAY_GONE)
        return;
    relay_conn_conclude(conn, why);
    if (!conn->wsi)
        return;
    shutdown(lws_get_socket_fd(conn->wsi), SHUT_RDWR);
    lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

void relay_conn_refuse(struct relay_conn *conn, enum net_relay_refusal refusal, const char *why)
{
    relay_conn_note(conn, refusal, why);
    relay_conn_end(conn, why);
}
