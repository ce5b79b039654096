#include "cases.h"

#include <identity/credential_table.h>
#include <notify/browser_table.h>
#include <stdio.h>
#include <string.h>

struct scratch scratch;

struct store_op op_room(const char *id)
{
    struct store_op op = {.kind = STORE_PUT_ROOM};
    snprintf(op.room_id, sizeof op.room_id, "%s", id);
    snprintf(op.u.room.seed.id, sizeof op.u.room.seed.id, "%s", id);
    memset(op.u.room.seed.secret, 0x5e, sizeof op.u.room.seed.secret);
    return op;
}

struct store_op op_of(enum store_op_kind kind, const char *id)
{
    struct store_op op = {.kind = kind};
    snprintf(op.room_id, sizeof op.room_id, "%s", id);
    return op;
}

struct store_op op_pass(uint64_t session, uint32_t id, int secret_byte)
{
    struct credential_row pass = {.session = session,
                                  .id = id,
                                  .kind = CREDENTIAL_DEVICE,
                                  .since_ms = 1790000000005,
                                  .seen_ms = 1790000000006,
                                  .name = "Tablet"};
    memset(pass.secret_hash, secret_byte, sizeof pass.secret_hash);
    return op_put_row(&credential_table, &pass);
}

struct store_op op_push(uint64_t session, uint64_t key, const char *endpoint)
{
    const struct browser_row push = {session, key, 0, 1790000000004, {4}, {0xc3}, endpoint};
    return op_put_row(&browser_table, &push);
}

struct store_op op_game(const char *id, uint64_t session, uint8_t seat, int64_t at_ms,
                        uint32_t keep)
{
    static const char text[] = "{\"title\":\"caf\xc3\xa9\"}";
    struct game_row row = {.session = session,
                           .at_ms = at_ms,
                           .seat = seat,
                           .text_len = (uint16_t)(sizeof text - 1),
                           .text = text};
    snprintf(row.room, sizeof row.room, "%s", id);
    return op_put_game(&row, keep);
}

struct store_op op_guest(const char *id, uint64_t session, uint64_t instead_of)
{
    struct store_op op = {.kind = STORE_LET_IN, .u.guest = {session, instead_of}};
    snprintf(op.room_id, sizeof op.room_id, "%s", id);
    return op;
}

struct store_op op_event(const char *id, uint64_t seq)
{
    struct store_op op = op_of(STORE_APPEND, id);
    op.u.event = (struct room_event){.seq = seq, .kind = ROOM_MOVE, .text = "draw", .text_len = 4};
    return op;
}

enum store_result commit_ops(struct sqlite_store *store, const struct store_op *ops, size_t count)
{
    return commit_batch(store, &(struct store_batch){count, ops, NULL});
}

enum store_result commit_one(struct sqlite_store *store, struct store_op op)
{
    return commit_ops(store, &op, 1);
}
