/*
 * A small feature for tests, as the game of cards is a small game: a book in which who comes by
 * leaves a word. It goes through every door that features/feature.h has.
 *
 * It has no operation of its own on the wire, where each is a row of the protocol's table, so it
 * takes one of a feature that is not there: `games` with `after` leaves that word, and without it
 * shows all words. The operator's `inscribe` leaves one too, and a match that is over its room. Who
 * leaves GUEST_BOOK_INVITES is invited: a room is opened for those who have left words. With
 * GUEST_BOOK_GREETS a letter is sent to another session, which may be at home in another part: it
 * leaves a word there that is kept (guest_table.h). GUEST_BOOK_PAGES shows these of the whole site,
 * page by page, GUEST_BOOK_WELCOMES makes the next greeting, or else the name of who asks,
 * the welcome of the whole site, a document that `hello` shows, and GUEST_BOOK_KEEPS keeps a word
 * of one's own, GUEST_BOOK_CLAIMS under a name that is one's alone. Of who is dropped the desk may
 * be told.
 */
#ifndef SUPPORT_GUEST_BOOK_H
#define SUPPORT_GUEST_BOOK_H

#include <features/feature.h>

enum { GUEST_BOOK_WORDS = 8, GUEST_BOOK_KEPT_MS = 60000, GUEST_BOOK_POST_BYTES = 40 };

#define GUEST_BOOK_INVITES  "teams000"
#define GUEST_BOOK_GREETS   "greets00"
#define GUEST_BOOK_PAGES    "pages000"
#define GUEST_BOOK_KEEPS    "keeps000"
#define GUEST_BOOK_CLAIMS   "cxaxms00"
#define GUEST_BOOK_WELCOMES "we1c0mes"

/* Greetings: one that is refused, one that waits until it is told not to, and one of which the
 * session's devices are told. To the desk each is a page of its own (guest_table.h). */
#define GUEST_BOOK_POISON "poison"
#define GUEST_BOOK_WAITS  "patience"
#define GUEST_BOOK_TELLS  "listen"

extern const struct feature guest_book;
/*
 * The same beside other features, whose requests it leaves to them (tests/sim): whoever has the hub
 * has a session that is at home there leave a word, under a name that is one's alone or "", and
 * greet another one. The place of each word is drawn. False: not now, or there is no such session.
 */
extern const struct feature guest_book_beside;
bool guest_book_leave(struct hub *hub, uint64_t session, const char *text, const char *name);
bool guest_book_greet(struct hub *hub, uint64_t session, uint64_t whom, const char *text);

/* The document of both, "" or a welcome behind its version, 0-terminated. */
extern const struct feature_document guest_welcome;
enum { GUEST_WELCOME_BYTES = 80 };
void guest_welcome_write(char text[static GUEST_WELCOME_BYTES], const char *welcome);
/* It is to be that from now on, by nobody's request. False: not now. */
bool guest_book_welcome(struct hub *hub, const char *welcome);
/* What holds in the hub; "": nobody has written one. NULL: none holds. */
const char *guest_book_welcomed(const struct hub *hub);

/* Of the greeting that is sent next; its text is the name that is claimed next, too. */
void guest_book_set_greeting(struct hub *hub, uint64_t whom, const char *text);
/* What the desk is told of whoever is dropped; "", as at first: nothing. */
void guest_book_set_farewell(struct hub *hub, const char *text);
/* Do GUEST_BOOK_WAITS wait? They do at first. */
void guest_book_set_waiting(struct hub *hub, bool waits);
/* How often it was told of a session that has become durable. */
unsigned guest_book_begun(const struct hub *hub);
/* Of the rooms that it opens from now on; at first 3. */
void guest_book_set_players(struct hub *hub, int players);

#endif
