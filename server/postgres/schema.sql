-- The schema, version by version.
--
--     version     of all this, and which version a program has to know at least (`needs`) to
--                 use it; `whole` is false while another store is copied into it
--
--     site        in how many parts it is divided, and the last term that was given out
--
--     server      a row for each part: the term of the server that has it, the number of its last
--                 batch, and who that is
--
--     node        the servers that share the site; a counter that each raises, a number of the
--                 process, which no other one has had, and which documents hold there
--
--     document    texts of the whole site (hub/store_document.h). What was of version 3 a table
--                 `bans` is the one of that name, and a view for servers of that version
--
--     session     a row each; pass, push and game as in the embedded store
--
--     room        a row each; archived ones are not handed out at start. The slot is made of the
--                 first two characters of its id, and tells the part (hub/part.h)
--
--     event       the logs of all rooms
--
--     guest       sessions that have given the code of a room by invitation
--
-- Numbers of 64 bits without a sign are stored as if they had one. `event` has no foreign key: to
-- hold one would write the row of the room at each append. Ids of rooms are compared as bytes.
--
-- fence() is called first in each transaction. The row that it changes is locked until the end, so
-- of two that send the same batch one waits for the other. That row is written all the time: most
-- of its page is left free for it. take() gives a part the next term: first it waits for the row of
-- the part, so that a server that is stuck holds up nobody who takes another part.
--
-- Each version is what makes it of the one before. They are never edited.
--
-- During an upgrade programs of two versions use one database. So a version only adds (a table, a
-- column with a default, a function under a new name) and leaves `needs` as it is: then programs of
-- the version before go on, and can be started. What they would misread or break raises `needs`,
-- in a later version, when nobody runs them any more (CONTRIBUTING.md).

-- name: VERSION_1
CREATE TABLE taluva.version (
  one boolean PRIMARY KEY CHECK (one),
  program text NOT NULL,
  version integer NOT NULL,
  whole boolean NOT NULL);

INSERT INTO taluva.version VALUES (true, 'taluvad', 1, true);

CREATE TABLE taluva.server (
  one boolean PRIMARY KEY CHECK (one),
  term bigint NOT NULL,
  batch bigint NOT NULL) WITH (fillfactor = 20);

INSERT INTO taluva.server VALUES (true, 0, 0);

CREATE TABLE taluva.session (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  created_ms bigint NOT NULL,
  seen_ms bigint NOT NULL);

CREATE TABLE taluva.pass (
  session bigint NOT NULL REFERENCES taluva.session (id) ON DELETE CASCADE,
  id bigint NOT NULL,
  kind smallint NOT NULL CHECK (kind IN (0, 1, 2)),
  secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
  name text NOT NULL,
  since_ms bigint NOT NULL,
  seen_ms bigint NOT NULL,
  PRIMARY KEY (session, id));

CREATE INDEX pass_of_secret ON taluva.pass (secret_hash);

CREATE TABLE taluva.push (
  session bigint NOT NULL REFERENCES taluva.session (id) ON DELETE CASCADE,
  key bigint NOT NULL,
  pass bigint NOT NULL,
  since_ms bigint NOT NULL,
  point bytea NOT NULL CHECK (length(point) = 65),
  auth bytea NOT NULL CHECK (length(auth) = 16),
  endpoint text NOT NULL,
  PRIMARY KEY (session, key));

CREATE TABLE taluva.game (
  session bigint NOT NULL REFERENCES taluva.session (id) ON DELETE CASCADE,
  at_ms bigint NOT NULL,
  room text COLLATE "C" NOT NULL CHECK (length(room) = 8),
  seat smallint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (session, at_ms, room));

CREATE TABLE taluva.room (
  key bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE CHECK (length(id) = 8),
  code text NOT NULL,
  secret bytea NOT NULL CHECK (length(secret) = 32),
  host bigint NOT NULL,
  created_ms bigint NOT NULL,
  archived boolean NOT NULL DEFAULT false);

CREATE INDEX live_room ON taluva.room (key) WHERE NOT archived;

CREATE TABLE taluva.event (
  room bigint NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  at_ms bigint NOT NULL,
  held_ms bigint NOT NULL,
  session bigint NOT NULL,
  request_id bigint NOT NULL,
  digest bigint NOT NULL,
  kind smallint NOT NULL,
  seat smallint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (room, seq));

CREATE TABLE taluva.guest (
  room bigint NOT NULL REFERENCES taluva.room (key) ON DELETE CASCADE,
  session bigint NOT NULL,
  PRIMARY KEY (room, session));

CREATE FUNCTION taluva.fence(this_term bigint, number bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE found_row taluva.server;
BEGIN
  UPDATE taluva.server SET batch = number WHERE term = this_term AND batch = number - 1;
  IF FOUND THEN RETURN; END IF;
  SELECT * INTO found_row FROM taluva.server;
  IF found_row.term = this_term AND found_row.batch = number THEN
    RAISE EXCEPTION 'the batch was written before' USING ERRCODE = 'TA001';
  ELSIF found_row.term = this_term AND found_row.batch < number THEN
    RAISE EXCEPTION 'the database has lost batches' USING ERRCODE = 'TA003';
  END IF;
  RAISE EXCEPTION 'another server has opened the store' USING ERRCODE = 'TA002';
END $$;

-- name: VERSION_2
CREATE TABLE taluva.site (
  one boolean PRIMARY KEY CHECK (one),
  parts integer NOT NULL CHECK (parts BETWEEN 1 AND 64),
  term bigint NOT NULL) WITH (fillfactor = 20);

INSERT INTO taluva.site SELECT true, 1, term FROM taluva.server;

ALTER TABLE taluva.server DROP COLUMN one;

ALTER TABLE taluva.server
  ADD COLUMN part integer PRIMARY KEY DEFAULT 0 CHECK (part BETWEEN 0 AND 63),
  ADD COLUMN node text NOT NULL DEFAULT '',
  ADD COLUMN relay text NOT NULL DEFAULT '';

ALTER TABLE taluva.server ALTER COLUMN part DROP DEFAULT;

-- A digit of the id is counted from 1 on; 0: it is none.
ALTER TABLE taluva.room ADD COLUMN slot smallint NOT NULL
  GENERATED ALWAYS AS ((CASE
    WHEN strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 1, 1))
      * strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 2, 1)) = 0 THEN 0
    ELSE 32 * strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 1, 1))
      + strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 2, 1)) - 33
  END)::smallint) STORED;

DROP INDEX taluva.live_room;

CREATE TABLE taluva.node (
  name text COLLATE "C" PRIMARY KEY,
  relay text NOT NULL,
  version text NOT NULL,
  life bigint NOT NULL,
  beat bigint NOT NULL) WITH (fillfactor = 20);

CREATE SEQUENCE taluva.life;

CREATE INDEX live_room ON taluva.room (slot) WHERE NOT archived;

DROP FUNCTION taluva.fence(bigint, bigint);

CREATE FUNCTION taluva.fence(this_part bigint, this_term bigint, number bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE found_row taluva.server;
BEGIN
  UPDATE taluva.server SET batch = number
  WHERE part = this_part AND term = this_term AND batch = number - 1;
  IF FOUND THEN RETURN; END IF;
  SELECT * INTO found_row FROM taluva.server WHERE part = this_part;
  IF found_row.term = this_term AND found_row.batch = number THEN
    RAISE EXCEPTION 'the batch was written before' USING ERRCODE = 'TA001';
  ELSIF found_row.term = this_term AND found_row.batch < number THEN
    RAISE EXCEPTION 'the database has lost batches' USING ERRCODE = 'TA003';
  END IF;
  RAISE EXCEPTION 'another server has opened the store' USING ERRCODE = 'TA002';
END $$;

CREATE FUNCTION taluva.take(this_part bigint, its_node text, its_relay text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE next bigint;
BEGIN
  PERFORM FROM taluva.server WHERE part = this_part FOR UPDATE;
  UPDATE taluva.site SET term = term + 1 RETURNING term INTO next;
  UPDATE taluva.server SET term = next, batch = 0, node = its_node, relay = its_relay
  WHERE part = this_part;
  RETURN CASE WHEN FOUND THEN next END;
END $$;

-- Ids are without a sign: those that are stored as if below 0 are larger by 2^64.
CREATE FUNCTION taluva.session_part(id bigint, parts bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT (id % parts + parts + CASE WHEN id < 0
    THEN (9223372036854775807 % parts * 2 + 2) % parts ELSE 0 END) % parts
$$;

UPDATE taluva.version SET version = 2;

-- name: VERSION_3
-- From here on secrets may be misplaced (hub/part.h): programs that do not know that would tell their owners that
-- they are unknown.
ALTER TABLE taluva.version ADD COLUMN needs integer NOT NULL DEFAULT 3;

ALTER TABLE taluva.version ALTER COLUMN needs DROP DEFAULT;

CREATE TABLE taluva.bans (
  one boolean PRIMARY KEY CHECK (one),
  revision bigint NOT NULL,
  text text NOT NULL);

INSERT INTO taluva.bans VALUES (true, 0, '');

CREATE FUNCTION taluva.secret_part(hash bytea, parts bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT ((get_byte(hash, 28)::bigint << 24) + (get_byte(hash, 29) << 16)
    + (get_byte(hash, 30) << 8) + get_byte(hash, 31)) % parts
$$;

UPDATE taluva.version SET version = 3;

-- name: VERSION_4
-- A document does not go any more. Whoever might read and change the table of the bans may do that with the view, and
-- with the documents.
CREATE TABLE taluva.document (
  name text PRIMARY KEY COLLATE pg_catalog."C",
  revision bigint NOT NULL CHECK (revision >= 0),
  text text NOT NULL);

CREATE RULE document_stays AS ON DELETE TO taluva.document DO INSTEAD NOTHING;

INSERT INTO taluva.document SELECT 'bans', revision, text FROM taluva.bans;

ALTER TABLE taluva.bans RENAME TO bans_before;

CREATE VIEW taluva.bans AS
  SELECT true AS one, revision, text FROM taluva.document WHERE name = 'bans';

DO $$
DECLARE its record;
BEGIN
  FOR its IN SELECT DISTINCT rolname FROM pg_catalog.pg_class c,
    pg_catalog.aclexplode(relacl) a JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'taluva.bans_before'::regclass AND a.grantee <> c.relowner LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE
       ON taluva.document, taluva.bans TO %I', its.rolname);
  END LOOP;
END $$;

DROP TABLE taluva.bans_before;

ALTER TABLE taluva.node ADD COLUMN documents text NOT NULL DEFAULT '';

UPDATE taluva.version SET version = 4;

-- name: VERSION_5
-- The columns of a node that does not say it are NULL.
ALTER TABLE taluva.node ADD COLUMN links text, ADD COLUMN ahead_ms bigint;

CREATE FUNCTION taluva.now_ms() RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

UPDATE taluva.version SET version = 5;

-- name: VERSION_6
-- What a node tells of itself (membership.c); NULL: nothing.
ALTER TABLE taluva.node ADD COLUMN facts bigint[];

UPDATE taluva.version SET version = 6;
