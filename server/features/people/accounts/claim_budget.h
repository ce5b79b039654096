/*
 * How many handles may be claimed in a day from where a session comes from: accounts are never
 * dropped to make place, so whoever has thousands of addresses of one network must not take all the
 * places there are. Counted by the networks of KERNEL_WIDTHS: an address has `claims_per_address_
 * per_day`, each wider network four times as many. In memory alone.
 */
#ifndef PEOPLE_CLAIM_BUDGET_H
#define PEOPLE_CLAIM_BUDGET_H

#include <hub/kernel.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;
struct request;
struct session;

void claim_budget_init(struct hub *hub);
void claim_budget_release(struct hub *hub);

/* In how many milliseconds one more may be claimed; 0: now. */
int64_t claim_budget_wait_ms(const struct hub *hub, const struct session *session);
/* So that the next charge finds its counts. False: out of memory. */
bool claim_budget_reserve(const struct hub *hub, const struct session *session);
void claim_budget_charge(const struct hub *hub, const struct kernel_networks *from);
/* It has not been claimed. */
void claim_budget_repay(const struct hub *hub, const struct kernel_networks *from);

#endif
