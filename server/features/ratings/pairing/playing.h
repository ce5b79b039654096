/*
 * Whoever plays seeks nothing: each part says by letters to the desk who has begun to play in its
 * rooms, and who is out of it, in the batch of the event that did it. Whoever begins to play by
 * hand while they seek seeks no more, and the table that was found for them is taken back.
 */
#ifndef RATINGS_PLAYING_H
#define RATINGS_PLAYING_H

#include "places.h"
#include "waiting/waiting.h"
#include <hub/letter.h>

struct hub;
struct room;

extern const char playing_letter[];
/* Of so many seats a letter says it at most; of each: a place, its seek, and that they are told. */
enum {
    PLAYING_SEATS = 7,
    PLAYING_OPS = PLAYING_SEATS * (1 + WAITING_OPS + 1),
    PLAYING_TEXT = PLAYING_SEATS * 256
};

/* What the hub says (feature.in_play). */
void playing_send(struct hub *hub, const struct room *room, uint32_t before, uint32_t now);
enum letter_fate playing_apply(struct hub *hub, const struct store_letter *letter);

/* Does that one play, as far as is known here? */
bool playing_has_place(const struct hub *hub, uint64_t session);
/* The table that was found for somebody who plays elsewhere is not accepted. */
void playing_leaves_offer(struct hub *hub, uint64_t session);

/* From the store. False: out of memory. */
bool playing_restore(struct hub *hub, const struct place_row *row);
/* Those whose end nobody has said go. */
void playing_look(struct hub *hub);

#endif
