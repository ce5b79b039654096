-- What migrating an older store asks beside its steps (schema.sql): rows that get something which is worked out of them.

-- ---- to version 3: hashes (fill_hashes.c)

-- The live log has no index on its room otherwise.
-- name: INDEX_LOGS
CREATE INDEX event_of_room ON event (room, n);

-- name: DROP_INDEX_OF_LOGS
DROP INDEX event_of_room;

-- name: HASHLESS_SESSIONS
SELECT id, name, created_ms, seen_ms, token_hash FROM session ORDER BY id;

-- name: PUT_SESSION_HASH
UPDATE session SET hash = ?1 WHERE id = ?2;

-- name: HASHLESS_GUESTS
SELECT room.key, room.id, guest.session FROM guest JOIN room ON room.key = guest.room ORDER BY guest.room, guest.session;

-- name: PUT_GUEST_HASH
UPDATE guest SET hash = ?1 WHERE session = ?2 AND room = ?3;

-- name: HASHLESS_ROOMS
SELECT key, id, code, secret, host, created_ms, archived FROM room ORDER BY key;

-- name: PUT_ROOM_HASH
UPDATE room SET hash = ?1 WHERE key = ?2;

-- name: HASHLESS_EVENTS
SELECT seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, n FROM event WHERE room = ?1 ORDER BY n;

-- name: PUT_EVENT_HASH
UPDATE event SET hash = ?1 WHERE n = ?2;

-- name: HASHLESS_ARCHIVED_EVENTS
SELECT seq, at_ms, held_ms, session, request_id, digest, kind, seat, text, seq FROM archived_event WHERE room = ?1 ORDER BY seq;

-- name: PUT_ARCHIVED_EVENT_HASH
UPDATE archived_event SET hash = ?1 WHERE seq = ?2 AND room = ?3;

-- ---- to version 6: the token of a session becomes its first credential (fill_passes.c)

-- name: SESSIONS_WITH_TOKENS
SELECT id, name, created_ms, seen_ms, token_hash, hash FROM session ORDER BY id;

-- name: PUT_FIRST_PASS
INSERT INTO pass (session, id, kind, secret_hash, name, since_ms, seen_ms, hash) VALUES (?1, 0, 0, ?2, '', ?3, ?4, ?5);

-- name: PUT_SESSION_HASH_OF
UPDATE session SET hash = ?2 WHERE id = ?1;

-- name: DROP_TOKENS
ALTER TABLE session DROP COLUMN token_hash;
