/*
 * Writing does not wait for the loop to say that a socket is writable. When something has come out
 * of the hub, the frames of all that waits for a peer are put behind each other and given to the
 * kernel in one call; only if it does not take them all is the loop asked. That saves two system
 * calls to change what the loop waits for and one wake-up for each message.
 */
#include "ws.h"

#include "link.h"
#include "net_private.h"
#include "parts/lease.h"
#include "ws_frame.h"
#include <assert.h>
#include <net/clock.h>
#include <net/log.h>
#include <site/site.h>
#include <stdlib.h>
#include <string.h>

enum { CLOSE_FLOOD = 4003 }; /* as the hub closes a flood of requests */

/* ---- the end */

void ws_forget(struct link *link)
{
    struct net *net = link->net;
    if (link->peer.generation == 0)
        return;
    net->peers.links[link->peer.index] = NULL;
    site_disconnect(net->site, link->peer, net_now_ms(net));
    link->peer = (struct hub_peer){0, 0};
    net_touch(net);
}

/* The close frame is the last one sent, and nothing more is read. */
static void ws_close(struct link *link, int code)
{
    unsigned char frame[WS_WRITE_HEADER_MAX + 2];
    size_t len = ws_put_header(frame, WS_CLOSE, 2);
    frame[len++] = (unsigned char)(code >> 8);
    frame[len++] = (unsigned char)code;
    ws_forget(link);
    if (link_write(link, frame, len))
        link_end(link);
}

/* The hub may have more to say before. */
static void reject_client(struct link *link, int code)
{
    site_reject(link->net->site, link->peer, code);
    link->deaf = true;
}

/* ---- the beginning */

static bool peers_reserve(struct net *net, uint32_t index)
{
    if (index < net->peers.size)
        return true;
    size_t size = net->peers.size ? net->peers.size : 64;
    while (size <= index)
        size *= 2;
    struct link **peers = realloc(net->peers.links, size * sizeof *peers);
    if (!peers)
        return false;
    memset(peers + net->peers.size, 0, (size - net->peers.size) * sizeof *peers);
    net->peers.links = peers;
    net->peers.size = size;
    return true;
}

void ws_begin(struct link *link, int close_code)
{
    struct net *net = link->net;
    struct hub_peer peer;
    link_leave_http(link);
    link->state = LINK_WS;
    link->since_ms = net_now_ms(net);
    if (close_code == 0)
        close_code = site_connect(net->site, link->address.bytes, link->since_ms, &peer);
    if (close_code != 0) {
        ws_close(link, close_code);
        return;
    }
    if (!peers_reserve(net, peer.index)) {
        site_disconnect(net->site, peer, link->since_ms);
        link_cut(link);
        return;
    }
    link->peer = peer;
    net->peers.links[peer.index] = link;
}

/* ---- what comes in */

static void receive_piece(struct link *link, const struct ws_part *part)
{
    struct net *net = link->net;
    if (part->last && link->input_len == 0) {
        site_receive(net->site, link->peer, (const char *)part->bytes, part->len, link->since_ms);
        return;
    }
    /* The reader has seen to it that no message is longer. */
    if (!link_keep_input(link, part->bytes, part->len, WS_MESSAGE_MAX)) {
        link_cut(link);
        return;
    }
    if (!part->last)
        return;
    site_receive(net->site, link->peer, link->input, link->input_len, link->since_ms);
    link_drop_input(link, link->input_len);
}

/* Control frames cost little, but the hub does not see them, so they are limited here. */
static void receive_control(struct link *link, const struct ws_part *part)
{
    unsigned char frame[WS_WRITE_HEADER_MAX + WS_CONTROL_MAX];
    if (part->opcode == WS_CLOSE) {
        ws_close(link, ws_close_answer(part->bytes, part->len));
        return;
    }
    if (!bucket_take(&link->controls, &link->net->peers.control_rule, link->since_ms)) {
        reject_client(link, CLOSE_FLOOD);
        return;
    }
    if (part->opcode == WS_PONG)
        return;
    size_t len = ws_put_header(frame, WS_PONG, part->len);
    memcpy(frame + len, part->bytes, part->len);
    link_write(link, frame, len + part->len);
}

void ws_receive(struct link *link, unsigned char *bytes, size_t len)
{
    unsigned char *at = bytes;
    struct ws_part part;
    link->since_ms = net_now_ms(link->net);
    net_touch(link->net);
    if (link->probed && link->state == LINK_WS)
        site_heard(link->net->site, link->peer);
    link->probed = false;
    while (link->state == LINK_WS && !link->deaf) {
        switch (ws_reader_next(&link->reader, &at, bytes + len, &part)) {
        case WS_EVENT_NONE:
            return;
        case WS_EVENT_PIECE:
            receive_piece(link, &part);
            break;
        case WS_EVENT_CONTROL:
            receive_control(link, &part);
            break;
        case WS_EVENT_WRONG:
            reject_client(link, part.code);
            break;
        }
    }
}

/* ---- what goes out */

static bool write_gathered(struct link *link, size_t len)
{
    return len == 0 || link_write(link, link->net->peers.gather, len);
}

/* Writes a message without copying it: its header goes into the space before it. */
static bool write_alone(struct link *link, unsigned char *bytes, size_t len)
{
    unsigned char header[WS_WRITE_HEADER_MAX];
    size_t header_len = ws_put_header(header, WS_TEXT, len);
    static_assert((int)WS_WRITE_HEADER_MAX <= (int)HUB_OUTPUT_HEADROOM, "room for a header");
    memcpy(bytes - header_len, header, header_len);
    return link_write(link, bytes - header_len, header_len + len);
}

/* One call's worth: false if the socket is dead, *more if there may be more to write. */
static bool write_some(struct link *link, bool *more)
{
    enum { ALONE_BYTES = 4096 };
    struct net *net = link->net;
    unsigned char *bytes;
    size_t len, gathered = 0;
    while ((bytes = site_output(net->site, link->peer, &len))) {
        *more = true;
        if (len >= ALONE_BYTES && gathered == 0) {
            bool alive = write_alone(link, bytes, len);
            site_sent(net->site, link->peer);
            return alive;
        }
        if (len >= ALONE_BYTES || gathered + WS_WRITE_HEADER_MAX + len > GATHER_BYTES)
            return write_gathered(link, gathered);
        gathered += ws_put_header(net->peers.gather + gathered, WS_TEXT, len);
        memcpy(net->peers.gather + gathered, bytes, len);
        gathered += len;
        site_sent(net->site, link->peer);
    }
    *more = false;
    return write_gathered(link, gathered);
}

static void send_probe(struct link *link)
{
    unsigned char frame[WS_WRITE_HEADER_MAX];
    link->probed = true;
    link_write(link, frame, ws_put_header(frame, WS_PING, 0));
}

void ws_flush(struct link *link)
{
    bool more = true;
    size_t len;
    if (lease_holds_back(link->net))
        return;
    while (more && !link_is_writing(link)) {
        if (!write_some(link, &more))
            return;
    }
    if (more && site_output(link->net->site, link->peer, &len))
        return; /* it is called again when there is room */
    int code = site_close_code(link->net->site, link->peer);
    if (code != 0)
        ws_close(link, code);
    else if (!link_is_writing(link) && site_take_probe(link->net->site, link->peer))
        send_probe(link);
}

void ws_flush_peer(struct net *net, const struct hub_peer *peer)
{
    struct link *link = peer->index < net->peers.size ? net->peers.links[peer->index] : NULL;
    if (link && link->state == LINK_WS && link->peer.generation == peer->generation)
        ws_flush(link);
}

void ws_flush_all(struct net *net)
{
    for (size_t at = 0; at < net->peers.size; at++) {
        struct link *link = net->peers.links[at];
        if (link && link->state == LINK_WS)
            ws_flush(link);
    }
}

void ws_reject_all(struct net *net, int close_code)
{
    for (size_t at = 0; at < net->peers.size; at++) {
        struct link *link = net->peers.links[at];
        if (link && link->state == LINK_WS)
            reject_client(link, close_code);
    }
}

/* ---- pings */

static void ping_or_cut(struct link *link, int64_t now_ms)
{
    unsigned char frame[WS_WRITE_HEADER_MAX];
    if (now_ms - link->since_ms > link->net->config.ping_timeout_ms) {
        log_event(LOG_DEBUG, "connection_silent");
        link_cut(link);
    } else if (!link_is_writing(link)) {
        link_write(link, frame, ws_put_header(frame, WS_PING, 0));
    }
}

/* So many at a time that every connection is pinged once in a ping interval. */
void ws_ping_some(struct net *net, int64_t now_ms, int64_t since_last_ms)
{
    int64_t interval_ms = net->config.ping_interval_ms;
    size_t share = net->peers.size * (size_t)since_last_ms / (size_t)interval_ms + 1;
    for (size_t done = 0; done < share && done < net->peers.size; done++) {
        struct link *link = net->peers.links[net->peers.ping_cursor];
        net->peers.ping_cursor = (net->peers.ping_cursor + 1) % net->peers.size;
        if (link && link->state == LINK_WS)
            ping_or_cut(link, now_ms);
    }
}
