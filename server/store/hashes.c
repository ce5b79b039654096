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
    ROW_PUSH,
    ROW_PASS,
    ROW_GAME
};

static void add_number(struct columns *columns, uint64_t number)
{
    assert(columns->len + 8 <= sizeof columns->bytes);
    for (int shift = 0; shift < 64; shift += 8)
        columns->bytes[columns->len++] = (uint8_t)(number >> shift);
}

static void add_bytes(struct columns *columns, const void *bytes, size_t len)
{
    add_number(columns, len);
    assert(len <= sizeof columns->bytes - columns->len);
    if (len > 0)
        memcpy(columns->bytes + columns->len, bytes, len);
    columns->len += len;
}

static struct columns begin(enum row_kind kind)
{
    struct columns columns;
    columns.len = 0;
    add_number(&columns, (uint64_t)kind);
    return columns;
}

static struct row_hash finish(const struct columns *columns)
{
    struct row_hash hash;
    crypto_generichash(hash.bytes, sizeof hash.bytes, columns->bytes, columns->len, NULL, 0);
    return hash;
}

/* `token_hash` may be NULL. */
static struct row_hash hash_session_with(const struct store_session *session,
                                         const uint8_t *token_hash)
{
    struct columns columns = begin(ROW_SESSION);
    add_number(&columns, session->id);
    if (token_hash)
        add_bytes(&columns, token_hash, 32);
    add_bytes(&columns, session->name, strlen(session->name));
    add_number(&columns, (uint64_t)session->created_ms);
    add_number(&columns, (uint64_t)session->seen_ms);
    return finish(&columns);
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

struct row_hash hash_pass(const struct store_pass *pass)
{
    struct columns columns = begin(ROW_PASS);
    add_number(&columns, pass->session);
    add_number(&columns, pass->id);
    add_number(&columns, (uint64_t)pass->kind);
    add_bytes(&columns, pass->secret_hash, sizeof pass->secret_hash);
    add_bytes(&columns, pass->name, strlen(pass->name));
    add_number(&columns, (uint64_t)pass->since_ms);
    add_number(&columns, (uint64_t)pass->seen_ms);
    return finish(&columns);
}

struct row_hash hash_push(const struct store_push *push)
{
    struct columns columns = begin(ROW_PUSH);
    add_number(&columns, push->session);
    add_number(&columns, push->key);
    add_number(&columns, (uint64_t)push->since_ms);
    add_bytes(&columns, push->point, sizeof push->point);
    add_bytes(&columns, push->auth, sizeof push->auth);
    add_bytes(&columns, push->endpoint, strlen(push->endpoint));
    if (push->pass != 0) /* rows of version 5 know no device */
        add_number(&columns, push->pass);
    return finish(&columns);
}

/* The text is longer than the columns of other rows: its own hash stands for it. */
struct row_hash hash_game(const struct store_game *game)
{
    struct row_hash text;
    struct columns columns = begin(ROW_GAME);
    crypto_generichash(text.bytes, sizeof text.bytes, (const uint8_t *)game->text, game->text_len,
                       NULL, 0);
    add_number(&columns, game->session);
    add_number(&columns, (uint64_t)game->at_ms);
    add_bytes(&columns, game->room_id, strlen(game->room_id));
    add_number(&columns, game->seat);
    add_bytes(&columns, text.bytes, sizeof text.bytes);
    return finish(&columns);
}

struct row_hash hash_guest(const char *room_id, uint64_t session)
{
    struct columns columns = begin(ROW_GUEST);
    add_bytes(&columns, room_id, strlen(room_id));
    add_number(&columns, session);
    return finish(&columns);
}

struct row_hash hash_room(const struct store_room *room)
{
    struct columns columns = begin(ROW_ROOM);
    add_bytes(&columns, room->seed.id, strlen(room->seed.id));
    add_bytes(&columns, room->seed.code, strlen(room->seed.code));
    add_bytes(&columns, room->seed.secret, sizeof room->seed.secret);
    add_number(&columns, room->seed.host);
    add_number(&columns, (uint64_t)room->created_ms);
    return finish(&columns);
}

struct row_hash hash_event(const struct row_hash *before, const struct room_event *event)
{
    struct columns columns = begin(ROW_EVENT);
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
    return finish(&columns);
}

struct row_hash hash_archived(const struct row_hash *room, const struct row_hash *last,
                              uint64_t seq)
{
    struct columns columns = begin(ROW_ARCHIVED);
    add_bytes(&columns, room->bytes, sizeof room->bytes);
    add_bytes(&columns, last->bytes, sizeof last->bytes);
    add_number(&columns, seq);
    return finish(&columns);
}
