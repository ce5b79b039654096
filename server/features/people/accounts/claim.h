/*
 * `claim`: a session becomes an account; or an account is called otherwise, once and soon, and in
 * other letters at any time. It is durable before it is answered, and the store says which of two
 * has a handle.
 */
#ifndef PEOPLE_CLAIM_H
#define PEOPLE_CLAIM_H

#include <stdint.h>

struct call;
struct hub;
struct request;
struct session;
struct store_query;

void op_claim(struct call *call);
void claim_queried(struct call *call, const struct store_query *query);
/* In how many milliseconds one more may be claimed from where the session is from; 0: now. */
int64_t claim_wait_ms(const struct hub *hub, const struct session *session,
                      const struct request *request);

#endif
