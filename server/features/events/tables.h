/*
 * Rooms for the tables of the round that is being played, and what comes of them.
 *
 * A room is opened in the batch that names it in a row of its table, so each table has one and no
 * more, whoever dies when; one that the store refuses is opened again. All of them are the desk's.
 * What has become of a match leaves its room by a letter, in the batch of its last event, and is
 * entered once: into a table that has no result.
 */
#ifndef EVENTS_TABLES_H
#define EVENTS_TABLES_H

#include "held.h"
#include <hub/letter.h>

struct refusal;
struct room;
struct room_result;

extern const char event_result_letter[];
enum { EVENT_RESULT_OPS = 2, EVENT_RESULT_TEXT = EVENT_LINE_MAX + 1 };

/* Can so many play by these rules? Else *refusal says why not. */
bool tables_can_play(const struct hub *hub, const struct event_rules *rules, unsigned seats,
                     struct refusal *refusal);

/* Of the open round: opens rooms, and looks who is missing. When to look again. */
int64_t tables_look(struct hub *hub, struct held *held);

/* What features are told of a match that is over, and the letter of that at the desk. */
void tables_match_over(struct hub *hub, const struct room_result *result);
enum letter_fate tables_apply(struct hub *hub, const struct store_letter *letter);

#endif
