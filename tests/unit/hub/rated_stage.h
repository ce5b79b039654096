/* A hub at which accounts play rated matches, and its book, for the tests of that. */
#ifndef RATED_STAGE_H
#define RATED_STAGE_H

#include "rows/rows.h"
#include "site.h"

/* The match that is played last, and who sits there: the first seat wins it. */
extern struct table rated_table;
extern uint64_t rated_ids[RATING_SEATS];

void rated_setup(void);
void rated_teardown(void);
void rated_restart(void); /* those who played are gone */

/* As whoever pairs people opens it, and all of them are there and ready. */
void rated_begin(unsigned players, const char *class);
void rated_play_some(void);
/* The last event of the match; nothing is settled. */
void rated_end(void);
/* All of that. */
void rated_play(unsigned players, const char *class);

/* The next single step of what is between the match's end and the push. False: there is none. */
bool rated_step(void);
void rated_steps_begin(void);
/* What was asked of the store last is not answered. */
void rated_steps_end(void);
/* Until the page of the book is in a batch, `count` lines are stored, and three letters wait: of
 * the match and of either player. */
void rated_until_entering(size_t count);

size_t rated_lines(void);
/* All of it, from the outside: each line follows, and its end is the rows'. */
void rated_book_is_sound(size_t count);
int rated_get(const char *path, char body[static 2048]); /* its status */
void rated_send_letter(uint64_t addressee, const char *kind, const char *text);

#endif
