/*
 * Ratings of accounts: what each rated match makes of them, in a book that anybody can read and
 * compute again (rating/book.h), kept by the desk.
 *
 *     the room's part:  match_over --> in the batch of its last event: a letter to the desk
 *     the desk:         the letter --> in one batch: a line of the book, all ratings that it
 *                                      changes, a letter to each who played
 *     their homes:      that letter --> a push to who is here
 *
 * So each rated match is in the book exactly once, whatever dies in between.
 */
#ifndef RATINGS_RATINGS_H
#define RATINGS_RATINGS_H

#include <features/feature.h>

extern const struct feature feature_ratings;

#endif
