/*
 * What features know of several sessions (hub/kernel.h): who has a handle, and who has blocked
 * whom. Each is one feature's to know, and any other's to go by.
 */
#ifndef HUB_KERNEL_OTHERS_H
#define HUB_KERNEL_OTHERS_H

#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct hub;
struct kernel_query;
struct protocol_account;
struct session;
struct store_query;

/*
 * The question which session has or had that handle, in the whole site, to be asked (call_query):
 * at most one row comes. `from` is STORE_ROW_SIZE_MAX bytes of zeros, and outlives the asking.
 * False: nobody knows handles here.
 */
bool kernel_ask_account(const struct hub *hub, const char *handle, struct kernel_query *query,
                        void *from);
/* Has whoever asks an account? Else the call is refused. */
bool kernel_needs_account(const struct call *call);
/* For a request of somebody with an account: asks whose its handle is; the operation's `queried`
 * has the answer. What cannot be asked is refused. */
void kernel_ask_named(const struct call *call);
/* Its row: the session, and what it is called. */
uint64_t kernel_read_account(const struct hub *hub, const void *row,
                             struct protocol_account *account);
/* Since when they have that account. */
int64_t kernel_read_account_since_ms(const struct hub *hub, const void *row);

/* Since when a session that is at home here has its account; 0: it has none. */
int64_t kernel_account_since_ms(const struct hub *hub, const struct session *session);

/*
 * Programs' accounts: the owner of one that is at home here (0: it is none), and that of an owner
 * with that handle, however it is typed (NULL: there is none, or it is at home elsewhere).
 */
uint64_t kernel_owner(const struct session *session);
struct session *kernel_owned(const struct hub *hub, const struct session *owner,
                             const char *handle);

/*
 * Has whoever asks shown lately that it is themselves, or has the session nothing to show? That
 * takes a question, to be asked (call_query; `from` as above), with whose answer it is decided.
 */
void kernel_ask_proof(const struct call *call, struct kernel_query *query, void *from);
bool kernel_is_proven(const struct call *call, const struct store_query *query);

/* Has a session that is at home here signed in elsewhere, so that it may claim a handle where that
 * is asked for? */
bool kernel_signed_in(const struct hub *hub, const struct session *session);

/*
 * The session is to end, with all rows that are its own: its connections are closed, and once
 * nobody is there by it, and it has no seat and no room here, it is dropped with the batch that
 * fills. To be asked again until `session_gone` is told.
 */
void kernel_end_session(struct hub *hub, uint64_t session);

/* Its connections are closed, as by kernel_end_session. */
void kernel_put_out(struct hub *hub, uint64_t session);

/*
 * What others are shown of its finished matches names it no more, with the batch that fills, for
 * which one op has been reserved: so many matches of its lists at once (STORE_ERASE_ROOMS), which
 * are in them no more. Of a match that is not put away nothing is erased.
 */
void kernel_erase_names(struct hub *hub, uint64_t session);
/*
 * The matches here that are over, and in which it had a seat, are put away with the batch that
 * fills, whoever looks at them, but for those who may want to play again. False: some are left, to
 * be asked again. Looks at all rooms.
 */
bool kernel_put_matches_away(struct hub *hub, uint64_t session);

/*
 * An account is erased, wherever it was at home: all features forget what they have of others that
 * names it (feature.forget), up to so many rows with the batch that fills, for which there is
 * place. How many they were; with 0 it is only asked whether there are any. Looks at all that is
 * kept.
 */
size_t kernel_forget(struct hub *hub, uint64_t session, size_t max, bool *more);

/* Whom a session that is at home here has blocked: how many, up to KERNEL_BLOCKS_MAX. */
enum { KERNEL_BLOCKS_MAX = 200 };
size_t kernel_blocks(const struct hub *hub, const struct session *session,
                     uint64_t others[static KERNEL_BLOCKS_MAX]);
/* Is that one among them? */
bool kernel_has_blocked(const struct hub *hub, const struct session *session, uint64_t other);
/* Does a session that is at home here follow that one? */
bool kernel_follows(const struct hub *hub, const struct session *session, uint64_t other);

/*
 * A session that is at home here blocks that one, or not any more, with the batch that fills, in
 * which so much has been reserved for what that leads to elsewhere. <0: no memory, and the batch
 * may hold some of it, which does no harm.
 */
enum { KERNEL_APART_OPS = 1, KERNEL_APART_TEXT = 64 };
int kernel_tell_apart(struct hub *hub, const struct session *session, uint64_t other, bool blocks);

/*
 * The server itself has seen something of a session that is at home here, which those who look
 * after the site are to know: an object of JSON, of KERNEL_SEEN_BYTES at most. With the batch that
 * fills, in which so much has been reserved for what that leads to. <0: no memory, and nobody is
 * told.
 */
enum { KERNEL_SEEN_BYTES = 512, KERNEL_SEEN_OPS = 1, KERNEL_SEEN_TEXT = KERNEL_SEEN_BYTES + 64 };
int kernel_tell_seen(struct hub *hub, const struct session *session, const char *object,
                     size_t len);

#endif
