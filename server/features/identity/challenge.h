/*
 * Challenges of connections, and what they have proven: a challenge is one connection's, for one
 * purpose, once, and soon; a new one takes the place of the one before. So nothing that somebody
 * has overheard or kept is of use a second time, or to anybody else.
 */
#ifndef IDENTITY_CHALLENGE_H
#define IDENTITY_CHALLENGE_H

#include <features/feature.h>
#include <stdbool.h>
#include <stdint.h>

struct call;

enum { CHALLENGE_BYTES = FEATURE_CHALLENGE_BYTES };

enum challenge_purpose {
    CHALLENGE_NONE,
    CHALLENGE_ADD,
    CHALLENGE_ENTER,
    CHALLENGE_PROOF,
    CHALLENGE_MOVED, /* to another part, and of no use here */
};

/* What the request asks one for. */
enum challenge_purpose challenge_asked(const struct call *call);

/* Until when it is good. */
int64_t challenge_make(const struct call *call, enum challenge_purpose purpose,
                       uint8_t challenge[static CHALLENGE_BYTES]);
/* It is used up, whatever comes of it. False: there is none for this, or not any more. */
bool challenge_take(const struct call *call, enum challenge_purpose purpose,
                    uint8_t challenge[static CHALLENGE_BYTES]);

/*
 * What was taken is answered in another part of the site, to which the connection goes: once, as
 * it would have been here. False: nothing is.
 */
void challenge_move(const struct call *call, const uint8_t challenge[static CHALLENGE_BYTES]);
bool challenge_moved(const struct call *call, uint8_t challenge[static CHALLENGE_BYTES]);
/* There: to enter with, and at once. */
void challenge_bring(const struct call *call, const uint8_t challenge[static CHALLENGE_BYTES]);

/* The connection's player has shown who they are. Until when that counts. */
int64_t challenge_note_proof(const struct call *call);
bool challenge_is_proven(const struct call *call);

#endif
