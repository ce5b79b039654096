/*
 * The finished matches of a session: what is shown of each is kept when it ends, for everybody who
 * sat in it, and `games` asks for it a page at a time.
 */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include <features/feature.h>

extern const struct feature feature_history;

#endif
