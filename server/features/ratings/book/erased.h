/*
 * An account that is erased: at the desk its ratings end, which the book says. There it is a number
 * anyway, which then leads to nobody.
 */
#ifndef RATINGS_ERASED_H
#define RATINGS_ERASED_H

#include <hub/letter.h>
#include <rating/book.h>
#include <stdbool.h>

struct session;

/* What lists of leaders call one that was erased before the book said so. */
#define RATING_ERASED_NAME "deleted"

enum { RATING_ERASED_OPS = 2 + RATING_CLASSES, RATING_ERASED_TEXT = BOOK_LINE_MAX };

/* feature.session_ends */
bool rating_tell_erased(struct hub *hub, const struct session *session);
extern const char rating_erased_letter[];
enum letter_fate rating_erased_apply(struct hub *hub, const struct store_letter *letter);

#endif
