#include "rows.h"

#include "database.h"
#include <string.h>

bool session_of_row(sqlite3_stmt *stmt, int at, struct store_session *session)
{
    *session = (struct store_session){.id = (uint64_t)sqlite3_column_int64(stmt, at),
                                      .created_ms = sqlite3_column_int64(stmt, at + 2),
                                      .seen_ms = sqlite3_column_int64(stmt, at + 3)};
    return column_string(stmt, at + 1, session->name, sizeof session->name);
}

bool room_of_row(sqlite3_stmt *stmt, int at, struct store_room *room)
{
    *room = (struct store_room){.seed.host = (uint64_t)sqlite3_column_int64(stmt, at + 3),
                                .created_ms = sqlite3_column_int64(stmt, at + 4)};
    return column_string(stmt, at, room->seed.id, sizeof room->seed.id) &&
           strlen(room->seed.id) == sizeof room->seed.id - 1 &&
           column_string(stmt, at + 1, room->seed.code, sizeof room->seed.code) &&
           column_bytes(stmt, at + 2, room->seed.secret, sizeof room->seed.secret);
}

bool event_of_row(sqlite3_stmt *stmt, int at, struct room_event *event)
{
    int64_t kind = sqlite3_column_int64(stmt, at + 6), seat = sqlite3_column_int64(stmt, at + 7);
    const char *text = (const char *)sqlite3_column_text(stmt, at + 8);
    int text_len = sqlite3_column_bytes(stmt, at + 8);
    if (kind < 0 || kind >= ROOM_EVENT_KINDS || seat < 0 || seat > ROOM_NO_SEAT || !text ||
        text_len > ROOM_EVENT_TEXT_MAX)
        return false;
    *event = (struct room_event){
        .seq = (uint64_t)sqlite3_column_int64(stmt, at),
        .at_ms = sqlite3_column_int64(stmt, at + 1),
        .held_ms = sqlite3_column_int64(stmt, at + 2),
        .origin = {(uint64_t)sqlite3_column_int64(stmt, at + 3), sqlite3_column_int64(stmt, at + 4),
                   (uint64_t)sqlite3_column_int64(stmt, at + 5)},
        .kind = (enum room_event_kind)kind,
        .seat = (uint8_t)seat,
        .text_len = (uint16_t)text_len,
        .text = text,
    };
    return true;
}

bool hash_is(sqlite3_stmt *stmt, int at, const struct row_hash *hash)
{
    struct row_hash stored;
    return column_bytes(stmt, at, stored.bytes, sizeof stored.bytes) &&
           memcmp(stored.bytes, hash->bytes, sizeof stored.bytes) == 0;
}
