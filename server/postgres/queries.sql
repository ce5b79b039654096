-- What is asked of the database beside batches (statements.sql) and described rows (server/sql): by who has the answer.
--
-- An advisory lock of two numbers is of kind 1952541813 ("talu"): 0 is the schema's, from 1 on those of the parts. One of a
-- single number is a node's: a hash of its name with the seed 1852793957 ("node").

-- ---- nodes (membership.c, forget.c)

-- name: NODE_ENTER
INSERT INTO taluva.node (name, relay, version, life, beat, links)
  VALUES ($1::text, $2::text, $3::text, nextval('taluva.life'), 0, $4::text)
  ON CONFLICT (name) DO UPDATE
    SET relay = $2, version = $3, life = nextval('taluva.life'), beat = 0, links = $4, ahead_ms = NULL, facts = NULL
  RETURNING life, taluva.now_ms();

-- name: NODE_BEAT
UPDATE taluva.node
  SET beat = beat + 1, documents = $3::text, links = $4::text, ahead_ms = $5::bigint,
    facts = ARRAY[$6::bigint, $7::bigint, $8::bigint, $9::bigint]
  WHERE name = $1::text AND life = $2::bigint
  RETURNING beat, taluva.now_ms();

-- Nodes, then parts. Some columns of a node are not there in a schema of before.
-- name: SITE_LOOK
SELECT 0::bigint AS kind, life AS a, beat AS b, 0::bigint AS part, name, relay, version,
    NOT EXISTS (
      SELECT FROM pg_locks l
      WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND (classid::bigint << 32 | objid::bigint) = hashtextextended(name, 1852793957)
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
    coalesce(to_jsonb(n) ->> 'documents', ''), to_jsonb(n) ->> 'links', (to_jsonb(n) ->> 'ahead_ms')::bigint,
    (to_jsonb(n) -> 'facts' ->> 0)::bigint, (to_jsonb(n) -> 'facts' ->> 1)::bigint,
    (to_jsonb(n) -> 'facts' ->> 2)::bigint, (to_jsonb(n) -> 'facts' ->> 3)::bigint
  FROM taluva.node n
UNION ALL
SELECT 1, term, batch, part, node COLLATE "C", relay, '',
    EXISTS (
      SELECT FROM pg_locks l
      WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND classid = 1952541813 AND objid::bigint = part + 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
    '', NULL, NULL, NULL, NULL, NULL, NULL
  FROM taluva.server
  ORDER BY 1, 4, 5;

-- name: NODE_FORGET
DELETE FROM taluva.node
  WHERE name = $1::text AND life = $2::bigint AND beat = $3::bigint
    AND NOT EXISTS (SELECT FROM taluva.server WHERE node = $1::text)
    AND NOT EXISTS (
      SELECT FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1::text, 1852793957)
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
  RETURNING life;

-- name: NODE_LEAVE
DELETE FROM taluva.node WHERE name = $1::text AND life = $2::bigint RETURNING life;

-- name: NODE_LIFE
SELECT life FROM taluva.node WHERE name = $1::text;

-- name: NODE_BEATS
SELECT beat FROM taluva.node WHERE name = $1::text;

-- name: NODE_LOCK
SELECT CASE WHEN pg_try_advisory_lock(hashtextextended($1::text, 1852793957)) THEN 1::bigint END;

-- name: NODE_END_HOLDER
SELECT count(pg_terminate_backend(pid)) FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1::text, 1852793957)
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND pid <> pg_backend_pid();

-- ---- who has a part (lock.c)

-- name: END_NAMESAKES
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = $1::text AND pid <> pg_backend_pid()
    AND datname = current_database() AND usename = current_user;

-- name: LOCK_SAY_WHO
SELECT coalesce(application_name, ''), coalesce(host(client_addr), '')
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND classid = 1952541813 AND objid::bigint = ($1::bigint + 1)::int
    AND a.datname = current_database();

-- Until the connection ends, or it is unlocked.
-- name: LOCK_PART
SELECT pg_try_advisory_lock(1952541813, ($1::bigint + 1)::int);

-- Until the transaction ends.
-- name: LOCK_PART_ONCE
SELECT pg_try_advisory_xact_lock(1952541813, ($1::bigint + 1)::int);

-- name: UNLOCK_PART
SELECT pg_advisory_unlock(1952541813, ($1::bigint + 1)::int);

-- name: LOCK_SCHEMA
SELECT pg_advisory_xact_lock(1952541813, 0);

-- In a schema of version 1 there is one part, whose number is not said.
-- name: PART_LOOK
SELECT term, batch,
    EXISTS (
      SELECT FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 2 AND granted
        AND classid = 1952541813 AND objid::bigint = ($1::bigint + 1)::int
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
  FROM taluva.server s
  WHERE coalesce((to_jsonb(s) ->> 'part')::bigint, 0) = $1::bigint;

-- Of all connections of the process that has the lock.
-- name: END_HOLDER
SELECT pg_terminate_backend(other.pid)
  FROM pg_locks l
    JOIN pg_stat_activity holder ON holder.pid = l.pid
    JOIN pg_stat_activity other ON other.pid = holder.pid
      OR (holder.application_name ~ '^taluvad [0-9]' AND other.application_name = holder.application_name
        AND other.datname = holder.datname AND other.usename = holder.usename)
  WHERE l.locktype = 'advisory' AND l.classid = 1952541813 AND l.objid::bigint = ($1::bigint + 1)::int AND l.granted
    AND holder.datname = current_database()
    AND ($2::bigint = 0 OR holder.application_name LIKE 'taluvad ' || $2 || ' %'
      OR holder.application_name = 'taluvad ' || $2
      OR ($2 = -1 AND holder.application_name ~ '^taluvad( standby)?( part [0-9]+)?$'));

-- ---- a part that is opened, and given up (engine.c, commit.c)

-- name: PART_TAKE
SELECT taluva.take($1::bigint, $2::text, $3::text);

-- name: PART_TERM
SELECT term FROM taluva.server WHERE part = $1::bigint;

-- name: PART_GIVE_UP
UPDATE taluva.server SET node = '', relay = '', batch = $3::bigint WHERE part = $1::bigint AND term = $2::bigint;

-- name: NOW
SELECT taluva.now_ms();

-- name: LAST_ROOM_KEY
SELECT coalesce(max(key), 0) FROM taluva.room;

-- ---- what a part has (load.c): the first parameter is its number, the second how many there are

-- name: LOAD_SESSIONS
SELECT id, name, created_ms, seen_ms FROM taluva.session
  WHERE taluva.session_part(id, $2::bigint) = $1::bigint
  ORDER BY id;

-- name: LOAD_ROOMS
SELECT key, id, code, secret, host, created_ms FROM taluva.room
  WHERE NOT archived AND slot = ANY (ARRAY(SELECT generate_series($1::bigint, 1023, $2::bigint)::smallint))
  ORDER BY key;

-- Of some rooms.
-- name: LOAD_EVENTS
SELECT room, seq, at_ms, held_ms, session, request_id, digest, kind, seat, text FROM taluva.event
  WHERE room = ANY ($1::bigint[])
  ORDER BY room, seq;

-- name: LOAD_GUESTS
SELECT r.id, g.session FROM taluva.guest g JOIN taluva.room r ON r.key = g.room
  WHERE NOT r.archived AND r.slot = ANY (ARRAY(SELECT generate_series($1::bigint, 1023, $2::bigint)::smallint))
  ORDER BY g.room, g.session;

-- Room by room, in the order of the index: a part costs what its live rooms have, however many archived ones there are. Planned by
-- itself, the whole table is read and sorted for each part, or processes are begun for each slice.
-- name: PLAN_BY_INDEX
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET max_parallel_workers_per_gather = 0;

-- name: PLAN_AS_USUAL
RESET enable_seqscan;
RESET enable_bitmapscan;
RESET max_parallel_workers_per_gather;

-- ---- a match that is over (reader.c)

-- name: READ_ROOM
SELECT id, code, secret, host, created_ms, seq, at_ms, held_ms, e.session, request_id, digest, kind, seat, text
  FROM taluva.room r LEFT JOIN taluva.event e ON e.room = r.key
  WHERE r.id = $1::text AND r.archived
  ORDER BY e.seq;

-- ---- the division (parts.c)

-- name: PARTS_KEEP_SESSIONS
UPDATE taluva.session SET seen_ms = created_ms + 1
  WHERE seen_ms <= created_ms AND id IN (
    SELECT host FROM taluva.room WHERE NOT archived
    UNION
    SELECT e.session FROM taluva.event e JOIN taluva.room r ON r.key = e.room WHERE NOT r.archived);

-- name: PARTS_DIVIDE
WITH divided AS (UPDATE taluva.site SET parts = $1::bigint, term = term + $1::bigint RETURNING term)
INSERT INTO taluva.server (part, term, batch)
  SELECT part, divided.term - part, $2::bigint FROM divided, generate_series(0, $1::bigint - 1) AS part;

-- name: PARTS_COUNT
SELECT parts::bigint FROM taluva.site;

-- Who may still believe to have a part.
-- name: PARTS_NOT_GIVEN_UP
SELECT FROM taluva.server WHERE term > 0 AND batch <> $1::bigint;

-- name: PARTS_FORGET
DELETE FROM taluva.server;

-- ---- archived rooms that are forgotten (trim.c)

-- Rooms in the order of their keys, of whatever part, and the ends of the finished ones of ours.
-- name: LOOK_AT_ROOMS
SELECT r.key, r.id, l.ended_ms, l.sessions
  FROM (SELECT key, id, archived AND slot % $4::bigint = $3::bigint AS ours FROM taluva.room
      WHERE key > $1::bigint ORDER BY key LIMIT $2::bigint) r
    LEFT JOIN LATERAL (SELECT max(at_ms) AS ended_ms, count(DISTINCT nullif(session, 0)) AS sessions
      FROM taluva.event WHERE room = r.key) l ON r.ours
  ORDER BY r.key;

-- name: LOOK_AT_ROOM
SELECT key FROM taluva.room WHERE id = $1::text AND archived AND slot % $3::bigint = $2::bigint;

-- What is lost with the database is dropped again, so nobody waits for its disk or its standby.
-- name: COMMIT_WITHOUT_WAITING
SET synchronous_commit = off;

-- All of a match at once, or nothing; rows are read before they go. Between these two stands what drops its rows of described tables.
-- name: DROP_LOG
WITH acted AS (SELECT DISTINCT session FROM taluva.event WHERE room = $1::bigint),
  log AS (DELETE FROM taluva.event WHERE room = $1::bigint);

-- name: DROP_ROOM
DELETE FROM taluva.room WHERE key = $1::bigint AND archived;

-- ---- what a database has, beside described tables (fill.c)

-- name: COUNT_ALL
SELECT (SELECT count(*) FROM taluva.session), (SELECT count(*) FROM taluva.room),
  (SELECT count(*) FROM taluva.room WHERE archived),
  (SELECT count(*) FROM taluva.event), (SELECT count(*) FROM taluva.guest);

-- ---- when a key ends (parts.c)

-- name: TIME_ALONE
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 0::bigint;

-- Of all that a match or a session is stamped with.
-- name: SITE_TIMES
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  greatest(0::bigint, (SELECT max(at_ms) FROM taluva.event), (SELECT max(seen_ms) FROM taluva.session));

-- ---- documents (documents.c)

-- name: DOCUMENT_READ
SELECT revision, CASE WHEN revision <> $2::bigint THEN text END
  FROM taluva.document
  WHERE name = $1::text;

-- name: DOCUMENT_WRITE
INSERT INTO taluva.document AS d VALUES ($1::text, $3::bigint + 1, $2::text)
  ON CONFLICT (name) DO UPDATE SET text = $2, revision = d.revision + 1
    WHERE d.revision = $3
  RETURNING revision;

-- ---- figures (figures.c)

-- name: DATABASE_SETTINGS
SELECT current_setting('server_version'), current_setting('synchronous_standby_names'),
    (SELECT version::bigint FROM taluva.version),
    pg_has_role(current_user, 'pg_read_all_stats', 'USAGE'),
    to_regclass('taluva.bans') IS NOT NULL;

-- name: DATABASE_STANDBYS
SELECT left(application_name, 60), state, sync_state
  FROM pg_stat_replication
  WHERE state IS NOT NULL
  ORDER BY 1
  LIMIT 16;

-- name: BANS_REVISION
SELECT revision FROM taluva.bans;

-- name: ROOMS_BY_PART
SELECT slot::bigint % $1::bigint, count(*)
  FROM taluva.room
  WHERE NOT archived
  GROUP BY 1;

-- name: SESSIONS_BY_PART
SELECT taluva.session_part(id, $1::bigint), count(*)
  FROM taluva.session
  GROUP BY 1;

-- ---- the schema (schema.c)

-- name: SCHEMA_LOOK
SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'taluva'),
    EXISTS (
      SELECT FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = 'taluva'),
    (SELECT count(*)
      FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = 'taluva' AND relname = 'version' AND attname IN ('program', 'version', 'whole')) = 3,
    current_setting('server_encoding') = 'UTF8';

-- name: SCHEMA_MAKE
CREATE SCHEMA taluva;

-- name: SET_WHOLE
UPDATE taluva.version SET whole = ($1::bigint = 1);

-- name: SCHEMA_VERSION
SELECT program = 'taluvad', version::bigint, whole, coalesce((to_jsonb(v) ->> 'needs')::bigint, version)
  FROM taluva.version v;

-- ---- a connection, whatever is usual in the database (db.c)

-- Alone, as it is itself under the time that is usual.
-- name: CONNECTION_UNHURRIED
SET statement_timeout = 0;

-- A commit has to be on the disk; and a server that is gone is to lose its lock soon.
-- name: CONNECTION_SETTINGS
SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') = 'off';
SET default_transaction_isolation = 'read committed';
SET lock_timeout = 0;
SET idle_session_timeout = 0;
SET idle_in_transaction_session_timeout = '60s';
SET client_min_messages = warning;
SET standard_conforming_strings = on;
SET tcp_keepalives_idle = 10;
SET tcp_keepalives_interval = 5;
SET tcp_keepalives_count = 3;

-- name: CONNECTION_NAME
SELECT pg_backend_pid()::bigint, set_config('application_name', $1::text, false);

-- name: CONNECTION_PROCESS
SELECT pg_backend_pid()::bigint;

-- ---- parts (parts.c)

-- name: SITE_HAS_PLAYERS
SELECT 1::bigint
  WHERE EXISTS (SELECT FROM taluva.session) OR EXISTS (SELECT FROM taluva.room);

-- ---- who has given the code of a room (reader.c)

-- name: ROOM_GUESTS
SELECT g.session
  FROM taluva.guest g JOIN taluva.room r ON r.key = g.room
  WHERE r.id = $1::text
  ORDER BY g.session
  LIMIT $2::bigint;

-- ---- names that are erased (erase.c)

-- Behind "WITH listed AS MATERIALIZED (...)", the ids of the session's rooms, and before what drops its own rows of `rooms`.
-- $1 is the session, $2 how many rooms, $3 and $4 what it is called from then on and the handle of a program's account. As room/erased.h says it: in SQL, as a batch is sent at once and nothing is read in between.
-- Rows are read before they change. The line of a seat is that of its last event of who sits there. All is found by keys,
-- however large the tables are: what is joined is materialised for that.
-- name: ERASE_NAMES
, rooms AS MATERIALIZED (
    SELECT r.key, r.id
      FROM listed l CROSS JOIN LATERAL (SELECT key, id FROM taluva.room WHERE id = l.room AND archived LIMIT 1) r
      ORDER BY r.key LIMIT $2::bigint),
  sat AS (
    SELECT DISTINCT ON (room, seat) room, seat, seq FROM taluva.event
      WHERE room IN (SELECT key FROM rooms) AND kind IN (1, 2)
      ORDER BY room, seat, seq DESC),
  places AS (
    SELECT DISTINCT ON (e.room) e.room, e.seat, e.seq FROM taluva.event e
      WHERE e.room IN (SELECT key FROM rooms) AND e.session = $1::bigint AND e.kind = 1
        AND e.text ~ '^[^ ]+ (human(:[^ ]*)?|agent:[^ ]*) '
      ORDER BY e.room, e.seq DESC),
  acted AS MATERIALIZED (
    SELECT DISTINCT room, session FROM taluva.event
      WHERE room IN (SELECT key FROM rooms) AND session <> $1::bigint),
  log AS (
    UPDATE taluva.event SET text = regexp_replace(
        regexp_replace(text, '^([^ ]+) human(:[^ ]*)? .*$', '\1 human ' || $3::text),
        '^([^ ]+) agent:[^ ]* .*$', '\1 agent:' || $4::text || ' ' || $3::text)
      WHERE room IN (SELECT key FROM rooms) AND session = $1::bigint AND kind = 1);

-- The line of a row without that name: behind what makes `was` of the row, its text and how many bytes it has at most.
-- name: ERASED_LINE
SELECT CASE WHEN octet_length(e.line) <= was.most THEN e.line
    WHEN octet_length(u.line) <= was.most THEN u.line ELSE was.text END
  FROM was CROSS JOIN LATERAL (SELECT regexp_replace(was.text,
      '("seats":\{.*?"' || p.seat || '":\{"name":")(?:[^"\\]|\\.)*"(?:,"handle":"[^"]*")?(?=,"colour":)',
      '\1' || $3::text || '"') AS line) e
    CROSS JOIN LATERAL (SELECT regexp_replace(e.line, '"title":"(?:[^"\\]|\\.)*",', '') AS line) u;

-- Of which rows: behind the table and its columns, as `g`, and before which of its sessions and rooms.
-- name: ERASED_ROWS
FROM rooms r
  JOIN places p ON p.room = r.key
  JOIN sat s ON s.room = p.room AND s.seat = p.seat AND s.seq = p.seq
  JOIN acted a ON a.room = r.key;

-- Behind "WITH listed AS MATERIALIZED (...)", the ids of the rooms of the lists of $1, and before what makes its rows of `lines`
-- those of $2. $3: so many rooms. The log of one in which $2 has acted stays, as room/hand.h says it.
-- name: HAND_MATCHES
, lines AS MATERIALIZED (
    SELECT room FROM listed WHERE EXISTS (SELECT FROM taluva.session WHERE id = $2::bigint)
      ORDER BY room LIMIT $3::bigint),
  rooms AS MATERIALIZED (
    SELECT r.key
      FROM lines l CROSS JOIN LATERAL (SELECT key FROM taluva.room WHERE id = l.room AND archived LIMIT 1) r),
  whole AS MATERIALIZED (
    SELECT key FROM rooms r WHERE NOT EXISTS (
      SELECT FROM taluva.event e WHERE e.room = r.key AND e.session = $2::bigint)),
  log AS (
    UPDATE taluva.event SET session = $2::bigint, request_id = -1, digest = 0
      WHERE room IN (SELECT key FROM whole) AND session = $1::bigint),
  hosts AS (
    UPDATE taluva.room SET host = $2::bigint
      WHERE key IN (SELECT key FROM whole) AND host = $1::bigint),
  let_in AS (
    INSERT INTO taluva.guest (room, session)
      SELECT room, $2::bigint FROM taluva.guest
        WHERE room IN (SELECT key FROM whole) AND session = $1::bigint
      ON CONFLICT DO NOTHING),
  let_out AS (
    DELETE FROM taluva.guest WHERE room IN (SELECT key FROM whole) AND session = $1::bigint);
