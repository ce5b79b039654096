#include "op_session.h"

#include "address.h"
#include "ban_list.h"
#include "batch.h"
#include "blob.h"
#include "call_private.h"
#include "change.h"
#include "conn.h"
#include "copy_text.h"
#include "feature_table.h"
#include "hub_private.h"
#include "hub_room.h"
#include "key_map.h"
#include "metrics.h"
#include "misplaced.h"
#include "op_device.h"
#include "pass.h"
#include "pass_change.h"
#include "probe.h"
#include "session.h"
#include "session_evict.h"
#include "thinking/think_queue.h"
#include <assert.h>
#include <hub/bucket.h>
#include <hub/call.h>
#include <hub/secret.h>
#include <protocol/encoding.h>
#include <protocol/signature.h>
#include <room/analysis.h>
#include <room/default_name.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_STEP_MS = 3600000 }; /* seen_ms is stored again when it is older than this */

/* ---- hello */

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

/* The seats that are durably its own. */
static void write_seats(const struct session *session, struct writer *writer)
{
    writer_key_array(writer, "seats");
    for (const struct seat_link *link = session->seats; link; link = link->next) {
        const uint8_t seat = hub_room_seat_of(link);
        if (!hub_room_seat_is_durable(link->hub_room, seat))
            continue;
        writer_object(writer);
        writer_key_string(writer, "room", link->hub_room->id);
        writer_key_int(writer, "seat", seat);
        writer_end(writer);
    }
    writer_end(writer);
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

static void write_hello(const struct call *call, const struct session *session, const char *name,
                        struct reply *reply)
{
    const struct hub *hub = call->hub;
    char id[17];
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(session->id >> (56 - 8 * i));
    hex_encode(id, bytes, sizeof bytes);
    call_reply_begin(call, reply);
    writer_key_string(&reply->writer, "session", id);
    writer_key_string(&reply->writer, "name", name);
    writer_key_string(&reply->writer, "server", hub->env.server);
    writer_key_int(&reply->writer, "time", hub->now_ms);
    write_limits(&hub->config, &reply->writer);
    write_analyses(hub, &reply->writer);
    write_keys(hub, &reply->writer);
    features_write_hello(hub, session, &reply->writer);
    write_seats(session, &reply->writer);
}

static enum protocol_error new_session_allowed(const struct call *call)
{
    struct hub *hub = call->hub;
    if (hub->draining)
        return PROTOCOL_DRAINING;
    enum protocol_error error = change_allowed(hub, 2);
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

/* What the program calls itself, until its player has another name for it. */
static const char *device_name(const struct request *request)
{
    return request_has(request, REQUEST_CLIENT) ? request->client : "";
}

static void hello_new(struct call *call)
{
    struct hub *hub = call->hub;
    struct batch *batch = hub->commit.filling;
    const struct request *request = call->request;
    char token[PROTOCOL_TOKEN_BYTES + 1];
    enum protocol_error error = new_session_allowed(call);
    if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
        return;
    }
    const char *name = request_has(request, REQUEST_NAME)
                           ? request->name
                           : default_name_person(key_map_count(&hub->sessions.by_id));
    struct pending pending = call_pending(call, PENDING_HELLO);
    const char *device = device_name(request);
    struct session *session = batch_reserve(batch, 2, 1, 0, strlen(device) + 1) == 0
                                  ? session_create(hub, name, device, token)
                                  : NULL;
    if (!session) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    pending.session = session->id;
    struct reply reply;
    write_hello(call, session, name, &reply);
    writer_key_string(&reply.writer, "token", token);
    pending.blob = reply_blob(&reply);
    if (!pending.blob) {
        session_destroy(hub, session);
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    struct store_session row;
    session_row(session, NULL, &row);
    batch_put_session(batch, &row);
    struct store_pass pass = pass_row(session->passes, NULL);
    batch_put_pass(batch, &pass);
    batch_defer(batch, &pending);
    session_attach(hub, session, call->conn, 0);
    conn_arm_timer(hub, call->conn);
}

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

/* The same. A device of an older store has no name yet. */
static void note_device_seen(const struct call *call, struct pass *device)
{
    struct hub *hub = call->hub;
    const bool unnamed = !device->name[0] && request_has(call->request, REQUEST_CLIENT);
    const char *name = unnamed ? call->request->client : device->name;
    device->seen_ms = hub->now_ms;
    if ((hub->now_ms - device->stored_ms < SEEN_STEP_MS && !unnamed) || device->session->changing ||
        change_allowed(hub, 1) != PROTOCOL_OK ||
        batch_reserve(hub->commit.filling, 1, 0, 0, strlen(name) + 1) < 0 ||
        (unnamed && !pass_name(device, name)))
        return;
    device->stored_ms = hub->now_ms;
    struct store_pass row = pass_row(device, NULL);
    batch_put_pass(hub->commit.filling, &row);
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
    return request_has(call->request, REQUEST_NAME) &&
           strcmp(call->request->name, session->name) != 0 &&
           change_allowed(call->hub, 2) == PROTOCOL_OK;
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
    struct conn *spare = is_full(hub, session) && !silent ? pass_spare_conn(session) : silent;
    if (spare)
        conn_close(hub, spare, CLOSE_FULL);
    probe_session(hub, session);
    session_attach(hub, session, conn, device);
    conn_arm_timer(hub, conn);
}

static void resume_session(struct call *call, struct pass *device)
{
    struct hub *hub = call->hub;
    struct session *session = device->session;
    note_device_seen(call, device); /* before anything is reserved that is used later */
    char *name = wants_rename(call, session) ? prepare_rename(hub, call->request->name) : NULL;
    struct reply reply;
    write_hello(call, session, name ? name : session->name, &reply);
    struct blob *blob = reply_blob(&reply);
    if (!blob) {
        free(name);
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    take_place(hub, session, call->conn, device->id);
    if (name) {
        hold_rename(call, name, blob);
        return;
    }
    note_seen(hub, session);
    conn_send(hub, call->conn, blob);
    blob_unref(blob);
    metrics_request(hub, REQUEST_HELLO, PROTOCOL_OK);
}

/* ... for one more connection of that device? `device` NULL: a new one. */
static bool has_place(const struct hub *hub, const struct session *session,
                      const struct pass *device)
{
    return !is_full(hub, session) || probe_find_silent(hub, session, 0) ||
           (!(device && pass_is_connected(device)) && pass_spare_conn(session) != NULL);
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

/* May this connection be one of the session's? If not it is answered. */
static bool may_enter(const struct call *call, struct session *session, const struct pass *device)
{
    struct hub *hub = call->hub;
    const struct ban *ban = ban_list_find(&hub->bans, false, session->id, NULL, hub->now_ms);
    if (ban) {
        call_error_until(call, PROTOCOL_BANNED, ban->until_ms);
        conn_close(hub, call->conn, CLOSE_BANNED);
    } else if (!has_place(hub, session, device)) {
        refuse_place(call, session);
    } else if (!session_within_share(hub, session, address_share(call->conn->address))) {
        call_error(call, PROTOCOL_FULL, NULL);
    } else {
        return true;
    }
    return false;
}

/* A device, or what makes one. */
static struct pass *find_pass(const struct hub *hub, const uint8_t hash[static 32], bool device)
{
    struct pass *pass = pass_by_secret(hub, hash);
    return pass && (pass->kind == STORE_PASS_DEVICE) == device && !session_is_gone(pass->session)
               ? pass
               : NULL;
}

/* Of one that is not known any more, or about to go, the client is told when it says hello. */
int session_return(struct hub *hub, struct conn *conn, const uint8_t secret_hash[static 32])
{
    struct pass *device = find_pass(hub, secret_hash, true);
    if (!device)
        return CLOSE_RESTART;
    if (ban_list_find(&hub->bans, false, device->session->id, NULL, hub->now_ms))
        return CLOSE_BANNED;
    if (!has_place(hub, device->session, device) ||
        !session_within_share(hub, device->session, address_share(conn->address)))
        return CLOSE_FULL;
    device->seen_ms = hub->now_ms;
    take_place(hub, device->session, conn, device->id);
    return 0;
}

/*
 * A client forgets what is not known any more, so nothing that may yet stay is called that. Whoever
 * has a secret that leads to another part has not guessed it: it is answered there.
 */
static void not_found(const struct call *call, const uint8_t hash[static 32],
                      enum protocol_error error, const char *field)
{
    const int home = misplaced_find(call->hub, hash);
    if (home >= 0) {
        conn_redirect(call->hub, call->conn, (unsigned)home);
        return;
    }
    if (pass_is_ending(call->hub, hash)) {
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
        return;
    }
    call_refuse_guess(call, error, field);
}

static void hello_again(struct call *call)
{
    uint8_t hash[32];
    struct pass *device =
        pass_hash_token(hash, call->request->token) ? find_pass(call->hub, hash, true) : NULL;
    if (!device)
        not_found(call, hash, PROTOCOL_UNKNOWN_TOKEN, "token");
    else if (may_enter(call, device->session, device))
        resume_session(call, device);
}

/* ---- hello of a new device, with a link or a phrase */

/* `*instead_of` makes room for it; NULL: there is room. */
static enum protocol_error new_device_allowed(const struct call *call, struct session *session,
                                              struct pass **instead_of)
{
    const bool full =
        passes_count(session, STORE_PASS_DEVICE) >= (uint64_t)call->hub->config.devices_per_session;
    *instead_of = full ? pass_longest_away(session) : NULL;
    enum protocol_error error = pass_change_allowed(call, session);
    return error == PROTOCOL_OK && full && !*instead_of ? PROTOCOL_TOO_MANY_DEVICES : error;
}

/* Once the reply to it waits for the store, a link is used up and the connection is the session's.
 */
static void enter(const struct call *call, struct pass *pass, struct pass *instead_of)
{
    struct hub *hub = call->hub;
    struct session *session = pass->session;
    struct store_pass row = {.id = pass_new_id(hub, session),
                             .kind = STORE_PASS_DEVICE,
                             .since_ms = hub->now_ms,
                             .seen_ms = hub->now_ms,
                             .name = device_name(call->request)};
    char token[PROTOCOL_TOKEN_BYTES + 1];
    pass_make_token(hub, row.secret_hash, token);
    struct pass *device = pass_add(hub, session, &row, PASS_NEW);
    if (pass->kind == STORE_PASS_LINK)
        pass_drop(pass);
    if (instead_of)
        pass_drop(instead_of);
    struct reply reply;
    write_hello(call, session, session->name, &reply);
    writer_key_string(&reply.writer, "token", token);
    sodium_memzero(token, sizeof token);
    if (!pass_change(call, session, &reply, device != NULL))
        return;
    take_place(hub, session, call->conn, row.id);
    note_seen(hub, session);
}

static void hello_with_pass(struct call *call)
{
    uint8_t hash[32];
    pass_hash_code(hash, call->request->pass);
    struct pass *pass = find_pass(call->hub, hash, false), *instead_of;
    if (!pass) {
        not_found(call, hash, PROTOCOL_UNKNOWN_PASS, "pass");
        return;
    }
    if (!may_enter(call, pass->session, NULL))
        return;
    enum protocol_error error = new_device_allowed(call, pass->session, &instead_of);
    if (error == PROTOCOL_OK)
        enter(call, pass, instead_of);
    else
        call_error(call, error, NULL);
}

void op_hello(struct call *call)
{
    if (call->session)
        call_error(call, PROTOCOL_HELLO_TWICE, NULL);
    else if (request_has(call->request, REQUEST_TOKEN) && request_has(call->request, REQUEST_PASS))
        call_error(call, PROTOCOL_BAD_FIELD, "pass");
    else if (request_has(call->request, REQUEST_PASS))
        hello_with_pass(call);
    else if (request_has(call->request, REQUEST_TOKEN))
        hello_again(call);
    else
        hello_new(call);
}

/* ---- rename, ping */

static void rename_session(const struct call *call)
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

void op_rename(struct call *call)
{
    if (request_has(call->request, REQUEST_DEVICE))
        op_rename_device(call);
    else
        rename_session(call);
}

void op_ping(struct call *call)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_int(&reply.writer, "time", call->hub->now_ms);
    call_reply(call, &reply, NULL);
}
