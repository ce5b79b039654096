#include <hub/kernel.h>

#include "admin_wait.h"
#include "call_private.h"
#include "changes/change.h"
#include "changes/room_clock.h"
#include "changes/room_open.h"
#include "connections/blob.h"
#include "connections/conn.h"
#include "connections/subscription.h"
#include "feature_table.h"
#include "hub_private.h"
#include "jump.h"
#include "limits/address.h"
#include "parts/mail.h"
#include "rooms/hub_room.h"
#include "sessions/session.h"
#include "waiting/audit_lines.h"
#include "waiting/batch.h"
#include "waiting/log_lines.h"
#include "waiting/note_queue.h"
#include <assert.h>
#include <hub/address_prefix.h>
#include <hub/call.h>
#include <hub/facts.h>
#include <sodium.h>
#include <string.h>

/* ---- what there is */

void *kernel_state(const struct hub *hub, const struct feature_memory *memory)
{
    return feature_state(hub, memory);
}

void *kernel_session_state(const struct hub *hub, const struct feature_memory *memory,
                           const struct session *session)
{
    return feature_session_state(hub, memory, (unsigned char *)(uintptr_t)session->states);
}

void *kernel_room_state(const struct hub *hub, const struct feature_memory *memory,
                        const struct hub_room *hub_room)
{
    return feature_room_state(hub, memory, hub_room_states(hub_room));
}

void *kernel_conn_state(const struct hub *hub, const struct feature_memory *memory,
                        const struct call *call)
{
    return feature_conn_state(hub, memory, conn_states(hub, call->conn));
}

const struct hub_config *kernel_config(const struct hub *hub)
{
    return &hub->config;
}

const struct hub_env *kernel_env(const struct hub *hub)
{
    return &hub->env;
}

int64_t kernel_now_ms(const struct hub *hub)
{
    return hub->now_ms;
}

int64_t kernel_uncounted_ms(const struct hub *hub, int64_t since_ms)
{
    return jumps_uncounted_ms(hub, since_ms);
}

struct session *kernel_session_find(const struct hub *hub, uint64_t id)
{
    struct session *session = session_find(hub, id);
    return session && !session_is_gone(session) ? session : NULL;
}

uint64_t kernel_session_id(const struct session *session)
{
    return session->id;
}

const char *kernel_session_name(const struct session *session)
{
    return session->name;
}

void kernel_call_session(struct session *session, char *name)
{
    free(session->name);
    session->name = name;
}

const struct protocol_account *kernel_account(const struct session *session)
{
    return session->account ? &session->account->shown : NULL;
}

const uint8_t *kernel_user_id(const struct session *session)
{
    return session->account && session->state != SESSION_FOREIGN ? session->account->user_id : NULL;
}

void kernel_set_quiet(struct session *session, bool quiet)
{
    if (session->account)
        session->account->shown.quiet = quiet;
}

void kernel_give_account(struct hub *hub, struct session *session, struct kernel_account *account)
{
    session_give_account(hub, session, account);
}

bool kernel_session_is_durable(const struct session *session)
{
    return session->state == SESSION_STORED;
}

bool kernel_session_is_changing(const struct session *session)
{
    return session->changing;
}

bool kernel_session_is_connected(const struct session *session)
{
    return session->conns;
}

bool kernel_session_watches(const struct session *session, const struct hub_room *hub_room)
{
    const struct conn *conn = session->conns;
    while (conn && !subscription_find(conn, hub_room))
        conn = conn->session_next;
    return conn;
}

const struct hub_room *kernel_plays(const struct hub *hub, uint64_t id)
{
    const struct session *session = session_find(hub, id);
    const struct hub_room *plays = NULL;
    for (const struct seat_link *link = session ? session->seats : NULL; link; link = link->next) {
        const enum protocol_phase phase = room_phase(link->hub_room->room);
        const bool is_open = room_access(link->hub_room->room) == PROTOCOL_ACCESS_OPEN;
        if (phase == PROTOCOL_PHASE_PLAYING && (!plays || is_open) &&
            kernel_session_watches(session, link->hub_room))
            plays = link->hub_room;
    }
    return plays;
}

uint32_t kernel_device(const struct call *call)
{
    return call->conn->device;
}

struct hub_room *kernel_room_find(const struct hub *hub, const char *id)
{
    return hub_room_find(hub, id);
}

const struct room *kernel_room(const struct hub_room *hub_room)
{
    return hub_room->room;
}

bool kernel_room_is_durable(const struct hub_room *hub_room)
{
    return !hub_room_is_dirty(hub_room);
}

uint64_t kernel_seat_owner(const struct hub_room *hub_room, uint8_t seat, struct session **session)
{
    const struct seat_link *link = &hub_room->links[seat];
    *session = link->session;
    return link->session_id;
}

static_assert((int)KERNEL_SHARES == (int)ADDRESS_SHARES, "shares are the hub's");

uint16_t kernel_share(const struct session *session)
{
    return session->share;
}

static_assert((int)KERNEL_WIDTHS == (int)ORIGIN_WIDTHS, "networks are the hub's");

struct kernel_networks kernel_networks_of(const struct session *session)
{
    struct kernel_networks networks;
    memcpy(networks.share, session->origin.at, sizeof networks.share);
    return networks;
}

/* The same everywhere and for ever. */
static uint64_t hash_source(const struct address_prefix *prefix)
{
    static const unsigned char key[crypto_shorthash_KEYBYTES] = "of one address";
    unsigned char hash[crypto_shorthash_BYTES];
    uint64_t source = 0;
    crypto_shorthash(hash, prefix->bytes, sizeof prefix->bytes, key);
    for (size_t at = 0; at < sizeof hash; at++) /* the first two bytes are the share */
        source = source << 8 | hash[(at + 2) % sizeof hash];
    return source;
}

enum { SOURCE_BITS = 21 }; /* of each width, the widest in front */

uint64_t kernel_source(const struct call *call)
{
    static_assert((int)KERNEL_WIDTHS == (int)ADDRESS_WIDTHS, "the same networks");
    uint64_t source = 0;
    for (int width = KERNEL_WIDTHS; width-- > 0;) {
        const struct address_prefix wider =
            address_prefix_wider(&call->conn->address->prefix, width);
        source = source << SOURCE_BITS | (hash_source(&wider) & ((1 << SOURCE_BITS) - 1));
    }
    return source != 0 ? source : 1;
}

bool kernel_source_is_near(uint64_t one, uint64_t other, unsigned width)
{
    return (one ^ other) >> width * SOURCE_BITS == 0;
}

uint16_t kernel_source_share(const struct call *call)
{
    const struct address_prefix *prefix = &call->conn->address->prefix;
    const bool ipv4 = memcmp(prefix->bytes, (const uint8_t[4]){0}, 4) == 0;
    const struct address_prefix wider = address_prefix_wider(prefix, ipv4 ? 0 : ADDRESS_WIDTHS - 1);
    return hash_source(&wider) % KERNEL_SHARES;
}

bool kernel_is_local(const struct call *call)
{
    return address_prefix_is_local(&call->conn->address->prefix);
}

uint16_t *kernel_share_messages(struct hub *hub, uint16_t share)
{
    return &hub->shares.pushes[share];
}

/* ---- keeping something */

enum protocol_error kernel_may_store(const struct hub *hub, size_t ops)
{
    return change_allowed(hub, ops);
}

int kernel_reserve(struct hub *hub, size_t ops, size_t text)
{
    return batch_keep(hub->commit.filling, ops, 1, text);
}

void kernel_put_row(struct hub *hub, const struct store_table *table, const void *row)
{
    batch_use_op(hub->commit.filling);
    batch_put_row(hub->commit.filling, table, row);
}

void kernel_put_newest(struct hub *hub, const struct store_table *table, const void *row,
                       uint32_t keep)
{
    assert(table->bounded && keep > 0);
    batch_use_op(hub->commit.filling);
    batch_put_newest(hub->commit.filling, table, row, keep);
}

void kernel_drop_row(struct hub *hub, const struct store_table *table, const void *row)
{
    batch_use_op(hub->commit.filling);
    batch_drop_row(hub->commit.filling, table, row);
}

struct kernel_mark kernel_mark(const struct hub *hub)
{
    const struct batch_mark mark = batch_mark(hub->commit.filling);
    return (struct kernel_mark){mark.ops, mark.pending, mark.rooms, hub->mail.sent};
}

void kernel_take_back(struct hub *hub, struct kernel_mark mark)
{
    batch_take_back(hub->commit.filling, (struct batch_mark){mark.ops, mark.pending, mark.rooms});
    hub->mail.sent = mark.sent;
}

static void hold_change(struct hub *hub, struct session *session, struct pending *pending,
                        struct kernel_change *change)
{
    assert(!session->changing);
    session->changing = true;
    pending->session = session->id;
    pending->u.change = change;
    batch_use_pending(hub->commit.filling);
    batch_defer(hub->commit.filling, pending);
}

int kernel_change_answered(const struct call *call, struct session *session, struct reply *reply,
                           struct kernel_change *change)
{
    struct pending pending = call_pending(call, PENDING_CHANGE);
    pending.blob = reply_blob(reply);
    pending.enters = !call->session;
    if (!pending.blob)
        return -1;
    hold_change(call->hub, session, &pending, change);
    return 0;
}

void kernel_change_hub(struct hub *hub, struct kernel_change *change)
{
    const struct pending pending = {.kind = PENDING_CHANGE, .op = REQUEST_OPS, .u.change = change};
    batch_use_pending(hub->commit.filling);
    batch_defer(hub->commit.filling, &pending);
}

void kernel_change_session(struct hub *hub, struct session *session, struct kernel_change *change)
{
    struct pending pending = {.kind = PENDING_CHANGE, .op = REQUEST_OPS};
    hold_change(hub, session, &pending, change);
}

size_t kernel_device_ops_max(const struct hub *hub)
{
    return features_device_ops_max(hub);
}

size_t kernel_drop_device(struct hub *hub, const struct session *session, uint32_t device,
                          bool store)
{
    return features_drop_device(hub, session, device, store);
}

void kernel_end_device(struct hub *hub, struct session *session, uint32_t device)
{
    for (struct conn *conn = session->conns; conn; conn = conn->session_next) {
        if (conn->device == device)
            conn_close(hub, conn, CLOSE_DEVICE_ENDED);
    }
    features_device_dropped(hub, session, device);
}

int kernel_send_letter(struct hub *hub, const struct kernel_letter *letter)
{
    return mail_send(hub, letter);
}

bool kernel_send_note(struct hub *hub, uint64_t session, const char *text, size_t len)
{
    assert(len > 0 && len <= KERNEL_NOTE_BYTES && kernel_is_elsewhere(hub, session));
    return note_queue_word(hub, session, text, len);
}

/* With what it says beside its text, which is released. */
static void tell_session(struct hub *hub, const struct session *session, bool quiet_too,
                         const struct hub_head *head, const char *message, size_t len,
                         struct buffer *facts)
{
    struct buffer text;
    if (!session->conns) {
        buffer_release(facts);
        return;
    }
    blob_buffer_init(&text, len + FACTS_BYTES_MAX);
    buffer_append(&text, message, len);
    struct blob *blob = blob_with_facts(&text, head, facts);
    if (!blob)
        return;
    for (struct conn *conn = session->conns, *next; conn; conn = next) {
        next = conn->session_next;
        if (quiet_too || !conn->quiet)
            conn_send(hub, conn, blob);
    }
    blob_unref(blob);
}

void kernel_tell_session(struct hub *hub, const struct session *session, const char *room_id,
                         const char *message, size_t len)
{
    const struct hub_head head = head_push(HUB_PUSH, room_id, 0);
    struct buffer none;
    buffer_init(&none, 0, FACTS_BYTES_MAX);
    tell_session(hub, session, true, &head, message, len, &none);
}

void kernel_tell_unless_quiet(struct hub *hub, const struct session *session, const char *message,
                              size_t len)
{
    const struct hub_head head = head_push(HUB_PUSH, NULL, 0);
    struct buffer none;
    buffer_init(&none, 0, FACTS_BYTES_MAX);
    tell_session(hub, session, false, &head, message, len, &none);
}

void kernel_write_kept(const struct hub *hub, uint64_t session, bool at_desk, struct writer *writer)
{
    features_write_kept(hub, session, at_desk, writer);
}

void kernel_tell_account(struct hub *hub, const struct session *session, const char *message,
                         size_t len)
{
    struct hub_head head = head_push(HUB_PUSH, NULL, 0);
    struct buffer facts;
    head.about = HUB_ABOUT_ACCOUNT;
    buffer_init(&facts, 0, FACTS_BYTES_MAX);
    if (session->account)
        facts_put_account(&facts, &session->account->shown);
    tell_session(hub, session, true, &head, message, len, &facts);
}

void kernel_refuse_operator(struct hub *hub, const struct refusal *refusal)
{
    admin_wait_refuse_later(hub, refusal);
}

void kernel_log(struct hub *hub, const char *event, uint64_t session, bool is_warning)
{
    log_lines_add(&hub->log_lines, &(struct hub_log_line){event, session, is_warning});
}

void kernel_audit(struct hub *hub, struct hub_audit_line *line)
{
    audit_lines_add(&hub->audit_lines, line);
}

bool kernel_audit_fails(const struct hub *hub)
{
    return hub->audit_lines.returned;
}

/* ---- rooms */

bool kernel_open_room(struct hub *hub, const struct kernel_room_plan *plan, char id[static 9],
                      struct refusal *refusal)
{
    const struct hub_room *hub_room = room_open_planned(hub, plan, refusal);
    if (hub_room)
        memcpy(id, hub_room->id, sizeof hub_room->id);
    return hub_room;
}

bool kernel_may_take_back_room(const struct hub_room *hub_room)
{
    return hub_room->state == HUB_ROOM_LIVE && !hub_room_is_dirty(hub_room) &&
           room_phase(hub_room->room) == PROTOCOL_PHASE_LOBBY;
}

bool kernel_take_back_room(struct hub *hub, struct hub_room *hub_room)
{
    if (!kernel_may_take_back_room(hub_room) || !room_clock_forget(hub, hub_room))
        return false;
    hub_room->taken_back = true;
    return true;
}

/* ---- other parts of the site */

bool kernel_is_elsewhere(const struct hub *hub, uint64_t session_id)
{
    return session_is_elsewhere(hub, session_id);
}

void kernel_tell_home(struct hub *hub, struct hub_room *hub_room, uint8_t seat, int64_t due_ms)
{
    struct seat_link *link = &hub_room->links[seat];
    struct note_entry turn = {.session = link->session_id,
                              .due_ms = due_ms,
                              .seat = seat,
                              .share = link->session ? link->session->share : 0};
    memcpy(turn.room_id, hub_room->id, sizeof turn.room_id);
    link->told_ms = note_queue_turn(hub, &turn) ? turn.due_ms : 0;
}
