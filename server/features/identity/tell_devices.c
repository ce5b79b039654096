#include "tell_devices.h"

#include <hub/kernel.h>
#include <hub/kernel_enter.h>
#include <stdlib.h>

struct told {
    struct kernel_change change;
    uint64_t session;
    const char *text;
};

static void tell_devices(struct hub *hub, struct session *none, struct kernel_change *change)
{
    const struct told *told = (const struct told *)(const void *)change;
    const struct session *session = kernel_session_find(hub, told->session);
    (void)none;
    if (session)
        kernel_announce_to(hub, session, told->text);
}

static void destroy_told(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type telling = {.carry_out = tell_devices,
                                                  .destroy = destroy_told};

void tell_devices_when_durable(struct hub *hub, const struct session *session, const char *text)
{
    struct told *told = malloc(sizeof *told);
    if (!told || kernel_reserve(hub, 0, 0) < 0) {
        free(told);
        return;
    }
    *told = (struct told){{&telling}, kernel_session_id(session), text};
    kernel_change_hub(hub, &told->change);
}
