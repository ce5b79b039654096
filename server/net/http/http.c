#include "http.h"

#include "assets.h"
#include "http_head.h"
#include "link.h"
#include "metrics.h"
#include "metrics_site.h"
#include "net_private.h"
#include "parts/mute.h"
#include "parts/part.h"
#include "relay/neighbours.h"
#include "sockets/address.h"
#include "sockets/address_rates.h"
#include "threads/checker.h"
#include "upgrade.h"
#include "ws/ws.h"
#include <assert.h>
#include <hub/prometheus.h>
#include <inttypes.h>
#include <libwebsockets.h>
#include <net/clock.h>
#include <net/keeper.h>
#include <site/site.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADERS_MAX = 1536, AT_ONCE_BYTES = 4096, CHUNK_BYTES = 32768, PATH_BYTES_MAX = 256 };
/* A head that is not complete, and what libwebsockets reads at once. */
enum { INPUT_MAX = HTTP_HEAD_MAX + 4096 };
enum { METRICS_BYTES_MAX = 8 << 20 };
enum { STATUS_MISDIRECTED = 421, STATUS_SLOW_DOWN = 429, STATUS_TOO_LARGE = 431 };

struct answer {
    unsigned int status;
    const char *type, *tag;
    int64_t max_age_s, retry_s;
    bool gzip, head_only, close, begun;
    bool part; /* see struct asset */
    bool api;  /* of what is stored */
    const unsigned char *body;
    size_t len, sent;
    uint64_t ticket;             /* not 0: waited for */
    struct hub_http_answer hubs; /* if `owned` */
    bool owned;
    char *made;  /* the body; or NULL */
    size_t held; /* of memory for this answer alone; counted in net->links.answer_bytes */
};

/* Counted for as long as the answer lives. */
static void hold_answer(struct link *link, size_t len)
{
    link->answer->held += len;
    link->net->links.answer_bytes += len;
}

static void answer_destroy(struct net *net, struct answer *answer)
{
    net->links.answer_bytes -= answer->held;
    if (answer->owned)
        hub_http_release(&answer->hubs);
    free(answer->made);
    free(answer);
}

void http_forget(struct link *link)
{
    struct answer *answer = link->answer;
    if (!answer)
        return;
    if (answer->ticket)
        site_http_cancel(link->net->site, answer->ticket);
    answer_destroy(link->net, answer);
    link->answer = NULL;
}

/* ---- writing */

static const char *reason_of(unsigned int status)
{
    static const struct {
        unsigned int status;
        const char *reason;
    } reasons[] = {
        {HTTP_STATUS_OK, "OK"},
        {HTTP_STATUS_NOT_MODIFIED, "Not Modified"},
        {HTTP_STATUS_BAD_REQUEST, "Bad Request"},
        {HTTP_STATUS_FORBIDDEN, "Forbidden"},
        {HTTP_STATUS_NOT_FOUND, "Not Found"},
        {HTTP_STATUS_METHOD_NOT_ALLOWED, "Method Not Allowed"},
        {STATUS_MISDIRECTED, "Misdirected Request"},
        {STATUS_SLOW_DOWN, "Too Many Requests"},
        {STATUS_TOO_LARGE, "Request Header Fields Too Large"},
        {HTTP_STATUS_SERVICE_UNAVAILABLE, "Service Unavailable"},
    };
    for (size_t at = 0; at < sizeof reasons / sizeof reasons[0]; at++) {
        if (reasons[at].status == status)
            return reasons[at].reason;
    }
    return ""; /* which HTTP allows */
}

static const char fixed_headers[] = "server: taluvad\r\n"
                                    "cross-origin-resource-policy: same-origin\r\n"
                                    "x-content-type-options: nosniff\r\n";

/*
 * Of documents and service workers. Parts of a page are under the policy of that page; there are so
 * many of them that repeating it would be a twelfth of a visit.
 */
static const char policy_headers[] =
    "content-security-policy: default-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'\r\n"
    "cross-origin-opener-policy: same-origin\r\n"
    "referrer-policy: no-referrer\r\n";

struct headers {
    char *at, *end;
};

__attribute__((format(printf, 2, 3))) static void put(struct headers *headers, const char *format,
                                                      ...)
{
    va_list args;
    va_start(args, format);
    size_t room = (size_t)(headers->end - headers->at);
    int len = vsnprintf(headers->at, room, format, args);
    va_end(args);
    assert(len >= 0 && (size_t)len < room); /* nothing in them is as long as a peer likes */
    headers->at += len;
}

static bool has_body(const struct answer *answer)
{
    return answer->status != HTTP_STATUS_NOT_MODIFIED && !answer->head_only && answer->len > 0;
}

static void put_all(struct headers *headers, const struct answer *answer)
{
    put(headers, "HTTP/1.1 %u %s\r\n%s%s", answer->status, reason_of(answer->status), fixed_headers,
        answer->part ? "" : policy_headers);
    if (answer->max_age_s > 0)
        put(headers, "cache-control: public, max-age=%" PRId64 "\r\n", answer->max_age_s);
    else
        put(headers, "cache-control: %s\r\n", answer->tag ? "no-cache" : "no-store");
    if (answer->tag)
        put(headers, "etag: %s\r\nvary: accept-encoding\r\n", answer->tag);
    if (answer->status == HTTP_STATUS_METHOD_NOT_ALLOWED)
        put(headers, "allow: GET, HEAD\r\n");
    if (answer->status == STATUS_SLOW_DOWN)
        put(headers, "retry-after: 1\r\n");
    if (answer->retry_s > 0)
        put(headers, "retry-after: %" PRId64 "\r\n", answer->retry_s);
    if (answer->close)
        put(headers, "connection: close\r\n");
    if (answer->status == HTTP_STATUS_NOT_MODIFIED)
        return;
    if (answer->gzip)
        put(headers, "content-encoding: gzip\r\n");
    put(headers, "content-type: %s\r\ncontent-length: %zu\r\n", answer->type, answer->len);
}

static void finish_answer(struct link *link)
{
    bool close = link->answer->close;
    http_forget(link);
    if (close) {
        link_end(link);
        return;
    }
    link->state = LINK_REQUEST;
    link->since_ms = net_now_ms(link->net);
}

/* Cuts who has taken nothing for the longest time, so that quick readers are spared. */
static void keep_within_bounds(struct net *net)
{
    while (net->links.answer_bytes > (size_t)net->config.http_answer_bytes_in_all) {
        struct link *slowest = NULL;
        for (struct link *link = net->links.first; link; link = link->next) {
            bool holds = link->answer && link->answer->held > 0;
            if (holds && (!slowest || link->since_ms <= slowest->since_ms))
                slowest = link;
        }
        assert(slowest && "what is counted is held by a link");
        http_forget(slowest);
        link_cut(slowest);
        net->metrics.slow_readers++;
    }
}

/* The headers, and the body along with them if it is small or there is none. */
static void begin_answer(struct link *link)
{
    char bytes[HEADERS_MAX + AT_ONCE_BYTES];
    struct answer *answer = link->answer;
    struct headers headers = {bytes, bytes + HEADERS_MAX};
    put_all(&headers, answer);
    put(&headers, "\r\n");
    size_t len = (size_t)(headers.at - bytes);
    bool whole = !has_body(answer) || answer->len <= AT_ONCE_BYTES;
    if (whole && has_body(answer)) {
        memcpy(bytes + len, answer->body, answer->len);
        len += answer->len;
    }
    answer->begun = true;
    if (!link_write(link, (const unsigned char *)bytes, len))
        return;
    if (whole) {
        finish_answer(link);
        return;
    }
    link_ask_writable(link);
    keep_within_bounds(link->net);
}

static void continue_answer(struct link *link)
{
    struct answer *answer = link->answer;
    size_t left = answer->len - answer->sent, len = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    if (!link_write(link, answer->body + answer->sent, len))
        return;
    answer->sent += len;
    link->since_ms = net_now_ms(link->net);
    if (answer->sent == answer->len)
        finish_answer(link);
    else
        link_ask_writable(link);
}

/* ---- answering */

static bool is_health(const char *path)
{
    return strcmp(path, "/readyz") == 0 || strcmp(path, "/healthz") == 0;
}

static void set_text(struct answer *answer, unsigned int status, const char *text)
{
    answer->status = status;
    answer->type = "text/plain; charset=utf-8";
    answer->body = (const unsigned char *)text;
    answer->len = strlen(text);
}

static void set_asset(struct answer *answer, const struct http_head *head,
                      const struct asset *asset)
{
    answer->gzip = asset->gzip.bytes && http_text_holds(&head->accept_encoding, "gzip");
    const struct asset_body *body = answer->gzip ? &asset->gzip : &asset->plain;
    bool known = http_text_holds(&head->if_none_match, asset->tag);
    answer->status = known ? HTTP_STATUS_NOT_MODIFIED : HTTP_STATUS_OK;
    answer->type = asset->type;
    answer->tag = asset->tag;
    answer->part = asset->part;
    answer->body = body->bytes;
    answer->len = body->len;
}

/* At once or later. */
static void set_hubs(struct link *link, const struct hub_http_answer *hubs)
{
    struct answer *answer = link->answer;
    if (hubs->status == STATUS_SLOW_DOWN)
        link->net->metrics.slow_downs++;
    answer->hubs = *hubs;
    answer->owned = true;
    answer->status = (unsigned int)hubs->status;
    answer->type = hubs->type;
    answer->max_age_s = hubs->max_age_s;
    answer->retry_s = hubs->retry_s;
    answer->body = hubs->body;
    answer->len = hubs->len;
    answer->ticket = 0;
    hold_answer(link, hubs->len);
}

/* What came through a proxy came from elsewhere, whatever address of whom it reports. */
static bool may_see_metrics(const struct link *link, const struct http_head *head)
{
    if (link->net->options->metrics_everywhere)
        return true;
    return !head->through_proxy && address_is_loopback(&link->address);
}

static void ask_site(struct link *link, struct answer *answer, const char *path)
{
    struct hub_http_answer hubs;
    uint64_t ticket = 0;
    if (site_http_get(link->net->site, path, link->address.bytes, net_now_ms(link->net), &hubs,
                      &ticket))
        set_hubs(link, &hubs);
    answer->ticket = ticket;
    net_touch(link->net);
}

/* Of several parts what is the worst. */
static void look_at_parts(const struct net *net, struct net_gauges *gauges)
{
    gauges->store = CHECKER_SOUND;
    for (struct served_part *part = net->parts.first; part; part = part->next) {
        const int64_t interval_us = pacing_interval_us(&part->pacing);
        const enum checker_finding finding = checker_finding(part->checker);
        if (interval_us > gauges->commit_interval_us)
            gauges->commit_interval_us = interval_us;
        if (finding > CHECKER_SOUND || gauges->store == CHECKER_SOUND)
            gauges->store = finding;
        gauges->mute = mute_is(part) || gauges->mute;
    }
}

static void look_at_nodes(const struct net *net, struct net_gauges *gauges)
{
    struct net_relay_figures figures;
    if (neighbours_figures(net, &figures))
        gauges->node_accept_failures = figures.accept_failures;
}

static void write_keeper(const struct net *net, struct buffer *page)
{
    struct net_keeper keeper = {0};
    if (!net->options->keeper)
        return;
    net->options->keeper(net->options->part_ctx, &keeper);
    net_metrics_write_keeper(&keeper, page);
}

/* The hub's metrics, and after them those of net. */
static void answer_metrics(struct link *link, struct answer *answer)
{
    const struct net *net = link->net;
    struct net_gauges gauges = {
        .http_sockets = net->links.http_count,
        .answer_bytes = net->links.answer_bytes,
        .stood_still_ms = net->clock->lost_ms,
        .clock_ahead_ms = net_clock_ahead_ms(net->clock),
    };
    struct buffer page;
    size_t len;
    ask_site(link, answer, "/metrics");
    if (answer->status != HTTP_STATUS_OK)
        return;
    look_at_parts(net, &gauges);
    look_at_nodes(net, &gauges);
    buffer_init(&page, 0, METRICS_BYTES_MAX);
    buffer_append(&page, answer->body, answer->len);
    net_metrics_write(&net->metrics, &gauges, &page);
    if (!site_is_lone(net->site))
        metrics_site_write(net, &page);
    write_keeper(net, &page);
    answer->made = page.failed ? NULL : buffer_detach(&page, &len);
    if (answer->made) {
        answer->body = (const unsigned char *)answer->made;
        answer->len = len;
        hold_answer(link, len);
    }
    buffer_release(&page);
}

/* A proxy is to send people to the other server. */
static bool is_refused_mute(struct net *net, struct answer *answer, const char *path)
{
    answer->api = strncmp(path, "/api/", 5) == 0;
    const bool health = is_health(path);
    return (answer->api || health) && mute_holds(net);
}

static bool is_hubs(const char *path)
{
    return strncmp(path, "/api/", 5) == 0 || strcmp(path, "/readyz") == 0 ||
           strcmp(path, "/.well-known/taluva-keys.json") == 0;
}

static void choose_answer(struct link *link, const struct http_head *head, const char *path)
{
    struct answer *answer = link->answer;
    const struct asset *asset = assets_find(&link->net->assets, path);
    if (asset)
        set_asset(answer, head, asset);
    else if (is_refused_mute(link->net, answer, path))
        set_text(answer, HTTP_STATUS_SERVICE_UNAVAILABLE, mute_text);
    else if (strcmp(path, "/healthz") == 0)
        set_text(answer, HTTP_STATUS_OK, "ok\n");
    else if (strcmp(path, "/metrics") == 0 && !may_see_metrics(link, head))
        set_text(answer, HTTP_STATUS_FORBIDDEN, "Only requests from this machine are allowed.\n");
    else if (strcmp(path, "/metrics") == 0)
        answer_metrics(link, answer);
    else if (is_hubs(path))
        ask_site(link, answer, path);
    else
        set_text(answer, HTTP_STATUS_NOT_FOUND, "There is nothing here.\n");
}

static void set_not_found(struct answer *answer)
{
    set_text(answer, HTTP_STATUS_NOT_FOUND, "There is nothing here.\n");
}

static bool answer_create(struct link *link)
{
    link->answer = calloc(1, sizeof *link->answer);
    if (link->answer)
        link->state = LINK_ANSWER;
    else
        link_cut(link);
    return link->answer;
}

/* ---- requests */

/*
 * By whose name it is asked. TLS has told the client already that it is here, and a proxy of ours
 * knows what it has names for.
 */
static bool host_is_fine(const struct link *link, const struct http_head *head)
{
    static const char *const none[] = {NULL};
    const struct net_options *options = link->net->options;
    if (options->tls_cert || (link->proxied && head->forwarded_for))
        return true;
    return upgrade_host_is_known(head, options->hosts ? options->hosts : none, options->origins);
}

/* The last answer on the connection. */
static void refuse_request(struct link *link, unsigned int status, const char *text)
{
    if (!answer_create(link))
        return;
    set_text(link->answer, status, text);
    link->answer->close = true;
    begin_answer(link);
}

static void take_request(struct link *link, const struct http_head *head)
{
    char path[PATH_BYTES_MAX + 1] = "";
    struct net *net = link->net;
    if (!answer_create(link))
        return;
    struct answer *answer = link->answer;
    link->since_ms = net_now_ms(net);
    answer->head_only = head->method == HTTP_HEAD;
    answer->close = !head->keep_alive;
    if (head->path.len <= PATH_BYTES_MAX)
        memcpy(path, head->path.at, head->path.len);
    if (!address_rates_request(&net->links.rates, &link->address, link->since_ms)) {
        net->metrics.slow_downs++;
        set_text(answer, STATUS_SLOW_DOWN, "Too many requests: slow down.\n");
    } else if (!is_health(path) && !host_is_fine(link, head)) {
        net->metrics.misdirected++;
        set_text(answer, STATUS_MISDIRECTED, "This server does not know that name: see --host.\n");
    } else if (head->method == HTTP_OTHER || head->method == HTTP_POST) {
        set_text(answer, HTTP_STATUS_METHOD_NOT_ALLOWED, "Only GET and HEAD.\n");
        answer->close = true;
    } else if (!*path) {
        set_not_found(answer);
    } else {
        choose_answer(link, head, path);
    }
    if (!answer->ticket)
        begin_answer(link);
}

static void take_upgrade(struct link *link, const struct http_head *head)
{
    char bytes[UPGRADE_ANSWER_MAX];
    struct net *net = link->net;
    int status = upgrade_check(head);
    if (status == HTTP_STATUS_NOT_FOUND) {
        refuse_request(link, HTTP_STATUS_NOT_FOUND, "WebSockets are at /ws.\n");
    } else if (status != 0) {
        refuse_request(
            link, HTTP_STATUS_BAD_REQUEST,
            "A WebSocket, version 13, with the subprotocol taluva.v1+json is expected.\n");
    } else if (link->proxied &&
               !address_rates_connect(&net->links.rates, &link->address, net_now_ms(net))) {
        refuse_request(link, STATUS_SLOW_DOWN, "Too many connections: slow down.\n");
    } else {
        bool allowed = upgrade_origin_is_allowed(head, net->options->origins) &&
                       (!head->has_origin || host_is_fine(link, head));
        size_t len = upgrade_write_answer(head, bytes);
        if (link_write(link, (const unsigned char *)bytes, len))
            ws_begin(link, allowed ? 0 : WS_POLICY);
    }
}

/*
 * Sets the client's address if the request came through a proxy. False if the proxy's list of
 * addresses cannot be read: then the client is unknown and cannot be limited.
 */
static bool learn_address(struct link *link, const struct http_head *head)
{
    const struct net *net = link->net;
    if (!link->proxied || !head->forwarded_for)
        return true;
    return !head->forwarded_long &&
           address_behind_proxies(&link->address, head->forwarded, net->listen.proxies,
                                  net->listen.proxies_count);
}

static void take_head(struct link *link, const struct http_head *head)
{
    if (!learn_address(link, head))
        refuse_request(link, HTTP_STATUS_BAD_REQUEST, "X-Forwarded-For cannot be read.\n");
    else if (head->wants_upgrade)
        take_upgrade(link, head);
    else
        take_request(link, head);
}

/* Returns how many bytes of the input it took, 0 if it waits for more. */
static size_t take_one(struct link *link)
{
    struct http_head head;
    size_t used = 0;
    switch (http_head_parse(&head, link->input, link->input_len, UPGRADE_PROTOCOL, &used)) {
    case HTTP_INCOMPLETE:
        break;
    case HTTP_COMPLETE:
        take_head(link, &head);
        break;
    case HTTP_BAD:
        refuse_request(link, HTTP_STATUS_BAD_REQUEST, "This request cannot be read.\n");
        break;
    case HTTP_TOO_LARGE:
        refuse_request(link, STATUS_TOO_LARGE, "The head of this request is too large.\n");
        break;
    }
    return used;
}

/* The bytes behind the handshake are the first frames. */
static void become_ws(struct link *link)
{
    char *rest = link->input;
    size_t len = link->input_len;
    link->input = NULL;
    link->input_len = link->input_size = 0;
    ws_receive(link, (unsigned char *)rest, len);
    free(rest);
}

static void take_requests(struct link *link)
{
    size_t used = 1;
    while (used > 0 && link->state == LINK_REQUEST && link->input_len > 0) {
        used = take_one(link);
        if (link->state == LINK_REQUEST || link->state == LINK_ANSWER || link->state == LINK_WS)
            link_drop_input(link, used);
    }
    if (link->state == LINK_WS && link->input_len > 0)
        become_ws(link);
}

void http_receive(struct link *link, const unsigned char *bytes, size_t len)
{
    if (!link_keep_input(link, bytes, len, INPUT_MAX)) {
        link_cut(link); /* it sends more and more requests while one is being answered */
        return;
    }
    take_requests(link);
}

void http_writable(struct link *link)
{
    if (!link->answer || link->answer->ticket || (link->answer->api && mute_holds(link->net)))
        return;
    if (link->answer->begun)
        continue_answer(link);
    else
        begin_answer(link);
    take_requests(link);
}

void http_go_on(struct net *net)
{
    for (struct link *link = net->links.first; link; link = link->next) {
        if (link->answer && !link->answer->ticket && link->state == LINK_ANSWER)
            link_ask_writable(link);
    }
}

/* A link that goes away gives its ticket up: there is one for each ticket. */
static struct link *waiting_for(const struct net *net, uint64_t ticket)
{
    struct link *link = net->links.first;
    while (link && (!link->answer || link->answer->ticket != ticket))
        link = link->next;
    assert(link);
    return link;
}

void http_answered(struct net *net, uint64_t ticket, const struct hub_http_answer *hubs)
{
    struct link *link = waiting_for(net, ticket);
    set_hubs(link, hubs);
    link_ask_writable(link);
    keep_within_bounds(net);
}
