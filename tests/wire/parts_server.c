/*
 * A server of a whole site of four parts, each in a folder of its own, for the tests of how net
 * serves parts. It takes taluvad's options. A thread beside the loop, as a keeper of parts is,
 * reads commands from the standard input:
 *
 *     give N     opens part N and hands it to the loop, when the one before has ended
 *     back N     takes it back
 *     lost N     says that another server has opened it, with a later term
 *     old N      ... and that one did with this term, so that it is of no account
 *     close N    closes it when it has ended, so that another process can open it
 *     fence N    every commit of it fails from now on, as another server has the store
 *     stop N     commits of it are not carried out ("waits N" is printed of each) until
 *     go N
 *     node NAME ADDRESS    that is the one other node now
 *
 * and "ended N RESULT" is printed when the net uses a part no more. From the environment:
 *
 *     PARTS_HERE     digits: which parts are opened at the start; all, if it is not there
 *     PARTS_TERM     what terms begin behind
 *     PARTS_NODE     the name of this node, which is linked with another one
 *     PARTS_RELAY    where it listens for that
 *     PARTS_BOOK     it has the guest book of the tests in place of the finished matches
 *     PARTS_FILES    a folder with NAME.pem, NAME-key.pem and ca.pem
 */
#include "../support/guest_book.h"
#include "options.h"
#include <assert.h>
#include <hub/hub.h>
#include <identity/identity.h>
#include <net/net.h>
#include <poll.h>
#include <pthread.h>
#include <registry/registry.h>
#include <signal.h>
#include <site/site.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <taluva/game.h>
#include <totem/game.h>
#include <unistd.h>

enum { PARTS = 4, LEASE_MS = 1500, SIGN_OF_LIFE_MS = 250, RESUME_WAIT_MS = 3000 };

/* A store whose commits can be kept from it. */
struct lever {
    struct store store;
    struct store *inner;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool fenced, stopped;
    unsigned part;
    uint64_t term; /* the part is served with */
};

struct place {
    struct lever lever;
    struct hub *hub; /* the keeper's, or the loop's; NULL: none */
    bool used;       /* by the net */
};

struct server {
    struct options options;
    struct net_clock clock;
    struct site *site;
    struct net *net;
    struct place places[PARTS];
    struct net_relay_options relay; /* without a name: none */
    char cert[OPTIONS_PATH_MAX], key[OPTIONS_PATH_MAX], ca[OPTIONS_PATH_MAX];
    uint64_t term;
    pthread_mutex_t mutex; /* of `used` */
    pthread_cond_t ended;
    pthread_t keeper;
    int keeper_end[2];
};

static const struct feature *const with_book[] = {&feature_identity, &guest_book, NULL};
static const struct feature *const *features = registry;
static const struct game_type *const games[] = {&game_type_taluva, &game_type_totem, NULL};

/* ---- stores */

static struct lever *lever_of(struct store *store)
{
    return (struct lever *)store;
}

static void commit(struct store *store, struct store_commit *commit)
{
    struct lever *lever = lever_of(store);
    pthread_mutex_lock(&lever->mutex);
    if (lever->stopped)
        printf("waits %u\n", lever->part);
    while (lever->stopped)
        pthread_cond_wait(&lever->changed, &lever->mutex);
    const bool fenced = lever->fenced;
    pthread_mutex_unlock(&lever->mutex);
    if (!fenced) {
        lever->inner->engine->commit(lever->inner, commit);
        return;
    }
    commit->result = STORE_FENCED;
    commit->done(commit);
}

static void read_room(struct store *store, struct store_read *read)
{
    lever_of(store)->inner->engine->read(lever_of(store)->inner, read);
}

/* Each part has a store of its own here, which no letter leaves: nothing waits in any. */
static void query_rows(struct store *store, struct store_query *query)
{
    (void)store;
    query->result = store_query_begin(query) ? STORE_OK : STORE_FAILED;
    query->done(query);
}

static const struct store_engine lever_engine = {
    .commit = commit, .read = read_room, .query = query_rows};

static void set(struct lever *lever, bool *what, bool on)
{
    pthread_mutex_lock(&lever->mutex);
    *what = on;
    pthread_cond_broadcast(&lever->changed);
    pthread_mutex_unlock(&lever->mutex);
}

/* ---- opening and closing parts */

static void draw_random(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    randombytes_buf(bytes, len);
}

static void fail(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(EX_SOFTWARE);
}

static struct net_part open_part(struct server *server, unsigned at)
{
    struct place *place = &server->places[at];
    struct lever *lever = &place->lever;
    const struct hub_env env = {.random = draw_random,
                                .server = "parts-server",
                                .games = games,
                                .features = features,
                                .sign_of_life_ms = SIGN_OF_LIFE_MS,
                                .part = at,
                                .parts = PARTS};
    char folder[OPTIONS_PATH_MAX + 8], message[STORE_MESSAGE_MAX] = "out of memory";
    struct net_clock clock;
    snprintf(folder, sizeof folder, "%s/%u", server->options.data, at);
    place->hub = hub_create(&server->options.hub, &env);
    lever->inner = sqlite_store_create(folder);
    lever->store.engine = &lever_engine;
    lever->fenced = lever->stopped = false;
    lever->part = at;
    if (!place->hub || !lever->inner)
        fail(message);
    const struct store_sink sink = hub_sink(place->hub);
    if (lever->inner->engine->open(lever->inner, &sink, message) != STORE_OK)
        fail(message);
    net_clock_init(&clock);
    net_clock_begin_at(&clock, hub_known_ms(place->hub));
    if (hub_restored(place->hub, net_clock_ms(&clock)) < 0)
        fail("cannot be restored");
    place->used = true;
    lever->term = ++server->term;
    return (struct net_part){
        .part = at, .term = lever->term, .hub = place->hub, .store = &lever->store};
}

static void close_part(struct place *place)
{
    if (!place->hub)
        return;
    hub_destroy(place->hub);
    place->lever.inner->engine->close(place->lever.inner);
    place->hub = NULL;
}

static void part_ended(void *ctx, const struct net_part *part, enum store_result why)
{
    struct server *server = ctx;
    pthread_mutex_lock(&server->mutex);
    server->places[part->part].used = false;
    printf("ended %u %d\n", part->part, (int)why);
    pthread_cond_signal(&server->ended);
    pthread_mutex_unlock(&server->mutex);
}

static void wait_ended(struct server *server, const struct place *place)
{
    pthread_mutex_lock(&server->mutex);
    while (place->used)
        pthread_cond_wait(&server->ended, &server->mutex);
    pthread_mutex_unlock(&server->mutex);
}

/* ---- the keeper */

static void carry_out(struct server *server, const char *line)
{
    char word[8], name[16], address[32];
    unsigned at;
    if (sscanf(line, "node %15s %31s", name, address) == 2) {
        net_nodes(server->net, &(struct net_relay_node){name, address}, 1);
        return;
    }
    if (sscanf(line, "%7s %u", word, &at) != 2 || at >= PARTS)
        fail("not a command");
    struct place *place = &server->places[at];
    struct lever *lever = &place->lever;
    if (strcmp(word, "give") == 0) {
        wait_ended(server, place);
        close_part(place);
        const struct net_part part = open_part(server, at);
        net_give(server->net, &part);
    } else if (strcmp(word, "back") == 0) {
        net_take_back(server->net, at);
    } else if (strcmp(word, "lost") == 0) {
        net_lost(server->net, at, server->term + 1);
    } else if (strcmp(word, "old") == 0) {
        net_lost(server->net, at, lever->term);
    } else if (strcmp(word, "close") == 0) {
        wait_ended(server, place);
        close_part(place);
        printf("closed %u\n", at);
    } else if (strcmp(word, "fence") == 0) {
        set(lever, &lever->fenced, true);
    } else {
        set(lever, &lever->stopped, strcmp(word, "stop") == 0);
    }
}

static void *keep(void *arg)
{
    struct server *server = arg;
    struct pollfd files[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = server->keeper_end[0], .events = POLLIN}};
    char line[64];
    size_t len = 0;
    while (poll(files, 2, -1) >= 0 && !files[1].revents) {
        if (len == sizeof line || read(STDIN_FILENO, line + len, 1) != 1) {
            files[0].fd = -1; /* no more of them */
            continue;
        }
        if (line[len++] != '\n')
            continue;
        line[len - 1] = '\0';
        carry_out(server, line);
        len = 0;
    }
    return NULL;
}

/* ---- the server */

static const char *environment(const char *name)
{
    return getenv(name);
}

static void read_relay(struct server *server)
{
    const char *const name = getenv("PARTS_NODE"), *const files = getenv("PARTS_FILES");
    const char *const term = getenv("PARTS_TERM");
    server->term = term ? strtoull(term, NULL, 10) : 0;
    if (!name || !files)
        return;
    snprintf(server->cert, sizeof server->cert, "%s/%s.pem", files, name);
    snprintf(server->key, sizeof server->key, "%s/%s-key.pem", files, name);
    snprintf(server->ca, sizeof server->ca, "%s/ca.pem", files);
    server->relay = (struct net_relay_options){.name = name,
                                               .listen = getenv("PARTS_RELAY"),
                                               .cert = server->cert,
                                               .key = server->key,
                                               .ca = server->ca};
}

/* Is it there at the start? */
static bool is_here(unsigned part)
{
    const char *const here = getenv("PARTS_HERE");
    return !here || strchr(here, (int)('0' + part));
}

static void begin(struct server *server, int argc, char **argv)
{
    char message[OPTIONS_MESSAGE_MAX];
    struct site_config config = site_usual;
    if (!options_read(&server->options, argc, argv, environment, message))
        fail(message);
    if (sodium_init() < 0 || pipe(server->keeper_end) != 0)
        fail("cannot begin");
    log_set_level(server->options.log_level);
    signal(SIGPIPE, SIG_IGN);
    mkdir(server->options.data, S_IRWXU);
    read_relay(server);
    net_clock_init(&server->clock);
    pthread_mutex_init(&server->mutex, NULL);
    pthread_cond_init(&server->ended, NULL);
    for (unsigned at = 0; at < PARTS; at++) {
        pthread_mutex_init(&server->places[at].lever.mutex, NULL);
        pthread_cond_init(&server->places[at].lever.changed, NULL);
    }
    config.parts = PARTS;
    features = getenv("PARTS_BOOK") ? with_book : registry;
    config.features = features;
    store_tables_of(features);
    config.resume_wait_ms = RESUME_WAIT_MS;
    server->site = site_create(&config);
    if (!server->site)
        fail("out of memory");
}

/* As somebody does who keeps documents: for as long as this process is there. */
static bool change_document(void *ctx, const char *name, const char *text, size_t len,
                            int64_t revision)
{
    struct server *server = ctx;
    const bool told = net_document(server->net, name, text, len, revision + 1);
    net_document_kept(server->net, told ? DOCUMENT_KEPT : DOCUMENT_FAILED);
    return true;
}

static int end(struct server *server, enum net_end how)
{
    printf("net_run %d\n", (int)how);
    net_destroy(server->net); /* a store that is stopped can be told to go on meanwhile */
    const ssize_t told = write(server->keeper_end[1], "", 1);
    assert(told == 1);
    (void)told;
    pthread_join(server->keeper, NULL);
    for (unsigned at = 0; at < PARTS; at++)
        close_part(&server->places[at]);
    site_destroy(server->site);
    return how == NET_DRAINED ? EX_OK : EX_TEMPFAIL;
}

int main(int argc, char **argv)
{
    static struct server server;
    char message[NET_MESSAGE_MAX];
    setvbuf(stdout, NULL, _IOLBF, 0);
    begin(&server, argc, argv);
    const struct net_options net = {
        .listen = server.options.listen.items,
        .origins = server.options.origins.items,
        .hosts = server.options.hosts.items,
        .proxies = server.options.proxies.items,
        .site = server.site,
        .relay = server.relay.name ? &server.relay : NULL,
        .part_ended = part_ended,
        .part_ctx = &server,
        .lease_ms = LEASE_MS,
        .change_document = change_document,
        .connections = server.options.hub.connections,
        .config = server.options.net,
    };
    if (net_create(&net, &server.clock, &server.net, message) != NET_OK)
        fail(message);
    if (!net_document(server.net, "bans", "", 0, 0) ||
        !net_document(server.net, "welcome", "", 0, 0))
        fail("out of memory");
    for (unsigned at = 0; at < PARTS; at++) {
        if (!is_here(at))
            continue;
        const struct net_part part = open_part(&server, at);
        if (at % 2 == 0)
            net_give(server.net, &part);
        else if (net_serve(server.net, &part) != NET_OK)
            fail("cannot be served");
    }
    if (pthread_create(&server.keeper, NULL, keep, &server) != 0)
        fail("no thread");
    printf("nodes come to %u\n", net_relay_port(server.net));
    printf("listening on %s\n", net_url(server.net, 0));
    return end(&server, net_run(server.net));
}
