#include "state.h"

#include <hub/kernel.h>

const struct feature_memory friends_memory = {.hub_bytes = sizeof(struct friends)};

struct friends *friends_of(const struct hub *hub)
{
    return kernel_state(hub, &friends_memory);
}
