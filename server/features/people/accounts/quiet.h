/*
 * Quiet accounts: nobody hears what they would say, and they hear nobody. Whoever is at home here
 * sets it, on all devices; to take it back takes a fresh proof, so that a child does not do so for
 * itself. A connection may be quiet as well by the name of the server that it has come to
 * (hub_set_quiet), which nobody can take back.
 */
#ifndef PEOPLE_QUIET_H
#define PEOPLE_QUIET_H

struct call;
struct store_query;

void op_quiet(struct call *call);
void op_quiet_queried(struct call *call, const struct store_query *query);

#endif
