#include "asked.h"

#include <hub/kernel.h>
#include <room/room.h>
#include <string.h>

#define NOBODY UINT64_MAX /* no session: who asks is not known here */

static bool is_word(const char *text, size_t len)
{
    return strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz") == len;
}

bool asked_read(const char *rest, struct asked *asked)
{
    const char *slash = strchr(rest, '/');
    const char *code = slash ? slash + 1 : "";
    const size_t len = slash ? (size_t)(slash - rest) : strlen(rest);
    *asked = (struct asked){0};
    if (len != PROTOCOL_ROOM_BYTES || strspn(rest, "0123456789abcdefghijklmnopqrstuvwxyz") != len)
        return false;
    if (slash && (strlen(code) != PROTOCOL_CODE_BYTES || !is_word(code, PROTOCOL_CODE_BYTES)))
        return false;
    memcpy(asked->room, rest, len);
    memcpy(asked->code, code, strlen(code));
    return true;
}

const struct room *asked_room(const struct hub *hub, const struct asked *asked)
{
    const struct hub_room *found = kernel_room_find(hub, asked->room);
    const struct room *room = found ? kernel_room(found) : NULL;
    if (!room || !kernel_room_is_durable(found))
        return NULL;
    return room_admits(room, NOBODY, asked->code) == PROTOCOL_OK ? room : NULL;
}
