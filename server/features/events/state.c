#include "state.h"

#include <hub/kernel.h>

const struct feature_memory events_memory = {.hub_bytes = sizeof(struct events)};

struct events *events_of(const struct hub *hub)
{
    return kernel_state(hub, &events_memory);
}
