#include "state.h"

#include <hub/kernel.h>

const struct feature_memory moderation_memory = {.hub_bytes = sizeof(struct moderation),
                                                 .room_bytes = sizeof(struct talk_room)};

struct moderation *moderation_of(const struct hub *hub)
{
    return kernel_state(hub, &moderation_memory);
}
