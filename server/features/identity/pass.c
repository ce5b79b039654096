#include "pass.h"

#include "state.h"
#include <assert.h>
#include <base/copy_text.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_enter.h>
#include <hub/part.h>
#include <hub/secret.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static struct pass *first_of(const struct hub *hub, const struct session *session)
{
    return identity_of_session(hub, session)->passes;
}

/* ---- secrets */

static bool has_id(const struct hub *hub, const struct session *session, uint32_t id)
{
    const struct pass *pass = first_of(hub, session);
    while (pass && pass->id != id)
        pass = pass->next;
    return pass;
}

uint32_t pass_new_id(struct hub *hub, const struct session *session)
{
    const struct hub_env *env = kernel_env(hub);
    uint32_t id;
    do {
        env->random(env->ctx, &id, sizeof id);
    } while (id == 0 || has_id(hub, session, id));
    return id;
}

/*
 * A hash cannot be aimed at a part, so secrets are drawn until one falls into it. That takes as
 * many tries as there are parts, of a microsecond or two; and of a secret's 130 bits or more it
 * gives away 6 at most.
 */
static bool is_own(const struct hub *hub, const uint8_t hash[static 32])
{
    return part_of_secret(hash, kernel_env(hub)->parts) == kernel_env(hub)->part;
}

void pass_make_token(struct hub *hub, uint8_t hash[static 32], char token[PROTOCOL_TOKEN_BYTES + 1])
{
    const struct hub_env *env = kernel_env(hub);
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    do {
        env->random(env->ctx, bytes, sizeof bytes);
        token_encode(token, bytes);
        (void)pass_hash_token(hash, token);
    } while (!is_own(hub, hash));
    sodium_memzero(bytes, sizeof bytes);
}

void pass_make_code(struct hub *hub, uint8_t hash[static 32], char code[PROTOCOL_PASS_BYTES + 1])
{
    const struct hub_env *env = kernel_env(hub);
    uint8_t bytes[PASS_RANDOM_BYTES];
    do {
        env->random(env->ctx, bytes, sizeof bytes);
        pass_encode(code, bytes);
        pass_hash_code(hash, code);
    } while (!is_own(hub, hash));
    sodium_memzero(bytes, sizeof bytes);
}

/* ---- adding and removing */

struct entry {
    uint64_t key; /* of the hash */
    struct pass *pass;
};

void passes_init(struct hub *hub)
{
    table_init(&identity_of(hub)->by_secret, sizeof(struct entry));
}

void passes_end(struct hub *hub)
{
    table_release(&identity_of(hub)->by_secret);
}

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
    if (!pass || !name || !table_reserve(&identity_of(hub)->by_secret, 1)) {
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
    const struct entry entry = {.key = secret_key(row->secret_hash), .pass = pass};
    table_add(&identity_of(hub)->by_secret, &entry);
    struct pass **end = &identity_of_session(hub, session)->passes;
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

static void remove_entry(struct hub *hub, const struct pass *pass)
{
    struct table *by_secret = &identity_of(hub)->by_secret;
    const uint64_t key = secret_key(pass->secret_hash);
    size_t at = 0;
    struct entry *entry = table_find(by_secret, key, &at);
    while (entry->pass != pass)
        entry = table_find(by_secret, key, &at);
    table_remove(by_secret, entry);
}

void pass_destroy(struct hub *hub, struct pass *pass)
{
    struct pass **link = &identity_of_session(hub, pass->session)->passes;
    while (*link != pass)
        link = &(*link)->next;
    *link = pass->next;
    remove_entry(hub, pass);
    free(pass->name);
    free(pass->next_name);
    free(pass);
}

void passes_release(struct hub *hub, struct session *session)
{
    struct pass *pass;
    while ((pass = first_of(hub, session)) != NULL)
        pass_destroy(hub, pass);
}

/* ---- finding */

static bool opens(const struct hub *hub, const struct pass *pass)
{
    return pass->state == PASS_STORED &&
           (pass->kind != STORE_PASS_LINK ||
            kernel_now_ms(hub) < pass->since_ms + kernel_config(hub)->link_ms);
}

static bool is_ending(const struct hub *hub, const struct pass *pass)
{
    (void)hub;
    return pass->state == PASS_GOING;
}

static struct pass *find(const struct hub *hub, const uint8_t hash[static 32],
                         bool (*wanted)(const struct hub *, const struct pass *))
{
    const struct table *by_secret = &identity_of(hub)->by_secret;
    size_t at = 0;
    const struct entry *entry;
    struct pass *found = NULL;
    while ((entry = table_find(by_secret, secret_key(hash), &at)) != NULL) {
        struct pass *pass = entry->pass;
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

struct pass *pass_find(const struct hub *hub, const uint8_t hash[static 32], bool device)
{
    struct pass *pass = pass_by_secret(hub, hash);
    return pass && (pass->kind == STORE_PASS_DEVICE) == device &&
                   kernel_session_is_durable(pass->session)
               ? pass
               : NULL;
}

bool pass_is_ending(const struct hub *hub, const uint8_t hash[static 32])
{
    return find(hub, hash, is_ending) != NULL;
}

struct pass *pass_device(const struct hub *hub, const struct session *session, uint32_t id)
{
    struct pass *pass = first_of(hub, session);
    while (pass && (pass->kind != STORE_PASS_DEVICE || pass->id != id))
        pass = pass->next;
    return pass;
}

struct pass *pass_oldest(const struct hub *hub, const struct session *session,
                         enum store_pass_kind kind)
{
    struct pass *pass = first_of(hub, session);
    while (pass && (pass->kind != kind || pass->state != PASS_STORED))
        pass = pass->next;
    return pass;
}

size_t passes_count(const struct hub *hub, const struct session *session, enum store_pass_kind kind)
{
    size_t count = 0;
    for (const struct pass *pass = first_of(hub, session); pass; pass = pass->next)
        count += pass->kind == kind && pass->state != PASS_GOING;
    return count;
}

static bool is_connected(const struct pass *pass)
{
    return kernel_device_is_connected(pass->session, pass->id);
}

struct pass *pass_longest_away(const struct hub *hub, const struct session *session)
{
    struct pass *found = NULL;
    for (struct pass *pass = first_of(hub, session); pass; pass = pass->next) {
        bool may =
            pass->kind == STORE_PASS_DEVICE && pass->state == PASS_STORED && !is_connected(pass);
        if (may && (!found || pass->seen_ms < found->seen_ms))
            found = pass;
    }
    return found;
}

struct store_pass pass_row(const struct pass *pass, const char *name)
{
    struct store_pass row = {.session = kernel_session_id(pass->session),
                             .id = pass->id,
                             .kind = pass->kind,
                             .since_ms = pass->since_ms,
                             .seen_ms = pass->seen_ms,
                             .name = name ? name : pass->name};
    memcpy(row.secret_hash, pass->secret_hash, sizeof row.secret_hash);
    return row;
}

/* ---- the end of a change */

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
        kernel_end_device(hub, session, pass->id);
    pass_destroy(hub, pass);
}

void passes_settle(struct hub *hub, struct session *session, bool done)
{
    for (struct pass *pass = first_of(hub, session), *next; pass; pass = next) {
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
    const bool here = is_connected(pass);
    writer_object(writer);
    writer_key_string(writer, "device", id);
    writer_key_string(writer, "name", pass->next_name ? pass->next_name : pass->name);
    writer_key_int(writer, "since", pass->since_ms);
    writer_key_int(writer, "seen", here ? kernel_now_ms(hub) : pass->seen_ms);
    writer_key_bool(writer, "online", here);
    if (this_one)
        writer_key_bool(writer, "this", true);
    writer_end(writer);
}

void passes_write(const struct hub *hub, const struct session *session, uint32_t this_one,
                  struct writer *writer)
{
    writer_key_array(writer, "devices");
    for (const struct pass *pass = first_of(hub, session); pass; pass = pass->next) {
        if (pass->kind == STORE_PASS_DEVICE && pass->state != PASS_GOING)
            write_device(hub, pass, pass->id == this_one, writer);
    }
    writer_end(writer);
    for (const struct pass *pass = first_of(hub, session); pass; pass = pass->next) {
        if (pass->kind == STORE_PASS_PHRASE && pass->state != PASS_GOING)
            writer_key_int(writer, "phrase", pass->since_ms);
    }
}
