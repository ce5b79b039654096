#include <hub/config.h>

#define LIMIT_CHECK(name, standard, least, most, reason)                                           \
    _Static_assert((least) <= (standard) && (standard) <= (most) && sizeof reason > 1, #name);
HUB_LIMITS(LIMIT_CHECK)
#undef LIMIT_CHECK

void hub_config_init(struct hub_config *config)
{
#define LIMIT_INITIAL(name, standard, least, most, reason) .name = (standard),
    *config = (struct hub_config){HUB_LIMITS(LIMIT_INITIAL)};
#undef LIMIT_INITIAL
}
