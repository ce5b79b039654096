/* Of which room a card or its picture is asked for, and whether who asks may see it. */
#ifndef CARD_ASKED_H
#define CARD_ASKED_H

#include <protocol/limits.h>
#include <stdbool.h>

struct hub;
struct room;

enum { STATUS_OK = 200, STATUS_NOT_FOUND = 404 };

struct asked {
    char room[PROTOCOL_ROOM_BYTES + 1];
    char code[PROTOCOL_CODE_BYTES + 1]; /* "": none was given */
};

/* "ROOM" or "ROOM/CODE", which go into a page as they are. False: it is neither. */
bool asked_read(const char *rest, struct asked *asked);
/* NULL: there is none, who asks may not see it, or something of it may still be lost. */
const struct room *asked_room(const struct hub *hub, const struct asked *asked);

#endif
