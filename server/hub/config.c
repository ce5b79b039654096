#include <assert.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <string.h>

static const struct hub_limit limits[] = {
#define LIMIT_ROW(name, standard, min, max, reason) {#name, standard, min, max, reason},
    HUB_LIMITS(LIMIT_ROW)
#undef LIMIT_ROW
};
enum { LIMITS = sizeof limits / sizeof limits[0] };

static int64_t *limit_field(struct hub_config *config, size_t at)
{
    static const size_t offsets[] = {
#define LIMIT_OFFSET(name, standard, min, max, reason) offsetof(struct hub_config, name),
        HUB_LIMITS(LIMIT_OFFSET)
#undef LIMIT_OFFSET
    };
    return (int64_t *)(void *)((char *)config + offsets[at]);
}

void hub_config_init(struct hub_config *config)
{
    for (size_t at = 0; at < LIMITS; at++)
        *limit_field(config, at) = limits[at].standard;
}

const struct hub_limit *hub_limit_at(size_t at)
{
    return at < LIMITS ? &limits[at] : NULL;
}

bool hub_config_set(struct hub_config *config, const char *name, int64_t value)
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

int64_t hub_config_get(const struct hub_config *config, const char *name)
{
    struct hub_config copy = *config;
    for (size_t at = 0; at < LIMITS; at++) {
        if (strcmp(limits[at].name, name) == 0)
            return *limit_field(&copy, at);
    }
    assert(!"a limit of the table");
    return 0;
}
