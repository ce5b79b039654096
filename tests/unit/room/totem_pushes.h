/* What others are told of an event of Totem does not depend on what a family hides. */
#ifndef TEST_ROOM_TOTEM_PUSHES_H
#define TEST_ROOM_TOTEM_PUSHES_H

#include "room_internal.h"

/*
 * Fails if the push of this event is different for anybody in a match in which a family, one after
 * another, has hidden something else. How many pushes were compared.
 */
unsigned expect_blind_pushes(const struct setup *setup, const struct match *before,
                             const struct match *after, const struct room_event *event);

#endif
