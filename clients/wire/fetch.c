#include <wire/fetch.h>

#include "unreachable.h"
#include <libwebsockets.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { PATH_MAX_BYTES = 2 * WIRE_URL_PATH, PIECE_BYTES = 16384 };

struct wire_fetcher {
    struct wire_url url;
    uv_loop_t loop;
    uv_timer_t timer;
    struct lws_context *lws;
    struct lws *wsi; /* of the answer under way; NULL: none */
    struct buffer *body;
    int status;
    bool ended, whole;
    const char *certificate; /* what is wrong with the server's, or NULL */
    char problem[UNREACHABLE_TEXT];
};

static void say_problem(struct wire_fetcher *fetcher, const char *why)
{
    if (!fetcher->problem[0])
        (void)snprintf(fetcher->problem, sizeof fetcher->problem, "%s", why);
}

/* What comes of that connection later is of no answer any more. */
static void end_fetch(struct wire_fetcher *fetcher)
{
    if (fetcher->wsi)
        lws_set_wsi_user(fetcher->wsi, NULL);
    fetcher->ended = true;
    fetcher->wsi = NULL;
    uv_stop(&fetcher->loop);
}

static void fail_fetch(struct wire_fetcher *fetcher, const char *why)
{
    say_problem(fetcher, fetcher->certificate ? "its certificate is not accepted" : why);
    if (fetcher->certificate)
        (void)snprintf(fetcher->problem, sizeof fetcher->problem,
                       "its certificate is not accepted (%s)", fetcher->certificate);
    end_fetch(fetcher);
}

/* ---- libwebsockets */

static int read_piece(struct lws *wsi)
{
    char piece[LWS_PRE + PIECE_BYTES];
    char *at = piece + LWS_PRE;
    int len = PIECE_BYTES;
    return lws_http_client_read(wsi, &at, &len) < 0 ? -1 : 0;
}

/* Non-zero ends the connection. */
static int take_piece(struct wire_fetcher *fetcher, const char *bytes, size_t len)
{
    buffer_append(fetcher->body, bytes, len);
    if (!fetcher->body->failed)
        return 0;
    say_problem(fetcher, "its answer is longer than any can be");
    return -1;
}

static int on_lws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len)
{
    struct wire_fetcher *fetcher = user;
    /* Dozens of reasons concern servers, files and TLS: they all take the default. */
    if (reason == LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION) {
        fetcher = lws_wsi_user(wsi);
        if (fetcher && len == 0)
            fetcher->certificate = X509_verify_cert_error_string(X509_STORE_CTX_get_error(user));
        return 0;
    }
    if (!fetcher)
        return 0;
    if (reason == LWS_CALLBACK_CLIENT_CONNECTION_ERROR) {
        fail_fetch(fetcher, in ? in : "it does not answer");
    } else if (reason == LWS_CALLBACK_CLIENT_HTTP_REDIRECT) {
        say_problem(fetcher, "it points elsewhere");
        return -1; /* not followed */
    } else if (reason == LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP) {
        fetcher->status = (int)lws_http_client_http_response(wsi);
    } else if (reason == LWS_CALLBACK_RECEIVE_CLIENT_HTTP) {
        return read_piece(wsi);
    } else if (reason == LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ) {
        return take_piece(fetcher, in, len);
    } else if (reason == LWS_CALLBACK_COMPLETED_CLIENT_HTTP) {
        fetcher->whole = true;
        return -1; /* each answer has a connection of its own */
    } else if (reason == LWS_CALLBACK_CLOSED_CLIENT_HTTP) {
        if (!fetcher->whole)
            say_problem(fetcher, "its answer ends in the middle");
        end_fetch(fetcher);
    }
    return 0;
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = on_lws, .rx_buffer_size = PIECE_BYTES},
    {.name = NULL},
};

/* ---- one answer */

/* Beside the WebSocket: "/play/ws" and "api/book/0" are "/play/api/book/0". */
static bool find_path(const struct wire_url *url, const char *path, char found[PATH_MAX_BYTES])
{
    const char *last = strrchr(url->path, '/');
    const int len = snprintf(found, PATH_MAX_BYTES, "%.*s/%s", last ? (int)(last - url->path) : 0,
                             url->path, path);
    return len > 0 && len < PATH_MAX_BYTES;
}

static void on_late(uv_timer_t *timer)
{
    struct wire_fetcher *fetcher = timer->data;
    say_problem(fetcher, "it does not answer in time");
    if (fetcher->wsi)
        lws_set_timeout(fetcher->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    end_fetch(fetcher);
}

static void ask_path(struct wire_fetcher *fetcher, const char *path)
{
    char host[WIRE_URL_HOST_HEADER];
    wire_url_host_header(&fetcher->url, host);
    const struct lws_client_connect_info info = {
        .context = fetcher->lws,
        .address = fetcher->url.host,
        .port = fetcher->url.port,
        .path = path,
        .host = host,
        .method = "GET",
        .protocol = "http",
        .local_protocol_name = "http",
        .alpn = "http/1.1",
        .ssl_connection = fetcher->url.tls ? LCCSCF_USE_SSL : 0,
        .userdata = fetcher,
        .pwsi = &fetcher->wsi,
    };
    if (!lws_client_connect_via_info(&info))
        fail_fetch(fetcher, "no connection to it can be opened from here; is there a network?");
}

int wire_fetch(struct wire_fetcher *fetcher, const char *path, struct buffer *body)
{
    char beside[PATH_MAX_BYTES];
    buffer_clear(body);
    fetcher->body = body;
    fetcher->status = 0;
    fetcher->ended = fetcher->whole = false;
    fetcher->certificate = NULL;
    fetcher->problem[0] = '\0';
    if (!find_path(&fetcher->url, path, beside)) {
        say_problem(fetcher, "its address is too long");
        return 0;
    }
    uv_timer_start(&fetcher->timer, on_late, (uint64_t)WIRE_FETCH_S * 1000, 0);
    ask_path(fetcher, beside);
    while (!fetcher->ended)
        uv_run(&fetcher->loop, UV_RUN_DEFAULT);
    uv_timer_stop(&fetcher->timer);
    return fetcher->whole && !body->failed ? fetcher->status : 0;
}

const char *wire_fetch_problem(const struct wire_fetcher *fetcher)
{
    return fetcher->problem;
}

/* ---- life */

static struct lws_context *create_lws(struct wire_fetcher *fetcher, const char *ca_file)
{
    void *loops[1] = {&fetcher->loop};
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
        .foreign_loops = loops,
        .client_ssl_ca_filepath = ca_file,
        .timeout_secs = WIRE_FETCH_S,
        .connect_timeout_secs = WIRE_FETCH_S,
        .pcontext = &fetcher->lws,
    };
    lws_set_log_level(0, NULL);
    return lws_create_context(&info);
}

struct wire_fetcher *wire_fetcher_create(const struct wire_url *url, const char *ca_file)
{
    struct wire_fetcher *fetcher = calloc(1, sizeof *fetcher);
    if (!fetcher || uv_loop_init(&fetcher->loop) < 0) {
        free(fetcher);
        return NULL;
    }
    fetcher->url = *url;
    fetcher->lws = create_lws(fetcher, ca_file);
    if (!fetcher->lws) {
        (void)uv_loop_close(&fetcher->loop);
        free(fetcher);
        return NULL;
    }
    uv_timer_init(&fetcher->loop, &fetcher->timer);
    fetcher->timer.data = fetcher;
    return fetcher;
}

static void note_closing(uv_handle_t *handle, void *any)
{
    if (uv_is_closing(handle))
        *(bool *)any = true;
}

/* As in socket.c: on a loop that is not its own libwebsockets has to be asked twice to end. */
void wire_fetcher_destroy(struct wire_fetcher *fetcher)
{
    bool closing = true;
    if (!fetcher)
        return;
    struct lws_context *lws = fetcher->lws;
    uv_close((uv_handle_t *)&fetcher->timer, NULL);
    lws_context_destroy(lws);
    while (closing) {
        closing = false;
        uv_run(&fetcher->loop, UV_RUN_NOWAIT);
        uv_walk(&fetcher->loop, note_closing, &closing);
    }
    if (fetcher->lws)
        lws_context_destroy(lws);
    (void)uv_loop_close(&fetcher->loop);
    free(fetcher);
}
