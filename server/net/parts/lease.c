#include "lease.h"

#include "net_private.h"
#include "part.h"
#include "threads/worker.h"
#include <net/clock.h>
#include <net/log.h>
#include <site/site.h>
#include <stdio.h>

const char lease_lost_text[] =
    "lease lost: the store has acknowledged nothing for so long that another server may have "
    "taken it\n";

/* `boot_ms`: net_clock_boot_ms, read once for all parts. */
static bool may_be_taken(const struct served_part *part, int64_t boot_ms)
{
    return hub_stopped(part->hub) == STORE_FENCED ||
           boot_ms - worker_proven_ms(part->worker) >= part->net->options->lease_ms;
}

/* With a store that nobody else can take no lease is ever lost. */
static bool is_never(const struct net *net)
{
    return net->options->lease_ms == 0;
}

/* After it was left there is nothing of it that could be fetched. */
static void hold_part(const struct served_part *part, bool held)
{
    struct net *net = part->net;
    if (part_works(part))
        site_hold(net->site, part->its.part, held, net_now_ms(net));
}

static void log_lease(const struct served_part *part, enum log_level level, const char *event,
                      int64_t boot_ms)
{
    const int64_t ms = boot_ms - part->lease_from_ms;
    char number[16];
    snprintf(number, sizeof number, "%u", part->its.part);
    log_text_number(level, event, "part", number, "ms", ms);
}

static bool is_at(struct served_part *part, int64_t boot_ms)
{
    if (!may_be_taken(part, boot_ms))
        return part->lease_lost; /* until what was held back has gone out */
    if (!part->lease_lost) {
        part->lease_lost = true;
        part->lease_from_ms = worker_proven_ms(part->worker);
        hold_part(part, true);
        log_lease(part, LOG_WARN, "lease_lost", boot_ms);
    }
    return true;
}

bool lease_is_lost(struct served_part *part)
{
    return !is_never(part->net) && is_at(part, net_clock_boot_ms());
}

bool lease_holds_back(struct net *net)
{
    if (is_never(net))
        return false;
    const int64_t boot_ms = net_clock_boot_ms();
    bool any = false;
    for (struct served_part *part = net->parts.first; part; part = part->next)
        any = is_at(part, boot_ms) || any;
    return any && site_is_lone(net->site);
}

static bool lease_is_held_again(struct served_part *part, int64_t boot_ms)
{
    if (!is_at(part, boot_ms) || may_be_taken(part, boot_ms))
        return false;
    part->lease_lost = false;
    hold_part(part, false);
    log_lease(part, LOG_INFO, "lease_held", boot_ms);
    return true;
}

bool lease_comes_back(struct net *net)
{
    if (is_never(net))
        return false;
    const int64_t boot_ms = net_clock_boot_ms();
    bool any = false;
    for (struct served_part *part = net->parts.first; part; part = part->next)
        any = lease_is_held_again(part, boot_ms) || any;
    return any;
}
