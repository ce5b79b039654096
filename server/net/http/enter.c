#include "enter.h"

#include "answer.h"
#include "connection.h"
#include "enter_cookie.h"
#include "http_head.h"
#include "log_limit.h"
#include "net_private.h"
#include "query.h"
#include "sockets/address_rates.h"
#include "threads/asker.h"
#include <hub/prometheus.h>
#include <hub/voucher.h>
#include <libwebsockets.h>
#include <net/clock.h>
#include <net/log.h>
#include <protocol/encoding.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USED_STATES = 1024, USED_BYTES = 16, WHO_MAX = 255 };

struct enter {
    const struct net_enter *options;
    struct asker *asker; /* NULL: a proxy says who it is */
    uint8_t cookie_key[ENTER_KEY_BYTES];
    uint64_t numbers;
    struct log_limit said;
    uint64_t outcomes[ENTER_OUTCOMES];
    /* States that have come back; the oldest make room. The provider takes their codes once, too.
     */
    uint8_t used[USED_STATES][USED_BYTES];
    size_t used_count;
};

static const char *const words[ENTER_OUTCOMES] = {
    [ENTER_SIGNED] = "signed",       [ENTER_SENT] = "sent",       [ENTER_UNSTARTED] = "unstarted",
    [ENTER_UNTRUSTED] = "untrusted", [ENTER_EXPIRED] = "expired", [ENTER_DENIED] = "denied",
    [ENTER_REFUSED] = "refused",     [ENTER_AWAY] = "away",       [ENTER_BUSY] = "busy",
};

static void wake_loop(void *ctx)
{
    uv_async_send(&((struct net *)ctx)->run.asked);
}

struct enter *enter_create(struct net *net)
{
    static const char purpose[] = "cookie of a sign-in";
    struct enter *enter = calloc(1, sizeof *enter);
    if (!enter)
        return NULL;
    enter->options = net->options->enter;
    (void)crypto_generichash(enter->cookie_key, sizeof enter->cookie_key, (const uint8_t *)purpose,
                             sizeof purpose - 1, enter->options->key, VOUCHER_KEY_BYTES);
    if (!enter->options->oidc ||
        (enter->asker = asker_create(enter->options->oidc, wake_loop, net)))
        return enter;
    free(enter);
    return NULL;
}

void enter_destroy(struct enter *enter)
{
    if (!enter)
        return;
    asker_destroy(enter->asker);
    sodium_memzero(enter, sizeof *enter);
    free(enter);
}

/* ---- what browsers are sent */

/* To a place of the page, or to the provider. */
static void send_to(struct connection *connection, enum enter_outcome outcome, const char *location)
{
    struct answer *answer = connection->answer;
    struct enter *enter = connection->net->enter;
    enter->outcomes[outcome]++;
    answer->location = strdup(location);
    answer_set_text(answer,
                    answer->location ? HTTP_STATUS_SEE_OTHER : HTTP_STATUS_SERVICE_UNAVAILABLE, "");
}

static void send_back(struct connection *connection, enum enter_outcome outcome)
{
    char location[64];
    (void)snprintf(location, sizeof location, "/#sign-in=%s", words[outcome]);
    send_to(connection, outcome, location);
}

/* `who` is what they are called there, `where` what gives that name. */
static void send_signed(struct connection *connection, const char *where, const char *who,
                        const uint8_t bound[static VOUCHER_BOUND_BYTES])
{
    char location[VOUCHER_SIGNED_TEXT + 16], text[VOUCHER_SIGNED_TEXT + 1];
    const struct net *net = connection->net;
    struct voucher voucher = {.until_ms = net_now_ms(net) + VOUCHER_MS};
    voucher_subject(voucher.subject, where, who);
    memcpy(voucher.bound, bound, sizeof voucher.bound);
    voucher_write(text, &voucher, net->enter->options->key);
    (void)snprintf(location, sizeof location, "/#signed=%s", text);
    send_to(connection, ENTER_SIGNED, location);
}

/* `text` NULL: what was kept is to be forgotten. */
static void set_cookie(struct connection *connection, const char *text)
{
    enum { COOKIE_MAX = ENTER_COOKIE_TEXT + 128 };
    char cookie[COOKIE_MAX];
    (void)snprintf(cookie, sizeof cookie,
                   "%s=%s; Path=/enter; HttpOnly; SameSite=Lax; Max-Age=%d%s", enter_cookie_name,
                   text ? text : "", text ? ENTER_KEPT_MS / 1000 : 0,
                   connection->net->enter->options->secure ? "; Secure" : "");
    free(connection->answer->cookie);
    connection->answer->cookie = strdup(cookie);
}

/* ---- a proxy says who it is */

/* From any other address the header says nothing. */
static void enter_by_header(struct connection *connection, const struct http_head *head,
                            const uint8_t bound[static VOUCHER_BOUND_BYTES])
{
    char who[WHO_MAX + 1];
    struct http_text value;
    const char *header = connection->net->enter->options->header;
    if (!connection->proxied || http_head_find(head, header, &value) != HTTP_FOUND ||
        value.len == 0 || value.len > WHO_MAX || memchr(value.at, '\t', value.len)) {
        send_back(connection, ENTER_UNTRUSTED);
        return;
    }
    memcpy(who, value.at, value.len);
    who[value.len] = '\0';
    send_signed(connection, "proxy", who, bound);
}

/* ---- a provider does */

static void ask_provider(struct connection *connection, struct asker_job *job)
{
    struct enter *enter = connection->net->enter;
    job->number = ++enter->numbers;
    if (asker_give(enter->asker, job))
        connection->answer->entering = job->number;
    else
        send_back(connection, ENTER_BUSY);
}

static void write_attempt(struct asker_job *job, const struct enter_kept *kept)
{
    token_encode(job->state, kept->state);
    token_encode(job->nonce, kept->nonce);
    token_encode(job->verifier, kept->verifier);
    memcpy(job->bound, kept->bound, sizeof job->bound);
}

static void enter_by_provider(struct connection *connection,
                              const uint8_t bound[static VOUCHER_BOUND_BYTES])
{
    struct net *net = connection->net;
    struct enter_kept kept = {.until_ms = net_now_ms(net) + ENTER_KEPT_MS};
    struct asker_job job = {.comes_back = false};
    char text[ENTER_COOKIE_TEXT + 1];
    randombytes_buf(kept.state, sizeof kept.state);
    randombytes_buf(kept.nonce, sizeof kept.nonce);
    randombytes_buf(kept.verifier, sizeof kept.verifier);
    memcpy(kept.bound, bound, sizeof kept.bound);
    write_attempt(&job, &kept);
    enter_cookie_write(text, &kept, net->enter->cookie_key);
    set_cookie(connection, text);
    sodium_memzero(&kept, sizeof kept);
    ask_provider(connection, &job);
}

/* ---- and sends it back */

/* False: it has come back before. */
static bool use_state(struct enter *enter, const uint8_t state[static ENTER_DRAWN_BYTES])
{
    const size_t count = enter->used_count < USED_STATES ? enter->used_count : USED_STATES;
    for (size_t at = 0; at < count; at++) {
        if (sodium_memcmp(enter->used[at], state, USED_BYTES) == 0)
            return false;
    }
    memcpy(enter->used[enter->used_count++ % USED_STATES], state, USED_BYTES);
    return true;
}

/* Is it what this browser has begun, and for the first time? */
static bool is_begun_here(struct connection *connection, const struct http_head *head,
                          struct enter_kept *kept)
{
    struct net *net = connection->net;
    struct http_text cookies;
    char state[ASKER_TEXT + 1];
    uint8_t bytes[ENTER_DRAWN_BYTES];
    return http_head_find(head, "cookie", &cookies) == HTTP_FOUND &&
           enter_cookie_read(kept, cookies, net->enter->cookie_key, net_now_ms(net)) &&
           query_find(head->query, "state", state, sizeof state) == QUERY_FOUND &&
           token_decode(bytes, state, strlen(state)) &&
           sodium_memcmp(bytes, kept->state, sizeof bytes) == 0 &&
           use_state(net->enter, kept->state);
}

/* Who says so is the provider that was asked (RFC 9207), if it is said. */
static bool is_by_issuer(const struct connection *connection, const struct http_head *head)
{
    char issuer[OIDC_CLIENT_MAX + 1];
    const enum query_found found = query_find(head->query, "iss", issuer, sizeof issuer);
    return found == QUERY_ABSENT ||
           (found == QUERY_FOUND &&
            strcmp(issuer, connection->net->enter->options->oidc->issuer) == 0);
}

static void come_back(struct connection *connection, const struct http_head *head)
{
    struct enter_kept kept;
    struct asker_job job = {.comes_back = true};
    char error[64];
    set_cookie(connection, NULL);
    if (!is_begun_here(connection, head, &kept)) {
        send_back(connection, ENTER_EXPIRED);
        return;
    }
    const enum query_found denied = query_find(head->query, "error", error, sizeof error);
    if (denied != QUERY_ABSENT) {
        const bool by_person = denied == QUERY_FOUND && strcmp(error, "access_denied") == 0;
        send_back(connection, by_person ? ENTER_DENIED : ENTER_REFUSED);
    } else if (!is_by_issuer(connection, head) ||
               query_find(head->query, "code", job.code, sizeof job.code) != QUERY_FOUND ||
               !job.code[0]) {
        send_back(connection, ENTER_REFUSED);
    } else {
        write_attempt(&job, &kept);
        ask_provider(connection, &job);
    }
    sodium_memzero(&kept, sizeof kept);
}

static void say_why(struct enter *enter, const struct asker_result *result, int64_t now_ms)
{
    int64_t unsaid;
    if (log_limit_take(&enter->said, now_ms, &unsaid))
        log_text_number(LOG_WARN, result->result == OIDC_AWAY ? "sign_in_away" : "sign_in_refused",
                        "why", result->why, "more", unsaid);
}

static void answer_result(struct connection *connection, const struct asker_result *result)
{
    struct net *net = connection->net;
    if (result->result == OIDC_AWAY)
        send_back(connection, ENTER_AWAY);
    else if (result->result == OIDC_REFUSED)
        send_back(connection, ENTER_REFUSED);
    else if (result->job.comes_back)
        send_signed(connection, net->enter->options->oidc->issuer, result->subject,
                    result->job.bound);
    else
        send_to(connection, ENTER_SENT, result->url);
    connection->answer->entering = 0;
    connection_ask_writable(connection);
}

static struct connection *waiting_for(const struct net *net, uint64_t number)
{
    struct connection *connection = net->connections.first;
    while (connection && (!connection->answer || connection->answer->entering != number))
        connection = connection->next;
    return connection;
}

void enter_go_on(struct net *net)
{
    struct asker_result result;
    while (net->enter && net->enter->asker && asker_take(net->enter->asker, &result)) {
        struct connection *connection = waiting_for(net, result.job.number);
        if (result.result != OIDC_DONE)
            say_why(net->enter, &result, net_now_ms(net));
        if (connection)
            answer_result(connection, &result);
    }
    sodium_memzero(&result, sizeof result);
}

/* ---- requests */

static void begin_sign_in(struct connection *connection, const struct http_head *head)
{
    char text[PROTOCOL_TOKEN_BYTES + 1];
    uint8_t bound[VOUCHER_BOUND_BYTES];
    if (query_find(head->query, "bound", text, sizeof text) != QUERY_FOUND ||
        !token_decode(bound, text, strlen(text)))
        send_back(connection, ENTER_UNSTARTED);
    else if (connection->net->enter->asker)
        enter_by_provider(connection, bound);
    else
        enter_by_header(connection, head, bound);
}

bool enter_take(struct connection *connection, const struct http_head *head, const char *path)
{
    struct net *net = connection->net;
    const bool back = strcmp(path, "/enter/back") == 0;
    if (!net->enter || head->method != HTTP_GET || (!back && strcmp(path, "/enter") != 0) ||
        (back && !net->enter->asker))
        return false;
    /* Each asks another server, or makes what lets somebody in: it counts as a connection. */
    if (!address_rates_connect(&net->connections.rates, &connection->address, net_now_ms(net)))
        send_back(connection, ENTER_BUSY);
    else if (back)
        come_back(connection, head);
    else
        begin_sign_in(connection, head);
    return true;
}

void enter_write_figures(const struct enter *enter, struct buffer *out)
{
    prometheus_head(out, "sign_ins_total", "counter",
                    "Steps of signing in elsewhere, by what came of them.");
    for (int outcome = 0; outcome < ENTER_OUTCOMES; outcome++)
        prometheus_labelled(out, "sign_ins_total", "outcome", words[outcome],
                            enter->outcomes[outcome]);
}
