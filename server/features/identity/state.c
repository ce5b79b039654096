#include "state.h"

#include <hub/kernel.h>

const struct feature_memory identity_memory = {.hub_bytes = sizeof(struct identity),
                                               .session_bytes = sizeof(struct identity_session),
                                               .conn_bytes = sizeof(struct identity_conn)};

struct identity *identity_of(const struct hub *hub)
{
    return kernel_state(hub, &identity_memory);
}

struct identity_session *identity_of_session(const struct hub *hub, const struct session *session)
{
    return kernel_session_state(hub, &identity_memory, session);
}
