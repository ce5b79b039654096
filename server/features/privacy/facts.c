#include "facts.h"

#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <string.h>

static bool is_called(const char *fact, const char *name, size_t len)
{
    return strlen(fact) == len && memcmp(fact, name, len) == 0;
}

static const int64_t *find_limit(const struct hub_config *config, const char *name, size_t len)
{
#define LIMIT_ROW(limit, standard, min, max, reason)                                               \
    if (is_called(#limit, name, len))                                                              \
        return &config->limit;
    HUB_LIMITS(LIMIT_ROW)
#undef LIMIT_ROW
    return NULL;
}

bool fact_find(const struct hub *hub, const char *name, size_t len, int64_t *value)
{
    const struct hub_env *env = kernel_env(hub);
    const int64_t *limit = find_limit(kernel_config(hub), name, len);
    const struct {
        const char *name;
        bool is_so;
    } facts[] = {{"accounts", env->accounts != HUB_ACCOUNTS_OFF},
                 {"invites", env->accounts == HUB_ACCOUNTS_INVITE},
                 {"external", env->accounts == HUB_ACCOUNTS_EXTERNAL},
                 {"visitors", !env->accounts_only},
                 {"chat", env->chat != HUB_CHAT_OFF},
                 {"chat_by_account", env->chat == HUB_CHAT_ACCOUNTS},
                 {"push", env->push}};
    for (size_t at = 0; at < sizeof facts / sizeof facts[0]; at++) {
        if (is_called(facts[at].name, name, len)) {
            *value = facts[at].is_so;
            return true;
        }
    }
    if (limit)
        *value = *limit;
    return limit;
}
