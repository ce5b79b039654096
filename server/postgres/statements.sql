-- What a batch is made of: prepared once for each connection.

-- name: BEGIN
BEGIN;

-- name: FENCE
SELECT taluva.fence($1::bigint, $2::bigint, $3::bigint);

-- name: COMMIT
COMMIT;

-- name: PUT_SESSION
INSERT INTO taluva.session (id, name, created_ms, seen_ms)
  VALUES ($1::bigint, $2::text, $3::bigint, $4::bigint)
  ON CONFLICT (id) DO UPDATE SET name = $2, created_ms = $3, seen_ms = $4;

-- name: DROP_SESSION
DELETE FROM taluva.session WHERE id = $1::bigint;

-- name: PUT_ROOM
INSERT INTO taluva.room (key, id, code, secret, host, created_ms)
  VALUES ($1::bigint, $2::text, $3::text, $4::bytea, $5::bigint, $6::bigint);

-- name: APPEND
INSERT INTO taluva.event (room, seq, at_ms, held_ms, session, request_id, digest, kind, seat, text)
  SELECT * FROM unnest(
    $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
    $8::smallint[], $9::smallint[], $10::text[]
  );

-- name: ARCHIVE_ROOM
UPDATE taluva.room SET archived = true WHERE key = $1::bigint;

-- name: DROP_ROOM
WITH gone AS (DELETE FROM taluva.room WHERE id = $1::text RETURNING key)
DELETE FROM taluva.event WHERE room IN (SELECT key FROM gone);

-- name: LET_IN
INSERT INTO taluva.guest (room, session)
  SELECT key, $2::bigint FROM taluva.room WHERE id = $1::text ON CONFLICT DO NOTHING;

-- name: LET_OUT
DELETE FROM taluva.guest
  WHERE room = (SELECT key FROM taluva.room WHERE id = $1::text) AND session = $2::bigint;

-- Letters, of which no more are counted than may be. When so many are there it divides by zero, which ends the batch: a function that
-- raised a state of its own would have to be in each schema.
-- name: BOUND_LETTERS
SELECT 1 / (
  CASE WHEN (SELECT count(*) FROM (SELECT 1 FROM taluva.letter LIMIT $1::bigint) a) < $1::bigint
  THEN 1 ELSE 0 END);

-- Of these, those with ids from $4 to $5, which were asked for from one place (letter_bound.c).
-- name: BOUND_LETTERS_TO
SELECT 1 / (
  CASE WHEN (SELECT count(*) FROM (SELECT 1 FROM taluva.letter WHERE addressee = $2::bigint LIMIT $1::bigint) a) < $1::bigint
    AND (SELECT count(*) FROM (SELECT 1 FROM taluva.letter WHERE addressee = $2::bigint
      AND id BETWEEN $4::bigint AND $5::bigint LIMIT $3::bigint) b) < $3::bigint
  THEN 1 ELSE 0 END);

-- Matches of $1 become those of $2 (room/hand.h). Rows are read before they change. $3 is the room.
-- name: HAND_ROOM
WITH log AS (
    UPDATE taluva.event SET session = $2::bigint, request_id = -1, digest = 0
      WHERE room = $3::bigint AND session = $1::bigint),
  let_in AS (
    INSERT INTO taluva.guest (room, session)
      SELECT room, $2::bigint FROM taluva.guest WHERE room = $3::bigint AND session = $1::bigint
      ON CONFLICT DO NOTHING),
  let_out AS (
    DELETE FROM taluva.guest WHERE room = $3::bigint AND session = $1::bigint)
UPDATE taluva.room SET host = $2::bigint WHERE key = $3::bigint AND host = $1::bigint;
