#include "mute.h"

#include "net_private.h"
#include "worker.h"
#include <net/clock.h>
#include <net/log.h>

const char mute_text[] = "mute: the store has acknowledged nothing for so long that another server "
                         "may have taken it\n";

static bool may_be_taken(const struct net *net)
{
    const int64_t after_ms = net->options->mute_after_ms;
    if (after_ms == 0)
        return false;
    return hub_stopped(net->hub) == STORE_FENCED ||
           net_clock_boot_ms() - worker_proven_ms(net->worker) >= after_ms;
}

bool mute_is(struct net *net)
{
    if (!may_be_taken(net))
        return net->run.mute; /* until what was held back has gone out */
    if (!net->run.mute) {
        net->run.mute = true;
        net->run.mute_since_ms = worker_proven_ms(net->worker);
        log_number(LOG_WARN, "mute", "ms", net_clock_boot_ms() - net->run.mute_since_ms);
    }
    return true;
}

bool mute_ends(struct net *net)
{
    if (!mute_is(net) || may_be_taken(net))
        return false;
    net->run.mute = false;
    log_number(LOG_INFO, "mute_over", "ms", net_clock_boot_ms() - net->run.mute_since_ms);
    return true;
}
