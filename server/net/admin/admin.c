#define _GNU_SOURCE /* struct ucred, SO_PEERGROUPS */
#include "admin.h"

#include "admin_audit.h"
#include "admin_site.h"
#include "listen.h"
#include "net_private.h"
#include "sockets/acceptor.h"
#include "sockets/address.h"
#include "sockets/listen_address.h"
#include <assert.h>
#include <errno.h>
#include <hub/admin.h>
#include <hub/ban_target.h>
#include <net/clock.h>
#include <net/log.h>
#include <protocol/request.h>
#include <pwd.h>
#include <site/documents.h>
#include <site/operator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BACKLOG = 128, GROUPS_MAX = 1024, PASSWD_BYTES = 4096 };
/* One that has been silent for so long makes room for another one. */
enum { SILENT_MS = 1000 };

/* Its two handles are closed together; it is freed when both are. */
struct admin_peer {
    struct net *net;
    struct admin_peer *next, **back;
    uv_pipe_t pipe;
    uv_timer_t timer; /* runs while an answer is being read by the other side */
    uv_write_t write;
    struct buffer answer; /* being written */
    struct admin_who who;
    int open_handles;
    uint64_t heard_ms; /* when it has asked something last, or was answered */
    bool last;         /* it is closed when the answer is written */
    size_t input_len;
    char input[ADMIN_LINE_BYTES + 1];
};

/* ---- the list of them, the one that has sent something last first */

static void list_remove(struct admin_peer *peer)
{
    *peer->back = peer->next;
    if (peer->next)
        peer->next->back = peer->back;
}

static void list_add(struct admin_peer *peer)
{
    struct net_admin *admin = &peer->net->admin;
    peer->back = &admin->first;
    peer->next = admin->first;
    if (peer->next)
        peer->next->back = &peer->next;
    admin->first = peer;
}

/* ---- the end of a connection */

static void on_handle_closed(uv_handle_t *handle)
{
    struct admin_peer *peer = handle->data;
    if (--peer->open_handles > 0)
        return;
    buffer_release(&peer->answer);
    free(peer);
}

static void cut_peer(struct admin_peer *peer)
{
    if (uv_is_closing((uv_handle_t *)&peer->pipe))
        return;
    list_remove(peer);
    if (peer->net->admin.waiting.peer == peer)
        peer->net->admin.waiting.peer = NULL;
    peer->net->admin.count--;
    uv_close((uv_handle_t *)&peer->pipe, on_handle_closed);
    uv_close((uv_handle_t *)&peer->timer, on_handle_closed);
}

static void on_late(uv_timer_t *timer)
{
    log_event(LOG_WARN, "admin_slow_reader");
    cut_peer(timer->data);
}

/* ---- one request */

static const char *result_of(const struct refusal *refusal)
{
    return refusal->error == PROTOCOL_OK ? refusal->code : protocol_error_code(refusal->error);
}

static bool audit_request(const struct net *net, const struct admin_who *who,
                          const struct admin_request *request, const char *result)
{
    const char *why;
    const bool written = admin_audit(net->options->audit, who, request, result, &why);
    if (!written)
        log_text(LOG_ERROR, "audit_failed", "why", why);
    return written;
}

/* What is allowed to speak for others is no address of theirs. */
static bool is_of_a_proxy(const struct net *net, const struct ban_target *target)
{
    for (size_t i = 0; i < net->listen.proxies_count; i++) {
        const struct network *proxy = &net->listen.proxies[i];
        const bool ipv4 = proxy->prefix >= 96 && address_is_ipv4(&proxy->base);
        const int bits = ipv4 ? proxy->prefix - 96 + 32 : proxy->prefix;
        const struct ban_target network = {.base = address_prefix_of(proxy->base.bytes),
                                           .bits = (uint8_t)(bits < 64 ? bits : 64)};
        if (ban_target_meets(target, &network))
            return true;
    }
    return false;
}

static bool is_allowed(const struct net *net, const struct admin_request *request,
                       struct refusal *refusal)
{
    const bool forced = !(request->word->may & MEMBER_FORCE) || request->force;
    if (forced || request->target.session || !is_of_a_proxy(net, &request->target))
        return true;
    *refusal = (struct refusal){.code = "is_proxy",
                                .text = "That is the address of a trusted proxy; it needs force."};
    return false;
}

static void wait_for_site(struct admin_peer *peer, const struct admin_request *request)
{
    struct net_admin *admin = &peer->net->admin;
    assert(!admin->waits);
    admin->waits = true;
    admin->waiting = (struct admin_change){.peer = peer, .who = peer->who, .request = *request};
}

/* What holds goes on unless they are kept. */
static void keep_document(const struct net *net, const struct buffer *text)
{
    const struct net_options *options = net->options;
    const char *name = site_operator_document(net->site);
    if (!options->change_document(options->part_ctx, name, buffer_payload(text), text->len,
                                  site_document_revision(net->site, name)))
        site_document_kept(net->site, DOCUMENT_FAILED);
}

/* What the operator is told beside what hubs know. */
static void write_status(void *ctx, struct writer *writer)
{
    const struct net *net = ctx;
    writer_key_int(writer, "clock_ahead_ms", net_clock_ahead_ms(net->clock));
    if (!site_is_lone(net->site))
        admin_site_status(ctx, writer);
}

static enum admin_outcome ask_request(struct admin_peer *peer, const struct admin_request *request,
                                      struct refusal *refusal)
{
    struct net *net = peer->net;
    struct buffer text;
    net->metrics.admin[request->number]++;
    if (request->op == ADMIN_DRAIN)
        return admin_site_drain(net, request, &peer->answer);
    const struct site_inquiry inquiry = {
        .request = request,
        .server = net->options->server,
        .draining = net->admin.drains || net->run.state != NET_SERVING,
        .most = net->options->change_document ? (size_t)net->options->bans : 0,
        .status = write_status,
        .ctx = net,
    };
    buffer_init(&text, 0, ADMIN_ANSWER_BYTES);
    enum admin_outcome outcome =
        site_operator_ask(net->site, &inquiry, net_now_ms(net), &peer->answer, &text, refusal);
    if (outcome == ADMIN_WAITS && text.len > 0)
        keep_document(net, &text);
    if (outcome == ADMIN_WAITS)
        outcome = site_operator_next(net->site, net_now_ms(net), &peer->answer, refusal);
    buffer_release(&text);
    return outcome;
}

/* What only looks leaves no line. */
static enum admin_outcome answer_look(struct admin_peer *peer, const struct admin_request *request,
                                      struct refusal *refusal)
{
    const enum admin_outcome outcome = ask_request(peer, request, refusal);
    if (outcome == ADMIN_WAITS)
        wait_for_site(peer, request);
    return outcome;
}

/* The line before says that it is tried, so that nothing is changed without any line. */
static enum admin_outcome change_by_request(struct admin_peer *peer,
                                            const struct admin_request *request,
                                            struct refusal *refusal)
{
    struct net *net = peer->net;
    if (!audit_request(net, &peer->who, request, "begun")) {
        *refusal = (struct refusal){.code = "audit_failing",
                                    .text = "The audit log cannot be written; nothing was done."};
        return ADMIN_REFUSED;
    }
    enum admin_outcome outcome = ADMIN_REFUSED;
    if (is_allowed(net, request, refusal))
        outcome = ask_request(peer, request, refusal);
    if (outcome == ADMIN_WAITS)
        wait_for_site(peer, request);
    else
        (void)audit_request(net, &peer->who, request,
                            outcome == ADMIN_DONE ? "ok" : result_of(refusal));
    log_text(LOG_INFO, "admin", "op", request->word->word);
    return outcome;
}

/* False: the answer comes later. */
static bool answer_line(struct admin_peer *peer, const char *line, size_t len)
{
    struct net *net = peer->net;
    struct admin_request request;
    struct refusal refusal = {0};
    enum admin_outcome outcome = ADMIN_REFUSED;
    const bool read = admin_request_read(&request, site_features(net->site), line, len, &refusal);
    if (read && request.word->changes)
        outcome = change_by_request(peer, &request, &refusal);
    else if (read)
        outcome = answer_look(peer, &request, &refusal);
    if (outcome == ADMIN_REFUSED)
        admin_write_refusal(request.id, &refusal, &peer->answer);
    net_touch(net);
    return outcome != ADMIN_WAITS;
}

/* ---- reading and writing */

static void pump_input(struct admin_peer *peer);

static void on_written(uv_write_t *write, int status)
{
    struct admin_peer *peer = write->data;
    if (uv_is_closing((uv_handle_t *)&peer->pipe))
        return;
    uv_timer_stop(&peer->timer);
    buffer_clear(&peer->answer);
    peer->heard_ms = uv_now(&peer->net->loop);
    if (status < 0 || peer->last)
        cut_peer(peer);
    else
        pump_input(peer);
}

static void send_answer(struct admin_peer *peer)
{
    if (peer->answer.failed) { /* no memory for it */
        cut_peer(peer);
        return;
    }
    const uv_buf_t bytes = {.base = peer->answer.bytes, .len = peer->answer.len};
    uv_read_stop((uv_stream_t *)&peer->pipe);
    if (uv_write(&peer->write, (uv_stream_t *)&peer->pipe, &bytes, 1, on_written) != 0) {
        cut_peer(peer);
        return;
    }
    uv_timer_start(&peer->timer, on_late, (uint64_t)peer->net->config.admin_timeout_ms, 0);
}

static void on_room(uv_handle_t *handle, size_t size, uv_buf_t *out)
{
    struct admin_peer *peer = handle->data;
    (void)size;
    out->base = peer->input + peer->input_len;
    out->len = sizeof peer->input - peer->input_len;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *bytes)
{
    struct admin_peer *peer = stream->data;
    (void)bytes;
    if (count < 0) {
        cut_peer(peer);
        return;
    }
    peer->input_len += (size_t)count;
    peer->heard_ms = uv_now(&peer->net->loop);
    list_remove(peer);
    list_add(peer);
    pump_input(peer);
}

/* The first line is too long: its rest is not waited for. */
static void refuse_length(struct admin_peer *peer)
{
    const struct refusal refusal = {.error = PROTOCOL_TOO_LONG};
    admin_write_refusal(REQUEST_NO_ID, &refusal, &peer->answer);
    peer->last = true;
    send_answer(peer);
}

/* Answers the first line, if it is whole; nothing more is read before its answer is written. */
static void pump_input(struct admin_peer *peer)
{
    const char *end = memchr(peer->input, '\n', peer->input_len);
    if (!end) {
        if (peer->input_len == sizeof peer->input)
            refuse_length(peer);
        else
            uv_read_start((uv_stream_t *)&peer->pipe, on_room, on_read);
        return;
    }
    const size_t len = (size_t)(end - peer->input);
    const bool answered = answer_line(peer, peer->input, len);
    peer->input_len -= len + 1;
    memmove(peer->input, end + 1, peer->input_len);
    if (answered)
        send_answer(peer);
    else
        uv_read_stop((uv_stream_t *)&peer->pipe);
}

/* The audit log gets the result even if who asked is gone. */
static void end_wait(struct net *net, enum admin_outcome outcome, const struct buffer *line,
                     const struct refusal *refusal)
{
    struct admin_change *waiting = &net->admin.waiting;
    struct admin_peer *peer = waiting->peer;
    net->admin.waits = false;
    if (waiting->request.word->changes)
        (void)audit_request(net, &waiting->who, &waiting->request,
                            outcome == ADMIN_DONE ? "ok" : result_of(refusal));
    if (outcome == ADMIN_DONE && peer)
        buffer_append(&peer->answer, buffer_payload(line), line->len);
    else if (peer)
        admin_write_refusal(waiting->request.id, refusal, &peer->answer);
    if (peer)
        send_answer(peer);
}

void admin_pump(struct net *net)
{
    struct buffer line;
    struct refusal refusal = {0};
    if (!net->admin.waits)
        return;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    const enum admin_outcome outcome =
        site_operator_next(net->site, net_now_ms(net), &line, &refusal);
    if (outcome != ADMIN_WAITS)
        end_wait(net, outcome, &line, &refusal);
    buffer_release(&line);
}

/* ---- who is there */

static void find_user(struct admin_who *who)
{
    char bytes[PASSWD_BYTES];
    struct passwd entry, *found = NULL;
    if (getpwuid_r(who->uid, &entry, bytes, sizeof bytes, &found) == 0 && found)
        snprintf(who->user, sizeof who->user, "%s", entry.pw_name);
}

/* Is the server's group among the groups of the process at the other end? */
static bool shares_group(int fd, const struct ucred *peer)
{
    gid_t groups[GROUPS_MAX];
    socklen_t size = sizeof groups;
    if (peer->gid == getegid())
        return true;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0)
        return false;
    for (size_t at = 0; at < size / sizeof groups[0]; at++) {
        if (groups[at] == getegid())
            return true;
    }
    return false;
}

static bool may_ask(struct admin_peer *peer)
{
    struct ucred found;
    socklen_t size = sizeof found;
    uv_os_fd_t fd;
    if (uv_fileno((uv_handle_t *)&peer->pipe, &fd) != 0 ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &found, &size) != 0)
        return false;
    peer->who = (struct admin_who){.uid = found.uid, .pid = found.pid};
    if (found.uid != 0 && found.uid != geteuid() && !shares_group(fd, &found)) {
        log_number(LOG_WARN, "admin_refused", "uid", (long long)found.uid);
        return false;
    }
    find_user(&peer->who);
    return true;
}

/* ---- the beginning of a connection */

/* Whose turn it is, or who is being answered, is not. */
static bool is_silent(const struct admin_peer *peer)
{
    const struct net_admin *admin = &peer->net->admin;
    const bool waits = admin->waits && admin->waiting.peer == peer;
    return !waits && !uv_is_active((const uv_handle_t *)&peer->timer) &&
           uv_now(&peer->net->loop) - peer->heard_ms >= SILENT_MS;
}

/* Of those that are silent the one that has been so for longest goes. */
static bool has_room(struct acceptor *acceptor)
{
    const struct net *net = acceptor->data;
    struct admin_peer *oldest = NULL;
    if (net->admin.count < (size_t)net->config.admin_connections)
        return true;
    for (struct admin_peer *peer = net->admin.first; peer; peer = peer->next)
        oldest = is_silent(peer) ? peer : oldest;
    if (oldest)
        cut_peer(oldest);
    return oldest;
}

static struct admin_peer *create_peer(struct net *net)
{
    struct admin_peer *peer = calloc(1, sizeof *peer);
    if (!peer)
        return NULL;
    peer->net = net;
    uv_pipe_init(&net->loop, &peer->pipe, 0);
    uv_timer_init(&net->loop, &peer->timer);
    peer->pipe.data = peer->timer.data = peer->write.data = peer;
    peer->open_handles = 2;
    peer->heard_ms = uv_now(&net->loop);
    buffer_init(&peer->answer, 0, ADMIN_ANSWER_BYTES);
    list_add(peer);
    net->admin.count++;
    return peer;
}

static void take_peer(struct acceptor *acceptor, int fd, const union socket_address *from)
{
    struct net *net = acceptor->data;
    (void)from;
    struct admin_peer *peer = create_peer(net);
    if (!peer || uv_pipe_open(&peer->pipe, fd) != 0) {
        close(fd);
        log_event(LOG_WARN, "admin_accept_failed");
        if (peer)
            cut_peer(peer);
        return;
    }
    if (!may_ask(peer)) {
        cut_peer(peer);
        return;
    }
    admin_write_greeting(net->options->server ? net->options->server : "taluvad", &peer->answer);
    send_answer(peer);
}

/* ---- the socket */

static void start_listening(struct net *net, int fd, const char *path)
{
    struct net_admin *admin = &net->admin;
    admin->unlink_path = path;
    admin->acceptor = (struct acceptor){.whose = "operators",
                                        .failures = &net->metrics.accept_failures[ACCEPT_OPERATOR],
                                        .take = take_peer,
                                        .has_room = has_room,
                                        .data = net};
    acceptor_start(&admin->acceptor, &net->loop, fd);
}

/* NULL, or why it cannot be. */
static const char *listen_at(struct net *net, const char *path)
{
    char where[128];
    struct listen_addresses addresses;
    const char *why;
    snprintf(where, sizeof where, "unix:%s", path);
    if (strlen(path) >= sizeof where - sizeof "unix:")
        return "the name is too long for a socket";
    if (listen_addresses_read(&addresses, where, &why) != NET_OK)
        return why;
    listen_remove_stale(&addresses.list[0], addresses.len[0]);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return strerror(errno);
    const bool bound = bind(fd, &addresses.list[0].any, addresses.len[0]) == 0;
    if (bound && chmod(path, S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP) == 0 &&
        listen(fd, BACKLOG) == 0) {
        start_listening(net, fd, path);
        return NULL;
    }
    why = strerror(errno);
    close(fd);
    if (bound)
        unlink(path);
    return why;
}

enum net_result admin_open(struct net *net, char message[NET_MESSAGE_MAX])
{
    const char *path = net->options->admin;
    if (!path)
        return NET_OK;
    const char *why = listen_at(net, path);
    if (!why)
        return NET_OK;
    if (!net->options->admin_wanted) {
        log_text(LOG_WARN, "admin_unavailable", "why", why);
        return NET_OK;
    }
    snprintf(message, NET_MESSAGE_MAX, "cannot listen on %.300s for the operator: %s", path, why);
    return NET_UNAVAILABLE;
}

void admin_close(struct net *net)
{
    while (net->admin.first)
        cut_peer(net->admin.first);
    if (!net->admin.unlink_path)
        return;
    unlink(net->admin.unlink_path);
    acceptor_close(&net->admin.acceptor);
    net->admin.unlink_path = NULL;
}
