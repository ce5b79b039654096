#include "mute.h"

#include "net_private.h"
#include "part.h"
#include "worker.h"
#include <net/clock.h>
#include <net/log.h>
#include <site/site.h>

const char mute_text[] = "mute: the store has acknowledged nothing for so long that another server "
                         "may have taken it\n";

static bool may_be_taken(const struct served_part *part)
{
    const int64_t after_ms = part->net->options->mute_after_ms;
    if (after_ms == 0)
        return false;
    return hub_stopped(part->hub) == STORE_FENCED ||
           net_clock_boot_ms() - worker_proven_ms(part->worker) >= after_ms;
}

/* After it was left there is nothing of it that could be fetched. */
static void hold(const struct served_part *part, bool held)
{
    struct net *net = part->net;
    if (net->options->site && part_works(part))
        site_hold(net->options->site, part->its.part, held, net_now_ms(net));
}

bool mute_is(struct served_part *part)
{
    if (!may_be_taken(part))
        return part->mute; /* until what was held back has gone out */
    if (!part->mute) {
        part->mute = true;
        part->mute_since_ms = worker_proven_ms(part->worker);
        hold(part, true);
        log_number(LOG_WARN, "mute", "ms", net_clock_boot_ms() - part->mute_since_ms);
    }
    return true;
}

bool mute_holds(struct net *net)
{
    bool any = false;
    for (struct served_part *part = net->parts.first; part; part = part->next)
        any = mute_is(part) || any;
    return any && !net->options->site;
}

static bool ends(struct served_part *part)
{
    if (!mute_is(part) || may_be_taken(part))
        return false;
    part->mute = false;
    hold(part, false);
    log_number(LOG_INFO, "mute_over", "ms", net_clock_boot_ms() - part->mute_since_ms);
    return true;
}

bool mute_ends(struct net *net)
{
    bool any = false;
    for (struct served_part *part = net->parts.first; part; part = part->next)
        any = ends(part) || any;
    return any;
}
