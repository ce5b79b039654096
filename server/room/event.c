#include <room/event.h>

#include <protocol/terms.h>

const char *room_event_name(enum room_event_kind kind)
{
    static const enum protocol_event words[ROOM_EVENT_KINDS] = {
#define WORD(name, number, about_seat) [ROOM_##name] = PROTOCOL_EVENT_##name,
        ROOM_EVENTS(WORD)
#undef WORD
    };
    return protocol_event_name(words[kind]);
}
