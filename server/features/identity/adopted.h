/* What has become of a guest that was to be adopted (adopt.h), told at the account's home. */
#ifndef IDENTITY_ADOPTED_H
#define IDENTITY_ADOPTED_H

#include <hub/letter.h>
#include <protocol/error.h>
#include <stdint.h>

struct hub;

extern const char adopted_letter[];
enum letter_fate adopted_apply(struct hub *hub, const struct store_letter *letter);

/* For the account's devices: PROTOCOL_OK, or why not. <0: no memory. */
int adopt_tell(struct hub *hub, uint64_t heir, enum protocol_error error);

#endif
