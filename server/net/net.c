/* Creates, runs and destroys the net. */
#include "admin/admin.h"
#include "audit_moderators.h"
#include "http/assets.h"
#include "http/enter.h"
#include "http/host_name.h"
#include "http/origin.h"
#include "listen.h"
#include "loop.h"
#include "net_private.h"
#include "parts/documents.h"
#include "parts/parts.h"
#include "read_turn.h"
#include "relay/neighbours.h"
#include "sockets/address.h"
#include "sockets/address_counts.h"
#include "sockets/address_rates.h"
#include "threads/bell.h"
#include "threads/pushers.h"
#include "threads/thinkers.h"
#include "transport.h"
#include <assert.h>
#include <libwebsockets.h>
#include <net/clock.h>
#include <net/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum net_result parse_origins(const struct net_options *options,
                                     char message[NET_MESSAGE_MAX])
{
    for (const char *const *origin = options->origins; *origin; origin++) {
        if (origin_is_valid(*origin))
            continue;
        snprintf(message, NET_MESSAGE_MAX, "not an origin, as https://club.example is: %.300s",
                 *origin);
        return NET_BAD_OPTION;
    }
    return NET_OK;
}

static enum net_result parse_hosts(const char *const *hosts, char message[NET_MESSAGE_MAX])
{
    for (const char *const *host = hosts; host && *host; host++) {
        if (host_name_is_valid(*host))
            continue;
        snprintf(message, NET_MESSAGE_MAX, "not a host's name, as club.example is: %.300s", *host);
        return NET_BAD_OPTION;
    }
    return NET_OK;
}

static enum net_result parse_proxies(struct net *net, char message[NET_MESSAGE_MAX])
{
    size_t count = 0;
    while (net->options->proxies[count])
        count++;
    net->listen.proxies = calloc(count + 1, sizeof *net->listen.proxies);
    if (!net->listen.proxies)
        return NET_NO_MEMORY;
    for (size_t at = 0; at < count; at++) {
        const char *text = net->options->proxies[at];
        if (strcmp(text, "unix") == 0) {
            net->listen.unix_is_proxy = true;
        } else if (!network_parse(&net->listen.proxies[net->listen.proxies_count++], text)) {
            snprintf(message, NET_MESSAGE_MAX,
                     "not an address or network, as 10.0.0.0/8 is: %.300s", text);
            return NET_BAD_OPTION;
        }
    }
    return NET_OK;
}

static enum net_result check_options(struct net *net, char message[NET_MESSAGE_MAX])
{
    const struct net_options *options = net->options;
    if (!options->tls_cert != !options->tls_key) {
        snprintf(message, NET_MESSAGE_MAX, "TLS needs both a certificate and its key");
        return NET_BAD_OPTION;
    }
    enum net_result result = parse_origins(options, message);
    if (result == NET_OK)
        result = parse_hosts(options->hosts, message);
    if (result == NET_OK)
        result = parse_hosts(options->quiet_hosts, message);
    return result == NET_OK ? parse_proxies(net, message) : result;
}

static enum net_result listen_everywhere(struct net *net, char message[NET_MESSAGE_MAX])
{
    enum net_result result = NET_OK;
    for (const char *const *where = net->options->listen; *where && result == NET_OK; where++)
        result = listen_open(net, *where, message);
    return result;
}

static enum net_result create_thinkers(struct net *net)
{
    unsigned threads = (unsigned)net->config.think_threads;
    if (threads == 0)
        return NET_OK;
    net->thinkers = thinkers_create(threads, net_think_bytes(net));
    return net->thinkers && loop_watch_thinkers(net) ? NET_OK : NET_NO_MEMORY;
}

static enum net_result create_all(struct net *net, char message[NET_MESSAGE_MAX])
{
    enum net_result result = check_options(net, message);
    address_counts_init(&net->connections.counts);
    if (result == NET_OK && !address_rates_init(&net->connections.rates, &net->config))
        result = NET_NO_MEMORY;
    if (result == NET_OK && net->options->web)
        result = assets_load(&net->assets, net->options->web, message);
    if (result == NET_OK)
        result = transport_create(net, message);
    if (result == NET_OK)
        result = create_thinkers(net);
    if (result == NET_OK && net->options->push) {
        net->pushers =
            pushers_create(net->options->push, (unsigned)net->options->pushes, loop_pushed, net);
        result = net->pushers ? NET_OK : NET_NO_MEMORY;
    }
    if (result == NET_OK && net->options->enter && !(net->enter = enter_create(net)))
        result = NET_NO_MEMORY;
    if (result == NET_OK)
        result = listen_everywhere(net, message);
    if (result == NET_OK)
        result = admin_open(net, message);
    if (result == NET_OK)
        result = neighbours_open(net, message);
    return result;
}

/* What a net cannot be destroyed without. */
static struct net *make_net(const struct net_options *options, struct net_clock *clock)
{
    struct net *net = calloc(1, sizeof *net);
    if (!net)
        return NULL;
    net->options = options;
    net->site = options->site;
    net->config = options->config;
    net->clock = clock;
    net->peers.control_rule = (struct bucket_rule){options->config.control_frames_burst,
                                                   options->config.control_frames_per_s, 1000};
    read_turn_init(net);
    net->run.hub_deadline_ms = INT64_MAX;
    net->run.dirty = true;
    if (!bell_init(&net->bell, loop_wake, net))
        goto free_net;
    if (!parts_init(net))
        goto destroy_bell;
    if (!net_documents_init(net))
        goto release_parts;
    if (uv_loop_init(&net->loop) != 0)
        goto release_documents;
    uv_loop_configure(&net->loop, UV_METRICS_IDLE_TIME);
    loop_init(net);
    return net;
release_documents:
    net_documents_release(net);
release_parts:
    parts_release(net);
destroy_bell:
    bell_destroy(&net->bell);
free_net:
    free(net);
    return NULL;
}

enum net_result net_create(const struct net_options *options, struct net_clock *clock,
                           struct net **out, char message[static NET_MESSAGE_MAX])
{
    *out = NULL;
    snprintf(message, NET_MESSAGE_MAX, "out of memory");
    struct net *net = make_net(options, clock);
    if (!net)
        return NET_NO_MEMORY;
    enum net_result result = create_all(net, message);
    if (result == NET_OK)
        *out = net;
    else
        net_destroy(net);
    return result;
}

/* The loop runs dry when all handles are closed; libwebsockets closes its own, not always at once.
 */
static void close_loop(struct net *net)
{
    loop_close(net);
    uv_run(&net->loop, UV_RUN_DEFAULT);
    if (net->transport.lws)
        lws_context_destroy(net->transport.lws); /* the second half, when its handles are gone */
    int code = uv_loop_close(&net->loop);
    assert(code == 0);
    (void)code;
}

void net_destroy(struct net *net)
{
    if (!net)
        return;
    parts_join(net);
    pushers_destroy(net->pushers);
    enter_destroy(net->enter);
    listen_close_all(net);
    admin_close(net);
    neighbours_close(net);
    if (net->transport.lws)
        lws_context_destroy(net->transport.lws); /* the first half: closes everything */
    close_loop(net);
    neighbours_release(net);
    thinkers_destroy(net->thinkers);
    assets_release(&net->assets);
    address_counts_release(&net->connections.counts);
    address_rates_release(&net->connections.rates);
    transport_free_names(net);
    free(net->listen.proxies);
    free(net->peers.connections);
    parts_release(net);
    audit_moderators_end(net);
    net_documents_release(net);
    bell_destroy(&net->bell);
    free(net);
}

const char *net_url(const struct net *net, size_t at)
{
    return at < net->listen.count ? net->listen.listeners[at].url : NULL;
}

enum net_end net_run(struct net *net)
{
    net_clock_watch(net->clock);
    uv_run(&net->loop, UV_RUN_DEFAULT);
    return net->run.end;
}
