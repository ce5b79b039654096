#include <hub/kernel.h>

#include "batch.h"
#include "feature_table.h"
#include "hub_private.h"
#include "session.h"

/* ---- what there is */

void *kernel_state(const struct hub *hub, const struct feature *feature)
{
    return feature_state(hub, feature);
}

const struct hub_config *kernel_config(const struct hub *hub)
{
    return &hub->config;
}

const struct hub_env *kernel_env(const struct hub *hub)
{
    return &hub->env;
}

int64_t kernel_now_ms(const struct hub *hub)
{
    return hub->now_ms;
}

uint64_t kernel_session_id(const struct session *session)
{
    return session->id;
}

const char *kernel_session_name(const struct session *session)
{
    return session->name;
}

/* ---- keeping something */

/* It is one op beyond those that the batch was asked for. */
int kernel_put_games(struct hub *hub, const char *room_id, const struct store_games *row)
{
    struct batch *batch = hub->commit.filling;
    if (batch_reserve(batch, 1, 0, 0, row->text_len) < 0)
        return -1;
    batch_put_games(batch, room_id, row);
    return 0;
}
