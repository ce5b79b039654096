#include "watchers_rule.h"

#include "hub_private.h"
#include "hub_room.h"
#include "limits/address.h"

struct bucket_rule watchers_rule(const struct hub *hub, const struct hub_room *hub_room,
                                 const struct address *address)
{
    struct bucket_rule rule = hub->rules.watchers_say;
    if (hub_room->watcher_said == address_share(address))
        rule.burst = (rule.burst + 1) / 2;
    return rule;
}
