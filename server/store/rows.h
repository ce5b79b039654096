/* Reads rows of the database into the store's structs. False: the row is not valid. */
#ifndef STORE_ROWS_H
#define STORE_ROWS_H

#include "hashes.h"
#include <sqlite3.h>
#include <stdbool.h>

/* From column `at`: id, name, created_ms, seen_ms */
bool session_of_row(sqlite3_stmt *stmt, int at, struct store_session *session);

/* From column `at`: id, code, secret, host, created_ms */
bool room_of_row(sqlite3_stmt *stmt, int at, struct store_room *room);

/* From column `at`: seq, at_ms, held_ms, session, request_id, digest, kind, seat, text. The text is
 * SQLite's, until the next step. */
bool event_of_row(sqlite3_stmt *stmt, int at, struct room_event *event);

/* Does column `at` hold this hash? */
bool hash_is(sqlite3_stmt *stmt, int at, const struct row_hash *hash);

#endif
