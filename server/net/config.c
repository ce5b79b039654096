#include <net/config.h>
#include <string.h>

static const struct hub_limit limits[] = {
#define LIMIT_ROW(name, standard, min, max, reason) {#name, standard, min, max, reason},
    NET_LIMITS(LIMIT_ROW)
#undef LIMIT_ROW
};
enum { LIMITS = sizeof limits / sizeof limits[0] };

static int64_t *limit_field(struct net_config *config, size_t at)
{
    int64_t *const fields[] = {
#define LIMIT_FIELD(name, standard, min, max, reason) &config->name,
        NET_LIMITS(LIMIT_FIELD)
#undef LIMIT_FIELD
    };
    return fields[at];
}

void net_config_init(struct net_config *config)
{
    for (size_t at = 0; at < LIMITS; at++)
        *limit_field(config, at) = limits[at].standard;
}

const struct hub_limit *net_limit_at(size_t at)
{
    return at < LIMITS ? &limits[at] : NULL;
}

bool net_config_set(struct net_config *config, const char *name, int64_t value)
{
    for (size_t at = 0; at < LIMITS; at++) {
        if (strcmp(limits[at].name, name) != 0)
            continue;
        if (value < limits[at].min || value > limits[at].max)
            return false;
        *limit_field(config, at) = value;
        return true;
    }
    return false;
}
