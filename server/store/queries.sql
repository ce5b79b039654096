-- What is asked of the file beside batches (statements.sql) and described rows (server/sql).

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

-- ---- the latest of all that a match or a session is stamped with (latest.c)

-- name: LATEST
SELECT max(at) FROM (
  SELECT max(at_ms) AS at FROM event
  UNION ALL
  SELECT max(at_ms) FROM archived_event
  UNION ALL
  SELECT max(seen_ms) FROM session);
