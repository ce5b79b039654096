#include "part.h"

#include "net_private.h"
#include "threads/checker.h"
#include "threads/worker.h"
#include <hub/think.h>
#include <net/clock.h>
#include <stdlib.h>

struct served_part *part_create(struct net *net, const struct net_part *from)
{
    struct served_part *part = calloc(1, sizeof *part);
    if (!part)
        return NULL;
    part->net = net;
    part->its = *from;
    part->hub = from->hub;
    part->joining.data = part;
    const int64_t proven_ms = from->proven_ms ? from->proven_ms : net_clock_boot_ms();
    part->worker = worker_create(from->store, &net->bell, proven_ms);
    part->checker = part->worker ? checker_create(from->store) : NULL;
    if (!part->checker) {
        part_join(part);
        part_free(part);
        return NULL;
    }
    pacing_init(&part->pacing, net->config.commit_interval_ms * 1000);
    if (net->thinkers)
        hub_think_workers(part->hub, (unsigned)net->config.think_threads, net_think_bytes(net));
    return part;
}

void part_join(struct served_part *part)
{
    checker_destroy(part->checker);
    worker_destroy(part->worker);
    part->checker = NULL;
    part->worker = NULL;
}

void part_free(struct served_part *part)
{
    free(part);
}

struct served_part *part_find(const struct net *net, uint64_t serial)
{
    struct served_part *part = net->parts.first;
    while (part && part->serial != serial)
        part = part->next;
    return part;
}
