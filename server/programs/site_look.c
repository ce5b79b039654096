#include "site_look.h"

#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

enum { LOOK_MS = 200 };

static const struct postgres_timeouts timeouts = {
    .connect_ms = 5000, .answer_ms = 20000, .settle_ms = 5000, .lock_ms = 2000};

/* ---- what follows from two looks */

static const struct membership_node *node_before(const struct site_look *look, const char *name)
{
    for (size_t at = 0; at < look->first.nodes; at++) {
        if (strcmp(look->first.node[at].name, name) == 0)
            return &look->first.node[at];
    }
    return NULL;
}

/* Who has come meanwhile lives. */
enum site_node_state site_node_state(const struct site_look *look, size_t at)
{
    const struct membership_node *node = &look->last.node[at];
    const struct membership_node *before = node_before(look, node->name);
    if (!before || before->life != node->life || before->beat != node->beat)
        return SITE_NODE_LIVES;
    return node->away ? SITE_NODE_AWAY : SITE_NODE_SILENT;
}

enum site_part_state site_part_state(const struct site_look *look, unsigned at)
{
    const struct membership_part *part = &look->last.part[at], *before = &look->first.part[at];
    if (!part->held)
        return SITE_PART_NOBODYS;
    return part->term != before->term || part->batch != before->batch ? SITE_PART_SERVED
                                                                      : SITE_PART_SILENT;
}

static bool is_all_well(const struct site_look *look)
{
    bool well = look->last.parts > 0 && look->first.parts == look->last.parts;
    for (size_t at = 0; at < look->last.nodes; at++)
        well = well && site_node_state(look, at) == SITE_NODE_LIVES;
    for (unsigned at = 0; well && at < look->last.parts; at++)
        well = site_part_state(look, at) == SITE_PART_SERVED;
    return well;
}

/* ---- looking */

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static enum store_result look_on(struct site_look *look, int64_t most_ms,
                                 char message[static STORE_MESSAGE_MAX])
{
    enum store_result result = membership_see(look->membership, &look->first, message);
    look->last = look->first;
    while (result == STORE_OK && look->last.at_ms - look->first.at_ms < most_ms &&
           !is_all_well(look)) {
        pause_ms(LOOK_MS);
        result = membership_see(look->membership, &look->last, message);
    }
    look->looked_ms = look->last.at_ms - look->first.at_ms;
    if (result == STORE_OK && look->first.parts != look->last.parts) {
        snprintf(message, STORE_MESSAGE_MAX, "the site was divided anew meanwhile");
        return STORE_FAILED;
    }
    return result;
}

static int fail_looking(const struct site_look *look, enum store_result result, const char *message)
{
    if (result != STORE_CORRUPT)
        return store_database_failed(look->name, membership_problem(look->membership), message);
    fprintf(stderr, "taluvad: %s: %s\n", look->name, message);
    return EX_NOINPUT;
}

int site_look_begin(struct site_look *look, const struct store_choice *choice, int64_t most_ms)
{
    static const struct membership_self nobody = {"", "", ""};
    char message[STORE_MESSAGE_MAX] = "out of memory";
    *look = (struct site_look){.membership = membership_create(choice->where, &timeouts, &nobody)};
    if (!look->membership) {
        fprintf(stderr, "taluvad: %s\n", message);
        return EX_OSERR;
    }
    snprintf(look->name, sizeof look->name, "%s", membership_url_name(look->membership));
    enum store_result result = membership_open(look->membership, message);
    if (result == STORE_OK)
        result = look_on(look, most_ms, message);
    if (result == STORE_OK)
        look->uncounted = membership_figures(look->membership, look->last.parts, &look->figures,
                                             look->why_uncounted) != STORE_OK;
    return result == STORE_OK ? EX_OK : fail_looking(look, result, message);
}

void site_look_end(struct site_look *look)
{
    membership_destroy(look->membership);
}
