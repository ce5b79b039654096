/*
 * `tokens`, `token_add`, `token_drop`: what programs come with, of one's own account, or of that of
 * a program that one owns. A token is shown once; whoever has it may do what it is for, and no
 * more.
 */
#ifndef IDENTITY_OP_TOKEN_H
#define IDENTITY_OP_TOKEN_H

#include <stdint.h>

struct call;
struct hub;
struct store_query;

void op_tokens(struct call *call);
void op_token_add(struct call *call);
void op_token_drop(struct call *call);
/* What would prove who it is, before one is made. */
void op_token_queried(struct call *call, const struct store_query *query);

/* Whoever is connected by a token goes when its time is over. */
void tokens_tick(struct hub *hub);

#endif
