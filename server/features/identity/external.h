/*
 * Sign-in elsewhere: `sign_in` makes what a voucher (hub/voucher.h) says the session's own, and is
 * a proof that its player is there; `hello` enters the session that has it. A voucher is good once:
 * of each account no older one is taken than the last.
 */
#ifndef IDENTITY_EXTERNAL_H
#define IDENTITY_EXTERNAL_H

#include <stdbool.h>

struct call;
struct session;
struct store_query;

void op_sign_in(struct call *call);
void op_sign_in_queried(struct call *call, const struct store_query *query);
/* Takes it away from who has shown a passkey or the phrase, and so can enter without it. */
void op_sign_in_drop(struct call *call);
void op_sign_in_drop_queried(struct call *call, const struct store_query *query);

/* Of a `hello`: asks who it is, or has answered. */
void external_ask_who(const struct call *call, const char *device);
/* Is that what the call has waited for? */
bool external_has_asked(const struct call *call);
/* Who it is, with the name of their new device; NULL: that is answered, here or in another part. */
struct session *external_who(const struct call *call, const struct store_query *query,
                             const char **device);

#endif
