/*
 * Shows that a row was not changed: a hash in each row of a session, a guest, a room, an event and
 * a described table.
 * An event's hash takes in the hash of the event before it, and the first one's that of its room,
 * so the rows of a log cannot be changed, mixed up or taken out. The room's hash takes in the end
 * of the log when it is archived; where a live log ended lately stands in the room's row
 * (schema.sql).
 *
 * It is BLAKE2b without a key: against damage, not against somebody who can write the file.
 */
#ifndef STORE_HASHES_H
#define STORE_HASHES_H

#include <hub/store.h>

enum { ROW_HASH_SIZE = 16 };

struct row_hash {
    uint8_t bytes[ROW_HASH_SIZE];
};

struct row_hash hash_session(const struct store_session *session);
/* As versions 3 to 5 had it, where a session's row has the hash of its only token. */
struct row_hash hash_session_and_token(const struct store_session *session,
                                       const uint8_t token_hash[static 32]);
/* Of the credential that version 6 made of that token. */
struct row_hash hash_first_pass(const struct store_session *session,
                                const uint8_t token_hash[static 32]);
/* Of a described row: all of its columns, in their order. */
struct row_hash hash_row(const struct store_table *table, const void *row);
struct row_hash hash_guest(const char *room_id, uint64_t session);
struct row_hash hash_room(const struct store_room *room); /* that is not archived */
struct row_hash hash_event(const struct row_hash *before, const struct room_event *event);

/* Of an archived room, whose log ends with event `seq`; `last` is hash_room if that is 0. */
struct row_hash hash_archived(const struct row_hash *room, const struct row_hash *last,
                              uint64_t seq);

#endif
