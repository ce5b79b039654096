/*
 * The text of a ROOM_SAT event: who sits down, in which colour (room/event.h).
 */
#ifndef ROOM_SAT_H
#define ROOM_SAT_H

#include <room/event.h>
#include <stdbool.h>
#include <stddef.h>

struct protocol_account;
struct seat;
struct setup;

/* Who sits down: a computer of that level, by the game's word for it; NULL: somebody. */
struct sat_sitter {
    const char *colour, *level, *name;
    const struct protocol_account *account; /* NULL: none */
};
/* The text of a ROOM_SAT event; how long. */
size_t sat_write(char text[ROOM_EVENT_TEXT_MAX], const struct sat_sitter *sitter);
/* Into a seat that has nothing yet. False: it is no such text. */
bool sat_read(const struct setup *setup, const struct room_event *event, struct seat *seat);

#endif
