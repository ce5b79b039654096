/*
 * Challenges of connections, and what they have proven: a challenge is one connection's, for one
 * purpose, once, and soon; a new one takes the place of the one before. So nothing that somebody
 * has overheard or kept is of use a second time, or to anybody else.
 */
#ifndef IDENTITY_CHALLENGE_H
#define IDENTITY_CHALLENGE_H

#include <stdbool.h>
#include <stdint.h>

struct call;

enum { CHALLENGE_BYTES = 32 };

enum challenge_purpose { CHALLENGE_NONE, CHALLENGE_ADD, CHALLENGE_ENTER, CHALLENGE_PROOF };

/* What the request asks one for. */
enum challenge_purpose challenge_asked(const struct call *call);

/* Until when it is good. */
int64_t challenge_make(const struct call *call, enum challenge_purpose purpose,
                       uint8_t challenge[static CHALLENGE_BYTES]);
/* It is used up, whatever comes of it. False: there is none for this, or not any more. */
bool challenge_take(const struct call *call, enum challenge_purpose purpose,
                    uint8_t challenge[static CHALLENGE_BYTES]);

/* The connection's player has shown who they are. Until when that counts. */
int64_t challenge_note_proof(const struct call *call);
bool challenge_is_proven(const struct call *call);

#endif
