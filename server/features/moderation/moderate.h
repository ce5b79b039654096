/*
 * What moderators ask, at the desk: the queue that the operator has, too, and to decide. Whether
 * somebody is one is asked of the store each time.
 */
#ifndef MODERATION_MODERATE_H
#define MODERATION_MODERATE_H

struct call;
struct store_query;

void op_cases(struct call *call);
void op_judge(struct call *call);
/* The moderators are here. */
void moderate_queried(struct call *call, const struct store_query *query);

#endif
