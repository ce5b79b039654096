/*
 * Passkeys, as their players have to do with them: a challenge for one, adding, listing and
 * dropping them, and showing by one that it is oneself.
 *
 * Who has a passkey or a phrase shows it before anything that could lock them out: a device's token
 * alone, which a thief of the device has too, is not enough for that.
 */
#ifndef IDENTITY_OP_PASSKEY_H
#define IDENTITY_OP_PASSKEY_H

#include "passkey.h"

struct call;
struct kernel_query;
struct session;
struct store_query;

void op_passkey(struct call *call);
void op_passkey_add(struct call *call);
void op_passkey_drop(struct call *call);
void op_passkeys(struct call *call);
void op_prove(struct call *call);

/* What was asked for is here; of `hello` in op_hello.h, of `phrase` in op_device.h. */
void op_passkey_queried(struct call *call, const struct store_query *query);

/* A proof with the only row of the page, which is its own then; NULL: it is refused, and that is
 * answered. `row` has room for it. */
const struct passkey_row *op_passkey_proof(const struct call *call, const struct store_query *query,
                                           struct passkey_row *row);
/* When it was used last is stored, if that can be now: no reply waits for it. */
void op_passkey_note_seen(const struct call *call, struct session *session,
                          const struct passkey_row *row);
/* Is one of them of use here? */
bool op_passkey_any(const struct call *call, const struct store_query *query);

/* kernel_ask_proof and kernel_is_proven (hub/kernel_others.h). */
void op_passkey_ask_proof(const struct call *call, struct kernel_query *query, void *from);
bool op_passkey_is_proven(const struct call *call, const struct store_query *query);

#endif
