/* Which matches say what a level of the computer is worth, and what they say (levels.h). */
#ifndef RATINGS_LEVELS_MATCH_H
#define RATINGS_LEVELS_MATCH_H

struct hub;
struct room;
struct room_result;

/* In the batch of the last event: a letter to the desk, if it counts. */
void levels_send(struct hub *hub, const struct room *room, const struct room_result *result);

#endif
