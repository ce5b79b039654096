/*
 * The hub as features see it (features/feature.h), beside the calls that they answer (hub/call.h):
 * what it knows, and the ways to keep something.
 *
 * Handles are borrowed: a session is there until `session_gone`, everything else for the call.
 */
#ifndef HUB_KERNEL_H
#define HUB_KERNEL_H

#include <hub/kernel_account.h>
#include <hub/kernel_change.h>
#include <hub/kernel_room.h>
#include <hub/letter.h>
#include <hub/store.h>
#include <protocol/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct feature_document;
struct feature_memory;
struct hub;
struct hub_audit_line;
struct hub_config;
struct hub_env;
struct hub_room;
struct refusal;
struct reply;
struct room;
struct session;
struct writer;

/* ---- what there is */

/* Of a feature of this hub, to which that memory belongs. */
void *kernel_state(const struct hub *hub, const struct feature_memory *memory);
void *kernel_session_state(const struct hub *hub, const struct feature_memory *memory,
                           const struct session *session);
void *kernel_room_state(const struct hub *hub, const struct feature_memory *memory,
                        const struct hub_room *hub_room);
/* Of the connection that the call came by. */
void *kernel_conn_state(const struct hub *hub, const struct feature_memory *memory,
                        const struct call *call);

const struct hub_config *kernel_config(const struct hub *hub);
const struct hub_env *kernel_env(const struct hub *hub);
int64_t kernel_now_ms(const struct hub *hub);
/*
 * How much of the time since then counts for nothing where days are counted: what the clock was set
 * ahead by, at the start or while it ran, but for a day of each.
 */
int64_t kernel_uncounted_ms(const struct hub *hub, int64_t since_ms);

/* NULL: it is not known, or gone as soon as the store has dropped it. */
struct session *kernel_session_find(const struct hub *hub, uint64_t id);
uint64_t kernel_session_id(const struct session *session);
const char *kernel_session_name(const struct session *session);
/* It has that name from now on, in memory alone. Takes it over, allocated. */
void kernel_call_session(struct session *session, char *name);
/*
 * The account that the session has (protocol/account.h), here and in any other part where it is
 * known; its id is the session's. NULL: none. Of those who sit in a room see room_seat_account, and
 * room_result: what they had when they sat down.
 */
const struct protocol_account *kernel_account(const struct session *session);
/* Its name for authenticators, of an account that is at home here: random, and none of the handle's
 * business, which may change. NULL: none. */
const uint8_t *kernel_user_id(const struct session *session);
/* For the feature that knows which session has which. Takes it over, allocated; NULL: it has none
 * any more. A session with an account does not expire. */
void kernel_give_account(struct hub *hub, struct session *session, struct kernel_account *account);
/* Its account, if it has one, is quiet or not; other parts learn it with what tells of the account.
 */
void kernel_set_quiet(struct session *session, bool quiet);
bool kernel_session_is_durable(const struct session *session);
/* A change of it waits for the store: the next one is decided by what this one leaves. */
bool kernel_session_is_changing(const struct session *session);
/* Is it connected here, which is its home? */
bool kernel_session_is_connected(const struct session *session);
/* Is one of its connections subscribed to the room? */
bool kernel_session_watches(const struct session *session, const struct hub_room *hub_room);
/*
 * The room of this part in which the session plays now: it has a seat in a match that is under way,
 * and a connection of its own is there. One that anybody may watch comes before others. NULL: none.
 */
const struct hub_room *kernel_plays(const struct hub *hub, uint64_t session);
/* The device that a connection came with, a number of its session's. */
uint32_t kernel_device(const struct call *call);

/* NULL: it is not in memory. */
struct hub_room *kernel_room_find(const struct hub *hub, const char *id);
const struct room *kernel_room(const struct hub_room *hub_room);
/* Is all of it durable? */
bool kernel_room_is_durable(const struct hub_room *hub_room);
/* Whose seat it is; 0: nobody's, or a computer's. `*session` NULL: it is not known here. */
uint64_t kernel_seat_owner(const struct hub_room *hub_room, uint8_t seat, struct session **session);

/*
 * Sessions outlive their connections by days, so what an address makes the server keep for them is
 * counted by its share, a number below KERNEL_SHARES; 0: of no address.
 */
enum { KERNEL_SHARES = 16384 };
uint16_t kernel_share(const struct session *session);
/* The same of the /64, /56 and /48 that it is of, of IPv4 of the address twice and its /24. */
enum { KERNEL_WIDTHS = 3 };
struct kernel_networks {
    uint16_t share[KERNEL_WIDTHS]; /* the narrowest first; 0: not known, as after a restart */
};
struct kernel_networks kernel_networks_of(const struct session *session);
/*
 * Where the call comes from, by the networks of KERNEL_WIDTHS: the same number at all parts and for
 * ever, not 0. Nobody finds another address that has the number of somebody's.
 */
uint64_t kernel_source(const struct call *call);
/* Are both in one network of that width, 0 the narrowest? */
bool kernel_source_is_near(uint64_t one, uint64_t other, unsigned width);
/* By IPv4 address or /48, below KERNEL_SHARES: many share it, so that it may be kept for long. */
uint16_t kernel_source_share(const struct call *call);
/* Does it come from this machine itself? Then where from says nothing about who it is. */
bool kernel_is_local(const struct call *call);
/* How many messages wait there for browsers, here or to be told to other parts. */
uint16_t *kernel_share_messages(struct hub *hub, uint16_t share);

/* ---- keeping something */

/* May so many operations go into the batch that fills? PROTOCOL_OK, or why not. */
enum protocol_error kernel_may_store(const struct hub *hub, size_t ops);
/* Memory for rows with so much text, and for one change; then none of them can fail. It stays
 * theirs whatever else is done first: letters and rooms have their own. <0: out of memory. */
int kernel_reserve(struct hub *hub, size_t ops, size_t text);
/* A described row, which is copied: its text is what it borrows (store_row_borrows). */
void kernel_put_row(struct hub *hub, const struct store_table *table, const void *row);
/* The same of a table that is bounded: so many of the row's session stay, the last by their key. */
void kernel_put_newest(struct hub *hub, const struct store_table *table, const void *row,
                       uint32_t keep);
/* Of which the key counts. */
void kernel_drop_row(struct hub *hub, const struct store_table *table, const void *row);

/* Rows and letters that were put since the mark are taken out of the batch again, as when there is
 * no memory for what follows; no change may have been held since. */
struct kernel_mark {
    size_t ops, pending, rooms;
    uint64_t sent;
};
struct kernel_mark kernel_mark(const struct hub *hub);
void kernel_take_back(struct hub *hub, struct kernel_mark mark);

/*
 * A change of what a feature has of a session, to be carried out when the batch that fills is
 * durable. Memory has been reserved, and the session is not changing. Takes the change over. With a
 * call the reply goes out when it is durable, just before it is carried out, or `store_failing`
 * when it is not; then `call` has been answered. A connection that is nobody's before the call, and
 * is made the session's, is nobody's again if it is not durable. <0: out of memory for the reply,
 * and the change was not taken over.
 */
int kernel_change_answered(const struct call *call, struct session *session, struct reply *reply,
                           struct kernel_change *change);
void kernel_change_session(struct hub *hub, struct session *session, struct kernel_change *change);
/* The same of what it has of no session: `session` is NULL when it ends. There may be several. */
void kernel_change_hub(struct hub *hub, struct kernel_change *change);

/*
 * A device is a number of the session's, which each connection came with. What other features have
 * on it ends in the batch that holds its own end: how many operations that takes at most, and takes
 * now; with `store` it puts them there. Once that is durable, the device's connections are closed.
 */
size_t kernel_device_ops_max(const struct hub *hub);
size_t kernel_drop_device(struct hub *hub, const struct session *session, uint32_t device,
                          bool store);
void kernel_end_device(struct hub *hub, struct session *session, uint32_t device);

/*
 * A letter to whoever that number is (hub/letter.h), to the batch that fills, of which its cause
 * is. Copies the text. It is one op beyond those that were asked for. <0: out of memory.
 */
int kernel_send_letter(struct hub *hub, const struct kernel_letter *letter);

/*
 * What is said in the part where that session is at home, which is another one, and may be lost on
 * the way (feature.hear): up to KERNEL_NOTE_BYTES. False: too much waits, or no memory.
 */
enum { KERNEL_NOTE_BYTES = 1024 };
bool kernel_send_note(struct hub *hub, uint64_t session, const char *text, size_t len);

/*
 * The document of the feature whose operation it is (feature.document) is to be this text, in place
 * of the revision that holds in this hub: two who change it at once do not undo each other, as the
 * second is told. Copies the text. PROTOCOL_OK: its `kept` answers, when it holds or is known not
 * to, if whoever has asked is still there. Else why not: `slow_down` while another change waits,
 * `store_failing` as long as none holds.
 */
enum protocol_error kernel_change_document(const struct call *call, const char *text, size_t len);
/* The same by nobody's request: what has come of it is seen by what holds then. */
enum protocol_error kernel_make_document(struct hub *hub, const struct feature_document *document,
                                         const char *text, size_t len);

/*
 * Pushes a whole message, which is about that room (NULL: none), to those who are here by that
 * session, on whatever devices. Of something durable alone, at the session's home, where each
 * client of the site has one connection. Without memory it is left out.
 */
void kernel_tell_session(struct hub *hub, const struct session *session, const char *room_id,
                         const char *message, size_t len);

/* The same, but not where it is quiet (hub_set_quiet). */
void kernel_tell_unless_quiet(struct hub *hub, const struct session *session, const char *message,
                              size_t len);

/* The same of the session's account, which has changed: other nodes then show it so, too. */
void kernel_tell_account(struct hub *hub, const struct session *session, const char *message,
                         size_t len);

/* The operator whose operation waits for the store (features/feature.h) is refused after all. */
void kernel_refuse_operator(struct hub *hub, const struct refusal *refusal);

/* What all features have to tell of what is kept of the session here (feature.write_kept). */
void kernel_write_kept(const struct hub *hub, uint64_t session, bool at_desk,
                       struct writer *writer);

/* A line for the log of the server (hub/log_line.h): `event` is static. */
void kernel_log(struct hub *hub, const char *event, uint64_t session, bool is_warning);
/* And for the audit log (hub/audit_line.h), of something durable. Takes it over, allocated. */
void kernel_audit(struct hub *hub, struct hub_audit_line *line);
/* The audit log cannot be written: what belongs there is to be refused. */
bool kernel_audit_fails(const struct hub *hub);

/* ---- rooms */

/*
 * Opens a room by a plan: durable with the batch that fills, as all that the caller puts there, or
 * gone again. Counts for no address; who asks often is the caller's to bound. Whoever is gone has
 * no seat. False: *refusal says why (seat_refused: the host is gone; store_failing, draining, full,
 * what `create` is refused for), and nothing has changed.
 */
bool kernel_open_room(struct hub *hub, const struct kernel_room_plan *plan, char id[static 9],
                      struct refusal *refusal);

/*
 * A room in which nobody has begun to play is gone with the batch that fills, and whoever is there
 * is told. False: not now, or it is no such room; nothing has changed. It is one op.
 */
bool kernel_may_take_back_room(const struct hub_room *hub_room); /* beside place in the batch */
bool kernel_take_back_room(struct hub *hub, struct hub_room *hub_room);

/* ---- who is kept out */

/* Closes whoever is kept from connecting (barred_until_ms); how many, of those at home here. */
size_t kernel_close_barred(struct hub *hub);

/* ---- other parts of the site */

/* Is that session's home another part? Not of 0, which is none. */
bool kernel_is_elsewhere(const struct hub *hub, uint64_t session_id);
/* Its home is told of its turn at `due_ms`, if the poster's write_turn still has something then. */
void kernel_tell_home(struct hub *hub, struct hub_room *hub_room, uint8_t seat, int64_t due_ms);

#endif
