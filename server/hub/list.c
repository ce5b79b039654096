#include "list.h"

#include "hub_private.h"
#include "turns.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void insert_lister(struct lists *lists, struct lister *lister)
{
    struct lister **link = &lists->first;
    lister->turn = turns_give(&lists->turns, lister->share);
    while (*link && ((*link)->taken || (*link)->turn <= lister->turn))
        link = &(*link)->next;
    lister->next = *link;
    *link = lister;
    lists->count++;
}

bool list_wait(struct hub *hub, struct hub_peer peer, uint16_t share, const struct request *request,
               uint64_t session, const char *after)
{
    struct lists *lists = &hub->lists;
    const bool has_place = lists->count < (size_t)hub->config.lists &&
                           turns_allow(&lists->turns, share, hub->config.lists);
    struct lister *lister = has_place ? calloc(1, sizeof *lister) : NULL;
    if (!lister)
        return false;
    lister->ticket = ++lists->tickets;
    lister->peer = peer;
    lister->share = share;
    lister->id = request->id;
    lister->op = request->op;
    lister->session = session;
    snprintf(lister->after, sizeof lister->after, "%s", after);
    insert_lister(lists, lister);
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
    turns_take(&hub->lists.turns, lister->turn);
    *list = (struct store_list){.ticket = lister->ticket, .session = lister->session};
    snprintf(list->after, sizeof list->after, "%s", lister->after);
    return true;
}

struct lister *list_finish(struct hub *hub, uint64_t ticket)
{
    struct lister **link = &hub->lists.first;
    while (*link && (*link)->ticket != ticket)
        link = &(*link)->next;
    struct lister *lister = *link;
    assert(lister && lister->taken);
    *link = lister->next;
    turns_leave(&hub->lists.turns, lister->share);
    hub->lists.count--;
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
