#include "state.h"

const struct feature_memory notify_memory = {.hub_bytes = sizeof(struct notify),
                                             .session_bytes = sizeof(struct notify_session),
                                             .room_bytes = sizeof(struct notify_room)};

struct notify *notify_of(const struct hub *hub)
{
    return kernel_state(hub, &notify_memory);
}

struct notify_session *notify_of_session(const struct hub *hub, const struct session *session)
{
    return kernel_session_state(hub, &notify_memory, session);
}

struct notify_room *notify_of_room(const struct hub *hub, const struct hub_room *hub_room)
{
    return kernel_room_state(hub, &notify_memory, hub_room);
}
