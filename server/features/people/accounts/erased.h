/*
 * An account that is erased vanishes at others too: each part of the site is told by a letter that
 * goes with its end, and drops a few rows with it; as long as there are any it tells itself again.
 * One of them does so in a turn, as it looks at all that is kept; the others wait.
 */
#ifndef PEOPLE_ERASED_H
#define PEOPLE_ERASED_H

#include <hub/letter.h>
#include <stdbool.h>

struct hub;
struct session;

/* feature.session_ends */
bool erased_tell(struct hub *hub, const struct session *session);
extern const char erased_letter[];
enum letter_fate erased_apply(struct hub *hub, const struct store_letter *letter);

/* Once in a turn: for what looks at all that is kept. */
bool erased_may_look(struct hub *hub);

enum {
    ERASED_ROWS = 64,                  /* that go with one letter */
    ERASED_OPS = (int)ERASED_ROWS + 64 /* and if the site has been divided anew one for each part */
};

#endif
