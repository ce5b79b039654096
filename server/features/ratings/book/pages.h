/* The pages of HTTP of ratings: the book and its end, who is best, and how somebody's have changed.
 */
#ifndef RATINGS_PAGES_H
#define RATINGS_PAGES_H

#include <features/feature.h>

enum { RATING_PAGES = 8 };
extern const struct feature_page rating_pages[RATING_PAGES];

#endif
