/*
 * A WebSocket: whole messages to the hub, what is in the outbox to the socket, and the codes it is
 * closed with.
 *
 * Writing does not wait for the loop to say that a socket is writable. When something has come out
 * of the hub, the frames of all that waits for a peer are put behind each other and given to the
 * kernel in one call; only if it does not take them all is the loop asked. That saves two system
 * calls to change what the loop waits for and one wake-up for each message.
 */
#include "origin.h"
#include "server.h"

#include <net/log.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLOSE_BINARY = 1003,
    CLOSE_POLICY = 1008,
    CLOSE_TOO_LONG = 1009,
    STATUS_BAD_REQUEST = 400,
    STATUS_NOT_FOUND = 404,
    STATUS_SLOW_DOWN = 429,
    MESSAGE_MAX = 4096,
};

/* ---- the handshake ---- */

static bool wants_our_protocol(struct lws *wsi)
{
    static const char ours[] = "taluva.v1+json";
    char list[128];
    int len = lws_hdr_copy(wsi, list, sizeof list, WSI_TOKEN_PROTOCOL);
    if (len <= 0)
        return false;
    for (char *rest = list, *word; (word = strtok_r(rest, ", \t", &rest));) {
        if (strcmp(word, ours) == 0)
            return true;
    }
    return false;
}

static bool origin_is_fine(struct link *link)
{
    char origin[256], host[256] = "";
    int len = lws_hdr_total_length(link->wsi, WSI_TOKEN_ORIGIN);
    if (len == 0)
        return true;
    if (lws_hdr_copy(link->wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) <= 0)
        return false;
    if (lws_hdr_copy(link->wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0)
        host[0] = 0;
    return origin_is_allowed(origin, host, link->net->options->origins);
}

/*
 * 0: go on. What is not a handshake of this protocol at all is refused over HTTP; a page of another
 * origin, which could not see that, gets its WebSocket and a close code.
 */
int ws_confirm(struct link *link)
{
    char path[8], version[8];
    struct net *net = link->net;
    if (lws_hdr_copy(link->wsi, path, sizeof path, WSI_TOKEN_GET_URI) <= 0 ||
        strcmp(path, "/ws") != 0)
        return http_refuse(link, STATUS_NOT_FOUND);
    if (!wants_our_protocol(link->wsi) ||
        lws_hdr_copy(link->wsi, version, sizeof version, WSI_TOKEN_VERSION) <= 0 ||
        strcmp(version, "13") != 0)
        return http_refuse(link, STATUS_BAD_REQUEST);
    if (!origin_is_fine(link))
        link->close_code = CLOSE_POLICY;
    if (!link_learn_address(link))
        return http_refuse(link, STATUS_BAD_REQUEST);
    if (link->proxied && !address_rates_connect(&net->rates, &link->address, net_now_ms(net)))
        return http_refuse(link, STATUS_SLOW_DOWN);
    return 0;
}

static bool peers_reserve(struct net *net, uint32_t index)
{
    if (index < net->peers_size)
        return true;
    size_t size = net->peers_size ? net->peers_size : 64;
    while (size <= index)
        size *= 2;
    struct link **peers = realloc(net->peers, size * sizeof(struct link *));
    if (!peers)
        return false;
    memset(peers + net->peers_size, 0, (size - net->peers_size) * sizeof(struct link *));
    net->peers = peers;
    net->peers_size = size;
    return true;
}

static void list_for_close(struct link *link)
{
    link->next_closing = link->net->closing;
    link->net->closing = link;
    net_touch(link->net);
}

/*
 * From here on the hub knows nothing of it, and nothing more is heard or said but the code. That is
 * left to the pump: libwebsockets' own way, a callback that returns -1, closes twice in a row with
 * this event loop, and the second time ends the connection before the code has been sent.
 */
static void begin_close(struct link *link, int code)
{
    struct net *net = link->net;
    ws_closed(link);
    link->kind = LINK_CLOSING;
    link->close_code = (uint16_t)code;
    link->since_ms = net_now_ms(net);
    link_list(link);
    list_for_close(link);
}

void ws_close_some(struct net *net)
{
    while (net->closing) {
        struct link *link = net->closing;
        net->closing = link->next_closing;
        if (lws_partial_buffered(link->wsi))
            continue; /* it would be closed without the code: see ws_writable */
        link->told = true;
        lws_close_reason(link->wsi, (enum lws_close_status)link->close_code, NULL, 0);
        lws_set_timeout(link->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
    }
}

int ws_established(struct link *link)
{
    struct net *net = link->net;
    struct hub_peer peer;
    int64_t now_ms = net_now_ms(net);
    int code = link->close_code;
    link_leave_http(link);
    link->kind = LINK_WS;
    link->since_ms = now_ms;
    if (code == 0)
        code = hub_connect(net->hub, link->address.bytes, now_ms, &peer);
    if (code != 0) {
        begin_close(link, code);
        return 0;
    }
    net_touch(net);
    if (!peers_reserve(net, peer.index)) {
        hub_disconnect(net->hub, peer, now_ms);
        return -1;
    }
    link->peer = peer;
    net->peers[peer.index] = link;
    return 0;
}

/* Also for those that the hub never knew, or no longer knows. */
void ws_closed(struct link *link)
{
    struct net *net = link->net;
    if (link->kind != LINK_WS)
        return;
    link->kind = LINK_CLOSING;
    if (link->peer.generation == 0)
        return;
    net->peers[link->peer.index] = NULL;
    hub_disconnect(net->hub, link->peer, net_now_ms(net));
    link->peer = (struct hub_peer){0, 0};
    net_touch(net);
}

/* ---- what comes in ---- */

static int reject(struct link *link, int code)
{
    hub_reject(link->net->hub, link->peer, code);
    net_touch(link->net);
    return 0;
}

/*
 * A message that comes in pieces, be it frames or reads. More pieces than bytes can only be empty
 * ones, which could go on for ever.
 */
static int receive_piece(struct link *link, const char *bytes, size_t len, bool last)
{
    if (!last && ++link->pieces > MESSAGE_MAX)
        return reject(link, CLOSE_TOO_LONG);
    if (!link->partial) {
        link->partial = malloc(MESSAGE_MAX);
        if (!link->partial)
            return -1;
    }
    memcpy(link->partial + link->partial_len, bytes, len);
    link->partial_len = (uint16_t)(link->partial_len + len);
    if (!last)
        return 0;
    hub_receive(link->net->hub, link->peer, link->partial, link->partial_len, link->since_ms);
    free(link->partial);
    link->partial = NULL;
    link->partial_len = 0;
    link->pieces = 0;
    return 0;
}

int ws_receive(struct link *link, const char *bytes, size_t len)
{
    struct net *net = link->net;
    struct lws *wsi = link->wsi;
    if (link->kind != LINK_WS)
        return 0; /* it has been told to go */
    link->since_ms = net_now_ms(net);
    net_touch(net);
    if (lws_frame_is_binary(wsi))
        return reject(link, CLOSE_BINARY);
    /* What is still to come of this frame counts already, so that nobody can be kept waiting for
     * it. */
    if (link->partial_len + len + lws_remaining_packet_payload(wsi) > MESSAGE_MAX)
        return reject(link, CLOSE_TOO_LONG);
    bool last = lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
    if (last && link->pieces == 0) {
        hub_receive(net->hub, link->peer, bytes, len, link->since_ms);
        return 0;
    }
    return receive_piece(link, bytes, len, last);
}

/* ---- what goes out ---- */

/* The header of an unmasked text frame; returns its length. */
static size_t put_header(unsigned char *to, size_t len)
{
    to[0] = 0x81;
    if (len < 126) {
        to[1] = (unsigned char)len;
        return 2;
    }
    if (len < 65536) {
        to[1] = 126;
        to[2] = (unsigned char)(len >> 8);
        to[3] = (unsigned char)len;
        return 4;
    }
    to[1] = 127;
    for (int at = 0; at < 8; at++)
        to[2 + at] = (unsigned char)((uint64_t)len >> (8 * (7 - at)));
    return 10;
}

/* LWS_WRITE_HTTP is how libwebsockets is told that bytes are ready for the wire as they are. */
static bool write_gathered(struct link *link, size_t len)
{
    return len == 0 || lws_write(link->wsi, link->net->gather + LWS_PRE, len, LWS_WRITE_HTTP) >= 0;
}

/* One call's worth: false if the socket is dead, *more if there may be more to write. */
static bool write_some(struct link *link, bool *more)
{
    enum { HEADER_MAX = 10, ALONE_BYTES = 4096 };
    struct net *net = link->net;
    unsigned char *bytes, *to = net->gather + LWS_PRE;
    size_t len, gathered = 0;
    while ((bytes = hub_output(net->hub, link->peer, &len))) {
        *more = true;
        if (len >= ALONE_BYTES && gathered == 0) {
            int written = lws_write(link->wsi, bytes, len, LWS_WRITE_TEXT);
            hub_sent(net->hub, link->peer);
            return written >= 0;
        }
        if (len >= ALONE_BYTES || gathered + HEADER_MAX + len > GATHER_BYTES)
            return write_gathered(link, gathered);
        gathered += put_header(to + gathered, len);
        memcpy(to + gathered, bytes, len);
        gathered += len;
        hub_sent(net->hub, link->peer);
    }
    *more = false;
    return write_gathered(link, gathered);
}

void ws_flush(struct link *link)
{
    bool more = true;
    size_t len;
    while (more && !lws_partial_buffered(link->wsi)) {
        if (!write_some(link, &more)) {
            link_cut(link);
            return;
        }
    }
    if (hub_output(link->net->hub, link->peer, &len))
        return; /* libwebsockets has asked to be told when there is room */
    int code = hub_close_code(link->net->hub, link->peer);
    if (code != 0)
        begin_close(link, code);
}

int ws_writable(struct link *link)
{
    if (link->kind == LINK_WS)
        ws_flush(link);
    else if (!link->told && !lws_partial_buffered(link->wsi))
        list_for_close(link);
    return 0;
}

/* ---- pings ---- */

static void ping_or_cut(struct link *link, int64_t now_ms)
{
    /* With a payload, as libwebsockets tells nothing of the answer to a ping without one. */
    unsigned char frame[LWS_PRE + 1] = {[LWS_PRE] = '?'};
    if (now_ms - link->since_ms > link->net->config.ping_timeout_ms) {
        log_event(LOG_DEBUG, "connection_silent");
        link_cut(link);
    } else if (!lws_partial_buffered(link->wsi)) {
        if (lws_write(link->wsi, frame + LWS_PRE, 1, LWS_WRITE_PING) < 0)
            link_cut(link);
    }
}

/* So many that each one's turn comes once in a ping interval. */
void ws_ping_some(struct net *net, int64_t now_ms, int64_t since_last_ms)
{
    int64_t interval_ms = net->config.ping_interval_ms;
    size_t share = net->peers_size * (size_t)since_last_ms / (size_t)interval_ms + 1;
    for (size_t done = 0; done < share && done < net->peers_size; done++) {
        struct link *link = net->peers[net->ping_cursor];
        net->ping_cursor = (net->ping_cursor + 1) % net->peers_size;
        if (link)
            ping_or_cut(link, now_ms);
    }
}
