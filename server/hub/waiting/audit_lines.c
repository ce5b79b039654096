#include "audit_lines.h"

#include "hub_private.h"
#include <hub/audit_line.h>
#include <stdlib.h>

void audit_lines_add(struct audit_lines *waiting, struct hub_audit_line *line)
{
    line->next = NULL;
    *(waiting->last ? &waiting->last->next : &waiting->first) = line;
    waiting->last = line;
}

static struct hub_audit_line *take_line(struct audit_lines *waiting)
{
    struct hub_audit_line *line = waiting->first;
    if (!line)
        return NULL;
    waiting->first = line->next;
    waiting->last = line->next ? waiting->last : NULL;
    waiting->returned = false;
    return line;
}

struct hub_audit_line *hub_audit_take(struct hub *hub)
{
    return take_line(&hub->audit_lines);
}

void hub_audit_return(struct hub *hub, struct hub_audit_line *line)
{
    struct audit_lines *waiting = &hub->audit_lines;
    line->next = waiting->first;
    waiting->first = line;
    if (!line->next)
        waiting->last = line;
    waiting->returned = true;
}

void audit_lines_release(struct audit_lines *waiting)
{
    struct hub_audit_line *line;
    while ((line = take_line(waiting)) != NULL)
        free(line);
}
