#include <assert.h>
#include <hub/config.h>
#include <string.h>

/* ---- any table */

static void put(void *values, size_t at, int64_t value)
{
    memcpy((char *)values + at * sizeof value, &value, sizeof value);
}

void hub_limits_init(const struct hub_limits *limits, void *values)
{
    for (size_t at = 0; at < limits->count; at++)
        put(values, at, limits->rows[at].standard);
}

bool hub_limits_set(const struct hub_limits *limits, void *values, const char *name, int64_t value)
{
    for (size_t at = 0; at < limits->count; at++) {
        const struct hub_limit *limit = &limits->rows[at];
        if (strcmp(limit->name, name) != 0)
            continue;
        if (value < limit->min || value > limit->max)
            return false;
        put(values, at, value);
        return true;
    }
    return false;
}

/* ---- the hub's */

static const struct hub_limit rows[] = {
#define LIMIT_ROW(name, standard, min, max, reason) {#name, standard, min, max, reason},
    HUB_LIMITS(LIMIT_ROW)
#undef LIMIT_ROW
};
enum { LIMITS = sizeof rows / sizeof rows[0] };
static const struct hub_limits limits = {rows, LIMITS};

_Static_assert(sizeof(struct hub_config) == LIMITS * sizeof(int64_t), "a field is a row");

void hub_config_init(struct hub_config *config)
{
    hub_limits_init(&limits, config);
}

const struct hub_limit *hub_limit_at(size_t at)
{
    return at < LIMITS ? &rows[at] : NULL;
}

bool hub_config_set(struct hub_config *config, const char *name, int64_t value)
{
    return hub_limits_set(&limits, config, name, value);
}

int64_t hub_config_get(const struct hub_config *config, const char *name)
{
    for (size_t at = 0; at < LIMITS; at++) {
        int64_t value;
        memcpy(&value, (const char *)config + at * sizeof value, sizeof value);
        if (strcmp(rows[at].name, name) == 0)
            return value;
    }
    assert(!"a limit of the table");
    return 0;
}
