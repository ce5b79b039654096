/*
 * What the feature has in memory, of a hub and of each session there.
 *
 *     identity                who opens which session, rows, and what others are told of them
 *     op_hello  op_device     what clients ask
 *     credential_change       a change of what opens a session
 *     credential  misplaced   what opens sessions, here or in another part
 *     state                   this
 */
#ifndef IDENTITY_STATE_H
#define IDENTITY_STATE_H

#include <base/table.h>
#include <features/feature.h>
#include <hub/bucket.h>

struct credential;

struct identity {
    struct table by_secret; /* see credential.h */
    struct table misplaced; /* see misplaced.h */
};

struct identity_session {
    struct credential *credentials; /* see credential.h; the oldest first */
    struct bucket changes;
};

extern const struct feature_memory identity_memory;

struct identity *identity_of(const struct hub *hub);
struct identity_session *identity_of_session(const struct hub *hub, const struct session *session);

#endif
