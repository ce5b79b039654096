/*
 * `follow`, `unfollow`, `presence`: whom an account follows, and whether those who are friends see
 * it, at its home. A change is durable before it is answered.
 */
#ifndef FRIENDS_FOLLOW_H
#define FRIENDS_FOLLOW_H

struct call;
struct store_query;

void op_follow(struct call *call);
void op_unfollow(struct call *call);
void op_presence(struct call *call);
/* Who has the handle that the first two name. */
void follow_queried(struct call *call, const struct store_query *query);

#endif
