/* taluvad: wiring only. Options -> store -> hub -> net, and what came of it as an exit status. */
#include "notify.h"
#include "options.h"

#include <hub/hub.h>
#include <net/net.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <taluva/game.h>

struct server {
    struct options options;
    struct net_clock clock;
    struct store *store;
    struct hub *hub;
    struct net *net;
};

static const char *environment(const char *name)
{
    return getenv(name);
}

/* ---- the store, as the hub and net want it ---- */

static int exit_status_of(enum store_result result)
{
    switch (result) {
    case STORE_OK:
        return EX_OK;
    case STORE_FULL:
    case STORE_FAILED:
        return EX_IOERR;
    case STORE_FENCED:
        return EX_TEMPFAIL;
    case STORE_CORRUPT:
    case STORE_NEWER:
        return EX_DATAERR;
    }
    return EX_SOFTWARE;
}

static int restore_session(void *ctx, const struct store_session *session)
{
    return hub_restore_session(ctx, session);
}

static int restore_room(void *ctx, const struct store_room *room)
{
    return hub_restore_room(ctx, room);
}

static int restore_event(void *ctx, const char *room_id, const struct room_event *event)
{
    return hub_restore_event(ctx, room_id, event);
}

static int restore_guest(void *ctx, const char *room_id, uint64_t session)
{
    return hub_restore_guest(ctx, room_id, session);
}

static enum store_result commit(void *ctx, const struct store_batch *batch)
{
    return store_commit(ctx, batch);
}

static enum store_result tidy(void *ctx)
{
    return store_tidy(ctx);
}

static enum store_result read_room(void *ctx, const char *room_id,
                                   const struct store_room_read **read, void **owner)
{
    struct store_reading *reading;
    enum store_result result = store_read(ctx, room_id, &reading);
    *owner = reading;
    *read = reading ? &reading->read : NULL;
    return result;
}

static void release_reading(void *owner)
{
    store_reading_destroy(owner);
}

static const char *message_of(void *ctx)
{
    return store_message(ctx);
}

/* ---- parts, in the order in which they are made ---- */

static void draw_random(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    randombytes_buf(bytes, len);
}

static int open_store(struct server *server)
{
    char message[STORE_MESSAGE_MAX];
    enum store_result result = store_open(server->options.data, &server->store, message);
    if (result == STORE_OK)
        return EX_OK;
    fprintf(stderr, "taluvad: %s\n", message);
    return result == STORE_FAILED ? EX_CANTCREAT : exit_status_of(result);
}

static int restore_hub(struct server *server)
{
    static const struct game_type *const games[] = {&game_taluva, NULL};
    static const struct hub_env env = {
        .random = draw_random, .server = "taluvad " TALUVA_VERSION, .games = games};
    server->hub = hub_create(&server->options.hub, &env);
    if (!server->hub) {
        fprintf(stderr, "taluvad: out of memory\n");
        return EX_OSERR;
    }
    struct store_sink sink = {restore_session, restore_room, restore_event, restore_guest,
                              server->hub};
    enum store_result result = store_load(server->store, &sink);
    if (result != STORE_OK) {
        fprintf(stderr, "taluvad: %s\n", store_message(server->store));
        return exit_status_of(result);
    }
    if (hub_restored(server->hub, net_clock_ms(&server->clock)) < 0) {
        fprintf(stderr, "taluvad: what the store holds cannot be served\n");
        return EX_DATAERR;
    }
    return EX_OK;
}

static int open_net(struct server *server, const struct net_options *options,
                    const struct net_store *store)
{
    char message[NET_MESSAGE_MAX];
    switch (net_create(options, server->hub, store, &server->clock, &server->net, message)) {
    case NET_OK:
        return EX_OK;
    case NET_BAD_OPTION:
        fprintf(stderr, "taluvad: %s\n", message);
        return EX_USAGE;
    case NET_UNAVAILABLE:
        fprintf(stderr, "taluvad: %s\n", message);
        return EX_UNAVAILABLE;
    case NET_NO_MEMORY:
        fprintf(stderr, "taluvad: %s\n", message);
        return EX_OSERR;
    }
    return EX_SOFTWARE;
}

static void say_ready(const struct server *server)
{
    const char *url;
    for (size_t at = 0; (url = net_url(server->net, at)); at++)
        printf("listening on %s\n", url);
    fflush(stdout);
    notify("READY=1");
}

static int run_net(struct server *server)
{
    say_ready(server);
    enum net_end end = net_run(server->net);
    notify("STOPPING=1");
    switch (end) {
    case NET_DRAINED:
        return EX_OK;
    case NET_CUT:
        return EX_TEMPFAIL;
    case NET_STORE:
        log_number(LOG_ERROR, "store_lost", "result", hub_stopped(server->hub));
        return exit_status_of(hub_stopped(server->hub));
    }
    return EX_SOFTWARE;
}

static int serve_net(struct server *server)
{
    const struct options *options = &server->options;
    const struct net_store store = {commit,          tidy,       read_room,
                                    release_reading, message_of, server->store};
    const struct net_options net = {
        .listen = options->listen.items,
        .origins = options->origins.items,
        .proxies = options->proxies.items,
        .web = options->web,
        .tls_cert = options->tls_cert,
        .tls_key = options->tls_key,
        .metrics_everywhere = options->metrics_everywhere,
        .connections = options->hub.connections,
        .config = options->net,
    };
    int status = open_net(server, &net, &store);
    if (status == EX_OK)
        status = run_net(server);
    net_destroy(server->net);
    return status;
}

static int serve(struct server *server)
{
    /* A peer that is gone, a limit on the size of files: both are said by the call that fails. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    umask(077);
    net_clock_init(&server->clock);
    int status = open_store(server);
    if (status == EX_OK)
        status = restore_hub(server);
    if (status == EX_OK)
        status = serve_net(server);
    hub_destroy(server->hub);
    store_close(server->store);
    return status;
}

static int back_up(const struct options *options)
{
    char message[STORE_MESSAGE_MAX];
    umask(077);
    enum store_result result = store_backup(options->data, options->backup_path, message);
    if (result == STORE_OK)
        return EX_OK;
    fprintf(stderr, "taluvad: %s\n", message);
    return exit_status_of(result);
}

int main(int argc, char **argv)
{
    static struct server server;
    char message[OPTIONS_MESSAGE_MAX];
    if (!options_parse(&server.options, argc, argv, environment, message)) {
        fprintf(stderr, "taluvad: %s\n", message);
        return EX_USAGE;
    }
    if (sodium_init() < 0) {
        fprintf(stderr, "taluvad: libsodium cannot start\n");
        return EX_OSERR;
    }
    log_set_level(server.options.log_level);
    switch (server.options.command) {
    case OPTIONS_SERVE:
        return serve(&server);
    case OPTIONS_BACKUP:
        return back_up(&server.options);
    case OPTIONS_HELP:
        options_help(stdout);
        return EX_OK;
    case OPTIONS_VERSION:
        puts("taluvad " TALUVA_VERSION);
        return EX_OK;
    }
    return EX_SOFTWARE;
}
