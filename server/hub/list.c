#include "list.h"

#include "hub_private.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

bool list_wait(struct hub *hub, struct hub_peer peer, const struct request *request,
               uint64_t session, const char *after)
{
    struct lists *lists = &hub->lists;
    struct lister *lister =
        lists->count < (size_t)hub->config.lists ? calloc(1, sizeof *lister) : NULL;
    if (!lister)
        return false;
    lister->ticket = ++lists->tickets;
    lister->peer = peer;
    lister->id = request->id;
    lister->op = request->op;
    lister->session = session;
    snprintf(lister->after, sizeof lister->after, "%s", after);
    *(lists->first ? &lists->last->next : &lists->first) = lister;
    lists->last = lister;
    lists->count++;
    return true;
}

bool hub_list_take(struct hub *hub, struct store_list *list)
{
    struct lister *lister = hub->lists.first;
    while (lister && lister->taken)
        lister = lister->next;
    if (!lister || hub->commit.stopped)
        return false;
    lister->taken = true;
    *list = (struct store_list){.ticket = lister->ticket, .session = lister->session};
    snprintf(list->after, sizeof list->after, "%s", lister->after);
    return true;
}

struct lister *list_finish(struct hub *hub, uint64_t ticket)
{
    struct lists *lists = &hub->lists;
    struct lister *before = NULL, *lister = lists->first;
    while (lister && lister->ticket != ticket) {
        before = lister;
        lister = lister->next;
    }
    assert(lister && lister->taken);
    *(before ? &before->next : &lists->first) = lister->next;
    if (lists->last == lister)
        lists->last = before;
    lists->count--;
    return lister;
}

void lists_release(struct hub *hub)
{
    while (hub->lists.first) {
        struct lister *lister = hub->lists.first;
        hub->lists.first = lister->next;
        free(lister);
    }
}
