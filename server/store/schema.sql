-- The tables, version by version: each text makes one of the one before. None that has been released is ever
-- edited; a change is one more at the end.
--
--     engine              who may write (epoch), and a counter to prove that writing works
--     session             a row each
--       pass              the secrets that open it: tokens of devices, links, a recovery phrase
--       push              where its browsers take messages
--       game              the newest matches that it sat in and that are over
--     room                a row each; archived ones are not handed out at start
--       event             the log of all live rooms together, in order of commit (n)
--       archived_event    the logs of archived rooms, room by room
--       guest             sessions that have given the code of a room by invitation
--
-- The live log has no index on its room. An append goes to its end whatever the room, so that a
-- commit of many rooms' events dirties one or two pages, not one for each room. Instead `prev`
-- leads from each event to the one before it in the same room (0: there is none), for the only
-- thing that asks: archiving or dropping a whole room. At start the log is read once, in order, and
-- every row is held against its room and its predecessor.
--
-- A log whose last events are gone is a whole one that ends earlier. So a live room's row says
-- where its log ended when that was last written (end_seq, end_hash): a log that is shorter has
-- lost events. It is written when the store is closed and when its write-ahead log is moved into
-- the database, and not in each commit, which would dirty a page of `room` for each room; so what
-- was appended since then, and is lost, is not noticed. (Of an archived room the hash of its row
-- includes the end.)
--
-- `hash` is what hashes.h says of the row; end_hash is that of event end_seq, or of the room if
-- that is 0. They are empty only where migrating to version 3 found a row that is not readable, and
-- end_hash where migrating to version 4 found an archived room.

-- name: VERSION_1
CREATE TABLE engine (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL,
  probes INTEGER NOT NULL
) STRICT;

INSERT INTO engine VALUES (1, 0, 0);

CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
  name TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE room (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 8),
  code TEXT NOT NULL,
  secret BLOB NOT NULL CHECK (length(secret) = 32),
  host INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))
) STRICT;

CREATE INDEX live_room ON room (key) WHERE archived = 0;

CREATE TABLE event (
  n INTEGER PRIMARY KEY,
  prev INTEGER NOT NULL,
  room INTEGER NOT NULL,
  seq INTEGER NOT NULL CHECK (seq > 0),
  at_ms INTEGER NOT NULL,
  held_ms INTEGER NOT NULL,
  session INTEGER NOT NULL,
  request_id INTEGER NOT NULL,
  digest INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE archived_event (
  room INTEGER NOT NULL REFERENCES room (key) ON DELETE CASCADE,
  seq INTEGER NOT NULL CHECK (seq > 0),
  at_ms INTEGER NOT NULL,
  held_ms INTEGER NOT NULL,
  session INTEGER NOT NULL,
  request_id INTEGER NOT NULL,
  digest INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (room, seq)
) STRICT, WITHOUT ROWID;

-- name: VERSION_2
CREATE TABLE guest (
  room INTEGER NOT NULL REFERENCES room (key) ON DELETE CASCADE,
  session INTEGER NOT NULL,
  PRIMARY KEY (room, session)
) STRICT, WITHOUT ROWID;

-- name: VERSION_3
ALTER TABLE session ADD COLUMN hash BLOB NOT NULL DEFAULT x'';

ALTER TABLE room ADD COLUMN hash BLOB NOT NULL DEFAULT x'';

ALTER TABLE event ADD COLUMN hash BLOB NOT NULL DEFAULT x'';

ALTER TABLE archived_event ADD COLUMN hash BLOB NOT NULL DEFAULT x'';

ALTER TABLE guest ADD COLUMN hash BLOB NOT NULL DEFAULT x'';

-- name: VERSION_4
ALTER TABLE room ADD COLUMN end_seq INTEGER NOT NULL DEFAULT 0 CHECK (end_seq >= 0);

ALTER TABLE room ADD COLUMN end_hash BLOB NOT NULL DEFAULT x'';

UPDATE room SET end_hash = hash WHERE archived = 0;

-- name: VERSION_5
CREATE TABLE push (
  session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  key INTEGER NOT NULL,
  since_ms INTEGER NOT NULL,
  point BLOB NOT NULL CHECK (length(point) = 65),
  auth BLOB NOT NULL CHECK (length(auth) = 16),
  endpoint TEXT NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;

-- name: VERSION_6
ALTER TABLE push ADD COLUMN pass INTEGER NOT NULL DEFAULT 0;

CREATE TABLE pass (
  session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  id INTEGER NOT NULL,
  kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2)),
  secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
  name TEXT NOT NULL,
  since_ms INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (session, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX pass_of_secret ON pass (secret_hash);

-- name: VERSION_7
CREATE TABLE game (
  session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  at_ms INTEGER NOT NULL,
  room TEXT NOT NULL CHECK (length(room) = 8),
  seat INTEGER NOT NULL,
  text TEXT NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (session, at_ms, room)
) STRICT, WITHOUT ROWID;
