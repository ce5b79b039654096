#include "hashes.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

/* The columns one behind the other: numbers as 8 bytes, everything else behind its length. */
struct columns {
    size_t len;
    uint8_t bytes[ROOM_EVENT_TEXT_MAX + 256];
};

/* The kind of row is hashed too, so that none passes for another. These are in files. */
enum row_kind {
    ROW_SESSION = 1,
    ROW_GUEST,
    ROW_ROOM,
    ROW_EVENT,
    ROW_ARCHIVED,
    ROW_FIRST_PASS = 7 /* a described table's, as it was at first; others are of such tables */
};

static void add_number(struct columns *columns, uint64_t number)
{
    assert(columns->len + 8 <= sizeof columns->bytes);
    uint8_t *to = columns->bytes + columns->len;
    columns->len += 8;
    to[0] = (uint8_t)number; /* one by one, so that a compiler makes one write of them */
    to[1] = (uint8_t)(number >> 8);
    to[2] = (uint8_t)(number >> 16);
    to[3] = (uint8_t)(number >> 24);
    to[4] = (uint8_t)(number >> 32);
    to[5] = (uint8_t)(number >> 40);
    to[6] = (uint8_t)(number >> 48);
    to[7] = (uint8_t)(number >> 56);
}

static void add_bytes(struct columns *columns, const void *bytes, size_t len)
{
    add_number(columns, len);
    assert(len <= sizeof columns->bytes - columns->len);
    if (len > 0)
        memcpy(columns->bytes + columns->len, bytes, len);
    columns->len += len;
}

static struct columns begin_hash(enum row_kind kind)
{
    struct columns columns;
    columns.len = 0;
    add_number(&columns, (uint64_t)kind);
    return columns;
}

static struct row_hash finish_hash(const struct columns *columns)
{
    struct row_hash hash;
    crypto_generichash(hash.bytes, sizeof hash.bytes, columns->bytes, columns->len, NULL, 0);
    return hash;
}

/* `token_hash` may be NULL. */
static struct row_hash hash_session_with(const struct store_session *session,
                                         const uint8_t *token_hash)
{
    struct columns columns = begin_hash(ROW_SESSION);
    add_number(&columns, session->id);
    if (token_hash)
        add_bytes(&columns, token_hash, 32);
    add_bytes(&columns, session->name, strlen(session->name));
    add_number(&columns, (uint64_t)session->created_ms);
    add_number(&columns, (uint64_t)session->seen_ms);
    return finish_hash(&columns);
}

struct row_hash hash_session(const struct store_session *session)
{
    return hash_session_with(session, NULL);
}

struct row_hash hash_session_and_token(const struct store_session *session,
                                       const uint8_t token_hash[static 32])
{
    return hash_session_with(session, token_hash);
}

/* As hash_row of a table of these columns. */
struct row_hash hash_first_pass(const struct store_session *session,
                                const uint8_t token_hash[static 32])
{
    struct columns columns = begin_hash(ROW_FIRST_PASS);
    add_number(&columns, session->id);
    add_number(&columns, 0); /* its number */
    add_number(&columns, 0); /* its kind: a device */
    add_bytes(&columns, token_hash, 32);
    add_bytes(&columns, "", 0); /* its name */
    add_number(&columns, (uint64_t)session->created_ms);
    add_number(&columns, (uint64_t)session->seen_ms);
    return finish_hash(&columns);
}

static void hash_number(crypto_generichash_state *state, uint64_t number)
{
    uint8_t bytes[8];
    for (size_t at = 0; at < sizeof bytes; at++)
        bytes[at] = (uint8_t)(number >> 8 * at);
    crypto_generichash_update(state, bytes, sizeof bytes);
}

static void hash_bytes(crypto_generichash_state *state, const void *bytes, size_t len)
{
    hash_number(state, len);
    crypto_generichash_update(state, bytes, len);
}

static void hash_digest(crypto_generichash_state *state, const void *bytes, size_t len)
{
    struct row_hash digest;
    crypto_generichash(digest.bytes, sizeof digest.bytes, bytes, len, NULL, 0);
    hash_bytes(state, digest.bytes, sizeof digest.bytes);
}

static void hash_column(crypto_generichash_state *state, const struct store_column *column,
                        const void *row)
{
    size_t len;
    if (column->type == STORE_NUMBER) {
        hash_number(state, (uint64_t)store_number(column, row));
        return;
    }
    const void *bytes = store_bytes(column, row, &len);
    if (column->flags & STORE_DIGEST)
        hash_digest(state, bytes, len);
    else
        hash_bytes(state, bytes, len);
}

struct row_hash hash_row(const struct store_table *table, const void *row)
{
    crypto_generichash_state state;
    struct row_hash hash;
    crypto_generichash_init(&state, NULL, 0, sizeof hash.bytes);
    hash_number(&state, table->number);
    for (size_t at = 0; at < table->count; at++) {
        const struct store_column *column = &table->columns[at];
        if (!(column->flags & STORE_LATER) || !store_is_nothing(column, row))
            hash_column(&state, column, row);
    }
    crypto_generichash_final(&state, hash.bytes, sizeof hash.bytes);
    return hash;
}

struct row_hash hash_guest(const char *room_id, uint64_t session)
{
    struct columns columns = begin_hash(ROW_GUEST);
    add_bytes(&columns, room_id, strlen(room_id));
    add_number(&columns, session);
    return finish_hash(&columns);
}

struct row_hash hash_room(const struct store_room *room)
{
    struct columns columns = begin_hash(ROW_ROOM);
    add_bytes(&columns, room->seed.id, strlen(room->seed.id));
    add_bytes(&columns, room->seed.code, strlen(room->seed.code));
    add_bytes(&columns, room->seed.secret, sizeof room->seed.secret);
    add_number(&columns, room->seed.host);
    add_number(&columns, (uint64_t)room->created_ms);
    return finish_hash(&columns);
}

struct row_hash hash_event(const struct row_hash *before, const struct room_event *event)
{
    struct columns columns = begin_hash(ROW_EVENT);
    add_bytes(&columns, before->bytes, sizeof before->bytes);
    add_number(&columns, event->seq);
    add_number(&columns, (uint64_t)event->at_ms);
    add_number(&columns, (uint64_t)event->held_ms);
    add_number(&columns, event->origin.session);
    add_number(&columns, (uint64_t)event->origin.request_id);
    add_number(&columns, event->origin.digest);
    add_number(&columns, (uint64_t)event->kind);
    add_number(&columns, event->seat);
    add_bytes(&columns, event->text, event->text_len);
    return finish_hash(&columns);
}

struct row_hash hash_archived(const struct row_hash *room, const struct row_hash *last,
                              uint64_t seq)
{
    struct columns columns = begin_hash(ROW_ARCHIVED);
    add_bytes(&columns, room->bytes, sizeof room->bytes);
    add_bytes(&columns, last->bytes, sizeof last->bytes);
    add_number(&columns, seq);
    return finish_hash(&columns);
}
