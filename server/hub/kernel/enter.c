#include "enter.h"

#include "call_private.h"
#include "changes/change.h"
#include "connections/blob.h"
#include "connections/conn.h"
#include "feature_table.h"
#include "hub_private.h"
#include "key_map.h"
#include "limits/address.h"
#include "limits/names.h"
#include "metrics.h"
#include "rooms/hub_room.h"
#include "sessions/notice.h"
#include "sessions/probe.h"
#include "sessions/session.h"
#include "sessions/session_evict.h"
#include "waiting/batch.h"
#include "waiting/think_queue.h"
#include <base/copy_text.h>
#include <hub/bucket.h>
#include <hub/call.h>
#include <hub/facts.h>
#include <hub/kernel_account.h>
#include <hub/secret.h>
#include <protocol/scope.h>
#include <protocol/signature.h>
#include <room/analysis.h>
#include <room/default_name.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_STEP_MS = 3600000 }; /* seen_ms is stored again when it is older than this */

/* ---- the answer to hello */

static void write_limits(const struct hub_config *config, struct writer *writer)
{
    writer_key_object(writer, "limits");
    writer_key_int(writer, "message_bytes", config->message_bytes);
    writer_key_int(writer, "requests_per_s", config->requests_per_s);
    writer_key_int(writer, "requests_burst", config->requests_burst);
    writer_key_int(writer, "rooms_per_session", config->rooms_per_session);
    writer_key_int(writer, "seats_per_session", config->seats_per_session);
    writer_key_int(writer, "connections_per_session", config->connections_per_session);
    writer_key_int(writer, "name_chars", PROTOCOL_NAME_CHARS);
    writer_key_int(writer, "title_chars", PROTOCOL_TITLE_CHARS);
    writer_key_int(writer, "say_chars", PROTOCOL_SAY_CHARS);
    writer_end(writer);
}

/* The seats that are durably its own. False: there are none. */
static bool write_seats(const struct session *session, struct writer *writer)
{
    bool any = false;
    writer_key_array(writer, "seats");
    for (const struct seat_link *link = session->seats; link; link = link->next) {
        const uint8_t seat = hub_room_seat_of(link);
        if (!hub_room_seat_is_durable(link->hub_room, seat))
            continue;
        any = true;
        writer_object(writer);
        writer_key_string(writer, "room", link->hub_room->id);
        writer_key_int(writer, "seat", seat);
        writer_end(writer);
    }
    writer_end(writer);
    return any;
}

/* The games whose matches can be analysed: somebody looks back at them, and a worker has the
 * memory. */
static void write_analyses(const struct hub *hub, struct writer *writer)
{
    writer_key_array(writer, "analyses");
    for (const struct game_type *const *game = hub->env.games; *game; game++) {
        if ((*game)->analyst && think_can(hub, (*game)->analyst->memory_bytes))
            writer_string(writer, (*game)->name);
    }
    writer_end(writer);
}

/* What records are signed with; none if they are not. */
static void write_keys(const struct hub *hub, struct writer *writer)
{
    static const struct key_set none;
    writer_key(writer, "keys");
    key_set_write(hub->env.signer ? &hub->env.signer->keys : &none, writer);
}

/* To whoever may not ask everything. */
static void write_scope(unsigned scopes, struct writer *writer)
{
    char text[PROTOCOL_SCOPE_BYTES + 1];
    scopes_write(text, scopes);
    writer_key_string(writer, "scope", text);
}

/* Beside the text, in which the seats are the last thing so far. */
static void put_facts(const struct call *call, const struct session *session, const char *name,
                      bool any_seat, struct reply *reply)
{
    struct facts_hello hello = {.session = session->id,
                                .scopes = call->conn->scopes,
                                .seats_end = reply->buffer.len - 1,
                                .any_seat = any_seat};
    if (session->account)
        hello.account = session->account->shown;
    (void)snprintf(hello.name, sizeof hello.name, "%s", name);
    facts_put_hello(call_reply_facts(reply), &hello);
}

static int64_t barred_for_ms(const struct hub *hub, const struct session *session)
{
    const int64_t until_ms = features_barred_until_ms(hub, BAR_CONNECT, session->id, NULL);
    return until_ms > hub->now_ms ? until_ms - hub->now_ms : 0;
}

/* By that name. */
static void write_hello(const struct call *call, const struct session *session, const char *name,
                        struct reply *reply)
{
    const struct hub *hub = call->hub;
    struct writer *writer = &reply->writer;
    writer_key_id(writer, "session", session->id);
    writer_key_string(writer, "name", name);
    writer_key_string(writer, "server", hub->env.server);
    writer_key_int(writer, "time", hub->now_ms);
    write_limits(&hub->config, writer);
    write_analyses(hub, writer);
    write_keys(hub, writer);
    if (call->conn->scopes & SCOPE_APPEAL)
        writer_key_int(writer, "banned_ms", barred_for_ms(hub, session));
    else if (!(call->conn->scopes & SCOPE_OWNER))
        write_scope(call->conn->scopes, writer);
    if (call->conn->quiet)
        writer_key_bool(writer, "quiet", true);
    const unsigned owners = SCOPE_OWNER | SCOPE_APPEAL | SCOPE_EXPORT;
    features_write_hello(hub, session, (call->conn->scopes & owners) != 0, writer);
    const bool any_seat = write_seats(session, writer);
    put_facts(call, session, name, any_seat, reply);
}

void kernel_write_hello(const struct call *call, const struct session *session, struct reply *reply)
{
    write_hello(call, session, session->name, reply);
}

void kernel_write_token(struct reply *reply, const char *token)
{
    uint8_t hash[32];
    writer_key_string(&reply->writer, "token", token);
    (void)secret_hash_token(hash, token);
    facts_put_token(call_reply_facts(reply), hash);
}

/* ---- a session begins */

enum protocol_error kernel_may_begin_session(const struct call *call, size_t ops)
{
    struct hub *hub = call->hub;
    if (hub->draining)
        return PROTOCOL_DRAINING;
    if (request_has(call->request, REQUEST_NAME) && names_forbid(hub, call->request->name))
        return PROTOCOL_NAME_REFUSED;
    enum protocol_error error = change_allowed(hub, KERNEL_SESSION_OPS + ops);
    if (error == PROTOCOL_OK &&
        !session_within_share(hub, NULL, address_share(call->conn->address)))
        error = PROTOCOL_FULL;
    if (error == PROTOCOL_OK && !sessions_make_room(hub))
        error = PROTOCOL_FULL;
    if (error == PROTOCOL_OK &&
        !bucket_take(&call->conn->address->sessions, &hub->rules.sessions, hub->now_ms))
        error = PROTOCOL_SLOW_DOWN;
    return error;
}

struct session *kernel_new_session(const struct call *call)
{
    struct hub *hub = call->hub;
    return session_create(hub,
                          request_has(call->request, REQUEST_NAME)
                              ? call->request->name
                              : default_name_person(key_map_count(&hub->sessions.by_id)),
                          NULL);
}

void kernel_end_new_session(struct hub *hub, struct session *session)
{
    session_destroy(hub, session);
}

int kernel_begin_session(const struct call *call, struct session *session, struct reply *reply,
                         uint32_t device)
{
    struct hub *hub = call->hub;
    struct batch *batch = hub->commit.filling;
    struct pending pending = call_pending(call, PENDING_HELLO);
    struct store_session row;
    pending.session = session->id;
    pending.blob = reply_blob(reply);
    if (!pending.blob)
        return -1;
    session_row(session, NULL, &row);
    batch_put_session(batch, &row);
    batch_defer(batch, &pending);
    session_attach(hub, session, call->conn, device);
    conn_arm_timer(hub, call->conn);
    return 0;
}

struct session *kernel_new_session_of(struct hub *hub, const struct session *owner,
                                      const char *name)
{
    return session_create(hub, name, owner);
}

void kernel_put_session(struct hub *hub, const struct session *session)
{
    struct store_session row;
    session_row(session, NULL, &row);
    batch_use_op(hub->commit.filling);
    batch_put_session(hub->commit.filling, &row);
}

void kernel_session_begun(struct hub *hub, struct session *session)
{
    session_stored(session);
    features_session_begun(hub, session);
    session_check_idle(hub, session);
}

/* ---- a session goes on */

/* No reply waits for it: if it cannot be stored now, the next hello tries again. */
static void note_seen(struct hub *hub, struct session *session)
{
    struct store_session row;
    if (hub->now_ms - session->seen_ms < SEEN_STEP_MS || session->state == SESSION_NEW ||
        change_allowed(hub, 1) != PROTOCOL_OK || batch_reserve(hub->commit.filling, 1, 0, 0, 0) < 0)
        return;
    session->seen_ms = hub->now_ms;
    if (!session->player) /* or it would be taken for one after a restart */
        session->created_ms = hub->now_ms;
    session_row(session, NULL, &row);
    batch_put_session(hub->commit.filling, &row);
}

/* What a rename needs, reserved. NULL: no memory. */
static char *prepare_rename(struct hub *hub, const char *name)
{
    return batch_reserve(hub->commit.filling, 1, 1, 0, 0) == 0 ? copy_text(name) : NULL;
}

/* The reply waits for the new name to be durable. Takes over both. */
static void hold_rename(const struct call *call, char *name, struct blob *blob)
{
    struct batch *batch = call->hub->commit.filling;
    struct pending pending = call_pending(call, PENDING_RENAME);
    struct store_session row;
    pending.session = call->conn->session->id;
    pending.blob = blob;
    pending.u.name = name;
    session_row(call->conn->session, name, &row);
    batch_put_session(batch, &row);
    batch_defer(batch, &pending);
}

/* A hello may bring another name; while that cannot be stored the old one stays. */
static bool wants_rename(const struct call *call, const struct session *session)
{
    return request_has(call->request, REQUEST_NAME) && call->conn->scopes & SCOPE_OWNER &&
           strcmp(call->request->name, session->name) != 0 &&
           !names_forbid(call->hub, call->request->name) &&
           change_allowed(call->hub, 2) == PROTOCOL_OK;
}

static size_t count_conns(const struct session *session, uint32_t device)
{
    size_t count = 0;
    for (const struct conn *conn = session->conns; conn; conn = conn->session_next)
        count += conn->device == device;
    return count;
}

bool kernel_device_is_connected(const struct session *session, uint32_t device)
{
    return count_conns(session, device) > 0;
}

/* The latest connection of the device that has most, two at least. NULL: none has so many. */
static struct conn *find_spare(const struct session *session)
{
    size_t most = 1;
    struct conn *found = NULL;
    for (struct conn *conn = session->conns; conn; conn = conn->session_next) {
        const size_t count = count_conns(session, conn->device);
        if (count > most) {
            most = count;
            found = conn;
        }
    }
    return found;
}

static bool is_full(const struct hub *hub, const struct session *session)
{
    return session->conn_count >= hub->config.connections_per_session;
}

/* Whoever is gone without a word goes first; and one device, in wrong hands perhaps, cannot keep
 * the others out. */
static void take_place(struct hub *hub, struct session *session, struct conn *conn, uint32_t device)
{
    struct conn *silent = is_full(hub, session) ? probe_find_silent(hub, session, device) : NULL;
    struct conn *spare = is_full(hub, session) && !silent ? find_spare(session) : silent;
    if (spare)
        conn_close(hub, spare, CLOSE_FULL);
    probe_session(hub, session);
    session_attach(hub, session, conn, device);
    conn_arm_timer(hub, conn);
}

/* ... for one more connection of that device? `device` NULL: a new one. */
static bool has_place(const struct hub *hub, const struct session *session, const uint32_t *device)
{
    return !is_full(hub, session) || probe_find_silent(hub, session, 0) ||
           (!(device && kernel_device_is_connected(session, *device)) &&
            find_spare(session) != NULL);
}

/* While it is being found out whether all of them are there, the client is to come again. */
static void refuse_place(const struct call *call, struct session *session)
{
    const int64_t due_ms = probe_due_ms(call->hub, session);
    probe_session(call->hub, session);
    if (due_ms < INT64_MAX)
        call_error_until(call, PROTOCOL_SLOW_DOWN, due_ms);
    else
        call_error(call, PROTOCOL_TOO_MANY_CONNECTIONS, NULL);
}

void kernel_await_hello(const struct call *call, int64_t until_ms)
{
    call->conn->hello_due_ms = until_ms;
    conn_arm_timer(call->hub, call->conn);
}

/* Then it may nothing else, banned or not. */
static bool comes_to_appeal(const struct call *call)
{
    return request_has(call->request, REQUEST_FOR) && strcmp(call->request->purpose, "appeal") == 0;
}

bool kernel_may_enter(const struct call *call, struct session *session, const uint32_t *device)
{
    struct hub *hub = call->hub;
    const int64_t barred_ms = features_barred_until_ms(hub, BAR_CONNECT, session->id, NULL);
    const enum protocol_error error = features_allow(hub, session, call->request);
    kernel_restrict(call, SCOPE_ALL);
    if (barred_ms && !comes_to_appeal(call)) {
        call_error_until(call, PROTOCOL_BANNED, barred_ms);
        conn_close(hub, call->conn, CLOSE_BANNED);
    } else if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
    } else if (!has_place(hub, session, device)) {
        refuse_place(call, session);
    } else if (!session_within_share(hub, session, address_share(call->conn->address))) {
        call_error(call, PROTOCOL_FULL, NULL);
    } else {
        return true;
    }
    return false;
}

void kernel_restrict(const struct call *call, unsigned scopes)
{
    if (comes_to_appeal(call))
        scopes = scopes & SCOPE_OWNER ? SCOPE_APPEAL : 0;
    call->conn->scopes = (uint8_t)(scopes | SCOPE_LOOK);
}

void kernel_enter(const struct call *call, struct session *session, uint32_t device)
{
    take_place(call->hub, session, call->conn, device);
    note_seen(call->hub, session);
}

void kernel_resume_session(const struct call *call, struct session *session, uint32_t device,
                           const char *token)
{
    struct hub *hub = call->hub;
    char *name =
        !token && wants_rename(call, session) ? prepare_rename(hub, call->request->name) : NULL;
    struct reply reply;
    call_reply_begin(call, &reply);
    write_hello(call, session, name ? name : session->name, &reply);
    if (token)
        kernel_write_token(&reply, token);
    struct blob *blob = reply_blob(&reply);
    if (!blob) {
        free(name);
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    take_place(hub, session, call->conn, device);
    if (name) {
        hold_rename(call, name, blob);
        return;
    }
    note_seen(hub, session);
    conn_send(hub, call->conn, blob);
    blob_unref(blob);
    metrics_request(hub, call->request->op, PROTOCOL_OK);
}

void kernel_rename_session(const struct call *call)
{
    struct reply reply;
    enum protocol_error error = change_allowed(call->hub, 1);
    char *name = error == PROTOCOL_OK ? prepare_rename(call->hub, call->request->name) : NULL;
    if (!name) {
        call_error(call, error == PROTOCOL_OK ? PROTOCOL_INTERNAL : error, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "name", name);
    struct blob *blob = reply_blob(&reply);
    if (blob) {
        hold_rename(call, name, blob);
        return;
    }
    free(name);
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

void kernel_announce_to(struct hub *hub, const struct session *session, const char *text)
{
    notice_to_session(hub, session, PROTOCOL_NOTICE_ANNOUNCEMENT, text);
}

void kernel_redirect(const struct call *call, unsigned part)
{
    conn_redirect(call->hub, call->conn, part);
}

/* ---- who was here before */

int enter_again(struct hub *hub, struct conn *conn, const struct feature_opened *opened)
{
    struct session *session = opened->session;
    const uint32_t device = opened->device;
    if (features_barred_until_ms(hub, BAR_CONNECT, session->id, NULL))
        return CLOSE_BANNED;
    if (!has_place(hub, session, &device) ||
        !session_within_share(hub, session, address_share(conn->address)))
        return CLOSE_FULL;
    conn->scopes = (uint8_t)(opened->scopes | SCOPE_LOOK);
    take_place(hub, session, conn, device);
    return 0;
}
