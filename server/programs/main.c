/* taluvad: connects options, store, hub and net, and turns their result into an exit status. */
#include "check_node.h"
#include "check_store.h"
#include "choose_store.h"
#include "hub_maker.h"
#include "lone_documents.h"
#include "migrate.h"
#include "name_patterns_file.h"
#include "node.h"
#include "notify.h"
#include "options.h"
#include "passkeys.h"
#include "rebuild_ratings.h"
#include "reserved_handles.h"
#include "restore_store.h"
#include "sender.h"
#include "sign_in.h"
#include "site_keys.h"
#include "site_parts.h"
#include "site_status.h"
#include "web_folder.h"
#include <base/new_file.h>
#include <base/program.h>
#include <base/signals.h>
#include <hub/hub.h>
#include <hub/store_tables.h>
#include <net/log.h>
#include <net/net.h>
#include <postgres/membership.h>
#include <protocol/name_patterns.h>
#include <registry/registry.h>
#include <signal.h>
#include <site/site.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <taluva/game.h>
#include <time.h>
#include <totem/game.h>
#include <unistd.h>

/* What comes behind a hello waits for its answer, however long its store takes. */
enum { ANSWER_WAIT_MS = INT32_MAX };

struct server {
    struct options options;
    struct net_clock clock;
    struct site_keys *keys;
    struct sender sender;
    struct passkeys passkeys;
    struct sign_in sign_in;
    struct store_choice choice;
    struct store *store;
    struct hub *hub;
    struct site *site;               /* of a lone server; a node has its own */
    struct lone_documents documents; /* of it as well */
    enum store_result ended;         /* its part, as the net has said */
    struct hub_maker maker;
    char *reserved_handles;         /* NULL: none */
    struct name_patterns *patterns; /* NULL: none */
    struct node node;
    struct net *net;
};

static const struct game_type *const games[] = {&game_type_taluva, &game_type_totem, NULL};

static const char *read_environment(const char *name)
{
    return getenv(name);
}

/* ---- the store */

/* Also called from the store's thread. */
static void warn_of(const char *event, const char *message, enum store_result result)
{
    if (result == STORE_OK)
        log_text(LOG_INFO, event, "what", message);
    else
        log_text_number(LOG_ERROR, event, "why", message, "result", result);
}

static int say_failed(enum store_result result, const char *message)
{
    fprintf(stderr, "taluvad: %s\n", message);
    return exit_status_of(result);
}

/* ---- keys */

/* Before a standby waits: what it lacks is not found out when it is needed. */
static int check_keys(struct server *server)
{
    const int status = store_choice_take_folder(&server->choice, &server->options);
    return status == EX_OK ? site_keys_check(server->keys, &server->options, &server->choice)
                           : status;
}

static int open_keys(struct server *server)
{
    const int status = site_keys_open(server->keys, &server->options, &server->choice,
                                      net_clock_ms(&server->clock) / 1000);
    if (status == EX_OK)
        sign_in_open(&server->sign_in, server->keys);
    if (status == EX_OK)
        (void)sodium_mprotect_readonly(server->keys);
    return status == EX_OK ? sender_open(&server->sender, &server->options, server->keys) : status;
}

/* ---- parts, in the order in which they are made */

static int create_hub(struct server *server)
{
    server->hub = hub_maker_create(&server->maker, 0, 1);
    if (server->hub)
        return EX_OK;
    fprintf(stderr, "taluvad: out of memory\n");
    return EX_OSERR;
}

static int choose_store(struct server *server)
{
    char message[STORE_MESSAGE_MAX];
    const int status = store_choose(&server->choice, &server->options, message);
    if (status != EX_OK)
        fprintf(stderr, "taluvad: %s\n", message);
    return status;
}

/* Whoever takes the database over has the same time, whatever the clock of its machine says. */
static void take_time_of_database(struct server *server)
{
    char what[MEMBERSHIP_CLOCK_BYTES];
    if (!server->choice.database)
        return;
    net_clock_set(&server->clock, postgres_store_now_ms(server->store));
    if (membership_clock_differs(-net_clock_ahead_ms(&server->clock), what))
        log_text(LOG_INFO, "clock_differs", "what", what);
}

static int open_store(struct server *server)
{
    const struct store_sink sink = hub_sink(server->hub);
    if (server->options.standby)
        notify("READY=1\nSTATUS=Standby: serves when no other server uses the store");
    int status =
        store_choice_open(&server->choice, &server->options, &sink, warn_of, &server->store);
    if (status != EX_OK)
        return status;
    char message[STORE_MESSAGE_MAX];
    take_time_of_database(server);
    net_clock_begin_at(&server->clock, hub_known_ms(server->hub));
    (void)net_clock_ms(&server->clock);
    const enum store_result result = hub_maker_restore(&server->maker, server->hub, message);
    return result == STORE_OK ? EX_OK : say_failed(result, message);
}

static void close_store(struct server *server)
{
    if (server->store)
        server->store->engine->close(server->store);
    store_choice_release(&server->choice);
}

/* ---- a lone server: a site of one part, which it has for as long as it runs */

static int create_site(struct server *server)
{
    const struct options *options = &server->options;
    struct site_config config = site_usual;
    config.lone = true;
    config.features = registry;
    config.clients = (size_t)options->hub.connections + 1; /* whom the hub refuses, and counts */
    config.message_bytes = (size_t)options->hub.message_bytes;
    config.held_bytes = (size_t)options->hub.outbox_bytes;
    config.http_waits = (size_t)options->hub.http_waits;
    config.http_wait_ms = options->net.http_timeout_ms;
    config.part_wait_ms = ANSWER_WAIT_MS;
    config.resume_wait_ms = 0;
    randombytes_buf(config.groups_key, sizeof config.groups_key);
    server->site = site_create(&config);
    if (server->site)
        return EX_OK;
    fprintf(stderr, "taluvad: out of memory\n");
    return EX_OSERR;
}

static bool change_document(void *ctx, const char *name, const char *text, size_t len,
                            int64_t revision)
{
    struct server *server = ctx;
    return lone_documents_change(&server->documents, name, text, len, revision);
}

static void document_stored(void *ctx, struct hub *hub, bool stored)
{
    struct server *server = ctx;
    (void)hub; /* there is one */
    lone_documents_stored(&server->documents, stored);
}

static void part_ended(void *ctx, const struct net_part *part, enum store_result why)
{
    struct server *server = ctx;
    server->ended = why;
    if (hub_stopped(part->hub) != STORE_OK)
        net_stop(server->net);
}

static void lone_options(struct server *server, struct net_options *options)
{
    options->site = server->site;
    options->part_ended = part_ended;
    options->change_document = change_document;
    options->document_stored = document_stored;
    options->part_ctx = server;
}

/* Without them people would be let in again whom the operator has banned: so they are needed. */
static int open_documents(struct server *server)
{
    char message[STORE_MESSAGE_MAX];
    const enum store_result result =
        lone_documents_open(&server->documents, &server->maker, server->hub, message);
    return result == STORE_OK ? EX_OK : say_failed(result, message);
}

static int serve_part(struct server *server)
{
    const struct net_part part = {.hub = server->hub,
                                  .store = server->store,
                                  .proven_ms =
                                      store_choice_taken_ms(&server->choice, server->store)};
    if (lone_documents_give(&server->documents, server->net) &&
        net_serve(server->net, &part) == NET_OK)
        return EX_OK;
    fprintf(stderr, "taluvad: out of memory\n");
    return EX_OSERR;
}

/* ---- the net */

static int open_net(struct server *server, const struct net_options *options)
{
    char message[NET_MESSAGE_MAX];
    enum net_result result = net_create(options, &server->clock, &server->net, message);
    switch (result) {
    case NET_OK:
        return server->options.node ? node_start(&server->node, server->net) : serve_part(server);
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
    notify("READY=1\nSTATUS=Serving");
}

static int run_net(struct server *server)
{
    say_ready(server);
    enum net_end end = net_run(server->net);
    signals_block(); /* told to end once more while it closes what it has, it would be killed */
    notify("STOPPING=1");
    switch (end) {
    case NET_DRAINED:
        return server->ended == STORE_OK ? EX_OK : EX_TEMPFAIL;
    case NET_CUT:
        return EX_TEMPFAIL;
    case NET_STOPPED:
        log_number(LOG_ERROR, "store_lost", "result", hub_stopped(server->hub));
        return exit_status_of(hub_stopped(server->hub));
    }
    return EX_SOFTWARE;
}

/* NULL: none. */
static const char *page_of(const struct options *options, char *path, size_t size)
{
    if (!options->web)
        return web_folder(path, size);
    return strcmp(options->web, "none") == 0 ? NULL : options->web;
}

/* Where the operator's socket is, NULL: nowhere. */
static const char *admin_of(const struct options *options, char *path, size_t size)
{
    const bool service = options->runtime && *options->runtime;
    if (options->admin)
        return strcmp(options->admin, "none") == 0 ? NULL : options->admin;
    const char *folder = service ? options->runtime : options->data;
    const int folder_len = (int)strcspn(folder, service ? ":" : "");
    const int len = snprintf(path, size, "%.*s/admin.sock", folder_len, folder);
    return len > 0 && (size_t)len < size ? path : NULL;
}

static const char *audit_of(const struct options *options, char *path, size_t size)
{
    if (options->audit)
        return options->audit;
    snprintf(path, size, "%s/admin-audit.log", options->data);
    return path;
}

/* SIGHUP, on the loop's thread, on which all hubs are. */
static void read_again(void *ctx)
{
    struct server *server = ctx;
    char message[OPTIONS_MESSAGE_MAX];
    if (!server->patterns)
        return;
    if (name_patterns_file_read(server->patterns, server->options.name_patterns, message))
        log_number(LOG_INFO, "name_patterns", "count", (int64_t)server->patterns->count);
    else
        log_text(LOG_WARN, "name_patterns_failed", "what", message);
}

static int serve_net(struct server *server)
{
    const struct options *options = &server->options;
    char path[OPTIONS_PATH_MAX], admin[OPTIONS_PATH_MAX], audit[OPTIONS_PATH_MAX + 32];
    struct net_options net = {
        .listen = options->listen.items,
        .origins = options->origins.items,
        .hosts = options->hosts.items,
        .quiet_hosts = options->quiet_hosts.items,
        .proxies = options->proxies.items,
        .web = page_of(options, path, sizeof path),
        .tls_cert = options->tls_cert,
        .tls_key = options->tls_key,
        .metrics_everywhere = options->metrics_everywhere,
        .admin = admin_of(options, admin, sizeof admin),
        .admin_wanted = options->admin,
        .bans = options->hub.bans,
        .server = "taluvad " TALUVA_VERSION,
        .push = options->push_contact ? &server->sender.net : NULL,
        .pushes = options->hub.push_at_once,
        .enter = options->accounts == HUB_ACCOUNTS_EXTERNAL ? &server->sign_in.net : NULL,
        .audit = audit_of(options, audit, sizeof audit),
        .lease_ms = server->choice.lease_ms,
        .connections = options->hub.connections,
        .hangup = read_again,
        .hangup_ctx = server,
        .config = options->net,
    };
    if (options->node)
        node_options(&server->node, &net);
    else
        lone_options(server, &net);
    int status = open_net(server, &net);
    if (status == EX_OK)
        status = run_net(server);
    if (options->node)
        status = node_stop(&server->node, status);
    net_destroy(server->net);
    return status;
}

/* Whoever comes by another name finds no passkeys there, and cannot know why. */
static void warn_of_names(const struct passkeys *passkeys, const struct options *options)
{
    const char *host = passkeys_host_left_out(passkeys, options->hosts.items);
    const char *origin = passkeys_origin_left_out(passkeys, options->origins.items);
    if (host)
        log_texts(LOG_WARN, "passkeys_elsewhere", "rp", passkeys->rp_id, "host", host);
    if (origin)
        log_texts(LOG_WARN, "passkeys_elsewhere", "rp", passkeys->rp_id, "origin", origin);
}

static void prepare_maker(struct server *server)
{
    const bool has_page = passkeys_of_origins(&server->passkeys, server->options.origins.items);
    if (has_page && server->options.accounts != HUB_ACCOUNTS_OFF)
        warn_of_names(&server->passkeys, &server->options);
    server->maker =
        (struct hub_maker){.options = &server->options,
                           .games = games,
                           .signer = &server->keys->signer,
                           .push = server->options.push_contact ? &server->sender.hub : NULL,
                           .reserved_handles = server->reserved_handles,
                           .patterns = server->patterns,
                           .passkeys = has_page ? &server->passkeys.hub : NULL,
                           .external = &server->sign_in.hub,
                           .sign_of_life_ms = server->choice.sign_of_life_ms,
                           .clock = &server->clock};
}

/* One hub, with the whole store. */
static int open_alone(struct server *server)
{
    int status = create_hub(server);
    if (status == EX_OK && server->options.standby)
        status = check_keys(server);
    if (status == EX_OK)
        status = open_store(server);
    if (status == EX_OK)
        status = open_keys(server);
    if (status == EX_OK)
        status = open_documents(server);
    return status == EX_OK ? create_site(server) : status;
}

/* Its parts are opened later, by threads, with what is opened here. */
static int open_node(struct server *server)
{
    (void)net_clock_ms(&server->clock);
    int status = store_choice_take_folder(&server->choice, &server->options);
    if (status == EX_OK)
        status = node_open(&server->node, &server->choice, &server->maker);
    return status == EX_OK ? open_keys(server) : status;
}

static int read_reserved_handles(struct server *server)
{
    char message[OPTIONS_MESSAGE_MAX];
    if (!server->options.reserved_handles)
        return EX_OK;
    server->reserved_handles = reserved_handles_read(server->options.reserved_handles, message);
    if (server->reserved_handles)
        return EX_OK;
    fprintf(stderr, "taluvad: %s\n", message);
    return EX_USAGE;
}

static int read_name_patterns(struct server *server)
{
    char message[OPTIONS_MESSAGE_MAX];
    if (!server->options.name_patterns)
        return EX_OK;
    server->patterns = calloc(1, sizeof *server->patterns);
    if (!server->patterns)
        return EX_OSERR;
    if (name_patterns_file_read(server->patterns, server->options.name_patterns, message))
        return EX_OK;
    fprintf(stderr, "taluvad: %s\n", message);
    return EX_USAGE;
}

static int serve_clients(struct server *server)
{
    /* A peer that is gone is told by the call that fails. */
    signal(SIGPIPE, SIG_IGN);
    umask(077);
    net_clock_init(&server->clock);
    server->choice.lock_fd = -1;
    server->keys = site_keys_create();
    int status = server->keys ? read_reserved_handles(server) : EX_OSERR;
    if (status == EX_OK)
        status = read_name_patterns(server);
    if (status == EX_OK)
        status = sign_in_begin(&server->sign_in, &server->options);
    if (status == EX_OK)
        status = choose_store(server);
    if (server->keys)
        prepare_maker(server);
    if (status == EX_OK)
        status = server->options.node ? open_node(server) : open_alone(server);
    if (status == EX_OK)
        status = serve_net(server);
    node_close(&server->node);
    lone_documents_release(&server->documents);
    site_destroy(server->site);
    hub_destroy(server->hub);
    close_store(server);
    sodium_free(server->keys);
    free(server->reserved_handles);
    free(server->patterns);
    sender_end(&server->sender);
    return status;
}

static int back_up(const struct options *options)
{
    char message[STORE_MESSAGE_MAX];
    struct store_choice choice;
    umask(077);
    new_file_drop_on_signals();
    const int status = store_choose_folder(&choice, options);
    if (status != EX_OK)
        return status;
    enum store_result result =
        sqlite_store_backup(choice.where, options->file, options->force, message);
    if (result == STORE_OK)
        return EX_OK;
    fprintf(stderr, "taluvad: %s\n", message);
    return exit_status_of(result);
}

static int check_embedded(const struct options *options)
{
    char path[OPTIONS_PATH_MAX];
    struct store_choice choice;
    if (options->file)
        return check_store(options->file, games);
    const int status = store_choose_folder(&choice, options);
    if (status != EX_OK)
        return status;
    if (!sqlite_store_path(choice.where, path, sizeof path)) {
        fprintf(stderr, "taluvad: the name of the store's folder is too long\n");
        return EX_NOINPUT;
    }
    return check_store(path, games);
}

static int run_words(int argc, char **argv)
{
    static struct server server;
    char message[OPTIONS_MESSAGE_MAX];
    if (!options_read(&server.options, argc, argv, read_environment, message)) {
        fprintf(stderr, "taluvad: %s\n", message);
        return EX_USAGE;
    }
    if (sodium_init() < 0) {
        fprintf(stderr, "taluvad: libsodium cannot be initialized\n");
        return EX_OSERR;
    }
    if (!sender_begin(&server.sender, &server.options, message)) {
        fprintf(stderr, "taluvad: %s\n", message);
        return EX_USAGE;
    }
    log_set_level(server.options.log_level);
    switch (server.options.command) {
    case COMMAND_SERVE:
        return serve_clients(&server);
    case COMMAND_BACKUP:
        return back_up(&server.options);
    case COMMAND_RESTORE:
        return restore_store(&server.options, games);
    case COMMAND_CHECK:
        return check_embedded(&server.options);
    case COMMAND_MIGRATE:
        return migrate(&server.options);
    case COMMAND_PARTS:
        return site_parts(&server.options);
    case COMMAND_STATUS:
        return site_status(&server.options);
    case COMMAND_CHECK_NODE:
        return check_node(&server.options);
    case COMMAND_FORGET:
        return site_forget(&server.options);
    case COMMAND_RATINGS:
        return rebuild_ratings(&server.options);
    case COMMAND_ROTATE_KEY:
        return site_keys_rotate(&server.options);
    case COMMAND_HELP:
        options_help(stdout);
        return EX_OK;
    case COMMAND_VERSION:
        puts("taluvad " TALUVA_VERSION);
        return EX_OK;
    }
    return EX_SOFTWARE;
}

int main(int argc, char **argv)
{
    program_begin();
    store_tables_of(registry);
    return program_end("taluvad", run_words(argc, argv));
}
