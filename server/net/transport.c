#include "transport.h"

#include "connection.h"
#include "http/answer.h"
#include "http/http.h"
#include "http/upload.h"
#include "net_private.h"
#include "read_turn.h"
#include "ws/ws.h"
#include <errno.h>
#include <libwebsockets.h>
#include <net/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WRITE_BYTES = 65536 }; /* given to the kernel in one call */

static void on_receive(struct connection *connection, unsigned char *bytes, size_t len)
{
    switch (connection->state) {
    case CONNECTION_REQUEST:
    case CONNECTION_ANSWER:
        http_receive(connection, bytes, len);
        break;
    case CONNECTION_WS:
        ws_receive(connection, bytes, len);
        break;
    case CONNECTION_ENDING:
    case CONNECTION_CUT:
        break;
    }
}

void transport_read_on(struct net *net)
{
    struct connection *connection;
    unsigned char *bytes;
    size_t len;
    while ((connection = read_turn_next(net, &bytes, &len))) {
        on_receive(connection, bytes, len);
        free(bytes);
    }
}

static void on_writable(struct connection *connection)
{
    if (!connection_resume(connection))
        return;
    switch (connection->state) {
    case CONNECTION_ANSWER:
        http_writable(connection);
        break;
    case CONNECTION_WS:
        ws_flush(connection);
        break;
    case CONNECTION_REQUEST:
    case CONNECTION_ENDING:
    case CONNECTION_CUT:
        break;
    }
}

static void destroy_connection(struct connection *connection)
{
    answer_forget(connection);
    upload_forget(connection);
    ws_forget(connection);
    connection_destroy(connection);
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t len)
{
    struct connection *connection = lws_get_opaque_user_data(wsi);
    (void)user;
    if (!connection)
        return 0;
    connection->wsi = wsi; /* the first time while it is being adopted */
    switch ((int)reason) {
    case LWS_CALLBACK_RAW_RX:
        if (read_turn_allows(connection, in, len))
            on_receive(connection, in, len);
        break;
    case LWS_CALLBACK_RAW_WRITEABLE:
        on_writable(connection);
        break;
    case LWS_CALLBACK_WSI_DESTROY:
        lws_set_opaque_user_data(wsi, NULL);
        destroy_connection(connection);
        break;
    default:
        break;
    }
    return 0;
}

static const struct lws_protocols protocols[] = {
    {.name = "taluva", .callback = on_event, .tx_packet_size = WRITE_BYTES},
    {0},
};

/* Most of what it calls an error is a fault of a peer. */
static void on_log(int level, const char *line)
{
    char text[256];
    (void)level;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
    log_text(LOG_DEBUG, "libwebsockets", "says", text);
}

/* Raises the limit of open files to what the limit of connections needs, as far as possible. */
static void raise_file_limit(struct net *net, int64_t connections)
{
    enum { OTHER_FILES = 64, NODE_FILES = 256, KEPT_FILES = 16 };
    struct rlimit limit;
    rlim_t need = (rlim_t)(connections + 2 * net->config.http_sockets + OTHER_FILES +
                           (net->options->relay ? NODE_FILES : 0));
    net->listen.files = INT64_MAX;
    net->listen.files_kept = KEPT_FILES + (net->options->relay ? NODE_FILES : 0);
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
    net->listen.files = (int64_t)need;
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
    name->older = net->transport.vhost_names;
    net->transport.vhost_names = name;
    snprintf(name->text, sizeof name->text, "v%d", net->transport.vhosts_made++);
    return name->text;
}

void transport_free_names(struct net *net)
{
    while (net->transport.vhost_names) {
        struct vhost_name *name = net->transport.vhost_names;
        net->transport.vhost_names = name->older;
        free(name);
    }
}

static void describe_vhost(const struct net *net, struct lws_context_creation_info *info)
{
    info->port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info->protocols = protocols;
    info->retry_and_idle_policy = &no_pings;
    if (!net->options->tls_cert)
        return;
    info->options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info->ssl_cert_filepath = net->options->tls_cert;
    info->ssl_private_key_filepath = net->options->tls_key;
    info->alpn = "http/1.1";
}

/* Does a PEM file contain a block whose name ends so? False with `message` if not. */
static bool has_block(const char *path, const char *what, const char *ending,
                      char message[NET_MESSAGE_MAX])
{
    char line[256];
    bool found = false;
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(message, NET_MESSAGE_MAX, "%s %.300s: %s", what, path, strerror(errno));
        return false;
    }
    while (!found && fgets(line, sizeof line, file))
        found = strncmp(line, "-----BEGIN ", 11) == 0 && strstr(line, ending);
    fclose(file);
    if (!found)
        snprintf(message, NET_MESSAGE_MAX, "%s %.300s: there is no %s in it, as PEM", what, path,
                 ending);
    return found;
}

/* Says which file is the wrong one; libwebsockets only says that one is. */
static bool check_tls_files(const struct net_options *options, char message[NET_MESSAGE_MAX])
{
    return !options->tls_cert ||
           (has_block(options->tls_cert, "--tls-cert", "CERTIFICATE", message) &&
            has_block(options->tls_key, "--tls-key", "PRIVATE KEY", message));
}

static struct lws_vhost *make_vhost(struct net *net, char message[NET_MESSAGE_MAX])
{
    struct lws_context_creation_info info = {0};
    if (!check_tls_files(net->options, message))
        return NULL;
    info.vhost_name = name_vhost(net);
    describe_vhost(net, &info);
    struct lws_vhost *vhost = info.vhost_name ? lws_create_vhost(net->transport.lws, &info) : NULL;
    if (vhost)
        return vhost;
    if (net->options->tls_cert)
        snprintf(message, NET_MESSAGE_MAX,
                 "%.200s and %.200s cannot be used: damaged, with a passphrase, or not a pair",
                 net->options->tls_cert, net->options->tls_key);
    else
        snprintf(message, NET_MESSAGE_MAX, "libwebsockets cannot make a virtual host");
    return NULL;
}

enum net_result transport_create(struct net *net, char message[NET_MESSAGE_MAX])
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
        .pt_serv_buf_size = READ_BYTES,
        .timeout_secs = (unsigned int)(net->config.http_timeout_ms + 999) / 1000,
        .alpn = "http/1.1",
    };
    lws_set_log_level(log_enabled(LOG_DEBUG) ? LLL_ERR | LLL_WARN | LLL_NOTICE : 0, on_log);
    raise_file_limit(net, net->options->connections);
    net->transport.lws = lws_create_context(&info);
    if (!net->transport.lws) {
        snprintf(message, NET_MESSAGE_MAX,
                 "libwebsockets cannot start: is its libuv plugin (libwebsockets-evlib-uv) there?");
        return NET_UNAVAILABLE;
    }
    net->transport.vhost = make_vhost(net, message);
    return net->transport.vhost ? NET_OK : NET_UNAVAILABLE;
}

void transport_reload_tls(struct net *net)
{
    char message[NET_MESSAGE_MAX];
    if (!net->options->tls_cert)
        return;
    struct lws_vhost *vhost = make_vhost(net, message);
    if (!vhost) {
        log_text(LOG_ERROR, "tls_not_reloaded", "why", message);
        return;
    }
    net->transport.vhost = vhost;
    log_event(LOG_INFO, "tls_reloaded");
}

enum adoption transport_adopt(struct net *net, struct connection *connection, int fd)
{
    lws_adopt_desc_t info = {
        .vh = net->transport.vhost,
        .type = LWS_ADOPT_SOCKET | LWS_ADOPT_ALLOW_SSL,
        .fd.sockfd = fd,
        .opaque = connection,
    };
    bool gone = false;
    connection->destroyed = &gone;
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&info);
    if (gone)
        return ADOPTION_CLOSED;
    connection->destroyed = NULL;
    if (wsi) {
        connection->wsi = wsi;
        return ADOPTED;
    }
    if (connection->wsi)
        return ADOPTION_CLOSED; /* on_event is still to be told that it is destroyed */
    connection_destroy(connection);
    return ADOPTION_FAILED;
}
