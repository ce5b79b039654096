/*
 * What was said last at the tables of a part, in memory alone, so that a report has it: of each
 * table so many lines, and of all together so many bytes (config.talk_bytes). Of more the oldest of
 * whoever has said most there goes, by where it was said from (feature_line.household), so that
 * nobody makes the server forget what others have said. Where there are no accounts nobody reports,
 * and nothing is kept.
 */
#ifndef MODERATION_TALK_H
#define MODERATION_TALK_H

#include <features/feature.h>
#include <hub/kernel.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct hub_room;

enum { TALK_LINES = 24 }; /* of a table */

struct talk_line {
    struct talk_line *older, *newer; /* of the same household, at whatever table */
    struct talk_line *next;          /* the newer one of the same table */
    uint16_t household;
    char room[PROTOCOL_ROOM_BYTES + 1];
    uint8_t seat; /* ROOM_NO_SEAT: looks on */
    int64_t at_ms;
    size_t bytes; /* of memory */
    const char *text;
    char name[]; /* and the text behind it */
};

struct talk_queue {
    struct talk_line *oldest, *newest;
};

/* Of a hub, and of a room. */
struct talk {
    struct talk_queue of[KERNEL_SHARES]; /* households */
    uint32_t bytes_of[KERNEL_SHARES];
    size_t bytes; /* of all */
};
struct talk_room {
    struct talk_line *first, *last;
    unsigned count;
};

void talk_said(struct hub *hub, struct hub_room *hub_room, const struct feature_line *line);
/* The oldest line that there is of the room; NULL: none. */
const struct talk_line *talk_first(const struct hub *hub, const struct hub_room *hub_room);
void talk_release(struct talk *talk);

#endif
