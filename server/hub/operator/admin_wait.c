#include "admin_wait.h"

#include "hub_private.h"
#include "notice.h"
#include <assert.h>

void admin_wait_begin(struct hub *hub, const struct admin_request *request)
{
    assert(hub->admin.state == ADMIN_NOTHING);
    hub->admin.state = ADMIN_WAITING;
    hub->admin.request = *request;
}

void admin_wait_done(struct hub *hub, const struct hub_room *hub_room, bool stored)
{
    const char *text = hub->admin.request.text;
    assert(hub->admin.state == ADMIN_WAITING);
    hub->admin.state = ADMIN_ANSWERED;
    hub->admin.stored = stored;
    if (stored && hub_room)
        notice_to_room(hub, hub_room, PROTOCOL_NOTICE_CLOSED, text[0] ? text : NULL);
}
