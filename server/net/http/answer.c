#include "answer.h"

#include "connection.h"
#include "net_private.h"
#include "peers.h"
#include "upload.h"
#include <assert.h>
#include <inttypes.h>
#include <libwebsockets.h>
#include <net/clock.h>
#include <site/program.h>
#include <site/site.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADERS_MAX = 4608, AT_ONCE_BYTES = 4096, CHUNK_BYTES = 32768 };

static void answer_destroy(struct answer *answer)
{
    if (answer->owned)
        hub_http_release(&answer->hubs);
    free(answer->made);
    free(answer->location);
    free(answer->cookie);
    free(answer);
}

bool answer_create(struct connection *connection)
{
    connection->answer = calloc(1, sizeof *connection->answer);
    if (connection->answer)
        connection->state = CONNECTION_ANSWER;
    else
        connection_cut(connection);
    return connection->answer;
}

void answer_forget(struct connection *connection)
{
    struct answer *answer = connection->answer;
    if (!answer)
        return;
    if (answer->ticket)
        site_http_cancel(connection->net->site, answer->ticket);
    if (answer->program) {
        site_program_end(answer->program, net_now_ms(connection->net));
        peers_remove(connection);
        net_touch(connection->net);
    }
    answer_destroy(answer);
    connection_let_go(connection);
    connection->answer = NULL;
}

bool answer_is_waited_for(const struct answer *answer)
{
    return answer->ticket || answer->program || answer->entering;
}

void answer_set_text(struct answer *answer, unsigned int status, const char *text)
{
    answer->status = status;
    answer->type = "text/plain; charset=utf-8";
    answer->body = (const unsigned char *)text;
    answer->len = strlen(text);
}

/* At once or later. */
void answer_set_hubs(struct connection *connection, const struct hub_http_answer *hubs)
{
    struct answer *answer = connection->answer;
    if (hubs->status == STATUS_SLOW_DOWN)
        connection->net->metrics.slow_downs++;
    answer->hubs = *hubs;
    answer->owned = true;
    answer->status = (unsigned int)hubs->status;
    answer->type = hubs->type;
    answer->max_age_s = hubs->max_age_s;
    answer->retry_s = hubs->retry_s;
    answer->body = hubs->body;
    answer->len = hubs->len;
    answer->ticket = 0;
    connection_hold(connection, hubs->len);
}

/* ---- writing */

static const char *reason_of(unsigned int status)
{
    static const struct {
        unsigned int status;
        const char *reason;
    } reasons[] = {
        {HTTP_STATUS_OK, "OK"},
        {HTTP_STATUS_SEE_OTHER, "See Other"},
        {HTTP_STATUS_NOT_MODIFIED, "Not Modified"},
        {HTTP_STATUS_BAD_REQUEST, "Bad Request"},
        {HTTP_STATUS_UNAUTHORIZED, "Unauthorized"},
        {HTTP_STATUS_FORBIDDEN, "Forbidden"},
        {HTTP_STATUS_NOT_FOUND, "Not Found"},
        {HTTP_STATUS_METHOD_NOT_ALLOWED, "Method Not Allowed"},
        {HTTP_STATUS_LENGTH_REQUIRED, "Length Required"},
        {HTTP_STATUS_REQ_ENTITY_TOO_LARGE, "Content Too Large"},
        {HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE, "Unsupported Media Type"},
        {STATUS_MISDIRECTED, "Misdirected Request"},
        {STATUS_OTHER_VERSION, "Upgrade Required"},
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
static const char policy[] =
    "content-security-policy: default-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'";
static const char policy_headers[] = "\r\n"
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

static void put_policy(struct headers *headers, const char *sources)
{
    put(headers, "%s", policy);
    if (sources && *sources)
        put(headers, "; script-src 'self'%s; style-src 'self'%s", sources, sources);
    put(headers, "%s", policy_headers);
}

/* What a token is needed for (RFC 6750, section 3). */
static void put_challenge(struct headers *headers, const struct answer *answer)
{
    if (answer->status == HTTP_STATUS_UNAUTHORIZED)
        put(headers, "www-authenticate: Bearer realm=\"taluva\"%s\r\n",
            answer->had_token ? ", error=\"invalid_token\"" : "");
    else if (answer->status == HTTP_STATUS_FORBIDDEN && answer->scope)
        put(headers,
            "www-authenticate: Bearer realm=\"taluva\", error=\"insufficient_scope\", "
            "scope=\"%s\"\r\n",
            answer->scope);
}

static void put_all(struct headers *headers, const struct answer *answer)
{
    put(headers, "HTTP/1.1 %u %s\r\n%s", answer->status, reason_of(answer->status), fixed_headers);
    if (!answer->part)
        put_policy(headers, answer->sources);
    if (answer->max_age_s > 0)
        put(headers, "cache-control: public, max-age=%" PRId64 "\r\n", answer->max_age_s);
    else
        put(headers, "cache-control: %s\r\n", answer->tag ? "no-cache" : "no-store");
    if (answer->tag)
        put(headers, "etag: %s\r\nvary: accept-encoding\r\n", answer->tag);
    if (answer->status == HTTP_STATUS_METHOD_NOT_ALLOWED)
        put(headers, "allow: %s\r\n", answer->allow ? answer->allow : "GET, HEAD");
    if (answer->status == STATUS_OTHER_VERSION)
        put(headers, "upgrade: websocket\r\nsec-websocket-version: 13\r\n");
    if (answer->status == STATUS_SLOW_DOWN)
        put(headers, "retry-after: 1\r\n");
    if (answer->by_token)
        put_challenge(headers, answer);
    if (answer->retry_s > 0)
        put(headers, "retry-after: %" PRId64 "\r\n", answer->retry_s);
    if (answer->location)
        put(headers, "location: %s\r\n", answer->location);
    if (answer->cookie)
        put(headers, "set-cookie: %s\r\n", answer->cookie);
    if (answer->close)
        put(headers, "connection: close\r\n");
    if (answer->status == HTTP_STATUS_NOT_MODIFIED)
        return;
    if (answer->gzip)
        put(headers, "content-encoding: gzip\r\n");
    put(headers, "content-type: %s\r\ncontent-length: %zu\r\n", answer->type, answer->len);
}

static void finish_answer(struct connection *connection)
{
    bool close = connection->answer->close;
    answer_forget(connection);
    if (close) {
        connection_end(connection);
        return;
    }
    connection->state = CONNECTION_REQUEST;
    connection->since_ms = net_now_ms(connection->net);
}

/* Cuts who has taken nothing for the longest time, so that quick readers are spared. */
void answers_keep_within_bounds(struct net *net)
{
    while (net->connections.http_bytes > (size_t)net->config.http_answer_bytes_in_all) {
        struct connection *slowest = NULL;
        for (struct connection *connection = net->connections.first; connection;
             connection = connection->next) {
            if (connection->held > 0 && (!slowest || connection->since_ms <= slowest->since_ms))
                slowest = connection;
        }
        assert(slowest && "what is counted is held by a connection");
        answer_forget(slowest);
        upload_forget(slowest);
        connection_cut(slowest);
        net->metrics.slow_readers++;
    }
}

/* The headers, and the body along with them if it is small or there is none. */
void answer_begin(struct connection *connection)
{
    char bytes[HEADERS_MAX + AT_ONCE_BYTES];
    struct answer *answer = connection->answer;
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
    if (!connection_write(connection, (const unsigned char *)bytes, len))
        return;
    if (whole) {
        finish_answer(connection);
        return;
    }
    connection_ask_writable(connection);
    answers_keep_within_bounds(connection->net);
}

void answer_continue(struct connection *connection)
{
    struct answer *answer = connection->answer;
    size_t left = answer->len - answer->sent, len = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    if (!connection_write(connection, answer->body + answer->sent, len))
        return;
    answer->sent += len;
    connection->since_ms = net_now_ms(connection->net);
    if (answer->sent == answer->len)
        finish_answer(connection);
    else
        connection_ask_writable(connection);
}
