-- What a batch, and what is read of the store, is made of: prepared once when it is opened.

-- ---- the transaction

-- name: BEGIN
BEGIN IMMEDIATE;

-- name: COMMIT
COMMIT;

-- name: ROLLBACK
ROLLBACK;

-- name: READ_EPOCH
SELECT epoch FROM engine WHERE one = 1;

-- name: TAKE_EPOCH
UPDATE engine SET epoch = ?1 WHERE one = 1;

-- name: PROBE
UPDATE engine SET probes = probes + 1 WHERE one = 1;

-- ---- sessions

-- name: PUT_SESSION
INSERT INTO session (id, name, created_ms, seen_ms, hash)
  VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (id) DO UPDATE SET name = ?2, created_ms = ?3, seen_ms = ?4, hash = ?5;

-- name: DROP_SESSION
DELETE FROM session WHERE id = ?1;

-- ---- rooms, and who has given the code of one

-- name: PUT_ROOM
INSERT INTO room (id, code, secret, host, created_ms, hash, end_hash)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6);

-- name: PUT_END
UPDATE room SET end_seq = ?2, end_hash = ?3 WHERE key = ?1;

-- name: READ_ROOM_HASH
SELECT hash FROM room WHERE key = ?1;

-- name: ARCHIVE_ROOM
UPDATE room SET archived = 1, hash = ?2 WHERE key = ?1;

-- name: DROP_ROOM
DELETE FROM room WHERE id = ?1;

-- name: FIND_ROOM
SELECT key, id, code, secret, host, created_ms, archived, hash FROM room WHERE id = ?1;

-- name: LET_IN
INSERT OR IGNORE INTO guest (room, session, hash) SELECT key, ?2, ?3 FROM room WHERE id = ?1;

-- name: LET_OUT
DELETE FROM guest WHERE room = (SELECT key FROM room WHERE id = ?1) AND session = ?2;

-- name: READ_GUESTS
SELECT session, hash FROM guest WHERE room = ?1 ORDER BY session LIMIT ?2;

-- ---- logs

-- If a row cannot be stored the whole commit is taken back, so the statement need not take back the rows before it: that
-- saves SQLite a copy of each page. Further rows follow behind it (statements.c).
-- name: APPEND
INSERT OR FAIL INTO event (prev, room, seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: ARCHIVE_LOG
WITH RECURSIVE log (n) AS (
  VALUES (?1)
  UNION ALL
  SELECT event.prev FROM log JOIN event ON event.n = log.n WHERE event.prev <> 0
)
INSERT INTO archived_event (room, seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, hash)
  SELECT room, seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, hash
  FROM log CROSS JOIN event ON event.n = log.n;

-- name: DROP_LOG
WITH RECURSIVE log (n) AS (
  VALUES (?1)
  UNION ALL
  SELECT event.prev FROM log JOIN event ON event.n = log.n WHERE event.prev <> 0
)
DELETE FROM event WHERE n IN log;

-- name: READ_LOG
SELECT seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, hash FROM archived_event
  WHERE room = ?1 ORDER BY seq;

-- ---- letters: no more are counted than may be

-- name: COUNT_LETTERS
SELECT count(*) FROM (SELECT 1 FROM letter LIMIT ?1);

-- name: COUNT_LETTERS_TO
SELECT count(*) FROM (SELECT 1 FROM letter WHERE addressee = ?2 AND id BETWEEN ?3 AND ?4 LIMIT ?1);

-- ---- archived rooms that are forgotten

-- name: LOOK_AT_ROOMS
SELECT key, id, archived FROM room WHERE key > ?1 ORDER BY key LIMIT ?2;

-- name: END_OF_LOG
SELECT max(at_ms), count(DISTINCT nullif(session, 0)) FROM archived_event WHERE room = ?1;

-- name: DROP_ARCHIVED
DELETE FROM room WHERE key = ?1 AND archived = 1;

-- ---- names that are erased

-- name: REWRITE_EVENT
UPDATE archived_event SET text = ?3, hash = ?4 WHERE room = ?1 AND seq = ?2;

-- name: REWRITE_ROOM
UPDATE room SET hash = ?2 WHERE key = ?1;

-- ---- matches that become another session's

-- name: HANDED_ROOM
SELECT key FROM room WHERE id = ?1 AND archived = 1;

-- name: SESSION_IS_THERE
SELECT 1 FROM session WHERE id = ?1;

-- Of a live room, all of it before its rows change: it has to be sorted.
-- name: HANDED_LOG
WITH RECURSIVE log (n) AS (
  VALUES (?1)
  UNION ALL
  SELECT event.prev FROM log JOIN event ON event.n = log.n WHERE event.prev <> 0
)
SELECT seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, hash, event.n
  FROM log CROSS JOIN event ON event.n = log.n ORDER BY seq;

-- name: HAND_EVENT
UPDATE event SET session = ?2, request_id = ?3, digest = ?4, hash = ?5 WHERE n = ?1;

-- name: HAND_ARCHIVED_EVENT
UPDATE archived_event SET session = ?3, request_id = ?4, digest = ?5, hash = ?6 WHERE room = ?1 AND seq = ?2;

-- name: HAND_ROW
UPDATE room SET host = ?2, hash = ?3, end_seq = ?4, end_hash = ?5 WHERE key = ?1;
