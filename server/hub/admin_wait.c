#include "admin_wait.h"

#include "hub_private.h"
#include "sessions/notice.h"
#include <assert.h>

void admin_wait_begin(struct hub *hub, const struct admin_request *request)
{
    assert(hub->admin.state == ADMIN_NOTHING);
    hub->admin.state = ADMIN_WAITING;
    hub->admin.stored = hub->admin.refused = false;
    hub->admin.page_wanted = false;
    hub->admin.page = 0;
    hub->admin.request = *request;
    buffer_init(&hub->admin.line, 0, ADMIN_ANSWER_BYTES);
}

void admin_wait_answer(struct hub *hub, const struct buffer *line)
{
    if (hub->admin.state != ADMIN_NOTHING)
        buffer_append(&hub->admin.line, buffer_payload(line), line->len);
}

void admin_wait_refuse(struct hub *hub, const struct refusal *refusal)
{
    assert(hub->admin.state == ADMIN_WAITING);
    hub->admin.state = ADMIN_ANSWERED;
    hub->admin.refused = true;
    hub->admin.refusal = *refusal;
}

void admin_wait_refuse_later(struct hub *hub, const struct refusal *refusal)
{
    hub->admin.refused = true;
    hub->admin.refusal = *refusal;
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

void admin_wait_end(struct hub *hub)
{
    if (hub->admin.state == ADMIN_NOTHING)
        return;
    hub->admin.state = ADMIN_NOTHING;
    buffer_release(&hub->admin.line);
}
