#include "state.h"

#include <hub/kernel.h>

const struct feature_memory people_memory = {.hub_bytes = sizeof(struct people)};

struct people *people_of(const struct hub *hub)
{
    return kernel_state(hub, &people_memory);
}
