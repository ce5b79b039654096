/* Rows of the database as the store's structs. False: the row is not valid. */
#ifndef POSTGRES_ROWS_H
#define POSTGRES_ROWS_H

#include "values.h"
#include <hub/store.h>

/* From column `at`: id, name, created_ms, seen_ms. */
bool session_of(const PGresult *rows, int row, int at, struct store_session *session);

/* From column `at`: seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, which is
 * borrowed from the rows. */
bool event_of(const PGresult *rows, int row, int at, struct room_event *event);
/* Is it of a kind that only a later version of this program knows? */
bool event_is_newer(const PGresult *rows, int row, int at);

/* From column `at`: id, code, secret, host, created_ms. */
bool room_of(const PGresult *rows, int row, int at, struct store_room *room);

#endif
