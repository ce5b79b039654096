#include <hub/admin.h>

#include "admin_list.h"
#include "entry.h"
#include "hub_private.h"
#include "hub_room.h"
#include <hub/hub.h>
#include <protocol/request.h>

void admin_write_greeting(const struct hub *hub, struct buffer *line)
{
    struct writer writer;
    writer_init(&writer, line);
    writer_object(&writer);
    writer_key_int(&writer, "taluva_admin", ADMIN_VERSION);
    writer_key_string(&writer, "server", hub->env.server);
    writer_end(&writer);
    buffer_append_byte(line, '\n');
}

void admin_write_refusal(int64_t id, const struct refusal *refusal, struct buffer *line)
{
    struct writer writer;
    writer_init(&writer, line);
    reply_refusal(&writer, id, refusal);
    buffer_append_byte(line, '\n');
}

static bool refuse(struct refusal *refusal, enum protocol_error error, const char *field)
{
    *refusal = (struct refusal){.error = error, .field = field};
    return false;
}

/* ---- changes */

static bool drain(struct hub *hub, const struct admin_request *request, struct writer *writer)
{
    if (request->cancel)
        hub_drain_cancel(hub, hub->now_ms);
    else
        hub_drain(hub, hub->now_ms);
    writer_key_bool(writer, "draining", hub->draining);
    return true;
}

/* ---- all of it */

static bool show_room(struct hub *hub, const struct admin_request *request, struct writer *writer,
                      struct refusal *refusal)
{
    const struct hub_room *hub_room = hub_room_find(hub, request->room);
    if (!hub_room)
        return refuse(refusal, PROTOCOL_UNKNOWN_ROOM, "room");
    admin_list_room(hub, hub_room, writer);
    return true;
}

static bool carry_out(struct hub *hub, const struct admin_request *request, struct writer *writer,
                      struct refusal *refusal)
{
    switch (request->op) {
    case ADMIN_STATUS:
        admin_list_status(hub, writer);
        return true;
    case ADMIN_ROOMS:
        admin_list_rooms(hub, request, writer);
        return true;
    case ADMIN_ROOM:
        return show_room(hub, request, writer, refusal);
    case ADMIN_SESSIONS:
        admin_list_sessions(hub, request, writer);
        return true;
    case ADMIN_ADDRESSES:
        admin_list_addresses(hub, request, writer);
        return true;
    case ADMIN_DRAIN:
        return drain(hub, request, writer);
    case ADMIN_OP_COUNT:
        break;
    }
    return refuse(refusal, PROTOCOL_UNKNOWN_OP, "op");
}

bool hub_admin(struct hub *hub, const struct admin_request *request, int64_t now_ms,
               struct buffer *line, struct refusal *refusal)
{
    struct writer writer;
    entry_begin(hub, now_ms);
    hub->metrics.admin[request->op]++;
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    const bool done = carry_out(hub, request, &writer, refusal);
    entry_end(hub);
    if (!done) {
        buffer_clear(line);
        return false;
    }
    reply_end(&writer);
    buffer_append_byte(line, '\n');
    return true;
}
