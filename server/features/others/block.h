/*
 * `block`, `unblock`, `blocks`: what an account says of others, at its home. A change is durable
 * before it is answered; the other parts of the site, in which the session may be, and the desk are
 * told by letters of the same batch.
 */
#ifndef OTHERS_BLOCK_H
#define OTHERS_BLOCK_H

#include <hub/letter.h>

struct call;
struct hub;
struct store_query;

void op_block(struct call *call);
void op_unblock(struct call *call);
void op_blocks(struct call *call);
/* Who has the handle that `block` names. */
void op_block_queried(struct call *call, const struct store_query *query);

/* At other parts. */
extern const char block_letter[];
enum letter_fate block_apply(struct hub *hub, const struct store_letter *letter);

#endif
