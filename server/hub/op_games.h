/* `games`: the finished matches of the asking session, which only the store has. */
#ifndef HUB_OP_GAMES_H
#define HUB_OP_GAMES_H

struct call;
struct store_list;

void op_games(struct call *call);
/* The store has answered. */
void op_games_listed(struct call *call, const struct store_list *list);

#endif
