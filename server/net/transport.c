/* libwebsockets: its context on our loop, its virtual hosts, and its callbacks handed on to ws.c,
 * http.c. */
#include "server.h"

#include <errno.h>
#include <net/log.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    /* Of a connection's own memory: most requests fit at once, longer ones come in pieces. */
    RECEIVE_BYTES = 256,
    WRITE_BYTES = 65536, /* given to the kernel in one call */
    HEADER_BYTES = 4096, /* of a request's headers in all */
};

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t len)
{
    (void)user, (void)len;
    struct link *link = link_of(wsi);
    if (!link)
        return 0;
    link->wsi = wsi; /* the first time while it is being adopted */
    if ((int)reason == LWS_CALLBACK_WSI_DESTROY) {
        lws_set_opaque_user_data(wsi, NULL);
        link_destroy(link);
        return 0;
    }
    if (link->kind != LINK_HTTP) /* it has been cut */
        return -1;
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return strcasecmp(in, "websocket") == 0 ? ws_confirm(link) : http_refuse(link, 400);
    case LWS_CALLBACK_HTTP:
        return http_request(link, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return http_writable(link);
    case LWS_CALLBACK_RAW_ADOPT: /* what a CONNECT turns into */
    case LWS_CALLBACK_RAW_RX:
        return -1;
    default:
        return 0;
    }
}

static int on_ws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                 size_t len)
{
    (void)user;
    struct link *link = link_of(wsi);
    if (!link)
        return 0;
    switch ((int)reason) {
    case LWS_CALLBACK_ESTABLISHED:
        return ws_established(link);
    case LWS_CALLBACK_RECEIVE:
        return ws_receive(link, in, len);
    case LWS_CALLBACK_RECEIVE_PONG:
        link->since_ms = link->kind == LINK_WS ? net_now_ms(link->net) : link->since_ms;
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return ws_writable(link);
    case LWS_CALLBACK_CLOSED:
        ws_closed(link);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = on_http, .tx_packet_size = WRITE_BYTES},
    {.name = "taluva.v1+json",
     .callback = on_ws,
     .rx_buffer_size = RECEIVE_BYTES,
     .tx_packet_size = WRITE_BYTES},
    {0},
};

/* What it calls an error is mostly a peer's fault. */
static void on_log(int level, const char *line)
{
    char text[256];
    (void)level;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
    log_text(LOG_DEBUG, "libwebsockets", "says", text);
}

/* So many sockets as may be open at once, as far as the system lets us. */
static void raise_file_limit(const struct net *net, int64_t connections)
{
    enum { OTHER_FILES = 64 };
    struct rlimit limit;
    rlim_t need = (rlim_t)(connections + 2 * net->config.http_sockets + OTHER_FILES);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        log_text(LOG_WARN, "few_files", "why", strerror(errno));
        return;
    }
    if (limit.rlim_max < need) {
        log_text_number(LOG_WARN, "few_files", "why",
                        "the limit of open files is below connections", "limit",
                        (long long)limit.rlim_max);
        need = limit.rlim_max;
    }
    limit.rlim_cur = need;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Its own pings and time-outs walk a list for each connection; ours do not. */
static const lws_retry_bo_t no_pings = {0};

struct vhost_name {
    struct vhost_name *older;
    char text[16];
};

/* A name that no other virtual host has; NULL: no memory. */
static const char *name_vhost(struct net *net)
{
    struct vhost_name *name = malloc(sizeof *name);
    if (!name)
        return NULL;
    name->older = net->vhost_names;
    net->vhost_names = name;
    snprintf(name->text, sizeof name->text, "v%d", net->vhosts_made++);
    return name->text;
}

void context_free_names(struct net *net)
{
    while (net->vhost_names) {
        struct vhost_name *name = net->vhost_names;
        net->vhost_names = name->older;
        free(name);
    }
}

static void describe_vhost(const struct net *net, struct lws_context_creation_info *info)
{
    info->port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info->protocols = protocols;
    info->retry_and_idle_policy = &no_pings;
    info->keepalive_timeout = (int)(net->config.http_timeout_ms + 999) / 1000;
    info->timeout_secs_ah_idle = (unsigned int)info->keepalive_timeout;
    if (!net->options->tls_cert)
        return;
    info->options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info->ssl_cert_filepath = net->options->tls_cert;
    info->ssl_private_key_filepath = net->options->tls_key;
    info->alpn = "http/1.1";
    info->ssl_options_set = 0;
}

static struct lws_vhost *make_vhost(struct net *net, char message[NET_MESSAGE_MAX])
{
    struct lws_context_creation_info info = {0};
    const char *const files[] = {net->options->tls_cert, net->options->tls_key};
    for (int at = 0; at < 2; at++) {
        if (files[at] && access(files[at], R_OK) != 0) {
            snprintf(message, NET_MESSAGE_MAX, "%.300s: %s", files[at], strerror(errno));
            return NULL;
        }
    }
    info.vhost_name = name_vhost(net);
    describe_vhost(net, &info);
    struct lws_vhost *vhost = info.vhost_name ? lws_create_vhost(net->lws, &info) : NULL;
    if (!vhost)
        snprintf(message, NET_MESSAGE_MAX, "%s",
                 net->options->tls_cert ? "the TLS files are not a certificate and its key"
                                        : "libwebsockets cannot make a virtual host");
    return vhost;
}

/*
 * libwebsockets is not asked to look for UTF-8, as the hub does for whole messages: 4.1 looks at
 * pongs too, which may carry anything, and would close the connection of whoever sends one as a
 * sign of life.
 */
enum net_result context_create(struct net *net, char message[NET_MESSAGE_MAX])
{
    void *loops[] = {&net->loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS |
                   (net->options->tls_cert ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
        .foreign_loops = loops,
        .gid = -1,
        .uid = -1,
        .server_string = "taluvad",
        .max_http_header_data = HEADER_BYTES,
        .timeout_secs = (unsigned int)(net->config.http_timeout_ms + 999) / 1000,
        .alpn = "http/1.1",
    };
    lws_set_log_level(log_enabled(LOG_DEBUG) ? LLL_ERR | LLL_WARN | LLL_NOTICE : 0, on_log);
    raise_file_limit(net, net->options->connections);
    net->lws = lws_create_context(&info);
    if (!net->lws) {
        snprintf(message, NET_MESSAGE_MAX,
                 "libwebsockets cannot start: is its libuv plugin (libwebsockets-evlib-uv) there?");
        return NET_UNAVAILABLE;
    }
    net->vhost = make_vhost(net, message);
    return net->vhost ? NET_OK : NET_UNAVAILABLE;
}

void context_reload_tls(struct net *net)
{
    char message[NET_MESSAGE_MAX];
    if (!net->options->tls_cert)
        return;
    struct lws_vhost *vhost = make_vhost(net, message);
    if (!vhost) {
        log_text(LOG_ERROR, "tls_not_reloaded", "why", message);
        return;
    }
    net->vhost = vhost;
    log_event(LOG_INFO, "tls_reloaded");
}

enum adoption context_adopt(struct net *net, struct link *link, int fd)
{
    lws_adopt_desc_t info = {
        .vh = net->vhost,
        .type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | LWS_ADOPT_ALLOW_SSL,
        .fd.sockfd = fd,
        .opaque = link,
    };
    bool gone = false;
    link->gone = &gone;
    bool open = lws_adopt_descriptor_vhost_via_info(&info);
    if (gone)
        return ADOPTION_CLOSED;
    link->gone = NULL;
    if (open)
        return ADOPTED;
    if (link->wsi)
        return ADOPTION_CLOSED; /* on_http is still to be told that it is destroyed */
    link_destroy(link);
    return ADOPTION_FAILED;
}
