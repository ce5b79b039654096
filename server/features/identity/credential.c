#include "credential.h"

#include "adopting.h"
#include "state.h"
#include "token_table.h"
#include <assert.h>
#include <base/copy_text.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_enter.h>
#include <hub/part.h>
#include <hub/secret.h>
#include <identity/credential_table.h>
#include <protocol/scope.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static struct credential *first_of(const struct hub *hub, const struct session *session)
{
    return identity_of_session(hub, session)->credentials;
}

/* ---- secrets */

static bool has_id(const struct hub *hub, const struct session *session, uint32_t id)
{
    const struct credential *credential = first_of(hub, session);
    while (credential && credential->id != id)
        credential = credential->next;
    return credential;
}

uint32_t credential_new_id(struct hub *hub, const struct session *session)
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

void credential_make_token(struct hub *hub, uint8_t hash[static 32],
                           char token[PROTOCOL_TOKEN_BYTES + 1])
{
    const struct hub_env *env = kernel_env(hub);
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    do {
        env->random(env->ctx, bytes, sizeof bytes);
        token_encode(token, bytes);
        (void)secret_hash_token(hash, token);
    } while (!is_own(hub, hash));
    sodium_memzero(bytes, sizeof bytes);
}

/* One of them leads to this part, as those by chance do. */
void credential_derive_token(const struct hub *hub, const char *pass, const char *secret,
                             uint8_t hash[static 32], char token[PROTOCOL_TOKEN_BYTES + 1])
{
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    uint32_t number = 0;
    do {
        crypto_generichash_state state;
        crypto_generichash_init(&state, (const uint8_t *)secret, PROTOCOL_TOKEN_BYTES,
                                sizeof bytes);
        crypto_generichash_update(&state, (const uint8_t *)pass, PROTOCOL_PASS_BYTES);
        crypto_generichash_update(&state, (const uint8_t *)&number, sizeof number);
        crypto_generichash_final(&state, bytes, sizeof bytes);
        token_encode(token, bytes);
        (void)secret_hash_token(hash, token);
        number++;
    } while (!is_own(hub, hash));
    sodium_memzero(bytes, sizeof bytes);
}

void credential_make_code(struct hub *hub, uint8_t hash[static 32],
                          char code[PROTOCOL_PASS_BYTES + 1])
{
    const struct hub_env *env = kernel_env(hub);
    uint8_t bytes[PASS_RANDOM_BYTES];
    do {
        env->random(env->ctx, bytes, sizeof bytes);
        pass_encode(code, bytes);
        secret_hash_code(hash, code);
    } while (!is_own(hub, hash));
    sodium_memzero(bytes, sizeof bytes);
}

void credential_make_access(struct hub *hub, uint8_t hash[static 32],
                            char token[PROTOCOL_ACCESS_BYTES + 1])
{
    const struct hub_env *env = kernel_env(hub);
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    do {
        env->random(env->ctx, bytes, sizeof bytes);
        access_token_encode(token, bytes);
        (void)secret_hash_token(hash, token);
    } while (!is_own(hub, hash));
    sodium_memzero(bytes, sizeof bytes);
}

/* ---- adding and removing */

struct entry {
    uint64_t key; /* of the hash */
    struct credential *credential;
};

void credentials_init(struct hub *hub)
{
    table_init(&identity_of(hub)->by_secret, sizeof(struct entry));
}

void credentials_end(struct hub *hub)
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

static void set_state(struct credential *credential, enum credential_state state)
{
    switch (state) {
    case CREDENTIAL_NEW:
        assert(false && "no such transition");
        break;
    case CREDENTIAL_STORED:
        assert(credential->state == CREDENTIAL_NEW || credential->state == CREDENTIAL_GOING);
        break;
    case CREDENTIAL_GOING:
        assert(credential->state == CREDENTIAL_STORED);
        break;
    }
    credential->state = state;
}

void credential_stored(struct credential *credential)
{
    set_state(credential, CREDENTIAL_STORED);
}

void credential_drop(struct credential *credential)
{
    set_state(credential, CREDENTIAL_GOING);
}

struct credential *credential_add(struct hub *hub, struct session *session,
                                  const struct credential_row *row, enum credential_state state)
{
    struct credential *credential = calloc(1, sizeof *credential);
    char *name = copy_text(row->name);
    if (!credential || !name || !table_reserve(&identity_of(hub)->by_secret, 1)) {
        free(credential);
        free(name);
        return NULL;
    }
    *credential = (struct credential){.session = session,
                                      .id = row->id,
                                      .kind = row->kind,
                                      .state = state,
                                      .since_ms = row->since_ms,
                                      .seen_ms = row->seen_ms,
                                      .stored_ms = row->seen_ms,
                                      .scopes = SCOPE_ALL,
                                      .name = name};
    memcpy(credential->secret_hash, row->secret_hash, sizeof credential->secret_hash);
    const struct entry entry = {.key = secret_key(row->secret_hash), .credential = credential};
    table_add(&identity_of(hub)->by_secret, &entry);
    struct credential **end = &identity_of_session(hub, session)->credentials;
    while (*end)
        end = &(*end)->next;
    *end = credential;
    return credential;
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

bool credential_name(struct credential *credential, const char *name)
{
    return set_name(&credential->name, name);
}

bool credential_rename(struct credential *credential, const char *name)
{
    return set_name(&credential->next_name, name);
}

static void remove_entry(struct hub *hub, const struct credential *credential)
{
    struct table *by_secret = &identity_of(hub)->by_secret;
    const uint64_t key = secret_key(credential->secret_hash);
    size_t at = 0;
    struct entry *entry = table_find(by_secret, key, &at);
    while (entry->credential != credential)
        entry = table_find(by_secret, key, &at);
    table_remove(by_secret, entry);
}

void credential_destroy(struct hub *hub, struct credential *credential)
{
    struct credential **link = &identity_of_session(hub, credential->session)->credentials;
    while (*link != credential)
        link = &(*link)->next;
    *link = credential->next;
    remove_entry(hub, credential);
    free(credential->name);
    free(credential->next_name);
    free(credential);
}

void credentials_release(struct hub *hub, struct session *session)
{
    struct credential *credential;
    while ((credential = first_of(hub, session)) != NULL)
        credential_destroy(hub, credential);
}

/* ---- finding */

int64_t credential_until_ms(const struct hub *hub, const struct credential *credential)
{
    if (credential->kind == CREDENTIAL_TOKEN)
        return credential->until_ms + kernel_uncounted_ms(hub, credential->since_ms);
    return credential->kind == CREDENTIAL_LINK ? credential->since_ms + kernel_config(hub)->link_ms
                                               : INT64_MAX;
}

static bool opens_session(const struct hub *hub, const struct credential *credential)
{
    return credential->state == CREDENTIAL_STORED &&
           kernel_now_ms(hub) < credential_until_ms(hub, credential);
}

/* ... by itself: whoever is connected is so by one of these. */
static bool is_device(const struct credential *credential)
{
    return credential->kind == CREDENTIAL_DEVICE || credential->kind == CREDENTIAL_TOKEN;
}

static bool is_ending(const struct hub *hub, const struct credential *credential)
{
    return credential->state == CREDENTIAL_GOING || adopting_is_ending(hub, credential->session);
}

static struct credential *find_by_hash(const struct hub *hub, const uint8_t hash[static 32],
                                       bool (*wanted)(const struct hub *,
                                                      const struct credential *))
{
    const struct table *by_secret = &identity_of(hub)->by_secret;
    size_t at = 0;
    const struct entry *entry;
    struct credential *found = NULL;
    while ((entry = table_find(by_secret, secret_key(hash), &at)) != NULL) {
        struct credential *credential = entry->credential;
        if (sodium_memcmp(credential->secret_hash, hash, sizeof credential->secret_hash) == 0 &&
            wanted(hub, credential))
            found = credential;
    }
    return found;
}

struct credential *credential_by_secret(const struct hub *hub, const uint8_t hash[static 32])
{
    return find_by_hash(hub, hash, opens_session);
}

struct credential *credential_find(const struct hub *hub, const uint8_t hash[static 32],
                                   bool device)
{
    struct credential *credential = credential_by_secret(hub, hash);
    return credential && is_device(credential) == device &&
                   kernel_session_is_durable(credential->session) &&
                   !adopting_is_ending(hub, credential->session)
               ? credential
               : NULL;
}

bool credential_is_ending(const struct hub *hub, const uint8_t hash[static 32])
{
    return find_by_hash(hub, hash, is_ending) != NULL;
}

struct credential *credential_device(const struct hub *hub, const struct session *session,
                                     uint32_t id)
{
    struct credential *credential = first_of(hub, session);
    while (credential && (!is_device(credential) || credential->id != id))
        credential = credential->next;
    return credential;
}

bool credential_is_export(const struct credential *credential)
{
    return credential->kind == CREDENTIAL_TOKEN && credential->scopes == SCOPE_EXPORT;
}

size_t credential_tokens_good(const struct hub *hub, const struct session *session)
{
    size_t count = 0;
    for (const struct credential *credential = first_of(hub, session); credential;
         credential = credential->next)
        count += credential->kind == CREDENTIAL_TOKEN && opens_session(hub, credential) &&
                 !credential_is_export(credential);
    return count;
}

struct credential *credential_oldest(const struct hub *hub, const struct session *session,
                                     enum credential_kind kind)
{
    struct credential *credential = first_of(hub, session);
    while (credential && (credential->kind != kind || credential->state != CREDENTIAL_STORED))
        credential = credential->next;
    return credential;
}

size_t credentials_count(const struct hub *hub, const struct session *session,
                         enum credential_kind kind)
{
    size_t count = 0;
    for (const struct credential *credential = first_of(hub, session); credential;
         credential = credential->next)
        count += credential->kind == kind && credential->state != CREDENTIAL_GOING;
    return count;
}

static bool is_connected(const struct credential *credential)
{
    return kernel_device_is_connected(credential->session, credential->id);
}

struct credential *credential_longest_away(const struct hub *hub, const struct session *session)
{
    struct credential *found = NULL;
    for (struct credential *credential = first_of(hub, session); credential;
         credential = credential->next) {
        bool may = credential->kind == CREDENTIAL_DEVICE &&
                   credential->state == CREDENTIAL_STORED && !is_connected(credential);
        if (may && (!found || credential->seen_ms < found->seen_ms))
            found = credential;
    }
    return found;
}

static struct credential_row row_of(const struct credential *credential, const char *name)
{
    struct credential_row row = {.session = kernel_session_id(credential->session),
                                 .id = credential->id,
                                 .kind = credential->kind,
                                 .since_ms = credential->since_ms,
                                 .seen_ms = credential->seen_ms,
                                 .name = name ? name : credential->name};
    memcpy(row.secret_hash, credential->secret_hash, sizeof row.secret_hash);
    return row;
}

static struct token_row token_row_of(const struct credential *token, const char *name)
{
    struct token_row row = {.session = kernel_session_id(token->session),
                            .id = token->id,
                            .scopes = token->scopes,
                            .name = name ? name : token->name,
                            .since_ms = token->since_ms,
                            .seen_ms = token->seen_ms,
                            .until_ms = token->until_ms};
    memcpy(row.secret_hash, token->secret_hash, sizeof row.secret_hash);
    return row;
}

void credential_put(struct hub *hub, const struct credential *credential, const char *name)
{
    const struct credential_row row = row_of(credential, name);
    const struct token_row token = token_row_of(credential, name);
    if (credential->kind == CREDENTIAL_TOKEN)
        kernel_put_row(hub, &token_table, &token);
    else
        kernel_put_row(hub, &credential_table, &row);
}

void credential_drop_row(struct hub *hub, const struct credential *credential)
{
    const struct credential_row row = row_of(credential, NULL);
    const struct token_row token = token_row_of(credential, NULL);
    if (credential->kind == CREDENTIAL_TOKEN)
        kernel_drop_row(hub, &token_table, &token);
    else
        kernel_drop_row(hub, &credential_table, &row);
}

/* ---- tokens whose time is over */

void credential_watch_token(struct hub *hub, const struct credential *token)
{
    struct identity *identity = identity_of(hub);
    if (token->kind == CREDENTIAL_TOKEN && credential_until_ms(hub, token) < identity->tokens_ms)
        identity->tokens_ms = credential_until_ms(hub, token);
}

int64_t credential_end_tokens(struct hub *hub)
{
    const int64_t now_ms = kernel_now_ms(hub);
    const struct entry *entry;
    int64_t next_ms = INT64_MAX;
    size_t at = 0;
    while ((entry = table_next(&identity_of(hub)->by_secret, &at)) != NULL) {
        const struct credential *token = entry->credential;
        if (token->kind != CREDENTIAL_TOKEN || !is_connected(token))
            continue;
        const int64_t until_ms = credential_until_ms(hub, token);
        if (until_ms <= now_ms)
            kernel_end_device(hub, token->session, token->id);
        else if (until_ms < next_ms)
            next_ms = until_ms;
    }
    return next_ms;
}

/* ---- the end of a change */

static void settle_name(struct credential *credential, bool done)
{
    if (!credential->next_name)
        return;
    free(done ? credential->name : credential->next_name);
    if (done)
        credential->name = credential->next_name;
    credential->next_name = NULL;
}

/* It may be freed. */
static void settle_credential(struct hub *hub, struct session *session,
                              struct credential *credential, bool done)
{
    if (credential->state == CREDENTIAL_STORED) {
        settle_name(credential, done);
        return;
    }
    if ((credential->state == CREDENTIAL_NEW) == done) {
        credential_stored(credential);
        return;
    }
    if (is_device(credential) && done)
        kernel_end_device(hub, session, credential->id);
    credential_destroy(hub, credential);
}

void credentials_settle(struct hub *hub, struct session *session, bool done)
{
    for (struct credential *credential = first_of(hub, session), *next; credential;
         credential = next) {
        next = credential->next;
        settle_credential(hub, session, credential, done);
    }
}

/* ---- what clients see */

static void write_device(const struct hub *hub, const struct credential *credential, bool this_one,
                         struct writer *writer)
{
    char id[PROTOCOL_DEVICE_BYTES + 1];
    device_encode(id, credential->id);
    const bool here = is_connected(credential);
    writer_object(writer);
    writer_key_string(writer, "device", id);
    writer_key_string(writer, "name",
                      credential->next_name ? credential->next_name : credential->name);
    writer_key_int(writer, "since", credential->since_ms);
    writer_key_int(writer, "seen", here ? kernel_now_ms(hub) : credential->seen_ms);
    writer_key_bool(writer, "online", here);
    if (this_one)
        writer_key_bool(writer, "this", true);
    writer_end(writer);
}

void credentials_write(const struct hub *hub, const struct session *session, uint32_t this_one,
                       struct writer *writer)
{
    writer_key_array(writer, "devices");
    for (const struct credential *credential = first_of(hub, session); credential;
         credential = credential->next) {
        if (credential->kind == CREDENTIAL_DEVICE && credential->state != CREDENTIAL_GOING)
            write_device(hub, credential, credential->id == this_one, writer);
    }
    writer_end(writer);
    for (const struct credential *credential = first_of(hub, session); credential;
         credential = credential->next) {
        if (credential->kind == CREDENTIAL_PHRASE && credential->state != CREDENTIAL_GOING)
            writer_key_int(writer, "phrase", credential->since_ms);
    }
}
