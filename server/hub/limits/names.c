#include "names.h"

#include "hub_private.h"
#include <protocol/name_patterns.h>

bool names_forbid(const struct hub *hub, const char *name)
{
    return hub->env.patterns && name_patterns_forbid(hub->env.patterns, name);
}
