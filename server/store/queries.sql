-- What is asked of the file beside batches (statements.sql) and described rows (server/sql).

-- ---- a connection, whatever is usual elsewhere (database.c, open.c, structure.c)

-- name: FILE_SETTINGS
PRAGMA trusted_schema = OFF;
PRAGMA foreign_keys = ON;
PRAGMA cell_size_check = ON;
PRAGMA temp_store = MEMORY;
PRAGMA secure_delete = ON;

-- Of who writes: what is acknowledged is on the disk, and the log goes into the file when the server has time for it.
-- name: WRITER_SETTINGS
PRAGMA synchronous = FULL;
PRAGMA cache_size = -1024;
PRAGMA wal_autocheckpoint = 0;
PRAGMA journal_size_limit = 16777216;

-- Of who leaves a file with a log as it is.
-- name: READER_SETTINGS
PRAGMA query_only = ON;
PRAGMA locking_mode = EXCLUSIVE;

-- Of who checks beside who writes.
-- name: CHECKER_SETTINGS
PRAGMA query_only = ON;
PRAGMA cache_size = -1024;

-- name: HAS_LOG
SELECT journal_mode = 'wal' FROM pragma_journal_mode;

-- name: IS_WHOLE
SELECT 1 FROM pragma_quick_check WHERE quick_check = 'ok';

-- name: COUNT_SCHEMA
SELECT count(*) FROM sqlite_schema;

-- name: ANY_OF_SCHEMA
SELECT 1 FROM sqlite_schema;

-- ---- who may write (open.c, check.c)

-- name: EPOCH
SELECT epoch FROM engine WHERE one = 1;

-- name: NEXT_EPOCH
UPDATE engine SET epoch = epoch + 1 WHERE one = 1 RETURNING epoch;

-- ---- opening (read.c)

-- name: LOAD_SESSIONS
SELECT id, name, created_ms, seen_ms, hash FROM session ORDER BY id;

-- name: LOAD_ROOMS
SELECT key, id, code, secret, host, created_ms, hash, end_seq, end_hash FROM room WHERE archived = 0 ORDER BY key;

-- The logs of all live rooms, one room after the other.
-- name: LOAD_EVENTS
SELECT room, n, prev, seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, hash FROM event ORDER BY room, n;

-- name: LOAD_GUESTS
SELECT room.id, guest.session, guest.hash FROM guest JOIN room ON room.key = guest.room
  WHERE room.archived = 0 ORDER BY guest.room, guest.session;

-- ---- a check (check.c)

-- name: ARCHIVED_ROOMS
SELECT id FROM room WHERE archived <> 0 ORDER BY key;

-- Events that no archived room has.
-- name: COUNT_ORPHANS
SELECT count(*) FROM archived_event LEFT JOIN room ON room.key = archived_event.room WHERE coalesce(room.archived, 0) = 0;

-- ---- a match that is dropped with the rows of those who acted in it (row_table.c)

-- name: ACTED
SELECT session FROM archived_event WHERE room = ?1 AND session <> 0;

-- ---- the latest of all that a match or a session is stamped with (latest.c)

-- name: LATEST
SELECT max(at) FROM (
  SELECT max(at_ms) AS at FROM event
  UNION ALL
  SELECT max(at_ms) FROM archived_event
  UNION ALL
  SELECT max(seen_ms) FROM session);
