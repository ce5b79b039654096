/*
 * Hidden information: nothing that is sent to one audience may depend on what only others may know.
 *
 * Checked in three ways. Every message that leaves the hub is searched for cards that its receiver
 * may not know. Every event is written twice for each audience, the second time with something
 * exchanged that this audience cannot tell apart: push, state, answers and what the computer plays
 * must be the same. And now and then a whole room of Totem is restored from a log in which a family
 * has hidden other spells since the round began: the past, the record, the list of rooms and what
 * the room does next must be the same.
 */
#ifndef SIM_SECRETS_H
#define SIM_SECRETS_H

#include <room/room.h>
#include <stdbool.h>
#include <stddef.h>

struct match_space;

/* Does this room keep anything from anybody? */
bool secrets_kept(const struct room *room);

/* Do the bytes name a card that the owner of `session` (0: nobody) may not know now? */
bool secrets_leak(const struct room *room, uint64_t session, const char *bytes, size_t len);

/* The match before an event, for secrets_depend. Nothing before the first one: false. */
bool secrets_before(const struct room *room, struct match_space *before);

/*
 * The audience that is told something that depends on what it may not know, after `event` has been
 * applied; -1: none.
 */
int secrets_depend(const struct room *room, const struct match_space *before,
                   const struct room_event *event);

/* secrets_room.c: the same of all that has been said since the event `since`. */
int secrets_room_depends(const struct room *room, uint64_t since);

#endif
