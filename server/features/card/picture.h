/*
 * The picture of a match: the table as it is, drawn by a thread that thinks. The last ones of a
 * part are kept, each until something happens in its room.
 */
#ifndef CARD_PICTURE_H
#define CARD_PICTURE_H

#include <features/feature.h>

enum { PICTURES_KEPT = 8 };

extern const struct feature_memory picture_memory;

/* As a page of the feature: ROOM or ROOM/CODE. */
struct feature_work *picture_begin(struct hub *hub, const char *rest,
                                   struct hub_http_answer *answer);
void pictures_release(struct hub *hub);

#endif
