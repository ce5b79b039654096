/*
 * Who may sit where. Before somebody takes a seat, or has the players of a match seated again, no
 * two at the table may have blocked each other; and before a foreign session hears what is said in
 * a room, its blocks are known here.
 *
 * What is not known in this part is asked of the store, as it is durable: then the request waits.
 */
#ifndef OTHERS_SITTING_H
#define OTHERS_SITTING_H

#include <stdbool.h>

struct call;
struct store_query;

bool sitting_passes(struct call *call);
bool sitting_held(struct call *call, const struct store_query *query);

#endif
