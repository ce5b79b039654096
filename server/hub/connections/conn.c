#include "conn.h"

#include "blob.h"
#include "hub_private.h"
#include "limits/address.h"
#include "limits/origin.h"
#include "metrics.h"
#include "timer.h"
#include <assert.h>
#include <hub/address_prefix.h>
#include <protocol/scope.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLAB = 256,
    OUTBOX_FIRST = 4,         /* places of a new ring */
    OUTBOX_KEPT = 16,         /* a larger one is given back when it is empty */
    OUTBOX_MESSAGE_COST = 64, /* what a message costs beside its bytes */
    TIMES_FREE = 4,           /* so many times the free places a network may have */
};

static void set_state(struct conn *conn, enum conn_state state)
{
    switch (state) {
    case CONN_FREE:
        assert(conn->state != CONN_FREE);
        break;
    case CONN_OPEN:
        assert(conn->state == CONN_FREE);
        break;
    case CONN_CLOSING:
        assert(conn->state == CONN_OPEN);
        break;
    }
    conn->state = state;
}

struct conn *conn_of(const struct hub *hub, struct hub_peer peer)
{
    if (peer.index / SLAB >= hub->conns.slab_count)
        return NULL;
    struct conn *conn = &hub->conns.slabs[peer.index / SLAB][peer.index % SLAB];
    return conn->state != CONN_FREE && conn->peer.generation == peer.generation ? conn : NULL;
}

/* ---- slots */

unsigned char *conn_states(const struct hub *hub, const struct conn *conn)
{
    const uint32_t index = conn->peer.index;
    return hub->conns.states[index / SLAB] + index % SLAB * hub->features.conn_bytes;
}

/* <0: out of memory. */
static int add_states(struct hub *hub)
{
    struct conns *conns = &hub->conns;
    unsigned char **states =
        realloc(conns->states, (conns->slab_count + 1) * sizeof(unsigned char *));
    if (!states)
        return -1;
    conns->states = states;
    states[conns->slab_count] = calloc(SLAB, hub->features.conn_bytes);
    return states[conns->slab_count] ? 0 : -1;
}

static int add_slab(struct hub *hub)
{
    struct conn **slabs =
        realloc(hub->conns.slabs, (hub->conns.slab_count + 1) * sizeof(struct conn *));
    if (!slabs)
        return -1;
    hub->conns.slabs = slabs;
    struct conn *slab = calloc(SLAB, sizeof *slab);
    if (!slab || (hub->features.conn_bytes && add_states(hub) < 0)) {
        free(slab);
        return -1;
    }
    for (uint32_t i = SLAB; i-- > 0;) {
        slab[i].peer.index = hub->conns.slab_count * SLAB + i;
        slab[i].ready_next = hub->conns.free;
        hub->conns.free = &slab[i];
    }
    hub->conns.slabs[hub->conns.slab_count++] = slab;
    return 0;
}

static struct conn *take_slot(struct hub *hub)
{
    if (!hub->conns.free && add_slab(hub) < 0)
        return NULL;
    struct conn *conn = hub->conns.free;
    hub->conns.free = conn->ready_next;
    struct hub_peer peer = {conn->peer.index, conn->peer.generation + 1};
    if (peer.generation == 0) /* {0, 0} is nobody */
        peer.generation = 1;
    *conn = (struct conn){.peer = peer};
    if (hub->features.conn_bytes)
        memset(conn_states(hub, conn), 0, hub->features.conn_bytes);
    return conn;
}

/*
 * The fewer places are free, the fewer may a single /48 (or /24 of IPv4) have: so it fills four
 * fifths of them, and always leaves some to those of whom nobody is here. This machine is no such
 * network.
 */
static bool has_place(const struct hub *hub, const uint8_t ip[static 16])
{
    const int widest = ORIGIN_WIDTHS - 1;
    const struct address_prefix newcomer = address_prefix_of(ip);
    const struct origin origin = origin_of(hub, &newcomer);
    if (hub->conns.count >= (uint64_t)hub->config.connections)
        return false;
    const uint64_t left = (uint64_t)hub->config.connections - hub->conns.count;
    return hub->conn_origins.of[widest][origin.at[widest]] < TIMES_FREE * left ||
           address_prefix_is_local(&newcomer);
}

struct conn *conn_open(struct hub *hub, const uint8_t ip[static 16])
{
    if (!has_place(hub, ip) || timers_reserve(&hub->timers) < 0)
        return NULL;
    struct address *address = address_connect(hub, ip);
    if (!address)
        goto no_address;
    struct conn *conn = take_slot(hub);
    if (!conn)
        goto no_slot;
    set_state(conn, CONN_OPEN);
    conn->address = address;
    conn->opened_ms = conn->active_ms = hub->now_ms;
    conn->scopes = SCOPE_ALL;
    conn->timer.kind = TIMER_CONN;
    hub->conns.count++;
    origin_add(&hub->conn_origins, &address->origin);
    conn_arm_timer(hub, conn);
    return conn;
no_slot:
    address_disconnect(hub, address);
no_address:
    timers_unreserve(&hub->timers);
    return NULL;
}

static void ready_push(struct hub *hub, struct conn *conn)
{
    if (conn->ready)
        return;
    conn->ready = true;
    conn->ready_next = NULL;
    conn->ready_prev = hub->conns.ready_last;
    *(conn->ready_prev ? &conn->ready_prev->ready_next : &hub->conns.ready_first) = conn;
    hub->conns.ready_last = conn;
}

static void ready_remove(struct hub *hub, struct conn *conn)
{
    if (!conn->ready)
        return;
    *(conn->ready_prev ? &conn->ready_prev->ready_next : &hub->conns.ready_first) =
        conn->ready_next;
    *(conn->ready_next ? &conn->ready_next->ready_prev : &hub->conns.ready_last) = conn->ready_prev;
    conn->ready = false;
    conn->ready_next = conn->ready_prev = NULL;
}

struct conn *conn_pop_ready(struct hub *hub)
{
    struct conn *conn = hub->conns.ready_first;
    if (conn)
        ready_remove(hub, conn);
    return conn;
}

void conn_want_probe(struct hub *hub, struct conn *conn)
{
    conn->probe_wanted = true;
    ready_push(hub, conn);
}

/* ---- outbox */

static int outbox_grow(struct outbox *outbox)
{
    uint32_t size = outbox->size ? outbox->size * 2 : OUTBOX_FIRST;
    struct blob **ring = malloc(size * sizeof(struct blob *));
    if (!ring)
        return -1;
    for (uint32_t i = 0; i < outbox->count; i++)
        ring[i] = outbox->ring[(outbox->first + i) % outbox->size];
    free(outbox->ring);
    outbox->ring = ring;
    outbox->size = size;
    outbox->first = 0;
    return 0;
}

static void outbox_shrink(struct outbox *outbox)
{
    if (outbox->count == 0 && outbox->size > OUTBOX_KEPT) {
        free(outbox->ring);
        *outbox = (struct outbox){0};
    }
}

static void outbox_drop_first(struct hub *hub, struct conn *conn)
{
    struct outbox *outbox = &conn->outbox;
    struct blob *blob = outbox->ring[outbox->first];
    uint32_t cost = blob->len + OUTBOX_MESSAGE_COST;
    outbox->first = (outbox->first + 1) % outbox->size;
    outbox->count--;
    outbox->bytes -= cost;
    conn->hurries = conn->hurries && outbox->count > 0;
    conn->address->outbox_bytes -= cost;
    hub->conns.outbox_bytes -= cost;
    blob_unref(blob);
}

static void outbox_clear(struct hub *hub, struct conn *conn)
{
    struct outbox *outbox = &conn->outbox;
    while (outbox->count > 0)
        outbox_drop_first(hub, conn);
    free(outbox->ring);
    *outbox = (struct outbox){0};
}

/* The one of them with most unsent; of all if `address` is NULL. */
static struct conn *fullest_conn(const struct hub *hub, const struct address *address)
{
    uint32_t at = 0;
    struct conn *conn, *found = NULL;
    while ((conn = conn_next(hub, &at)) != NULL) {
        bool counts = !address || conn->address == address;
        if (counts && (!found || conn->outbox.bytes > found->outbox.bytes))
            found = conn;
    }
    return found;
}

/* Closes the connection with most unsent bytes; one that is closing already loses its outbox. */
static void cut_fullest(struct hub *hub, const struct address *address)
{
    struct conn *conn = fullest_conn(hub, address);
    assert(conn && conn->outbox.count > 0);
    conn_close(hub, conn, CLOSE_SLOW_READER);
    outbox_clear(hub, conn);
}

static void keep_within_bounds(struct hub *hub, const struct address *address)
{
    while (address->outbox_bytes > (uint64_t)hub->config.outbox_bytes_per_address)
        cut_fullest(hub, address);
    while (hub->conns.outbox_bytes > (uint64_t)hub->config.outbox_bytes_in_all)
        cut_fullest(hub, NULL);
}

static void send_blob(struct hub *hub, struct conn *conn, struct blob *blob, bool hurries)
{
    struct outbox *outbox = &conn->outbox;
    uint32_t cost = blob->len + OUTBOX_MESSAGE_COST;
    assert(blob->head.kind != HUB_NO_MESSAGE);
    if (conn->state != CONN_OPEN)
        return;
    if (outbox->bytes + cost > (uint64_t)hub->config.outbox_bytes) {
        conn_close(hub, conn, CLOSE_SLOW_READER);
        return;
    }
    if (outbox->count == outbox->size && outbox_grow(outbox) < 0) {
        conn_close(hub, conn, CLOSE_SERVER_FAULT);
        return;
    }
    outbox->ring[(outbox->first + outbox->count++) % outbox->size] = blob_ref(blob);
    outbox->bytes += cost;
    conn->address->outbox_bytes += cost;
    hub->conns.outbox_bytes += cost;
    conn->hurries = conn->hurries || hurries;
    ready_push(hub, conn);
    keep_within_bounds(hub, conn->address);
}

void conn_send(struct hub *hub, struct conn *conn, struct blob *blob)
{
    send_blob(hub, conn, blob, blob->head.kind != HUB_PUSH);
}

void conn_send_watcher(struct hub *hub, struct conn *conn, struct blob *blob)
{
    send_blob(hub, conn, blob, false);
}

void conn_send_buffer(struct hub *hub, struct conn *conn, struct buffer *buffer,
                      const struct hub_head *head)
{
    struct blob *blob = blob_message(buffer, head);
    if (blob)
        conn_send(hub, conn, blob);
    else
        conn_close(hub, conn, CLOSE_SERVER_FAULT);
    blob_unref(blob);
}

struct blob *conn_first(const struct conn *conn)
{
    return conn->outbox.count ? conn->outbox.ring[conn->outbox.first] : NULL;
}

void conn_sent(struct hub *hub, struct conn *conn)
{
    assert(conn->outbox.count > 0);
    hub->metrics.sent++;
    hub->metrics.sent_bytes += conn_first(conn)->len;
    conn->sent_bytes += conn_first(conn)->len;
    outbox_drop_first(hub, conn);
    outbox_shrink(&conn->outbox);
}

/* ---- closing */

static void mark_closing(struct hub *hub, struct conn *conn, int code)
{
    set_state(conn, CONN_CLOSING);
    conn->close_code = (uint16_t)code;
    conn->marked_next = hub->conns.marked;
    hub->conns.marked = conn;
    ready_push(hub, conn);
}

void conn_close(struct hub *hub, struct conn *conn, int code)
{
    if (conn->state != CONN_OPEN)
        return;
    mark_closing(hub, conn, code);
    metrics_close(hub, code);
    if (code == CLOSE_SLOW_READER)
        outbox_clear(hub, conn);
}

void conn_redirect(struct hub *hub, struct conn *conn, unsigned part)
{
    if (conn->state != CONN_OPEN)
        return;
    mark_closing(hub, conn, CLOSE_RESTART);
    conn->elsewhere = (uint8_t)(part + 1);
}

void conn_free(struct hub *hub, struct conn *conn)
{
    assert(!conn->session && !conn->subscriptions);
    ready_remove(hub, conn);
    outbox_clear(hub, conn);
    timer_disarm(&hub->timers, &conn->timer);
    timers_unreserve(&hub->timers);
    conn->address->pending_bytes -= conn->pending_bytes;
    origin_remove(&hub->conn_origins, &conn->address->origin);
    address_disconnect(hub, conn->address);
    set_state(conn, CONN_FREE);
    conn->ready_next = hub->conns.free;
    hub->conns.free = conn;
    hub->conns.count--;
}

struct conn *conn_next(const struct hub *hub, uint32_t *at)
{
    while (*at < hub->conns.slab_count * SLAB) {
        struct conn *conn = &hub->conns.slabs[*at / SLAB][*at % SLAB];
        (*at)++;
        if (conn->state != CONN_FREE)
            return conn;
    }
    return NULL;
}

void conns_close(struct hub *hub, int code)
{
    uint32_t at = 0;
    struct conn *conn;
    while ((conn = conn_next(hub, &at)) != NULL)
        conn_close(hub, conn, code);
}

void conns_release(struct hub *hub)
{
    uint32_t at = 0;
    struct conn *conn;
    while ((conn = conn_next(hub, &at)) != NULL)
        conn_free(hub, conn);
    for (uint32_t i = 0; i < hub->conns.slab_count; i++)
        free(hub->conns.slabs[i]);
    for (uint32_t i = 0; hub->conns.states && i < hub->conns.slab_count; i++)
        free(hub->conns.states[i]);
    free(hub->conns.slabs);
    free(hub->conns.states);
}

/* ---- time-outs */

static int64_t hello_due_ms(const struct hub *hub, const struct conn *conn)
{
    const int64_t usual_ms = conn->active_ms + hub->config.hello_timeout_ms;
    return conn->hello_due_ms > usual_ms ? conn->hello_due_ms : usual_ms;
}

/* Requests only note their time. The timer compares it when it fires, and is armed again. */
void conn_arm_timer(struct hub *hub, struct conn *conn)
{
    int64_t due_ms;
    if (!conn->session)
        due_ms = hello_due_ms(hub, conn);
    else if (conn->subscriptions || conn->kept)
        due_ms = hub->now_ms + hub->config.idle_timeout_ms;
    else
        due_ms = conn->active_ms + hub->config.idle_timeout_ms;
    timer_arm(&hub->timers, &conn->timer, due_ms);
}

void conn_due(struct hub *hub, struct conn *conn)
{
    if (conn->state != CONN_OPEN)
        return;
    if (!conn->session && hello_due_ms(hub, conn) <= hub->now_ms)
        conn_close(hub, conn, CLOSE_NO_HELLO);
    else if (conn->session && !conn->subscriptions && !conn->kept &&
             conn->active_ms + hub->config.idle_timeout_ms <= hub->now_ms)
        conn_close(hub, conn, CLOSE_IDLE);
    else
        conn_arm_timer(hub, conn);
}
