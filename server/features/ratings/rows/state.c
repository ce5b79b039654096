#include "state.h"

#include <features/feature.h>
#include <hub/kernel.h>

const struct feature_memory ratings_memory = {.hub_bytes = sizeof(struct desk),
                                              .session_bytes = sizeof(struct conduct)};

struct desk *desk_of(const struct hub *hub)
{
    return kernel_state(hub, &ratings_memory);
}
