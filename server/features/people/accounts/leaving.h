/*
 * Before an account is erased its matches are over and put away in all parts of the site, as names
 * are taken out of such alone. Its home asks the others by a letter each, and a part that has none
 * left says so by one; those that have not are asked again, ever more seldom.
 *
 *     home --people.leaving--> each other part: puts away what is over
 *     home <--people.left----- has none in which the account has a seat
 *
 * Who comes in meanwhile may sit down anywhere: then all are asked anew.
 */
#ifndef PEOPLE_LEAVING_H
#define PEOPLE_LEAVING_H

#include <hub/letter.h>
#include <stdbool.h>

struct closing_entry;
struct hub;

/* Has each other part said so? Else those that have not are asked, if it is time. */
bool leaving_is_done(struct hub *hub, struct closing_entry *entry);
void leaving_begin_anew(struct closing_entry *entry);

extern const char leaving_letter[], left_letter[];
enum { LEAVING_OPS = 1, LEAVING_TEXT = 32 };
enum letter_fate leaving_apply(struct hub *hub, const struct store_letter *letter);
enum letter_fate left_apply(struct hub *hub, const struct store_letter *letter);

#endif
