/*
 * `bot_account`, `bots`: an account makes one for a program, and sees which it owns. As with every
 * handle the store says which of two has it.
 */
#ifndef PEOPLE_BOTS_H
#define PEOPLE_BOTS_H

struct call;
struct store_query;

void op_bot_account(struct call *call);
void op_bots(struct call *call);
/* Is the handle that is wanted burnt? */
void bots_queried(struct call *call, const struct store_query *query);

#endif
