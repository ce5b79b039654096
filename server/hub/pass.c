#include "pass.h"

#include "conn.h"
#include "copy_text.h"
#include "feature_table.h"
#include "hub_private.h"
#include "key_map.h"
#include <assert.h>
#include <hub/part.h>
#include <hub/secret.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* ---- secrets */

static bool has_id(const struct session *session, uint32_t id)
{
    const struct pass *pass = session->passes;
    while (pass && pass->id != id)
        pass = pass->next;
    return pass;
}

uint32_t pass_new_id(struct hub *hub, const struct session *session)
{
    uint32_t id;
    do {
        hub->env.random(hub->env.ctx, &id, sizeof id);
    } while (id == 0 || has_id(session, id));
    return id;
}

/*
 * A hash cannot be aimed at a part, so secrets are drawn until one falls into it. That takes as
 * many tries as there are parts, of a microsecond or two; and of a secret's 130 bits or more it
 * gives away 6 at most.
 */
static bool is_own(const struct hub *hub, const uint8_t hash[static 32])
{
    return part_of_secret(hash, hub->env.parts) == hub->env.part;
}

void pass_make_token(struct hub *hub, uint8_t hash[static 32], char token[PROTOCOL_TOKEN_BYTES + 1])
{
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    do {
        hub->env.random(hub->env.ctx, bytes, sizeof bytes);
        token_encode(token, bytes);
        (void)pass_hash_token(hash, token);
    } while (!is_own(hub, hash));
    sodium_memzero(bytes, sizeof bytes);
}

void pass_make_code(struct hub *hub, uint8_t hash[static 32], char code[PROTOCOL_PASS_BYTES + 1])
{
    uint8_t bytes[PASS_RANDOM_BYTES];
    do {
        hub->env.random(hub->env.ctx, bytes, sizeof bytes);
        pass_encode(code, bytes);
        pass_hash_code(hash, code);
    } while (!is_own(hub, hash));
    sodium_memzero(bytes, sizeof bytes);
}

/* ---- adding and removing */

/* Random already, so any part of it is a key. */
static uint64_t secret_key(const uint8_t hash[static 32])
{
    uint64_t key;
    memcpy(&key, hash, sizeof key);
    return key;
}

static void set_state(struct pass *pass, enum pass_state state)
{
    switch (state) {
    case PASS_NEW:
        assert(false && "no such transition");
        break;
    case PASS_STORED:
        assert(pass->state == PASS_NEW || pass->state == PASS_GOING);
        break;
    case PASS_GOING:
        assert(pass->state == PASS_STORED);
        break;
    }
    pass->state = state;
}

void pass_stored(struct pass *pass)
{
    set_state(pass, PASS_STORED);
}

void pass_drop(struct pass *pass)
{
    set_state(pass, PASS_GOING);
}

struct pass *pass_add(struct hub *hub, struct session *session, const struct store_pass *row,
                      enum pass_state state)
{
    struct pass *pass = calloc(1, sizeof *pass);
    char *name = copy_text(row->name);
    if (!pass || !name ||
        key_map_put(&hub->sessions.by_secret, secret_key(row->secret_hash), pass) < 0) {
        free(pass);
        free(name);
        return NULL;
    }
    *pass = (struct pass){.session = session,
                          .id = row->id,
                          .kind = row->kind,
                          .state = state,
                          .since_ms = row->since_ms,
                          .seen_ms = row->seen_ms,
                          .stored_ms = row->seen_ms,
                          .name = name};
    memcpy(pass->secret_hash, row->secret_hash, sizeof pass->secret_hash);
    struct pass **end = &session->passes;
    while (*end)
        end = &(*end)->next;
    *end = pass;
    return pass;
}

static bool set_name(char **place, const char *name)
{
    char *copy = copy_text(name);
    if (!copy)
        return false;
    free(*place);
    *place = copy;
    return true;
}

bool pass_name(struct pass *pass, const char *name)
{
    return set_name(&pass->name, name);
}

bool pass_rename(struct pass *pass, const char *name)
{
    return set_name(&pass->next_name, name);
}

void pass_destroy(struct hub *hub, struct pass *pass)
{
    struct pass **link = &pass->session->passes;
    while (*link != pass)
        link = &(*link)->next;
    *link = pass->next;
    key_map_remove(&hub->sessions.by_secret, secret_key(pass->secret_hash), pass);
    free(pass->name);
    free(pass->next_name);
    free(pass);
}

void passes_release(struct hub *hub, struct session *session)
{
    while (session->passes)
        pass_destroy(hub, session->passes);
}

/* ---- finding */

static bool opens(const struct hub *hub, const struct pass *pass)
{
    return pass->state == PASS_STORED &&
           (pass->kind != STORE_PASS_LINK || hub->now_ms < pass->since_ms + hub->config.link_ms);
}

static bool is_ending(const struct hub *hub, const struct pass *pass)
{
    (void)hub;
    return pass->state == PASS_GOING;
}

static struct pass *find(const struct hub *hub, const uint8_t hash[static 32],
                         bool (*wanted)(const struct hub *, const struct pass *))
{
    size_t at = 0;
    struct pass *pass, *found = NULL;
    while ((pass = key_map_find(&hub->sessions.by_secret, secret_key(hash), &at)) != NULL) {
        if (sodium_memcmp(pass->secret_hash, hash, sizeof pass->secret_hash) == 0 &&
            wanted(hub, pass))
            found = pass;
    }
    return found;
}

struct pass *pass_by_secret(const struct hub *hub, const uint8_t hash[static 32])
{
    return find(hub, hash, opens);
}

bool pass_is_ending(const struct hub *hub, const uint8_t hash[static 32])
{
    return find(hub, hash, is_ending) != NULL;
}

struct pass *pass_device(const struct session *session, uint32_t id)
{
    struct pass *pass = session->passes;
    while (pass && (pass->kind != STORE_PASS_DEVICE || pass->id != id))
        pass = pass->next;
    return pass;
}

struct pass *pass_oldest(const struct session *session, enum store_pass_kind kind)
{
    struct pass *pass = session->passes;
    while (pass && (pass->kind != kind || pass->state != PASS_STORED))
        pass = pass->next;
    return pass;
}

size_t passes_count(const struct session *session, enum store_pass_kind kind)
{
    size_t count = 0;
    for (const struct pass *pass = session->passes; pass; pass = pass->next)
        count += pass->kind == kind && pass->state != PASS_GOING;
    return count;
}

bool pass_is_connected(const struct pass *pass)
{
    const struct conn *conn = pass->session->conns;
    while (conn && conn->device != pass->id)
        conn = conn->session_next;
    return conn;
}

struct pass *pass_longest_away(const struct session *session)
{
    struct pass *found = NULL;
    for (struct pass *pass = session->passes; pass; pass = pass->next) {
        bool may = pass->kind == STORE_PASS_DEVICE && pass->state == PASS_STORED &&
                   !pass_is_connected(pass);
        if (may && (!found || pass->seen_ms < found->seen_ms))
            found = pass;
    }
    return found;
}

struct store_pass pass_row(const struct pass *pass, const char *name)
{
    struct store_pass row = {.session = pass->session->id,
                             .id = pass->id,
                             .kind = pass->kind,
                             .since_ms = pass->since_ms,
                             .seen_ms = pass->seen_ms,
                             .name = name ? name : pass->name};
    memcpy(row.secret_hash, pass->secret_hash, sizeof row.secret_hash);
    return row;
}

/* ---- the end of a change */

static void end_device(struct hub *hub, struct session *session, uint32_t id)
{
    for (struct conn *conn = session->conns; conn; conn = conn->session_next) {
        if (conn->device == id)
            conn_close(hub, conn, CLOSE_DEVICE_ENDED);
    }
    features_device_dropped(hub, session, id);
}

static void settle_name(struct pass *pass, bool done)
{
    if (!pass->next_name)
        return;
    free(done ? pass->name : pass->next_name);
    if (done)
        pass->name = pass->next_name;
    pass->next_name = NULL;
}

/* It may be freed. */
static void settle(struct hub *hub, struct session *session, struct pass *pass, bool done)
{
    if (pass->state == PASS_STORED) {
        settle_name(pass, done);
        return;
    }
    if ((pass->state == PASS_NEW) == done) {
        pass_stored(pass);
        return;
    }
    if (pass->kind == STORE_PASS_DEVICE && done)
        end_device(hub, session, pass->id);
    pass_destroy(hub, pass);
}

void passes_settle(struct hub *hub, struct session *session, bool done)
{
    for (struct pass *pass = session->passes, *next; pass; pass = next) {
        next = pass->next;
        settle(hub, session, pass, done);
    }
}

/* ---- what clients see */

static void write_device(const struct hub *hub, const struct pass *pass, bool this_one,
                         struct writer *writer)
{
    char id[PROTOCOL_DEVICE_BYTES + 1];
    device_encode(id, pass->id);
    const bool here = pass_is_connected(pass);
    writer_object(writer);
    writer_key_string(writer, "device", id);
    writer_key_string(writer, "name", pass->next_name ? pass->next_name : pass->name);
    writer_key_int(writer, "since", pass->since_ms);
    writer_key_int(writer, "seen", here ? hub->now_ms : pass->seen_ms);
    writer_key_bool(writer, "online", here);
    if (this_one)
        writer_key_bool(writer, "this", true);
    writer_end(writer);
}

void passes_write(const struct hub *hub, const struct session *session, uint32_t this_one,
                  struct writer *writer)
{
    writer_key_array(writer, "devices");
    for (const struct pass *pass = session->passes; pass; pass = pass->next) {
        if (pass->kind == STORE_PASS_DEVICE && pass->state != PASS_GOING)
            write_device(hub, pass, pass->id == this_one, writer);
    }
    writer_end(writer);
    for (const struct pass *pass = session->passes; pass; pass = pass->next) {
        if (pass->kind == STORE_PASS_PHRASE && pass->state != PASS_GOING)
            writer_key_int(writer, "phrase", pass->since_ms);
    }
}
