/* What a game's server tells of a value, as JSON. */
#ifndef TEST_TOLD_H
#define TEST_TOLD_H

#include <games/game.h>

/* The patch of `table` from `before` (NULL: all of it) to `after`, as the viewer is told it. */
json_t *told_table(const struct game_views *views, const void *before, const void *after,
                   unsigned viewer);
json_t *told_options(const struct game_rules *rules, const void *value);

#endif
