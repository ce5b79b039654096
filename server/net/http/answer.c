#include "answer.h"

#include "link.h"
#include "net_private.h"
#include "upload.h"
#include <assert.h>
#include <inttypes.h>
#include <libwebsockets.h>
#include <net/clock.h>
#include <site/site.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADERS_MAX = 1536, AT_ONCE_BYTES = 4096, CHUNK_BYTES = 32768 };

static void answer_destroy(struct answer *answer)
{
    if (answer->owned)
        hub_http_release(&answer->hubs);
    free(answer->made);
    free(answer);
}

bool answer_create(struct link *link)
{
    link->answer = calloc(1, sizeof *link->answer);
    if (link->answer)
        link->state = LINK_ANSWER;
    else
        link_cut(link);
    return link->answer;
}

void answer_forget(struct link *link)
{
    struct answer *answer = link->answer;
    if (!answer)
        return;
    if (answer->ticket)
        site_http_cancel(link->net->site, answer->ticket);
    answer_destroy(answer);
    link_let_go(link);
    link->answer = NULL;
}

void answer_set_text(struct answer *answer, unsigned int status, const char *text)
{
    answer->status = status;
    answer->type = "text/plain; charset=utf-8";
    answer->body = (const unsigned char *)text;
    answer->len = strlen(text);
}

/* At once or later. */
void answer_set_hubs(struct link *link, const struct hub_http_answer *hubs)
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
    link_hold(link, hubs->len);
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
        {HTTP_STATUS_LENGTH_REQUIRED, "Length Required"},
        {HTTP_STATUS_REQ_ENTITY_TOO_LARGE, "Content Too Large"},
        {HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE, "Unsupported Media Type"},
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
        put(headers, "allow: %s\r\n", answer->allow ? answer->allow : "GET, HEAD");
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
    answer_forget(link);
    if (close) {
        link_end(link);
        return;
    }
    link->state = LINK_REQUEST;
    link->since_ms = net_now_ms(link->net);
}

/* Cuts who has taken nothing for the longest time, so that quick readers are spared. */
void answers_keep_within_bounds(struct net *net)
{
    while (net->links.http_bytes > (size_t)net->config.http_answer_bytes_in_all) {
        struct link *slowest = NULL;
        for (struct link *link = net->links.first; link; link = link->next) {
            if (link->held > 0 && (!slowest || link->since_ms <= slowest->since_ms))
                slowest = link;
        }
        assert(slowest && "what is counted is held by a link");
        answer_forget(slowest);
        upload_forget(slowest);
        link_cut(slowest);
        net->metrics.slow_readers++;
    }
}

/* The headers, and the body along with them if it is small or there is none. */
void answer_begin(struct link *link)
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
    answers_keep_within_bounds(link->net);
}

void answer_continue(struct link *link)
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
