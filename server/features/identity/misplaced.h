/*
 * Secrets that lie in this part by their hash, and open a session of another one: a site that had
 * sessions was given another number of parts. Known by what the store hands over at the opening;
 * new ones are drawn so that there are none. Whether such a secret still opens its session is what
 * the session's home knows alone.
 */
#ifndef IDENTITY_MISPLACED_H
#define IDENTITY_MISPLACED_H

#include <stdint.h>

struct hub;

void misplaced_init(struct hub *hub);
void misplaced_release(struct hub *hub);

/* <0: out of memory. */
int misplaced_add(struct hub *hub, const uint8_t hash[static 32], unsigned part);
/* The part of its session; <0: it is no such secret. The time it takes does not depend on how much
 * of a hash is right. */
int misplaced_find(const struct hub *hub, const uint8_t hash[static 32]);

#endif
