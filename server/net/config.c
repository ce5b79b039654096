#include <net/config.h>

#define LIMIT_CHECK(name, standard, least, most, reason)                                           \
    _Static_assert((least) <= (standard) && (standard) <= (most) && sizeof reason > 1, #name);
NET_LIMITS(LIMIT_CHECK)
#undef LIMIT_CHECK

void net_config_init(struct net_config *config)
{
#define LIMIT_INITIAL(name, standard, least, most, reason) .name = (standard),
    *config = (struct net_config){NET_LIMITS(LIMIT_INITIAL)};
#undef LIMIT_INITIAL
}
