/*
 * Writing does not wait for the loop to say that a socket is writable. When something has come out
 * of the hub, the frames of all that waits for a peer are put behind each other and given to the
 * kernel in one call; only if it does not take them all is the loop asked. That saves two system
 * calls to change what the loop waits for and one wake-up for each message.
 */
#include "ws.h"

#include "connection.h"
#include "net_private.h"
#include "parts/lease.h"
#include "peers.h"
#include "ws_frame.h"
#include <assert.h>
#include <net/clock.h>
#include <net/log.h>
#include <site/site.h>
#include <stdlib.h>
#include <string.h>

enum { CLOSE_FLOOD = 4003 }; /* as the hub closes a flood of requests */

/* ---- the end */

void ws_forget(struct connection *connection)
{
    struct net *net = connection->net;
    if (connection->peer.generation == 0)
        return;
    site_disconnect(net->site, connection->peer, net_now_ms(net));
    peers_remove(connection);
    net_touch(net);
}

/* The close frame is the last one sent, and nothing more is read. */
static void ws_close(struct connection *connection, int code)
{
    unsigned char frame[WS_WRITE_HEADER_MAX + 2];
    size_t len = ws_put_header(frame, WS_CLOSE, 2);
    frame[len++] = (unsigned char)(code >> 8);
    frame[len++] = (unsigned char)code;
    ws_forget(connection);
    if (connection_write(connection, frame, len))
        connection_end(connection);
}

/* The hub may have more to say before. */
static void reject_client(struct connection *connection, int code)
{
    site_reject(connection->net->site, connection->peer, code);
    connection->deaf = true;
}

/* ---- the beginning */

void ws_begin(struct connection *connection, int close_code)
{
    struct net *net = connection->net;
    struct hub_peer peer;
    connection_leave_http(connection);
    connection->state = CONNECTION_WS;
    connection->since_ms = net_now_ms(net);
    if (close_code == 0)
        close_code =
            site_connect(net->site, connection->address.bytes, connection->since_ms, &peer);
    if (close_code != 0) {
        ws_close(connection, close_code);
        return;
    }
    if (!peers_add(connection, peer)) {
        site_disconnect(net->site, peer, connection->since_ms);
        connection_cut(connection);
    } else if (connection->quiet) {
        site_set_quiet(net->site, peer);
    }
}

/* ---- what comes in */

static void receive_piece(struct connection *connection, const struct ws_part *part)
{
    struct net *net = connection->net;
    if (part->last && connection->input_len == 0) {
        site_receive(net->site, connection->peer, (const char *)part->bytes, part->len,
                     connection->since_ms);
        return;
    }
    /* The reader has seen to it that no message is longer. */
    if (!connection_keep_input(connection, part->bytes, part->len, WS_MESSAGE_MAX)) {
        connection_cut(connection);
        return;
    }
    if (!part->last)
        return;
    site_receive(net->site, connection->peer, connection->input, connection->input_len,
                 connection->since_ms);
    connection_drop_input(connection, connection->input_len);
}

/* Control frames cost little, but the hub does not see them, so they are limited here. */
static void receive_control(struct connection *connection, const struct ws_part *part)
{
    unsigned char frame[WS_WRITE_HEADER_MAX + WS_CONTROL_MAX];
    if (part->opcode == WS_CLOSE) {
        ws_close(connection, ws_close_answer(part->bytes, part->len));
        return;
    }
    if (!bucket_take(&connection->controls, &connection->net->peers.control_rule,
                     connection->since_ms)) {
        reject_client(connection, CLOSE_FLOOD);
        return;
    }
    if (part->opcode == WS_PONG)
        return;
    size_t len = ws_put_header(frame, WS_PONG, part->len);
    memcpy(frame + len, part->bytes, part->len);
    connection_write(connection, frame, len + part->len);
}

void ws_receive(struct connection *connection, unsigned char *bytes, size_t len)
{
    unsigned char *at = bytes;
    struct ws_part part;
    connection->since_ms = net_now_ms(connection->net);
    net_touch(connection->net);
    if (connection->probed && connection->state == CONNECTION_WS)
        site_heard(connection->net->site, connection->peer);
    connection->probed = false;
    while (connection->state == CONNECTION_WS && !connection->deaf) {
        switch (ws_reader_next(&connection->reader, &at, bytes + len, &part)) {
        case WS_EVENT_NONE:
            return;
        case WS_EVENT_PIECE:
            receive_piece(connection, &part);
            break;
        case WS_EVENT_CONTROL:
            receive_control(connection, &part);
            break;
        case WS_EVENT_WRONG:
            reject_client(connection, part.code);
            break;
        }
    }
}

/* ---- what goes out */

static bool write_gathered(struct connection *connection, size_t len)
{
    return len == 0 || connection_write(connection, connection->net->peers.gather, len);
}

/* Writes a message without copying it: its header goes into the space before it. */
static bool write_alone(struct connection *connection, unsigned char *bytes, size_t len)
{
    unsigned char header[WS_WRITE_HEADER_MAX];
    size_t header_len = ws_put_header(header, WS_TEXT, len);
    static_assert((int)WS_WRITE_HEADER_MAX <= (int)HUB_OUTPUT_HEADROOM, "room for a header");
    memcpy(bytes - header_len, header, header_len);
    return connection_write(connection, bytes - header_len, header_len + len);
}

/* One call's worth: false if the socket is dead, *more if there may be more to write. */
static bool write_some(struct connection *connection, bool *more)
{
    enum { ALONE_BYTES = 4096 };
    struct net *net = connection->net;
    unsigned char *bytes;
    size_t len, gathered = 0;
    while ((bytes = site_output(net->site, connection->peer, &len))) {
        *more = true;
        if (len >= ALONE_BYTES && gathered == 0) {
            bool alive = write_alone(connection, bytes, len);
            site_sent(net->site, connection->peer);
            return alive;
        }
        if (len >= ALONE_BYTES || gathered + WS_WRITE_HEADER_MAX + len > GATHER_BYTES)
            return write_gathered(connection, gathered);
        gathered += ws_put_header(net->peers.gather + gathered, WS_TEXT, len);
        memcpy(net->peers.gather + gathered, bytes, len);
        gathered += len;
        site_sent(net->site, connection->peer);
    }
    *more = false;
    return write_gathered(connection, gathered);
}

static void send_probe(struct connection *connection)
{
    unsigned char frame[WS_WRITE_HEADER_MAX];
    connection->probed = true;
    connection_write(connection, frame, ws_put_header(frame, WS_PING, 0));
}

void ws_flush(struct connection *connection)
{
    bool more = true;
    size_t len;
    if (lease_holds_back(connection->net))
        return;
    while (more && !connection_is_writing(connection)) {
        if (!write_some(connection, &more))
            return;
    }
    if (more && site_output(connection->net->site, connection->peer, &len))
        return; /* it is called again when there is room */
    int code = site_close_code(connection->net->site, connection->peer);
    if (code != 0)
        ws_close(connection, code);
    else if (!connection_is_writing(connection) &&
             site_take_probe(connection->net->site, connection->peer))
        send_probe(connection);
}

void ws_flush_all(struct net *net)
{
    for (size_t at = 0; at < net->peers.size; at++) {
        struct connection *connection = net->peers.connections[at];
        if (connection && connection->state == CONNECTION_WS)
            ws_flush(connection);
    }
}

void ws_reject_all(struct net *net, int close_code)
{
    for (size_t at = 0; at < net->peers.size; at++) {
        struct connection *connection = net->peers.connections[at];
        if (connection && connection->state == CONNECTION_WS)
            reject_client(connection, close_code);
    }
}

/* ---- pings */

static void ping_or_cut(struct connection *connection, int64_t now_ms)
{
    unsigned char frame[WS_WRITE_HEADER_MAX];
    if (now_ms - connection->since_ms > connection->net->config.ping_timeout_ms) {
        log_event(LOG_DEBUG, "connection_silent");
        connection_cut(connection);
    } else if (!connection_is_writing(connection)) {
        connection_write(connection, frame, ws_put_header(frame, WS_PING, 0));
    }
}

/* So many at a time that every connection is pinged once in a ping interval. */
void ws_ping_some(struct net *net, int64_t now_ms, int64_t since_last_ms)
{
    int64_t interval_ms = net->config.ping_interval_ms;
    size_t share = net->peers.size * (size_t)since_last_ms / (size_t)interval_ms + 1;
    for (size_t done = 0; done < share && done < net->peers.size; done++) {
        struct connection *connection = net->peers.connections[net->peers.ping_cursor];
        net->peers.ping_cursor = (net->peers.ping_cursor + 1) % net->peers.size;
        if (connection && connection->state == CONNECTION_WS)
            ping_or_cut(connection, now_ms);
    }
}
