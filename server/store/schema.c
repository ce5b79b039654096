#include "schema.h"

#include <assert.h>

/*
 *     engine              who may write (epoch), and a counter to prove that writing works
 *     session             a row each
 *     room                a row each; archived ones are not handed out at start
 *       event             the log of all live rooms together, in order of commit (n)
 *       archived_event    the logs of archived rooms, room by room
 *       guest             sessions that have given the code of a live room by invitation
 *
 * The live log has no index on its room. An append goes to its end whatever the room, so that a
 * commit of many rooms' events dirties one or two pages, not one for each room. Instead `prev`
 * leads from each event to the one before it in the same room (0: there is none), for the only
 * thing that asks: archiving or dropping a whole room. At start the log is read once, in order, and
 * every row is held against its room and its predecessor.
 *
 * What nothing notices: if the last events of a live room are gone, and no later one of it is left,
 * its log is a whole one that ends earlier. (Of an archived room the hash of its row includes the
 * end.) To keep each room's end elsewhere would dirty a page of `room` for each room in each
 * commit, which is what the live log was made to avoid. Ends that are written only when the log is
 * tidied and when the store is closed would cost nothing in a commit and show what is lost of a
 * store at rest; that is a version of the file of its own, and not done yet.
 *
 * `hash` is what hashes.h says of the row. It is empty only where migrating to version 3 found a
 * row that is not readable.
 */
static const char *const migrations[STORE_VERSION] = {
    "CREATE TABLE engine ("
    "  one INTEGER PRIMARY KEY CHECK (one = 1),"
    "  epoch INTEGER NOT NULL,"
    "  probes INTEGER NOT NULL"
    ") STRICT;"
    "INSERT INTO engine VALUES (1, 0, 0);"
    "CREATE TABLE session ("
    "  id INTEGER PRIMARY KEY,"
    "  token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),"
    "  name TEXT NOT NULL,"
    "  created_ms INTEGER NOT NULL,"
    "  seen_ms INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE room ("
    "  key INTEGER PRIMARY KEY,"
    "  id TEXT NOT NULL UNIQUE CHECK (length(id) = 8),"
    "  code TEXT NOT NULL,"
    "  secret BLOB NOT NULL CHECK (length(secret) = 32),"
    "  host INTEGER NOT NULL,"
    "  created_ms INTEGER NOT NULL,"
    "  archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))"
    ") STRICT;"
    "CREATE INDEX live_room ON room (key) WHERE archived = 0;"
    "CREATE TABLE event ("
    "  n INTEGER PRIMARY KEY,"
    "  prev INTEGER NOT NULL,"
    "  room INTEGER NOT NULL,"
    "  seq INTEGER NOT NULL CHECK (seq > 0),"
    "  at_ms INTEGER NOT NULL,"
    "  held_ms INTEGER NOT NULL,"
    "  session INTEGER NOT NULL,"
    "  request_id INTEGER NOT NULL,"
    "  digest INTEGER NOT NULL,"
    "  kind INTEGER NOT NULL,"
    "  seat INTEGER NOT NULL,"
    "  text TEXT NOT NULL"
    ") STRICT;"
    "CREATE TABLE archived_event ("
    "  room INTEGER NOT NULL REFERENCES room (key) ON DELETE CASCADE,"
    "  seq INTEGER NOT NULL CHECK (seq > 0),"
    "  at_ms INTEGER NOT NULL,"
    "  held_ms INTEGER NOT NULL,"
    "  session INTEGER NOT NULL,"
    "  request_id INTEGER NOT NULL,"
    "  digest INTEGER NOT NULL,"
    "  kind INTEGER NOT NULL,"
    "  seat INTEGER NOT NULL,"
    "  text TEXT NOT NULL,"
    "  PRIMARY KEY (room, seq)"
    ") STRICT, WITHOUT ROWID;",
    "CREATE TABLE guest ("
    "  room INTEGER NOT NULL REFERENCES room (key) ON DELETE CASCADE,"
    "  session INTEGER NOT NULL,"
    "  PRIMARY KEY (room, session)"
    ") STRICT, WITHOUT ROWID;",
    "ALTER TABLE session ADD COLUMN hash BLOB NOT NULL DEFAULT x'';"
    "ALTER TABLE room ADD COLUMN hash BLOB NOT NULL DEFAULT x'';"
    "ALTER TABLE event ADD COLUMN hash BLOB NOT NULL DEFAULT x'';"
    "ALTER TABLE archived_event ADD COLUMN hash BLOB NOT NULL DEFAULT x'';"
    "ALTER TABLE guest ADD COLUMN hash BLOB NOT NULL DEFAULT x'';",
};

const char *schema_migration(int from)
{
    assert(from >= 0 && from < STORE_VERSION);
    return migrations[from];
}
