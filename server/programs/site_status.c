#include "site_status.h"

#include "site_look.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

/* So long nothing is heard of a node that lives, at most, on a machine that is busy. */
enum { LOOK_MOST_MS = 2500, FORGET_MOST_MS = 5000 };
/* So long before its end a certificate is said to be near it. */
enum { DAY_S = 86400, CERTIFICATE_SOON_S = 30 * DAY_S };

static const char *const node_words[] = {"beats", "silent", "away"};
static const char *const part_words[] = {"served", "silent", "nobody's"};

/* ---- what is wrong */

struct problems {
    size_t count;
    char lines[PARTS_MAX + 5 * MEMBERSHIP_NODES_MAX + 5][256];
};

__attribute__((format(printf, 2, 3))) static void add(struct problems *problems, const char *format,
                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(problems->lines[problems->count++], sizeof problems->lines[0], format,
                    arguments);
    va_end(arguments);
}

static void judge_parts(const struct site_look *look, struct problems *problems)
{
    for (unsigned at = 0; at < look->last.parts; at++) {
        const struct membership_part *part = &look->last.part[at];
        const enum site_part_state state = site_part_state(look, at);
        const char *owner = part->node[0] ? part->node : "its server";
        if (state == SITE_PART_NOBODYS)
            add(problems, "part %u: nobody has it%s%s", at, part->node[0] ? ", last " : "",
                part->node);
        else if (state == SITE_PART_SILENT)
            add(problems, "part %u: %s has committed nothing for %" PRId64 " ms", at, owner,
                look->looked_ms);
    }
}

static void judge_nodes(const struct site_look *look, struct problems *problems)
{
    for (size_t at = 0; at < look->last.nodes; at++) {
        const enum site_node_state state = site_node_state(look, at);
        if (state != SITE_NODE_LIVES)
            add(problems, "node %s: silent for %" PRId64 " ms%s", look->last.node[at].name,
                look->looked_ms, state == SITE_NODE_AWAY ? ", and not connected" : "");
    }
    if (look->last.nodes == MEMBERSHIP_NODES_MAX)
        add(problems, "there are as many names of nodes as there may be: %d", MEMBERSHIP_NODES_MAX);
}

/* Whom a node does not reach, of those that come after it: each pair is said once. */
static size_t name_unreached(const struct site_look *look, size_t at, char *names, size_t size)
{
    size_t len = 0;
    names[0] = '\0';
    for (size_t other = at + 1; other < look->last.nodes && len < size; other++) {
        if (site_node_state(look, other) == SITE_NODE_LIVES &&
            !membership_are_linked(&look->last, at, other))
            len += (size_t)snprintf(names + len, size - len, "%s%s", len > 0 ? ", " : "",
                                    look->last.node[other].name);
    }
    return len;
}

static void judge_links(const struct site_look *look, struct problems *problems)
{
    char names[160];
    for (size_t at = 0; at < look->last.nodes; at++) {
        if (site_node_state(look, at) == SITE_NODE_LIVES &&
            name_unreached(look, at, names, sizeof names) > 0)
            add(problems, "node %s: it has no link with %s: see relay_refused in their logs",
                look->last.node[at].name, names);
    }
}

static void judge_clocks(const struct site_look *look, struct problems *problems)
{
    for (size_t at = 0; at < look->last.nodes; at++) {
        const struct membership_node *node = &look->last.node[at];
        const int64_t off_ms = node->ahead_ms < 0 ? -node->ahead_ms : node->ahead_ms;
        if (off_ms > MEMBERSHIP_CLOCK_DIFFERS_MS)
            add(problems, "node %s: its clock is %" PRId64 " ms %s the database's%s", node->name,
                off_ms, node->ahead_ms < 0 ? "behind" : "ahead of",
                off_ms > MEMBERSHIP_CLOCK_WRONG_MS ? ": it is given no parts" : "");
    }
}

static void judge_certificate(const struct membership_node *node, int64_t now_s,
                              struct problems *problems)
{
    const int64_t left_s = node->facts.certificate_s - now_s;
    if (!node->says_facts || node->facts.certificate_s == 0 || left_s > CERTIFICATE_SOON_S)
        return;
    if (left_s <= 0)
        add(problems, "node %s: the certificate of its links has ended", node->name);
    else
        add(problems, "node %s: the certificate of its links ends in %" PRId64 " days", node->name,
            left_s / DAY_S);
}

/* Of who does not live it is not known any more. */
static void judge_facts(const struct site_look *look, int64_t now_s, struct problems *problems)
{
    for (size_t at = 0; at < look->last.nodes; at++) {
        const struct membership_node *node = &look->last.node[at];
        if (site_node_state(look, at) != SITE_NODE_LIVES)
            continue;
        judge_certificate(node, now_s, problems);
        if (node->facts.set_aside > 0)
            add(problems,
                "node %s: %" PRId64 " rooms of its parts are damaged, and set aside: see"
                " room_damaged in its log",
                node->name, node->facts.set_aside);
    }
}

static bool is_waited_for(const struct postgres_standby_seen *standby)
{
    return strcmp(standby->sync, "sync") == 0 || strcmp(standby->sync, "quorum") == 0;
}

static void judge_standbys(const struct postgres_figures *figures, struct problems *problems)
{
    size_t synchronous = 0;
    for (size_t at = 0; at < figures->standbys; at++)
        synchronous += is_waited_for(&figures->standby[at]);
    if (figures->sees_standbys && figures->waits_for[0] && synchronous == 0)
        add(problems, "no synchronous standby is connected: commits wait for one");
}

/* ---- a page for people */

static void print_links(const struct site_look *look, const struct membership_node *node)
{
    for (size_t other = 0; other < look->last.nodes; other++) {
        if (node->links >> other & 1)
            printf(" %s", look->last.node[other].name);
    }
    printf("%s\n", !node->says_links ? " ?" : !node->links ? " -" : "");
}

static void print_nodes(const struct site_look *look)
{
    if (look->last.nodes == 0)
        return;
    printf("\n%-20s %-24s %-12s %-7s LINKS\n", "NODE", "RELAY", "VERSION", "STATE");
    for (size_t at = 0; at < look->last.nodes; at++) {
        const struct membership_node *node = &look->last.node[at];
        printf("%-20s %-24s %-12s %-7s", node->name, node->relay[0] ? node->relay : "-",
               node->version, node_words[site_node_state(look, at)]);
        print_links(look, node);
    }
}

/* What is worth to be known, and nothing is wrong with. */
static void print_notes(const struct site_look *look)
{
    const struct membership_node *first = NULL;
    for (size_t at = 0; at < look->last.nodes; at++) {
        const struct membership_node *node = &look->last.node[at];
        if (node->facts.jumps > 0)
            printf("note: node %s: its clock was set %" PRId64 " times, the last time by %" PRId64
                   " ms\n",
                   node->name, node->facts.jumps, node->facts.jumped_ms);
        if (first && strcmp(first->version, node->version) != 0)
            printf("note: nodes %s and %s are of versions %s and %s\n", first->name, node->name,
                   first->version, node->version);
        first = node;
    }
}

static void print_parts(const struct site_look *look)
{
    printf("\nPART  %-20s %8s %12s %10s %10s  STATE\n", "OWNER", "TERM", "BATCH", "ROOMS",
           "SESSIONS");
    for (unsigned at = 0; at < look->last.parts; at++) {
        const struct membership_part *part = &look->last.part[at];
        const enum site_part_state state = site_part_state(look, at);
        const char *owner = part->node[0] ? part->node : part->held ? "(a server)" : "-";
        printf("%4u  %-20s %8" PRId64 " %12" PRId64 " %10" PRId64 " %10" PRId64 "  %s\n", at, owner,
               part->term, part->batch, look->figures.rooms[at], look->figures.sessions[at],
               part_words[state]);
    }
}

static void print_standbys(const struct postgres_figures *figures)
{
    printf("standby   %s%s\n", figures->waits_for[0] ? "commits wait for " : "none is waited for",
           figures->waits_for);
    if (!figures->sees_standbys)
        printf(
            "          this role does not see who is connected: GRANT pg_read_all_stats TO it\n");
    for (size_t at = 0; at < figures->standbys; at++)
        printf("          %s: %s, %s\n", figures->standby[at].name, figures->standby[at].state,
               figures->standby[at].sync);
}

static void print_page(const struct site_look *look, const struct problems *problems)
{
    const struct postgres_figures *figures = &look->figures;
    printf("database  %s, PostgreSQL %s, schema %" PRId64 "\n", look->name, figures->version,
           figures->schema);
    print_standbys(figures);
    printf("bans      revision %" PRId64 "\n", figures->bans_revision);
    print_nodes(look);
    print_parts(look);
    printf("\n");
    print_notes(look);
    for (size_t at = 0; at < problems->count; at++)
        printf("wrong: %s\n", problems->lines[at]);
    if (problems->count == 0)
        printf("all is well, looked at for %" PRId64 " ms\n", look->looked_ms);
}

/* ---- the same for programs: NULL, if memory ran out */

/* NULL: it does not say. */
static json_t *links_of(const struct site_look *look, const struct membership_node *node)
{
    json_t *links = node->says_links ? json_array() : NULL;
    for (size_t other = 0; links && other < look->last.nodes; other++) {
        if (node->links >> other & 1)
            (void)json_array_append_new(links, json_string(look->last.node[other].name));
    }
    return links;
}

/* NULL: it tells nothing. */
static json_t *facts_of(const struct membership_node *node)
{
    const struct membership_facts *facts = &node->facts;
    return node->says_facts
               ? json_pack("{s:I,s:I,s:I,s:I}", "rooms_set_aside", (json_int_t)facts->set_aside,
                           "clock_jumps", (json_int_t)facts->jumps, "clock_jumped_ms",
                           (json_int_t)facts->jumped_ms, "certificate_ends_s",
                           (json_int_t)facts->certificate_s)
               : NULL;
}

static json_t *nodes_of(const struct site_look *look)
{
    json_t *nodes = json_array();
    for (size_t at = 0; nodes && at < look->last.nodes; at++) {
        const struct membership_node *node = &look->last.node[at];
        (void)json_array_append_new(
            nodes,
            json_pack("{s:s,s:s,s:s,s:s,s:o*,s:o*}", "node", node->name, "relay", node->relay,
                      "version", node->version, "state", node_words[site_node_state(look, at)],
                      "links", links_of(look, node), "facts", facts_of(node)));
    }
    return nodes;
}

static json_t *parts_of(const struct site_look *look)
{
    json_t *parts = json_array();
    for (unsigned at = 0; parts && at < look->last.parts; at++) {
        const struct membership_part *part = &look->last.part[at];
        (void)json_array_append_new(
            parts, json_pack("{s:i,s:s,s:I,s:I,s:I,s:I,s:s}", "part", (int)at, "owner", part->node,
                             "term", (json_int_t)part->term, "batch", (json_int_t)part->batch,
                             "rooms", (json_int_t)look->figures.rooms[at], "sessions",
                             (json_int_t)look->figures.sessions[at], "state",
                             part_words[site_part_state(look, at)]));
    }
    return parts;
}

static json_t *database_of(const struct site_look *look)
{
    const struct postgres_figures *figures = &look->figures;
    json_t *standbys = json_array();
    for (size_t at = 0; standbys && at < figures->standbys; at++)
        (void)json_array_append_new(
            standbys, json_pack("{s:s,s:s,s:s}", "name", figures->standby[at].name, "state",
                                figures->standby[at].state, "sync", figures->standby[at].sync));
    return json_pack("{s:s,s:s,s:I,s:s,s:b,s:o}", "name", look->name, "version", figures->version,
                     "schema", (json_int_t)figures->schema, "waits_for", figures->waits_for,
                     "sees_standbys", figures->sees_standbys, "standbys", standbys);
}

/* False: out of memory. */
static bool print_json(const struct site_look *look, const struct problems *problems)
{
    json_t *wrong = json_array();
    for (size_t at = 0; wrong && at < problems->count; at++)
        (void)json_array_append_new(wrong, json_string(problems->lines[at]));
    json_t *page =
        json_pack("{s:o,s:I,s:I,s:o,s:o,s:o}", "database", database_of(look), "bans_revision",
                  (json_int_t)look->figures.bans_revision, "looked_ms", (json_int_t)look->looked_ms,
                  "nodes", nodes_of(look), "parts", parts_of(look), "wrong", wrong);
    if (!page)
        return false;
    (void)json_dumpf(page, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
    printf("\n");
    json_decref(page);
    return true;
}

/* ---- the commands */

static int fail_because(const char *what, int status)
{
    fprintf(stderr, "taluvad: %s\n", what);
    return status;
}

static int choose_database(struct store_choice *choice, const struct options *options)
{
    char message[STORE_MESSAGE_MAX];
    const int status = store_choose(choice, options, message);
    if (status != EX_OK)
        return fail_because(message, status);
    return choice->database
               ? EX_OK
               : fail_because("only a site in a PostgreSQL database has nodes", EX_USAGE);
}

static int show_site(const struct site_look *look, bool json)
{
    static struct problems problems;
    judge_nodes(look, &problems);
    judge_links(look, &problems);
    judge_clocks(look, &problems);
    judge_facts(look, (int64_t)time(NULL), &problems);
    judge_parts(look, &problems);
    judge_standbys(&look->figures, &problems);
    if (look->uncounted)
        add(&problems, "not everything is counted: %.200s", look->why_uncounted);
    if (!json)
        print_page(look, &problems);
    else if (!print_json(look, &problems))
        return fail_because("out of memory", EX_OSERR);
    return problems.count > 0 ? SITE_STATUS_WRONG : EX_OK;
}

int site_status(const struct options *options)
{
    static struct site_look look;
    struct store_choice choice;
    int status = choose_database(&choice, options);
    if (status == EX_OK)
        status = site_look_begin(&look, &choice, LOOK_MOST_MS);
    if (status == EX_OK)
        status = show_site(&look, options->json);
    site_look_end(&look);
    store_choice_release(&choice);
    return status;
}

static int find_node(const struct site_look *look, const char *name)
{
    for (size_t at = 0; at < look->last.nodes; at++) {
        if (strcmp(look->last.node[at].name, name) == 0)
            return (int)at;
    }
    return -1;
}

static int forget_node(const struct site_look *look, const char *name)
{
    char message[STORE_MESSAGE_MAX];
    const int at = find_node(look, name);
    if (at < 0)
        return fail_because("there is no node of that name", EX_DATAERR);
    if (site_node_state(look, (size_t)at) == SITE_NODE_LIVES)
        return fail_because("that node lives: end it, and its name goes by itself", EX_TEMPFAIL);
    for (unsigned part = 0; part < look->last.parts; part++) {
        if (strcmp(look->last.part[part].node, name) == 0)
            return fail_because("parts are still its own, until another node takes them",
                                EX_TEMPFAIL);
    }
    if (membership_forget(look->membership, &look->last.node[at], message) == STORE_OK) {
        printf("%s is forgotten\n", name);
        return EX_OK;
    }
    return fail_because(message, EX_TEMPFAIL);
}

int site_forget(const struct options *options)
{
    static struct site_look look;
    struct store_choice choice;
    int status = choose_database(&choice, options);
    if (status == EX_OK)
        status = site_look_begin(&look, &choice, FORGET_MOST_MS);
    if (status == EX_OK)
        status = forget_node(&look, options->file);
    site_look_end(&look);
    store_choice_release(&choice);
    return status;
}
