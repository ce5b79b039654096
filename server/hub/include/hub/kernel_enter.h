/*
 * How a connection becomes a session's, for the feature that knows what opens sessions. To the
 * kernel a session is an id, a name, its seats and its connections, each of a device, which is a
 * number; what proves that somebody is it is the feature's.
 *
 * All but kernel_write_hello, kernel_await_hello, kernel_device_is_connected, and what is about
 * somebody whom somebody else makes, are about a call that is a `hello`.
 */
#ifndef HUB_KERNEL_ENTER_H
#define HUB_KERNEL_ENTER_H

#include <protocol/error.h>
#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct hub;
struct reply;
struct session;

/* ---- somebody new */

enum { KERNEL_SESSION_OPS = 1 }; /* that a new session takes of a batch */

/*
 * May a session begin, with so many operations beside its own? PROTOCOL_OK, or why not. Takes one
 * of what its address may begin, and may make room for it.
 */
enum protocol_error kernel_may_begin_session(const struct call *call, size_t ops);
/*
 * By the name that the call has, or one for who has none. It is not durable, and nobody's: in this
 * call it begins, or ends again. NULL: out of memory.
 */
struct session *kernel_new_session(const struct call *call);
void kernel_end_new_session(struct hub *hub, struct session *session);
/*
 * Puts its row into the batch that fills, for which kernel_reserve was asked, before those that are
 * its own. The connection is its first, of that device; the reply, which it takes over, waits for
 * the batch. <0: out of memory for the reply, and nothing has changed.
 */
int kernel_begin_session(const struct call *call, struct session *session, struct reply *reply,
                         uint32_t device);

/* ---- somebody whom somebody else makes: a program's account */

/*
 * As kernel_may_begin_session and kernel_new_session, but nobody is connected by it: it is made by
 * its owner, and of the same part as they are. Its row is put with kernel_reserve, for
 * KERNEL_SESSION_OPS, together with a change of it (hub/kernel.h): when that is durable, or taken,
 * it has begun, which is to be said first of all; if it is undone the kernel ends it.
 */
struct session *kernel_new_session_of(struct hub *hub, const struct session *owner,
                                      const char *name);
void kernel_put_session(struct hub *hub, const struct session *session);
void kernel_session_begun(struct hub *hub, struct session *session);

/* ---- somebody who was here before */

/* Nobody yet: somebody has to do something first, and may be without a `hello` for so long. */
void kernel_await_hello(const struct call *call, int64_t until_ms);

/*
 * May the connection be one of the session's, of that device (NULL: of a new one)? False: the call
 * is answered, and closed if the session is banned.
 */
bool kernel_may_enter(const struct call *call, struct session *session, const uint32_t *device);
/* The connection, which is about to enter, may ask so much and no more (protocol/scope.h). */
void kernel_restrict(const struct call *call, unsigned scopes);
/* It is, by that device. Whoever is gone without a word goes first, and who has most connections
 * makes room. */
void kernel_enter(const struct call *call, struct session *session, uint32_t device);
/* The same, and answers: the call may bring another name. With `token` it brings none, and is told
 * the device's token once more; else NULL. */
void kernel_resume_session(const struct call *call, struct session *session, uint32_t device,
                           const char *token);

/* The session's new name is durable, and the call answered. */
void kernel_rename_session(const struct call *call);

/* What every answer to `hello` has; and behind it the token of a device that has been given one. */
void kernel_write_hello(const struct call *call, const struct session *session,
                        struct reply *reply);
void kernel_write_token(struct reply *reply, const char *token);
bool kernel_device_is_connected(const struct session *session, uint32_t device);

/* Says that to all who are connected by the session, at its home, as the notice `announcement`:
 * what has become of who may enter. */
void kernel_announce_to(struct hub *hub, const struct session *session, const char *text);

/* What opens the session is known in that part: the call is answered there. */
void kernel_redirect(const struct call *call, unsigned part);

#endif
