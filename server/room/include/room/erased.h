/*
 * What is kept of a match that is over, without the name of somebody who is erased: its log, and
 * the line of it in lists. Pure: texts in, texts out. Nothing else of the match changes, so records
 * of it have the same core hash (protocol/record.md).
 */
#ifndef ROOM_ERASED_H
#define ROOM_ERASED_H

#include <room/event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What they are called from then on; the handle of a program's account. Nobody else has either. */
#define ROOM_ERASED_NAME  "deleted"
#define ROOM_ERASED_AGENT "deleted-bot"

/*
 * The text of the event without the name of the session, if it has it: who sits down. How long it
 * is; 0: it stays as it is.
 */
size_t room_erase_event(const struct room_event *event, uint64_t session,
                        char text[ROOM_EVENT_TEXT_MAX]);

/* The seat in which the session was to the end of that log, or ROOM_NO_SEAT. */
uint8_t room_erased_seat(const struct room_event *events, size_t count, uint64_t session);

/*
 * What room_write_ended has written, without the name and handle of that seat; 0: it stays. If it
 * would be longer than `size`, as a name may be shorter than ROOM_ERASED_NAME, its title goes too;
 * what is too long even so is left as it is: six names and all else are far from that.
 */
size_t room_erase_ended(const char *line, size_t len, uint8_t seat, char *text, size_t size);

#endif
