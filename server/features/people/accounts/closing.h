/*
 * The end of an account: whoever has it says so with a fresh proof, and after a time in which that
 * can be taken back the session is erased, with all rows that are its own, and its name in finished
 * matches. What it was called stays claimed, by hashes that name nobody.
 *
 *     (none) --close_account--> closing --its time has come--> erasing --all steps--> erased
 *        '<-----keep_account------'
 *
 * Of a time in which the clock was set ahead no more than a day counts: then the account ends so
 * much later, and that is stored before anything else is done.
 *
 * Before it its matches are over and put away, in all parts of the site (leaving.h): nobody loses
 * one, and its name is taken out of all. Then nobody enters it any more.
 *
 * Erasing is a step after the other, each of some matches; a server that is started again begins
 * with the first, of what is left.
 *
 * The claims are burnt when it begins to close, long before they end with the account: so there is
 * no moment in which another one could have them.
 */
#ifndef PEOPLE_CLOSING_H
#define PEOPLE_CLOSING_H

#include <stdint.h>

struct call;
struct hub;
struct session;
struct store_query;

void op_close_account(struct call *call);
void op_keep_account(struct call *call);
void closing_queried(struct call *call, const struct store_query *query);

/* As of a feature. */
int64_t closings_deadline_ms(const struct hub *hub);
void closings_tick(struct hub *hub);
void closing_gone(struct hub *hub, const struct session *session);

#endif
