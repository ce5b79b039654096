/*
 * Adopting: what another device has as a guest becomes an account's. Whoever has both shows a
 * secret of the guest's, its token or a link made there, on a device of the account's.
 *
 *     the account's home            where the secret leads     the guest's home       all parts
 *     adopt --"identity.adopt"------------> who is it?
 *                                     "identity.adopting"--------> step ASK  --"identity.hand"-->
 *                                                                            <-"identity.handed"-
 *                                                                  step HAND --"identity.hand"-->
 * seats
 *                                                                            <-"identity.handed"-
 *                                                                  step LIST      its list, some at
 * once push  <-"identity.adopted"---------------------------------- step END       it ends
 *
 * All of it is in letters: whoever dies between two of them, the next one goes on. In step ASK
 * nothing has changed, and all parts say that none of them has a match in which both sit; so a part
 * whose server does not know of this holds it up. From step HAND on nobody enters the guest, and
 * nothing of it opens the account: its devices, links and phrase may be known to others.
 */
#ifndef IDENTITY_ADOPT_H
#define IDENTITY_ADOPT_H

#include <hub/letter.h>
#include <stdint.h>

struct call;

void op_adopt(struct call *call);

extern const char adopt_letter[];
enum { ADOPT_LETTER_BYTES = 128, ADOPT_OPS = 1 };
enum letter_fate adopt_apply(struct hub *hub, const struct store_letter *letter);

#endif
