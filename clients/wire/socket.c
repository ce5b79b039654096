#include <wire/socket.h>

#include "socket_internal.h"
#include <libwebsockets.h>
#include <protocol/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void set_reason(struct wire_socket *socket, const char *text, size_t len)
{
    if (!text || len == 0)
        return;
    len = len < sizeof socket->reason ? len : sizeof socket->reason - 1;
    memcpy(socket->reason, text, len);
    socket->reason[len] = '\0';
}

/* ---- receiving */

static bool append_partial(struct wire_socket *socket, const char *bytes, size_t len)
{
    size_t need = socket->partial_len + len;
    if (need > WIRE_MESSAGE_BYTES_MAX)
        return false;
    if (need > socket->partial_size) {
        size_t size = 2 * need;
        char *more = realloc(socket->partial, size);
        if (!more)
            return false;
        socket->partial = more;
        socket->partial_size = size;
    }
    memcpy(socket->partial + socket->partial_len, bytes, len);
    socket->partial_len = need;
    return true;
}

static void deliver_message(struct wire_socket *socket, const char *bytes, size_t len)
{
    if (socket->events)
        socket->events->message(socket->user, bytes, len);
}

/* Non-zero ends the connection. */
static int receive_piece(struct wire_socket *socket, const char *bytes, size_t len)
{
    bool last =
        lws_is_final_fragment(socket->wsi) && lws_remaining_packet_payload(socket->wsi) == 0;
    if (lws_frame_is_binary(socket->wsi))
        return -1;
    if (last && socket->partial_len == 0) {
        deliver_message(socket, bytes, len);
        return 0;
    }
    if (!append_partial(socket, bytes, len))
        return -1;
    if (last) {
        size_t whole = socket->partial_len;
        socket->partial_len = 0;
        deliver_message(socket, socket->partial, whole);
    }
    return 0;
}

/* ---- sending */

/* Non-zero ends the connection. */
static int write_queue(struct wire_socket *socket)
{
    while (socket->first && !lws_send_pipe_choked(socket->wsi)) {
        struct message *message = socket->first;
        int written =
            lws_write(socket->wsi, message->bytes + LWS_PRE, message->len, LWS_WRITE_TEXT);
        if (written < (int)message->len)
            return -1;
        socket->first = message->next;
        if (!socket->first)
            socket->last = NULL;
        socket->queued -= message->len;
        free(message);
    }
    if (socket->first)
        lws_callback_on_writable(socket->wsi);
    else if (socket->closing)
        socket_do_chores(socket);
    return 0;
}

/*
 * Nearly always the kernel takes a message at once; then nothing is queued, and the loop need not
 * be asked when the socket is writable. What the kernel does not take, libwebsockets keeps.
 */
static bool can_write_now(const struct wire_socket *socket, size_t len)
{
    return socket->opened && !socket->first && len <= PROTOCOL_MESSAGE_BYTES &&
           !lws_partial_buffered(socket->wsi);
}

static bool write_now(struct wire_socket *socket, const char *bytes, size_t len)
{
    unsigned char *scratch = socket->context->scratch;
    memcpy(scratch + LWS_PRE, bytes, len);
    if (lws_write(socket->wsi, scratch + LWS_PRE, len, LWS_WRITE_TEXT) >= (int)len)
        return true;
    wire_socket_cut(socket);
    return false;
}

bool wire_socket_send(struct wire_socket *socket, const char *bytes, size_t len)
{
    if (!socket->events || socket->queued + len > WIRE_QUEUE_BYTES_MAX)
        return false;
    if (can_write_now(socket, len))
        return write_now(socket, bytes, len);
    struct message *message = malloc(sizeof *message + LWS_PRE + len);
    if (!message)
        return false;
    *message = (struct message){.len = len};
    memcpy(message->bytes + LWS_PRE, bytes, len);
    if (socket->last)
        socket->last->next = message;
    else
        socket->first = message;
    socket->last = message;
    socket->queued += len;
    if (socket->opened)
        lws_callback_on_writable(socket->wsi);
    return true;
}

void wire_socket_read(struct wire_socket *socket, bool on)
{
    if (socket->opened)
        (void)lws_rx_flow_control(socket->wsi, on ? 1 : 0);
}

size_t wire_socket_queued(const struct wire_socket *socket)
{
    return socket->queued;
}

void wire_socket_close(struct wire_socket *socket)
{
    socket->events = NULL;
    socket->closing = true;
    if (!socket->started)
        socket_free(socket);
    else
        socket_do_chores(socket);
}

/*
 * On libuv, libwebsockets 4.1.6 closes twice when a callback asks it to close, and the second time
 * kills the connection before the close frame is written. Asked from outside it is polite.
 */
static void finish_closing(struct wire_socket *socket)
{
    if (socket->opened && socket->first)
        return; /* the writer comes back here */
    if (socket->opened)
        lws_close_reason(socket->wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
    socket->closing = false; /* once is enough */
    lws_set_timeout(socket->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

void wire_socket_cut(struct wire_socket *socket)
{
    if (socket->opened)
        shutdown(lws_get_socket_fd(socket->wsi), SHUT_RDWR);
}

/* ---- libwebsockets */

static void peer_closes(struct wire_socket *socket, const unsigned char *bytes, size_t len)
{
    if (len < 2)
        return;
    socket->close_code = bytes[0] << 8 | bytes[1];
    set_reason(socket, (const char *)bytes + 2, len - 2);
}

static int on_lws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len)
{
    struct wire_socket *socket = user;
    /* Dozens of reasons concern servers, files and TLS: they all take the default. */
    if (reason == LWS_CALLBACK_CLIENT_CONNECTION_ERROR && socket) {
        connect_failed(socket, wsi, in ? in : "");
    } else if (reason == LWS_CALLBACK_CLOSED_CLIENT_HTTP && socket) {
        connect_failed(socket, wsi, NULL);
    } else if (reason == LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION) {
        connect_look_at_certificate(wsi, user, len != 0);
    } else if (reason == LWS_CALLBACK_WSI_CREATE && socket) {
        socket->connected = true;
    } else if (reason == LWS_CALLBACK_CLIENT_HTTP_REDIRECT && socket) {
        if (!socket->location)
            socket->location = strdup(in);
        return -1; /* not followed, as browsers do not */
    } else if (reason == LWS_CALLBACK_CLIENT_ESTABLISHED) {
        socket->opened = true;
        lws_callback_on_writable(wsi);
        if (socket->events)
            socket->events->opened(socket->user);
    } else if (reason == LWS_CALLBACK_CLIENT_RECEIVE) {
        return receive_piece(socket, in, len);
    } else if (reason == LWS_CALLBACK_CLIENT_WRITEABLE) {
        return write_queue(socket);
    } else if (reason == LWS_CALLBACK_WS_PEER_INITIATED_CLOSE) {
        peer_closes(socket, in, len);
    } else if (reason == LWS_CALLBACK_CLIENT_CLOSED && socket) {
        socket_wsi_ended(socket, wsi);
    }
    return 0;
}

static const struct lws_protocols protocols[] = {
    {.name = PROTOCOL_SUBPROTOCOL, .callback = on_lws, .rx_buffer_size = PROTOCOL_MESSAGE_BYTES},
    {.name = NULL},
};

static void on_chores(uv_timer_t *timer)
{
    struct wire_context *context = timer->data;
    while (context->chores_first) {
        struct wire_socket *socket = context->chores_first;
        socket_forget_chore(socket);
        if (!socket->started && !socket->resolving)
            connect_start(socket);
        else if (socket->closing && socket->wsi)
            finish_closing(socket);
    }
}

struct wire_socket *wire_socket_open(struct wire_context *context, const struct wire_url *url,
                                     const struct wire_socket_events *events, void *user)
{
    struct wire_socket *socket = calloc(1, sizeof *socket);
    if (!socket)
        return NULL;
    *socket = (struct wire_socket){
        .context = context, .url = *url, .events = events, .user = user, .next = context->sockets};
    if (context->sockets)
        context->sockets->previous = socket;
    context->sockets = socket;
    socket_do_chores(socket);
    return socket;
}

/* ---- context */

static struct lws_context *create_lws(struct wire_context *context, const char *ca_file,
                                      unsigned answer_s)
{
    void *loops[1] = {context->loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
        .foreign_loops = loops,
        .client_ssl_ca_filepath = ca_file,
        .timeout_secs = answer_s,
        .connect_timeout_secs = answer_s,
        .pcontext = &context->lws,
    };
    lws_set_log_level(0, NULL);
    return lws_create_context(&info);
}

struct wire_context *wire_context_create(uv_loop_t *loop, const char *ca_file, unsigned answer_s)
{
    struct wire_context *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    context->loop = loop;
    context->chores_last = &context->chores_first;
    context->do_chores = on_chores;
    context->lookups = lookups_create(loop, connect_looked_up, context);
    context->lws = context->lookups ? create_lws(context, ca_file, answer_s) : NULL;
    if (!context->lws) {
        lookups_destroy(context->lookups);
        free(context);
        return NULL;
    }
    uv_timer_init(loop, &context->chores);
    context->chores.data = context;
    return context;
}

bool wire_context_source(struct wire_context *context, const char *address)
{
    int len = snprintf(context->source, sizeof context->source, "%s", address);
    return len >= 0 && (size_t)len < sizeof context->source;
}

uv_loop_t *wire_context_loop(const struct wire_context *context)
{
    return context->loop;
}

static void note_closing(uv_handle_t *handle, void *any)
{
    if (uv_is_closing(handle))
        *(bool *)any = true;
}

/*
 * On a loop that is not its own, libwebsockets only begins to close its handles when it is asked to
 * end; once they are closed it has to be asked again.
 */
static void end_lws(struct wire_context *context)
{
    struct lws_context *lws = context->lws;
    bool closing = true;
    lws_context_destroy(lws);
    while (closing) {
        closing = false;
        uv_run(context->loop, UV_RUN_NOWAIT);
        uv_walk(context->loop, note_closing, &closing);
    }
    if (context->lws)
        lws_context_destroy(lws);
}

void wire_context_destroy(struct wire_context *context)
{
    if (!context)
        return;
    for (struct wire_socket *socket = context->sockets; socket; socket = socket->next)
        socket->events = NULL;
    uv_close((uv_handle_t *)&context->chores, NULL);
    lookups_destroy(context->lookups);
    end_lws(context);
    struct wire_socket *next;
    for (struct wire_socket *socket = context->sockets; socket; socket = next) {
        next = socket->next;
        socket_free(socket); /* one that never began to connect */
    }
    free(context);
}
