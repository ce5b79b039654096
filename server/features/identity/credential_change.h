/*
 * A change of a session's credentials: its parts are marked in their states (credential.h), then it
 * goes to the store, and its reply waits for that.
 */
#ifndef IDENTITY_CREDENTIAL_CHANGE_H
#define IDENTITY_CREDENTIAL_CHANGE_H

#include <protocol/error.h>
#include <stdbool.h>
#include <stdint.h>

struct call;
struct hub;
struct reply;
struct request;
struct session;

/* PROTOCOL_OK: a change may begin. */
enum protocol_error credential_change_possible(const struct hub *hub,
                                               const struct session *session);
/* The same, and one of the rate of changes is taken. */
enum protocol_error credential_change_allowed(const struct call *call, struct session *session);

/* When the rate of the session's lets such a request through; 0: now. */
int64_t credential_change_wait_ms(const struct hub *hub, const struct session *session,
                                  const struct request *request);

/*
 * Sends what is marked to the store. Takes over the reply. False: nothing has changed, the marks
 * are gone, and the call is answered; so if not all could be `marked`, for want of memory.
 */
bool credential_change(const struct call *call, struct session *session, struct reply *reply,
                       bool marked);
/* The same without a request of the session's. */
bool credential_change_by_operator(struct hub *hub, struct session *session, bool marked);

#endif
