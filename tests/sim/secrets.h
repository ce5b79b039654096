/*
 * Hidden information: in rooms of the hidden card game, nothing that is sent to one audience may
 * depend on what only others may know.
 *
 * Checked in two ways. Every message that leaves the hub is searched for cards that its receiver
 * may not know. And every event is written twice for each audience, the second time with two cards
 * exchanged that this audience cannot tell apart: state and push must be the same bytes.
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

#endif
