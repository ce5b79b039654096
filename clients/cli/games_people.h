/* With whom somebody has played, by the list of their finished matches. */
#ifndef GAMES_PEOPLE_H
#define GAMES_PEOPLE_H

#include <jansson.h>
#include <stdint.h>

/* A line for each account but one's own, whom one has met last first; how many. */
size_t games_people_print(const json_t *games, int64_t now_ms);

#endif
