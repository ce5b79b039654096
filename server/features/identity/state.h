/*
 * What the feature has in memory, of a hub and of each session there.
 *
 *     identity                who opens which session, rows, and what others are told of them
 *     op_hello  op_device     what clients ask
 *     op_passkey              ... of passkeys
 *     op_token                ... of programs' tokens
 *     op_export               ... for a copy of what is kept of them
 *     credential_change       a change of what opens a session
 *     adopt                   a guest that becomes an account's
 *     adopting                ... at its home, and in all parts
 *     adopt_text              what stands in the letters about that
 *     credential  misplaced   what opens sessions, here or in another part
 *     passkey                 what a browser says of one, checked
 *     passkey_table           what is kept of it
 *     external                who has signed in elsewhere
 *     external_table          what is kept of that
 *     signed_in               what is known of that in memory
 *     token_table             what is kept of programs' tokens
 *     credential_table        and of all others
 *     operator_link           what the operator makes for who has lost all
 *     tell_devices            what whoever has the account is told of it
 *     challenge               what a connection was asked, and has proven
 *     base64url               how that is written
 *     state                   this
 */
#ifndef IDENTITY_STATE_H
#define IDENTITY_STATE_H

#include "challenge.h"
#include "signed_in.h"
#include <base/table.h>
#include <features/feature.h>
#include <hub/bucket.h>
#include <webauthn/webauthn.h>

struct credential;

struct identity {
    struct table by_secret; /* see credential.h */
    struct table misplaced; /* see misplaced.h */
    struct table adoptings; /* see adopting.c */
    int64_t adoptings_ms;   /* when something is to be done for one; INT64_MAX: nothing */
    /* How often passkeys of this part were added or dropped: what was read before is not to be
     * trusted any more. */
    uint32_t passkey_changes;
    int64_t tokens_ms; /* when the first token of a connected program is over; INT64_MAX: none */
    uint64_t passkey_results[WEBAUTHN_FAULTS];
    uint64_t passkeys_copied;
    uint64_t external_outcomes[EXTERNAL_OUTCOMES];
};

struct identity_session {
    struct credential *credentials; /* see credential.h; the oldest first */
    struct bucket changes;
    struct signed_in *signed_in; /* see signed_in.h; NULL: it has no row of external_table.h */
};

/* Of a connection; see challenge.h. */
struct identity_conn {
    uint8_t challenge[CHALLENGE_BYTES];
    enum challenge_purpose purpose; /* NONE: there is no challenge */
    int64_t challenge_until_ms, proven_until_ms;
};

extern const struct feature_memory identity_memory;

struct identity *identity_of(const struct hub *hub);
struct identity_session *identity_of_session(const struct hub *hub, const struct session *session);

#endif
