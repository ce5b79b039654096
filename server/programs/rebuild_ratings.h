/* `taluvad ratings`: what all are rated, computed again from the book of the store. */
#ifndef SERVER_REBUILD_RATINGS_H
#define SERVER_REBUILD_RATINGS_H

#include "options.h"

/* Has a match not count; or says what differs, and with --write has the store keep what follows. An
 * exit status. */
int rebuild_ratings(const struct options *options);

#endif
