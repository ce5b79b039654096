/*
 * A small feature for tests, as the game of cards is a small game: a book in which who comes by
 * leaves a word. It goes through every door that features/feature.h has.
 *
 * It has no operation of its own on the wire, where each is a row of the protocol's table, so it
 * takes one of a feature that is not there: `games` with `after` leaves that word, and without it
 * shows all words. The operator's `announce` leaves one too, and a match that is over its room. Who
 * leaves GUEST_BOOK_INVITES is invited: a room is opened for those who have left words.
 */
#ifndef SUPPORT_GUEST_BOOK_H
#define SUPPORT_GUEST_BOOK_H

#include <features/feature.h>

enum { GUEST_BOOK_WORDS = 8, GUEST_BOOK_KEPT_MS = 60000 };

#define GUEST_BOOK_INVITES "teams000"

extern const struct feature guest_book;

/* How often it was told of a session that has become durable. */
unsigned guest_book_begun(const struct hub *hub);
/* Of the rooms that it opens from now on; at first 3. */
void guest_book_set_players(struct hub *hub, int players);

#endif
