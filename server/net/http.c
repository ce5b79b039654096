/*
 * HTTP: the web client's files, the hub's few answers, and a refusal for everything else. A request
 * is its method and path; a body is never read.
 */
#include "server.h"

#include <net/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADERS_MAX = 1536, AT_ONCE_BYTES = 4096, CHUNK_BYTES = 32768, PATH_MAX_BYTES = 256 };
enum { STATUS_SLOW_DOWN = 429 };

struct answer {
    unsigned int status;
    const char *type, *tag;
    bool gzip, head_only, close, begun;
    const unsigned char *body;
    size_t len, sent;
    uint64_t ticket;             /* not 0: waited for */
    struct hub_http_answer hubs; /* if `owned` */
    bool owned;
    unsigned char *made; /* the body, with LWS_PRE writable bytes before it; or NULL */
};

static void answer_destroy(struct answer *answer)
{
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
        hub_http_cancel(link->net->hub, answer->ticket);
    answer_destroy(answer);
    link->answer = NULL;
}

/* ---- writing ---- */

static const struct {
    const char *name, *value;
} fixed_headers[] = {
    {"content-security-policy:", "default-src 'self'; base-uri 'none'; form-action 'none'; "
                                 "frame-ancestors 'none'; object-src 'none'"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"referrer-policy:", "no-referrer"},
    {"x-content-type-options:", "nosniff"},
};
enum { FIXED_HEADERS = sizeof fixed_headers / sizeof fixed_headers[0] };

struct headers {
    struct lws *wsi;
    unsigned char *at, *end;
    bool failed;
};

static void put(struct headers *headers, const char *name, const char *value)
{
    if (lws_add_http_header_by_name(headers->wsi, (const unsigned char *)name,
                                    (const unsigned char *)value, (int)strlen(value), &headers->at,
                                    headers->end))
        headers->failed = true;
}

static bool has_body(const struct answer *answer)
{
    return answer->status != HTTP_STATUS_NOT_MODIFIED && !answer->head_only && answer->len > 0;
}

static void put_all(struct headers *headers, const struct answer *answer)
{
    for (size_t at = 0; at < FIXED_HEADERS; at++)
        put(headers, fixed_headers[at].name, fixed_headers[at].value);
    put(headers, "cache-control:", answer->tag ? "no-cache" : "no-store");
    if (answer->tag) {
        put(headers, "etag:", answer->tag);
        put(headers, "vary:", "accept-encoding");
    }
    if (answer->status == HTTP_STATUS_METHOD_NOT_ALLOWED)
        put(headers, "allow:", "GET, HEAD");
    if (answer->status == STATUS_SLOW_DOWN)
        put(headers, "retry-after:", "1");
    if (answer->close)
        put(headers, "connection:", "close");
    if (answer->status == HTTP_STATUS_NOT_MODIFIED)
        return;
    if (answer->gzip)
        put(headers, "content-encoding:", "gzip");
    put(headers, "content-type:", answer->type);
    if (lws_add_http_header_content_length(headers->wsi, answer->len, &headers->at, headers->end))
        headers->failed = true;
}

static int finish(struct link *link)
{
    bool close = link->answer->close;
    http_forget(link);
    link->since_ms = net_now_ms(link->net);
    return close || lws_http_transaction_completed(link->wsi) ? -1 : 0;
}

/* Returns how long they are, 0 if they do not fit. */
static size_t write_headers(struct link *link, unsigned char *begin)
{
    const struct answer *answer = link->answer;
    struct headers headers = {link->wsi, begin, begin + HEADERS_MAX, false};
    if (lws_add_http_header_status(link->wsi, answer->status, &headers.at, headers.end))
        return 0;
    put_all(&headers, answer);
    if (headers.failed || lws_finalize_http_header(link->wsi, &headers.at, headers.end))
        return 0;
    return (size_t)(headers.at - begin);
}

/* The headers, and the body along with them if it is small or there is none. */
static int begin_answer(struct link *link)
{
    struct answer *answer = link->answer;
    unsigned char bytes[LWS_PRE + HEADERS_MAX + AT_ONCE_BYTES], *begin = bytes + LWS_PRE;
    size_t len = write_headers(link, begin);
    if (len == 0)
        return -1;
    answer->begun = true;
    bool whole = !has_body(answer) || answer->len <= AT_ONCE_BYTES;
    if (whole && has_body(answer)) {
        memcpy(begin + len, answer->body, answer->len);
        len += answer->len;
    }
    if (lws_write(link->wsi, begin, len, whole ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP_HEADERS) < 0)
        return -1;
    if (whole)
        return finish(link);
    lws_callback_on_writable(link->wsi);
    return 0;
}

static int continue_answer(struct link *link)
{
    struct answer *answer = link->answer;
    size_t left = answer->len - answer->sent, len = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    /* libwebsockets may write in front of what it is given, but not for HTTP/1. */
    unsigned char *bytes = (unsigned char *)(uintptr_t)(answer->body + answer->sent);
    if (lws_write(link->wsi, bytes, len, len == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
        return -1;
    answer->sent += len;
    link->since_ms = net_now_ms(link->net);
    if (answer->sent == answer->len)
        return finish(link);
    lws_callback_on_writable(link->wsi);
    return 0;
}

int http_writable(struct link *link)
{
    if (!link->answer || link->answer->ticket)
        return 0;
    return link->answer->begun ? continue_answer(link) : begin_answer(link);
}

/* ---- answering ---- */

static void set_text(struct answer *answer, unsigned int status, const char *text)
{
    answer->status = status;
    answer->type = "text/plain; charset=utf-8";
    answer->body = (const unsigned char *)text;
    answer->len = strlen(text);
}

static bool header_holds(struct lws *wsi, enum lws_token_indexes token, const char *word)
{
    char value[256];
    return lws_hdr_copy(wsi, value, sizeof value, token) > 0 && strstr(value, word);
}

static void set_asset(struct link *link, struct answer *answer, const struct asset *asset)
{
    answer->gzip =
        asset->gzip.bytes && header_holds(link->wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, "gzip");
    const struct asset_body *body = answer->gzip ? &asset->gzip : &asset->plain;
    bool known = header_holds(link->wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, asset->tag);
    answer->status = known ? HTTP_STATUS_NOT_MODIFIED : HTTP_STATUS_OK;
    answer->type = asset->type;
    answer->tag = asset->tag;
    answer->body = body->bytes;
    answer->len = body->len;
}

static void set_hubs(struct answer *answer, const struct hub_http_answer *hubs)
{
    answer->hubs = *hubs;
    answer->owned = true;
    answer->status = (unsigned int)hubs->status;
    answer->type = hubs->type;
    answer->body = hubs->body;
    answer->len = hubs->len;
    answer->ticket = 0;
}

/* A proxy that was not declared must not make the world look like this machine. */
static bool may_see_metrics(const struct link *link)
{
    if (link->net->options->metrics_everywhere)
        return true;
    if (!link->proxied && lws_hdr_total_length(link->wsi, WSI_TOKEN_X_FORWARDED_FOR) > 0)
        return false;
    return address_is_loopback(&link->address);
}

static void ask_hub(struct link *link, struct answer *answer, const char *path)
{
    struct hub_http_answer hubs;
    uint64_t ticket = 0;
    if (hub_http_get(link->net->hub, path, net_now_ms(link->net), &hubs, &ticket))
        set_hubs(answer, &hubs);
    answer->ticket = ticket;
    net_touch(link->net);
}

/* What the hub counts, and behind it what net counts. */
static void answer_metrics(struct link *link, struct answer *answer)
{
    char metrics[NET_METRICS_BYTES];
    ask_hub(link, answer, "/metrics");
    size_t len = answer->status == HTTP_STATUS_OK ? net_metrics_write(link->net, metrics) : 0;
    answer->made = len ? malloc(LWS_PRE + answer->len + len) : NULL;
    if (!answer->made)
        return;
    memcpy(answer->made + LWS_PRE, answer->body, answer->len);
    memcpy(answer->made + LWS_PRE + answer->len, metrics, len);
    answer->body = answer->made + LWS_PRE;
    answer->len += len;
}

static bool is_hubs(const char *path)
{
    return strncmp(path, "/api/", 5) == 0 || strcmp(path, "/readyz") == 0;
}

static void choose(struct link *link, struct answer *answer, const char *path)
{
    const struct asset *asset = assets_find(&link->net->assets, path);
    if (asset)
        set_asset(link, answer, asset);
    else if (strcmp(path, "/healthz") == 0)
        set_text(answer, HTTP_STATUS_OK, "ok\n");
    else if (strcmp(path, "/metrics") == 0 && !may_see_metrics(link))
        set_text(answer, HTTP_STATUS_FORBIDDEN, "Only from this machine.\n");
    else if (strcmp(path, "/metrics") == 0)
        answer_metrics(link, answer);
    else if (is_hubs(path))
        ask_hub(link, answer, path);
    else
        set_text(answer, HTTP_STATUS_NOT_FOUND, "There is nothing here.\n");
}

static struct answer *answer_create(struct link *link)
{
    http_forget(link); /* a pipelined request never comes before the last is done, but still */
    link->answer = calloc(1, sizeof *link->answer);
    return link->answer;
}

/*
 * Where a request ends has to be beyond doubt: what one reader takes for a body, another may take
 * for the next request.
 */
static bool is_readable(struct lws *wsi)
{
    char length[32];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
        return false;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) == 0)
        return true;
    int len = lws_hdr_copy(wsi, length, sizeof length, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    return len > 0 && strspn(length, "0123456789") == (size_t)len;
}

int http_request(struct link *link, const char *path)
{
    char *uri;
    int uri_len;
    struct answer *answer = answer_create(link);
    if (!answer)
        return -1;
    link->since_ms = net_now_ms(link->net);
    bool readable = is_readable(link->wsi) && link_learn_address(link);
    int method = lws_http_get_uri_and_method(link->wsi, &uri, &uri_len);
    answer->head_only = method == LWSHUMETH_HEAD;
    if (!readable) {
        set_text(answer, HTTP_STATUS_BAD_REQUEST, "This request cannot be read.\n");
        answer->close = true;
    } else if (!address_rates_request(&link->net->rates, &link->address, link->since_ms)) {
        link->net->metrics.slow_downs++;
        set_text(answer, STATUS_SLOW_DOWN, "Too many requests: slow down.\n");
    } else if (method != LWSHUMETH_GET && method != LWSHUMETH_HEAD) {
        set_text(answer, HTTP_STATUS_METHOD_NOT_ALLOWED, "Only GET and HEAD.\n");
        answer->close = true;
    } else if (strlen(path) > PATH_MAX_BYTES) {
        set_text(answer, HTTP_STATUS_NOT_FOUND, "There is nothing here.\n");
    } else {
        choose(link, answer, path);
    }
    return answer->ticket ? 0 : begin_answer(link);
}

static const char *refusal_of_upgrade(unsigned int status)
{
    if (status == HTTP_STATUS_NOT_FOUND)
        return "WebSockets are at /ws.\n";
    return status == STATUS_SLOW_DOWN ? "Too many connections: slow down.\n"
                                      : "A WebSocket, version 13, of taluva.v1+json.\n";
}

/* Negative for libwebsockets: hang up, which is after what has been written. */
int http_refuse(struct link *link, unsigned int status)
{
    struct answer *answer = answer_create(link);
    if (!answer)
        return -1;
    set_text(answer, status, refusal_of_upgrade(status));
    answer->close = true;
    begin_answer(link);
    return -1;
}

void http_answered(struct net *net, uint64_t ticket, struct hub_http_answer *hubs)
{
    for (struct link *link = net->transients; link; link = link->next) {
        if (!link->answer || link->answer->ticket != ticket)
            continue;
        set_hubs(link->answer, hubs);
        lws_callback_on_writable(link->wsi);
        return;
    }
    hub_http_release(hubs);
}
