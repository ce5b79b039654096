#include "fill_hashes.h"

#include "database.h"
#include "migrations.sql.h"
#include "rows.h"

enum fill {
    SESSIONS,
    PUT_SESSION_HASH,
    GUESTS,
    PUT_GUEST_HASH,
    ROOMS,
    PUT_ROOM_HASH,
    LIVE_LOG,
    PUT_LIVE_HASH,
    ARCHIVED_LOG,
    PUT_ARCHIVED_HASH,
};
enum { FILLS = PUT_ARCHIVED_HASH + 1 };

static const char *const fill_sql[FILLS] = {
    [SESSIONS] = SQL_HASHLESS_SESSIONS,
    [PUT_SESSION_HASH] = SQL_PUT_SESSION_HASH,
    [GUESTS] = SQL_HASHLESS_GUESTS,
    [PUT_GUEST_HASH] = SQL_PUT_GUEST_HASH,
    [ROOMS] = SQL_HASHLESS_ROOMS,
    [PUT_ROOM_HASH] = SQL_PUT_ROOM_HASH,
    [LIVE_LOG] = SQL_HASHLESS_EVENTS,
    [PUT_LIVE_HASH] = SQL_PUT_EVENT_HASH,
    [ARCHIVED_LOG] = SQL_HASHLESS_ARCHIVED_EVENTS,
    [PUT_ARCHIVED_HASH] = SQL_PUT_ARCHIVED_EVENT_HASH,
};

struct filling {
    sqlite3_stmt *statements[FILLS];
};

static int put_one_hash(struct filling *filling, enum fill which, const struct row_hash *hash,
                        int64_t key, int64_t room)
{
    sqlite3_stmt *stmt = filling->statements[which];
    bind_blob(stmt, 1, hash->bytes, sizeof hash->bytes);
    bind_int(stmt, 2, key);
    if (sqlite3_bind_parameter_count(stmt) == 3)
        bind_int(stmt, 3, room);
    return statement_run(stmt);
}

static int fill_session(struct filling *filling)
{
    sqlite3_stmt *row = filling->statements[SESSIONS];
    struct store_session session;
    uint8_t token_hash[32];
    if (!session_of_row(row, 0, &session) || !column_bytes(row, 4, token_hash, sizeof token_hash))
        return SQLITE_OK;
    struct row_hash hash = hash_session_and_token(&session, token_hash);
    return put_one_hash(filling, PUT_SESSION_HASH, &hash, (int64_t)session.id, 0);
}

static int fill_guest(struct filling *filling)
{
    sqlite3_stmt *row = filling->statements[GUESTS];
    char room_id[9];
    int64_t session = sqlite3_column_int64(row, 2);
    if (!column_string(row, 1, room_id, sizeof room_id))
        return SQLITE_OK;
    struct row_hash hash = hash_guest(room_id, (uint64_t)session);
    return put_one_hash(filling, PUT_GUEST_HASH, &hash, session, sqlite3_column_int64(row, 0));
}

/* *last is the hash of the room, and then that of its last event; *seq the number of that. */
static int fill_log(struct filling *filling, enum fill log, enum fill put_hash, int64_t room,
                    struct row_hash *last, uint64_t *seq)
{
    sqlite3_stmt *row = filling->statements[log];
    bind_int(row, 1, room);
    int code = SQLITE_OK;
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        struct room_event event;
        code = SQLITE_OK;
        if (!event_of_row(row, 0, &event))
            break; /* loading sets the room apart */
        *last = hash_event(last, &event);
        *seq = event.seq;
        code = put_one_hash(filling, put_hash, last, sqlite3_column_int64(row, 9), room);
    }
    sqlite3_reset(row);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int fill_room(struct filling *filling)
{
    sqlite3_stmt *row = filling->statements[ROOMS];
    struct store_room room;
    int64_t key = sqlite3_column_int64(row, 0);
    bool archived = sqlite3_column_int64(row, 6) == 1;
    if (!room_of_row(row, 1, &room))
        return SQLITE_OK;
    struct row_hash hash = hash_room(&room), last = hash;
    uint64_t seq = 0;
    int code = fill_log(filling, archived ? ARCHIVED_LOG : LIVE_LOG,
                        archived ? PUT_ARCHIVED_HASH : PUT_LIVE_HASH, key, &last, &seq);
    if (archived)
        hash = hash_archived(&hash, &last, seq);
    return code == SQLITE_OK ? put_one_hash(filling, PUT_ROOM_HASH, &hash, key, 0) : code;
}

static int fill_all(struct filling *filling, enum fill rows, int (*each)(struct filling *))
{
    int code = SQLITE_OK;
    while (code == SQLITE_OK && (code = sqlite3_step(filling->statements[rows])) == SQLITE_ROW)
        code = each(filling);
    sqlite3_reset(filling->statements[rows]);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int fill_hashes(sqlite3 *db)
{
    struct filling filling = {{NULL}};
    /* The live log has no index on its room otherwise. */
    int code = database_run(db, SQL_INDEX_LOGS);
    for (int at = 0; at < FILLS && code == SQLITE_OK; at++)
        code = sqlite3_prepare_v2(db, fill_sql[at], -1, &filling.statements[at], NULL);
    if (code == SQLITE_OK)
        code = fill_all(&filling, SESSIONS, fill_session);
    if (code == SQLITE_OK)
        code = fill_all(&filling, GUESTS, fill_guest);
    if (code == SQLITE_OK)
        code = fill_all(&filling, ROOMS, fill_room);
    for (int at = 0; at < FILLS; at++)
        sqlite3_finalize(filling.statements[at]);
    return code == SQLITE_OK ? database_run(db, SQL_DROP_INDEX_OF_LOGS) : code;
}
