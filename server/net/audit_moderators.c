#include "audit_moderators.h"

#include "admin/admin_audit.h"
#include "net_private.h"
#include "parts/part.h"
#include <hub/audit_line.h>
#include <net/clock.h>
#include <net/log.h>
#include <stdlib.h>

/* A line that could not be written is tried again after so long. */
enum { AUDIT_AGAIN_MS = 1000 };

static bool write_line(struct net *net, const struct hub_audit_line *line)
{
    const struct admin_who who = {.moderator = line->handle, .session = line->session};
    const char *why;
    if (admin_audit(net->options->audit, &who, &line->request, "ok", &why))
        return true;
    log_text(LOG_ERROR, "audit_failed", "why", why);
    net->admin.left.again_ms = net_now_ms(net) + AUDIT_AGAIN_MS;
    return false;
}

/* ---- of parts that are gone */

static void add_left(struct audit_left *left, struct hub_audit_line *line)
{
    line->next = NULL;
    *(left->last ? &left->last->next : &left->first) = line;
    left->last = line;
}

static struct hub_audit_line *take_left(struct audit_left *left)
{
    struct hub_audit_line *line = left->first;
    if (!line)
        return NULL;
    left->first = line->next;
    left->last = left->first ? left->last : NULL;
    return line;
}

/* False: the first cannot be written. */
static bool write_left(struct net *net)
{
    struct audit_left *left = &net->admin.left;
    while (left->first && write_line(net, left->first))
        free(take_left(left));
    return !left->first;
}

void audit_moderators_part_gone(struct net *net, struct hub *hub)
{
    struct hub_audit_line *line;
    while ((line = hub_audit_take(hub)) != NULL)
        add_left(&net->admin.left, line);
}

void audit_moderators_end(struct net *net)
{
    struct hub_audit_line *line;
    if (write_left(net))
        return;
    while ((line = take_left(&net->admin.left)) != NULL) {
        log_text(LOG_ERROR, "audit_lost", "moderator", line->handle);
        free(line);
    }
}

/* ---- of those that are here */

static void write_of_part(struct net *net, struct hub *hub)
{
    struct hub_audit_line *line;
    while ((line = hub_audit_take(hub)) != NULL) {
        if (!write_line(net, line)) {
            hub_audit_return(hub, line);
            return;
        }
        free(line);
    }
}

/* All of them are tried, so that each part knows whether its own are written. */
void audit_moderators_write(struct net *net)
{
    if (net_now_ms(net) < net->admin.left.again_ms)
        return;
    net->admin.left.again_ms = 0;
    (void)write_left(net);
    for (struct served_part *part = net->parts.first; part; part = part->next)
        write_of_part(net, part->hub);
}

int64_t audit_moderators_deadline_ms(const struct net *net)
{
    return net->admin.left.again_ms ? net->admin.left.again_ms : INT64_MAX;
}
