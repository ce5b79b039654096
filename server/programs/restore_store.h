/* `taluvad restore`: a copy in place of the embedded store, all steps or none. */
#ifndef SERVER_RESTORE_STORE_H
#define SERVER_RESTORE_STORE_H

#include "options.h"

struct game_type;

/* An exit status; what was done, or what is wrong, has been said. */
int restore_store(const struct options *options, const struct game_type *const games[]);

#endif
