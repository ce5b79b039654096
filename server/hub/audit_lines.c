#include "audit_lines.h"

#include "hub_private.h"
#include <assert.h>
#include <hub/audit_line.h>
#include <stdlib.h>

void audit_lines_add(struct audit_lines *waiting, struct hub_audit_line *line)
{
    assert(waiting->count < AUDIT_LINES_MAX);
    waiting->count++;
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
    waiting->count--;
    return line;
}

struct hub_audit_line *hub_audit_take(struct hub *hub)
{
    return take_line(&hub->audit_lines);
}

void audit_lines_release(struct audit_lines *waiting)
{
    struct hub_audit_line *line;
    while ((line = take_line(waiting)) != NULL)
        free(line);
}
