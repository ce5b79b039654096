/*
 * The card of an invitation: a small page at "/r/ROOM/CODE", of which messengers show title, line
 * and picture, and which leads whoever opens it to the room. It keeps nothing, and shows of a room
 * what whoever has the code may see; of all others, and of what is not in memory, it says nothing.
 */
#ifndef CARD_CARD_H
#define CARD_CARD_H

#include <features/feature.h>

extern const struct feature feature_card;

#endif
