#include "http.h"

#include "answer.h"
#include "assets.h"
#include "bearer.h"
#include "connection.h"
#include "enter.h"
#include "http_head.h"
#include "metrics.h"
#include "metrics_site.h"
#include "net_private.h"
#include "parts/lease.h"
#include "parts/part.h"
#include "relay/neighbours.h"
#include "sockets/address.h"
#include "sockets/address_rates.h"
#include "threads/checker.h"
#include "upgrade.h"
#include "upload.h"
#include "ws/ws.h"
#include <assert.h>
#include <libwebsockets.h>
#include <net/clock.h>
#include <net/keeper.h>
#include <site/program.h>
#include <site/site.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* A head that is not complete, and what libwebsockets reads at once; and behind a request that is
 * being answered the next one, with its body. */
enum { INPUT_MAX = HTTP_HEAD_MAX + READ_BYTES };
enum { AHEAD_MAX = INPUT_MAX + HUB_HTTP_POST_MAX };
enum { METRICS_BYTES_MAX = 8 << 20 };

/* ---- answering */

static bool is_health(const char *path)
{
    return strcmp(path, "/readyz") == 0 || strcmp(path, "/healthz") == 0;
}

static void set_asset(struct answer *answer, const struct http_head *head,
                      const struct asset *asset)
{
    answer->gzip = asset->gzip.bytes && http_list_accepts(head->accept_encoding, "gzip");
    const struct asset_body *body = answer->gzip ? &asset->gzip : &asset->plain;
    bool known = http_list_has_tag(head->if_none_match, asset->tag);
    answer->status = known ? HTTP_STATUS_NOT_MODIFIED : HTTP_STATUS_OK;
    answer->type = asset->type;
    answer->tag = asset->tag;
    answer->part = asset->part;
    answer->sources = asset->sources;
    answer->body = body->bytes;
    answer->len = body->len;
}

/* What came through a proxy came from elsewhere, whatever address of whom it reports. */
static bool may_see_metrics(const struct connection *connection, const struct http_head *head)
{
    if (connection->net->options->metrics_everywhere)
        return true;
    return !head->through_proxy && address_is_loopback(&connection->address);
}

static void ask_site(struct connection *connection, struct answer *answer, const char *path)
{
    struct hub_http_answer hubs;
    uint64_t ticket = 0;
    if (site_http_get(connection->net->site, path, connection->address.bytes,
                      net_now_ms(connection->net), &hubs, &ticket))
        answer_set_hubs(connection, &hubs);
    answer->ticket = ticket;
    net_touch(connection->net);
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
        gauges->lease_lost = lease_is_lost(part) || gauges->lease_lost;
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
static void answer_metrics(struct connection *connection, struct answer *answer)
{
    const struct net *net = connection->net;
    struct net_gauges gauges = {
        .features = site_features(net->site),
        .http_sockets = net->connections.http_count,
        .answer_bytes = net->connections.http_bytes,
        .stood_still_ms = net->clock->lost_ms,
        .clock_ahead_ms = net_clock_ahead_ms(net->clock),
    };
    struct buffer page;
    size_t len;
    ask_site(connection, answer, "/metrics");
    if (answer->status != HTTP_STATUS_OK)
        return;
    look_at_parts(net, &gauges);
    look_at_nodes(net, &gauges);
    buffer_init(&page, 0, METRICS_BYTES_MAX);
    buffer_append(&page, answer->body, answer->len);
    net_metrics_write(&net->metrics, &gauges, &page);
    if (net->enter)
        enter_write_figures(net->enter, &page);
    if (!site_is_lone(net->site))
        metrics_site_write(net, &page);
    write_keeper(net, &page);
    answer->made = page.failed ? NULL : buffer_detach(&page, &len);
    if (answer->made) {
        answer->body = (const unsigned char *)answer->made;
        answer->len = len;
        connection_hold(connection, len);
    }
    buffer_release(&page);
}

/* A proxy is to send people to the other server. */
static bool is_refused_without_lease(struct net *net, struct answer *answer, const char *path,
                                     const struct site_page *page)
{
    answer->stored = page->stored;
    return (page->stored || is_health(path)) && lease_holds_back(net);
}

/* Of a program, by its token. */
static void ask_by_token(struct connection *connection, const struct http_head *head,
                         const char *path, bool gets)
{
    char token[PROTOCOL_ACCESS_BYTES + 1];
    const bool has_token = http_text_bearer(&head->authorization, token);
    if (gets)
        bearer_ask(connection,
                   &(struct site_program_asked){.path = path, .token = has_token ? token : NULL});
    else
        answer_set_text(connection->answer, HTTP_STATUS_METHOD_NOT_ALLOWED, "only POST\n");
    sodium_memzero(token, sizeof token);
}

static void choose_answer(struct connection *connection, const struct http_head *head,
                          const char *path)
{
    struct answer *answer = connection->answer;
    struct site_page page = {0};
    const bool is_page = site_http_page(connection->net->site, path, &page);
    const struct asset *asset = assets_find(&connection->net->assets, path);
    if (asset)
        set_asset(answer, head, asset);
    else if (enter_take(connection, head, path))
        return;
    else if (is_refused_without_lease(connection->net, answer, path, &page))
        answer_set_text(answer, HTTP_STATUS_SERVICE_UNAVAILABLE, lease_lost_text);
    else if (strcmp(path, "/healthz") == 0)
        answer_set_text(answer, HTTP_STATUS_OK, "ok\n");
    else if (strcmp(path, "/metrics") == 0 && !may_see_metrics(connection, head))
        answer_set_text(answer, HTTP_STATUS_FORBIDDEN,
                        "Only requests from this machine are allowed.\n");
    else if (strcmp(path, "/metrics") == 0)
        answer_metrics(connection, answer);
    else if (page.by_token)
        ask_by_token(connection, head, path, page.gets);
    else if (is_page)
        ask_site(connection, answer, path);
    else
        answer_set_text(answer, HTTP_STATUS_NOT_FOUND, "There is nothing here.\n");
}

/* ---- requests */

/*
 * By whose name it is asked. TLS has told the client already that it is here, and a proxy of ours
 * knows what it has names for.
 */
static bool host_is_fine(const struct connection *connection, const struct http_head *head)
{
    static const char *const none[] = {NULL};
    const struct net_options *options = connection->net->options;
    if (options->tls_cert || (connection->proxied && head->forwarded_for))
        return true;
    return upgrade_host_is_known(head, options->hosts ? options->hosts : none, options->origins);
}

/* The last answer on the connection. */
static void refuse_request(struct connection *connection, unsigned int status, const char *text)
{
    if (!answer_create(connection))
        return;
    answer_set_text(connection->answer, status, text);
    connection->answer->close = true;
    answer_begin(connection);
}

/* The methods that there are at a path; NULL: GET and HEAD. */
static const char *methods_at(const struct net *net, const char *path)
{
    struct site_page page;
    if (!site_http_page(net->site, path, &page) || !page.post_type)
        return NULL;
    return page.gets ? "GET, HEAD, POST" : "POST";
}

/* 0: it is not refused before anything else is looked at. */
static unsigned int refusal_of(struct connection *connection, const struct http_head *head,
                               const char *path)
{
    struct net *net = connection->net;
    struct site_page page = {0};
    if (!address_rates_request(&net->connections.rates, &connection->address,
                               connection->since_ms)) {
        net->metrics.slow_downs++;
        return STATUS_SLOW_DOWN;
    }
    if (!is_health(path) && !host_is_fine(connection, head)) {
        net->metrics.misdirected++;
        return STATUS_MISDIRECTED;
    }
    if (head->method == HTTP_OTHER)
        return HTTP_STATUS_METHOD_NOT_ALLOWED;
    if (head->method == HTTP_POST) {
        (void)site_http_page(net->site, path, &page);
        return upload_check(&page, head);
    }
    return *path ? 0 : HTTP_STATUS_NOT_FOUND;
}

static const char *text_of_refusal(unsigned int status)
{
    switch (status) {
    case HTTP_STATUS_BAD_REQUEST:
        return "Host or Origin is too long.\n";
    case HTTP_STATUS_METHOD_NOT_ALLOWED:
        return "This page has no such method: see Allow.\n";
    case HTTP_STATUS_LENGTH_REQUIRED:
        return "Content-Length is missing.\n";
    case HTTP_STATUS_REQ_ENTITY_TOO_LARGE:
        return "That is more than this page takes.\n";
    case HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE:
        return "This page takes another Content-Type.\n";
    case STATUS_MISDIRECTED:
        return "This server does not know that name: see --host.\n";
    case STATUS_SLOW_DOWN:
        return "Too many requests: slow down.\n";
    }
    return "There is nothing here.\n";
}

static void begin_upload(struct connection *connection, const struct http_head *head)
{
    if (upload_begin(connection, head))
        answers_keep_within_bounds(connection->net);
    else
        connection_cut(connection);
}

static void take_request(struct connection *connection, const struct http_head *head)
{
    char path[UPLOAD_PATH_MAX + 1] = "";
    connection->since_ms = net_now_ms(connection->net);
    if (head->path.len <= UPLOAD_PATH_MAX)
        memcpy(path, head->path.at, head->path.len);
    const unsigned int refusal = refusal_of(connection, head, path);
    const bool has_body = head->method == HTTP_POST || head->method == HTTP_OTHER;
    if (!refusal && has_body) {
        begin_upload(connection, head);
        return;
    }
    if (!answer_create(connection))
        return;
    struct answer *answer = connection->answer;
    answer->head_only = head->method == HTTP_HEAD;
    answer->close = !head->keep_alive || has_body; /* which is not read then */
    if (refusal)
        answer_set_text(answer, refusal, text_of_refusal(refusal));
    else
        choose_answer(connection, head, path);
    if (answer->status == HTTP_STATUS_METHOD_NOT_ALLOWED)
        answer->allow = methods_at(connection->net, path);
    if (!answer_is_waited_for(answer) && connection->state == CONNECTION_ANSWER)
        answer_begin(connection);
}

static void take_post_by_token(struct connection *connection)
{
    const struct hub_http_post post = upload_post(connection->upload);
    bearer_ask(connection, &(struct site_program_asked){.path = post.path,
                                                        .token = upload_token(connection->upload),
                                                        .body = post.body,
                                                        .len = post.len});
    upload_forget(connection);
    if (connection->state != CONNECTION_ANSWER || answer_is_waited_for(connection->answer))
        return;
    connection_hold(connection, connection->answer->len); /* it was let go of with the rest */
    answer_begin(connection);
}

/* What was sent is here. */
static void take_post(struct connection *connection)
{
    struct site_page page = {0};
    struct net *net = connection->net;
    const struct hub_http_post post = upload_post(connection->upload);
    struct hub_http_answer hubs;
    uint64_t ticket = 0;
    bool answered = false;
    if (!answer_create(connection))
        return;
    struct answer *answer = connection->answer;
    answer->close = !upload_keeps_alive(connection->upload);
    connection->since_ms = net_now_ms(net);
    (void)site_http_page(net->site, post.path, &page);
    const bool refused = is_refused_without_lease(net, answer, post.path, &page);
    if (!refused && page.by_token) {
        take_post_by_token(connection);
        return;
    }
    if (!refused)
        answered = site_http_post(net->site, &post, connection->address.bytes, connection->since_ms,
                                  &hubs, &ticket);
    upload_forget(connection);
    if (refused)
        answer_set_text(answer, HTTP_STATUS_SERVICE_UNAVAILABLE, lease_lost_text);
    else if (answered)
        answer_set_hubs(connection, &hubs);
    answer->ticket = ticket;
    net_touch(net);
    if (!ticket)
        answer_begin(connection);
}

static void take_upgrade(struct connection *connection, const struct http_head *head)
{
    char bytes[UPGRADE_ANSWER_MAX];
    struct net *net = connection->net;
    int status = upgrade_check(head);
    if (status == HTTP_STATUS_NOT_FOUND) {
        refuse_request(connection, HTTP_STATUS_NOT_FOUND, "WebSockets are at /ws.\n");
    } else if (status != 0) {
        refuse_request(
            connection, (unsigned int)status,
            "A WebSocket, version 13, with the subprotocol taluva.v1+json is expected.\n");
    } else if (connection->proxied &&
               !address_rates_connect(&net->connections.rates, &connection->address,
                                      net_now_ms(net))) {
        refuse_request(connection, STATUS_SLOW_DOWN, "Too many connections: slow down.\n");
    } else {
        bool allowed = upgrade_origin_is_allowed(head, net->options->origins) &&
                       (!head->has_origin || host_is_fine(connection, head));
        const char *const *quiet = net->options->quiet_hosts;
        size_t len = upgrade_write_answer(head, bytes);
        connection->quiet = quiet && *quiet && upgrade_host_is_named(head, quiet);
        if (connection_write(connection, (const unsigned char *)bytes, len))
            ws_begin(connection, allowed ? 0 : WS_POLICY);
    }
}

/*
 * Sets the client's address if the request came through a proxy. False if the proxy's list of
 * addresses cannot be read: then the client is unknown and cannot be limited.
 */
static bool learn_address(struct connection *connection, const struct http_head *head)
{
    const struct net *net = connection->net;
    if (!connection->proxied || !head->forwarded_for)
        return true;
    return !head->forwarded_long &&
           address_behind_proxies(&connection->address, head->forwarded, net->listen.proxies,
                                  net->listen.proxies_count);
}

static void take_head(struct connection *connection, const struct http_head *head)
{
    if (!learn_address(connection, head))
        refuse_request(connection, HTTP_STATUS_BAD_REQUEST, "X-Forwarded-For cannot be read.\n");
    else if (head->wants_upgrade)
        take_upgrade(connection, head);
    else
        take_request(connection, head);
}

/* Returns how many bytes of the input it took, 0 if it waits for more. */
static size_t read_request(struct connection *connection, bool *waits)
{
    struct http_head head;
    size_t used = 0;
    *waits = false;
    switch (
        http_head_parse(&head, connection->input, connection->input_len, UPGRADE_PROTOCOL, &used)) {
    case HTTP_INCOMPLETE:
        break;
    case HTTP_COMPLETE:
        *waits = head.waits;
        take_head(connection, &head);
        break;
    case HTTP_BAD:
        refuse_request(connection, HTTP_STATUS_BAD_REQUEST, "This request cannot be read.\n");
        break;
    case HTTP_TOO_LARGE:
        refuse_request(connection, STATUS_TOO_LARGE, "The head of this request is too large.\n");
        break;
    }
    return used;
}

/* The same, of a request or of the body of one. */
static size_t take_one(struct connection *connection)
{
    static const unsigned char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    bool waits = false;
    size_t used = connection->upload ? 0 : read_request(connection, &waits);
    if (connection->upload && upload_take(connection, &used))
        take_post(connection);
    else if (connection->upload && waits)
        (void)connection_write(connection, go_on, sizeof go_on - 1);
    return used;
}

/* The bytes behind the handshake are the first frames. */
static void become_ws(struct connection *connection)
{
    char *rest = connection->input;
    size_t len = connection->input_len;
    connection->input = NULL;
    connection->input_len = connection->input_size = 0;
    ws_receive(connection, (unsigned char *)rest, len);
    free(rest);
}

static void take_requests(struct connection *connection)
{
    size_t used = 1;
    while (used > 0 && connection->state == CONNECTION_REQUEST && connection->input_len > 0) {
        used = take_one(connection);
        if (connection->state == CONNECTION_REQUEST || connection->state == CONNECTION_ANSWER ||
            connection->state == CONNECTION_WS)
            connection_drop_input(connection, used);
    }
    if (connection->state == CONNECTION_WS && connection->input_len > 0)
        become_ws(connection);
}

void http_receive(struct connection *connection, const unsigned char *bytes, size_t len)
{
    const size_t most = connection->state == CONNECTION_ANSWER ? AHEAD_MAX : INPUT_MAX;
    if (!connection_keep_input(connection, bytes, len, most)) {
        connection_cut(
            connection); /* it sends more and more requests while one is being answered */
        return;
    }
    take_requests(connection);
}

void http_writable(struct connection *connection)
{
    if (!connection->answer || answer_is_waited_for(connection->answer) ||
        (connection->answer->stored && lease_holds_back(connection->net)))
        return;
    if (connection->answer->begun)
        answer_continue(connection);
    else
        answer_begin(connection);
    take_requests(connection);
}

void http_go_on(struct net *net)
{
    for (struct connection *connection = net->connections.first; connection;
         connection = connection->next) {
        bearer_flush(connection);
        if (connection->answer && !answer_is_waited_for(connection->answer) &&
            connection->state == CONNECTION_ANSWER)
            connection_ask_writable(connection);
    }
}

/* A connection that goes away gives its ticket up: there is one for each ticket. */
static struct connection *waiting_for(const struct net *net, uint64_t ticket)
{
    struct connection *connection = net->connections.first;
    while (connection && (!connection->answer || connection->answer->ticket != ticket))
        connection = connection->next;
    assert(connection);
    return connection;
}

void http_answered(struct net *net, uint64_t ticket, const struct hub_http_answer *hubs)
{
    struct connection *connection = waiting_for(net, ticket);
    answer_set_hubs(connection, hubs);
    connection_ask_writable(connection);
    answers_keep_within_bounds(net);
}
