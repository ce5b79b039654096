#include "check_node.h"

#include "node_files.h"
#include "site_keys.h"
#include "site_look.h"
#include <inttypes.h>
#include <net/probe.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

enum {
    LOOK_MOST_MS = 2500,
    DIAL_MS = 3000,
    /* Nothing moves because of this: a node that has no links is left out of account sooner
     * (MEMBERSHIP_CUT_OFF_MS) than parts move for one that has come (keeper_usual.settle_ms). */
    JOINED_MS = 4000,
    BEAT_MS = 500,
    DAY_S = 86400,
    CERTIFICATE_SOON_S = 30 * DAY_S
};

struct checking {
    const struct options *options;
    struct store_choice choice;
    struct site_look look;
    struct node_files files;
    struct net_probe *probe; /* NULL: the node is to have no links */
    size_t self;             /* its place in the look, if it is there */
    bool runs;
    struct net_relay_node nodes[MEMBERSHIP_NODES_MAX]; /* the others that live and have links */
    size_t count;
    int status; /* of the first thing that is wrong */
};

/* ---- lines */

__attribute__((format(printf, 3, 4))) static void say(const char *what, const char *about,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%-6s %-12s ", what, about);
    (void)vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
    va_end(arguments);
}

#define GOOD(about, ...) say("ok", about, __VA_ARGS__)
#define NOTE(about, ...) say("note", about, __VA_ARGS__)

static void note_wrong(struct checking *checking, int status)
{
    if (checking->status == EX_OK)
        checking->status = status;
}

#define WRONG(checking, status, about, ...)                                                        \
    do {                                                                                           \
        say("wrong", about, __VA_ARGS__);                                                          \
        note_wrong(checking, status);                                                              \
    } while (0)

/* ---- what is on this machine */

static void check_certificate(struct checking *checking)
{
    const int64_t left_s = net_probe_certificate_s(checking->probe) - (int64_t)time(NULL);
    const char *const why = net_probe_why_not(checking->probe);
    if (why)
        WRONG(checking, EX_CONFIG, "certificate", "no node will accept it: %s", why);
    else if (left_s < CERTIFICATE_SOON_S)
        NOTE("certificate", "it ends in %" PRId64 " days", left_s / DAY_S);
    else
        GOOD("certificate", "it is for %s, and ends in %" PRId64 " days", checking->options->node,
             left_s / DAY_S);
}

static void check_files(struct checking *checking)
{
    char message[NET_MESSAGE_MAX];
    if (!checking->options->relay) {
        NOTE("links", "there is no --relay: its players reach the parts of this node alone");
        return;
    }
    if (!node_files_find(&checking->files, checking->options)) {
        WRONG(checking, EX_USAGE, "certificate",
              "--relay needs --relay-cert, --relay-key and --relay-ca");
        return;
    }
    checking->probe = net_probe_create(&checking->files.relay, message);
    if (checking->probe)
        check_certificate(checking);
    else
        WRONG(checking, EX_CONFIG, "certificate", "%s", message);
}

/* What is wrong has been said on stderr. No message is sent from here, so no key for that is made.
 */
static void check_keys(struct checking *checking)
{
    struct options options = *checking->options;
    struct site_keys *const keys = site_keys_create();
    options.push_contact = NULL;
    const int status = keys ? site_keys_check(keys, &options, &checking->choice) : EX_OSERR;
    sodium_free(keys);
    if (status == EX_OK)
        GOOD("keys", "those of the site, or the site has none yet");
    else
        WRONG(checking, status, "keys", "this node would not start with them: see above");
}

/* ---- the site */

static void check_database(const struct checking *checking)
{
    const struct postgres_figures *const figures = &checking->look.figures;
    GOOD("database", "%s, PostgreSQL %s, schema %" PRId64, checking->look.name, figures->version,
         figures->schema);
}

static void check_clock(struct checking *checking, const char *name, int64_t ahead_ms)
{
    const int64_t off_ms = ahead_ms < 0 ? -ahead_ms : ahead_ms;
    const char *const way = ahead_ms < 0 ? "behind" : "ahead of";
    if (off_ms > MEMBERSHIP_CLOCK_WRONG_MS)
        WRONG(checking, EX_CONFIG, "clock",
              "%s: %" PRId64 " ms %s the database's: it is given no parts", name, off_ms, way);
    else if (off_ms > MEMBERSHIP_CLOCK_DIFFERS_MS)
        NOTE("clock", "%s: %" PRId64 " ms %s the database's", name, off_ms, way);
    else
        GOOD("clock", "%s: %" PRId64 " ms %s the database's", name, off_ms, way);
}

static void check_version(const struct membership_node *node)
{
    if (strcmp(node->version, TALUVA_VERSION) != 0)
        NOTE("version", "%s is of version %s, this program of %s", node->name, node->version,
             TALUVA_VERSION);
}

static void check_others(struct checking *checking)
{
    const struct membership_look *const last = &checking->look.last;
    for (size_t at = 0; at < last->nodes; at++) {
        const struct membership_node *const node = &last->node[at];
        const bool lives = site_node_state(&checking->look, at) == SITE_NODE_LIVES;
        if (strcmp(node->name, checking->options->node) == 0) {
            checking->self = at;
            checking->runs = lives;
            continue;
        }
        if (!lives) {
            NOTE("node", "%s is silent", node->name);
            continue;
        }
        check_version(node);
        if (node->says_clock)
            check_clock(checking, node->name, node->ahead_ms);
        if (node->relay[0])
            checking->nodes[checking->count++] =
                (struct net_relay_node){.name = node->name, .address = node->relay};
    }
}

static void check_parts(const struct checking *checking)
{
    unsigned nobodys = 0;
    for (unsigned at = 0; at < checking->look.last.parts; at++)
        nobodys += site_part_state(&checking->look, at) == SITE_PART_NOBODYS;
    if (nobodys > 0 && checking->look.last.nodes > 0)
        NOTE("parts", "%u of %u are nobody's", nobodys, checking->look.last.parts);
    else
        GOOD("parts", "%u", checking->look.last.parts);
}

/* ---- links */

static void check_outward(struct checking *checking)
{
    char message[NET_MESSAGE_MAX];
    for (size_t at = 0; at < checking->count; at++) {
        const struct net_relay_node *const node = &checking->nodes[at];
        if (net_probe_dial(checking->probe, node, DIAL_MS, message))
            GOOD("link", "%s is reached at %s", node->name, node->address);
        else
            WRONG(checking, EX_UNAVAILABLE, "link", "%s is not reached at %s: %s", node->name,
                  node->address, message);
    }
}

/* Of two nodes the one whose name comes first connects to the other. */
static bool comes_here(const struct checking *checking, const struct net_relay_node *node)
{
    return strcmp(node->name, checking->options->node) < 0;
}

static void say_who_came(struct checking *checking, uint64_t came)
{
    for (size_t at = 0; at < checking->count; at++) {
        const struct net_relay_node *const node = &checking->nodes[at];
        if (!comes_here(checking, node))
            continue;
        if (came >> at & 1)
            GOOD("link", "%s reaches this node at %s", node->name, checking->options->relay);
        else
            WRONG(checking, EX_UNAVAILABLE, "link",
                  "%s does not reach this node at %s: is the port open? its log says more"
                  " (relay_refused)",
                  node->name, checking->options->relay);
    }
}

static bool all_came(const struct checking *checking, uint64_t came)
{
    for (size_t at = 0; at < checking->count; at++) {
        if (comes_here(checking, &checking->nodes[at]) && !(came >> at & 1))
            return false;
    }
    return true;
}

/* As a node that has just come and has no links yet. */
static uint64_t wait_for_others(struct checking *checking, struct membership *membership)
{
    char message[STORE_MESSAGE_MAX];
    uint64_t came = 0;
    for (int64_t waited_ms = 0; waited_ms < JOINED_MS && !all_came(checking, came);
         waited_ms += BEAT_MS) {
        if (membership_beat(membership, message) != STORE_OK)
            break;
        const int at = net_probe_take(checking->probe, checking->nodes, checking->count, BEAT_MS);
        if (at >= 0)
            came |= UINT64_C(1) << at;
    }
    return came;
}

static void join_site(struct checking *checking, struct membership *membership)
{
    char message[STORE_MESSAGE_MAX];
    const enum store_result result = membership_join(membership, message);
    if (result != STORE_OK) {
        WRONG(checking, result == STORE_FENCED ? EX_TEMPFAIL : EX_UNAVAILABLE, "name", "%s",
              message);
        return;
    }
    check_clock(checking, checking->options->node, membership_ahead_ms(membership));
    if (checking->probe)
        say_who_came(checking, wait_for_others(checking, membership));
    membership_leave(membership);
}

/* It does not run: its name is taken for a moment, so that the others connect to it. */
static void check_inward(struct checking *checking)
{
    const struct options *const options = checking->options;
    const struct membership_self self = {.name = options->node,
                                         .relay = options->relay ? options->relay : "",
                                         .version = TALUVA_VERSION};
    char message[NET_MESSAGE_MAX];
    if (checking->probe && !net_probe_listen(checking->probe, message)) {
        WRONG(checking, EX_UNAVAILABLE, "link", "%s", message);
        return;
    }
    struct membership *const membership = membership_create(checking->choice.where, NULL, &self);
    if (membership)
        join_site(checking, membership);
    else
        note_wrong(checking, EX_OSERR);
    membership_destroy(membership);
}

/* It runs: what it and the others say is how it is. */
static void check_running(struct checking *checking)
{
    const struct membership_look *const last = &checking->look.last;
    const struct membership_node *const self = &last->node[checking->self];
    GOOD("name", "%s runs", self->name);
    if (self->says_clock)
        check_clock(checking, self->name, self->ahead_ms);
    for (size_t at = 0; at < last->nodes; at++) {
        if (at == checking->self || site_node_state(&checking->look, at) != SITE_NODE_LIVES)
            continue;
        if (membership_are_linked(last, checking->self, at))
            GOOD("link", "%s and %s say that there is one", self->name, last->node[at].name);
        else
            WRONG(checking, EX_UNAVAILABLE, "link", "there is none with %s", last->node[at].name);
    }
}

/* ---- all of it */

static void check_site(struct checking *checking)
{
    check_database(checking);
    check_parts(checking);
    check_others(checking);
    if (!checking->runs)
        check_keys(checking);
    if (checking->probe)
        check_outward(checking);
    if (checking->runs)
        check_running(checking);
    else
        check_inward(checking);
}

static int fail_because(const char *what)
{
    fprintf(stderr, "taluvad: %s\n", what);
    return EX_USAGE;
}

int check_node(const struct options *options)
{
    static struct checking checking;
    char message[STORE_MESSAGE_MAX];
    checking = (struct checking){.options = options};
    if (!options->node)
        return fail_because(
            "check-node needs --node, and what else the node is to be started with");
    int status = store_choose(&checking.choice, options, message);
    if (status != EX_OK) {
        fprintf(stderr, "taluvad: %s\n", message);
        return status;
    }
    log_set_level(LOG_WARN);
    check_files(&checking);
    status = site_look_begin(&checking.look, &checking.choice, LOOK_MOST_MS);
    if (status == EX_OK)
        check_site(&checking);
    else
        note_wrong(&checking, status);
    site_look_end(&checking.look);
    net_probe_destroy(checking.probe);
    store_choice_release(&checking.choice);
    return checking.status;
}
