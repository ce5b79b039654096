#include <net/config.h>

static const struct hub_limit rows[] = {
#define LIMIT_ROW(name, standard, min, max, reason) {#name, standard, min, max, reason},
    NET_LIMITS(LIMIT_ROW)
#undef LIMIT_ROW
};
enum { LIMITS = sizeof rows / sizeof rows[0] };
static const struct hub_limits limits = {rows, LIMITS};

_Static_assert(sizeof(struct net_config) == LIMITS * sizeof(int64_t), "a field is a row");

void net_config_init(struct net_config *config)
{
    hub_limits_init(&limits, config);
}

const struct hub_limit *net_limit_at(size_t at)
{
    return at < LIMITS ? &rows[at] : NULL;
}

bool net_config_set(struct net_config *config, const char *name, int64_t value)
{
    return hub_limits_set(&limits, config, name, value);
}
