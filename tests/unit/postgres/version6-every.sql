SET check_function_bodies = false;
CREATE SCHEMA taluva;
CREATE FUNCTION taluva.fence(this_part bigint, this_term bigint, number bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
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
CREATE FUNCTION taluva.now_ms() RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;
CREATE FUNCTION taluva.secret_part(hash bytea, parts bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT ((get_byte(hash, 28)::bigint << 24) + (get_byte(hash, 29) << 16)
    + (get_byte(hash, 30) << 8) + get_byte(hash, 31)) % parts
$$;
CREATE FUNCTION taluva.session_part(id bigint, parts bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT (id % parts + parts + CASE WHEN id < 0
    THEN (9223372036854775807 % parts * 2 + 2) % parts ELSE 0 END) % parts
$$;
CREATE FUNCTION taluva.take(this_part bigint, its_node text, its_relay text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
DECLARE next bigint;
BEGIN
  PERFORM FROM taluva.server WHERE part = this_part FOR UPDATE;
  UPDATE taluva.site SET term = term + 1 RETURNING term INTO next;
  UPDATE taluva.server SET term = next, batch = 0, node = its_node, relay = its_relay
  WHERE part = this_part;
  RETURN CASE WHEN FOUND THEN next END;
END $$;
CREATE TABLE taluva.account (
    session bigint NOT NULL,
    number bigint NOT NULL,
    kind bigint NOT NULL,
    since_ms bigint NOT NULL,
    called_ms bigint NOT NULL,
    user_id bytea NOT NULL,
    handle text NOT NULL COLLATE pg_catalog."C",
    claim text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT account_user_id_check CHECK ((length(user_id) = 16))
);
CREATE TABLE taluva.appeal (
    session bigint NOT NULL,
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    answer bigint NOT NULL
);
CREATE TABLE taluva.archive (
    session bigint NOT NULL,
    room text NOT NULL COLLATE pg_catalog."C",
    at_ms bigint NOT NULL,
    game text NOT NULL COLLATE pg_catalog."C",
    why text NOT NULL COLLATE pg_catalog."C",
    rules bigint NOT NULL,
    against bigint NOT NULL,
    size bigint NOT NULL,
    seat bigint NOT NULL,
    result bigint NOT NULL,
    level text NOT NULL COLLATE pg_catalog."C",
    handle text NOT NULL COLLATE pg_catalog."C",
    options text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.document (
    name text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    text text NOT NULL,
    CONSTRAINT document_revision_check CHECK ((revision >= 0))
);
CREATE VIEW taluva.bans AS
 SELECT true AS one,
    document.revision,
    document.text
   FROM taluva.document
  WHERE (document.name = 'bans'::text);
CREATE TABLE taluva.block (
    session bigint NOT NULL,
    other bigint NOT NULL,
    pair bigint NOT NULL,
    since_ms bigint NOT NULL,
    handle text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.book (
    n bigint NOT NULL,
    at_ms bigint NOT NULL,
    chain bytea NOT NULL,
    line text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT book_chain_check CHECK ((length(chain) = 32))
);
CREATE TABLE taluva.book_end (
    id bigint NOT NULL,
    n bigint NOT NULL,
    chain bytea NOT NULL,
    system bigint NOT NULL,
    CONSTRAINT book_end_chain_check CHECK ((length(chain) = 32))
);
CREATE TABLE taluva.bot (
    session bigint NOT NULL,
    owner bigint NOT NULL,
    since_ms bigint NOT NULL
);
CREATE TABLE taluva.burnt (
    site bigint NOT NULL,
    claim text NOT NULL COLLATE pg_catalog."C",
    since_ms bigint NOT NULL
);
CREATE TABLE taluva.choice (
    session bigint NOT NULL,
    games bigint NOT NULL,
    reach bigint NOT NULL,
    computers bigint NOT NULL
);
CREATE TABLE taluva.closing (
    session bigint NOT NULL,
    at_ms bigint NOT NULL
);
CREATE TABLE taluva.conduct (
    session bigint NOT NULL,
    paused_ms bigint NOT NULL,
    pause_ms bigint NOT NULL,
    outcomes text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.contest (
    event text NOT NULL COLLATE pg_catalog."C",
    going bigint NOT NULL,
    made_ms bigint NOT NULL,
    secret bytea NOT NULL,
    CONSTRAINT contest_secret_check CHECK ((length(secret) = 32))
);
CREATE TABLE taluva.contest_entrant (
    event text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    session bigint NOT NULL,
    kind bigint NOT NULL,
    handle text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.contest_entry (
    event text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL,
    text text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.contest_room (
    event text NOT NULL COLLATE pg_catalog."C",
    round bigint NOT NULL,
    seat_table bigint NOT NULL,
    room text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.event (
    room bigint NOT NULL,
    seq bigint NOT NULL,
    at_ms bigint NOT NULL,
    held_ms bigint NOT NULL,
    session bigint NOT NULL,
    request_id bigint NOT NULL,
    digest bigint NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    text text NOT NULL,
    CONSTRAINT event_seq_check CHECK ((seq > 0))
);
CREATE TABLE taluva.external (
    session bigint NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    since_ms bigint NOT NULL,
    used_ms bigint NOT NULL
);
CREATE TABLE taluva.follow (
    session bigint NOT NULL,
    other bigint NOT NULL,
    since_ms bigint NOT NULL,
    handle text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.game (
    session bigint NOT NULL,
    at_ms bigint NOT NULL,
    room text NOT NULL COLLATE pg_catalog."C",
    seat smallint NOT NULL,
    text text NOT NULL,
    CONSTRAINT game_room_check CHECK ((length(room) = 8))
);
CREATE TABLE taluva.guest (
    room bigint NOT NULL,
    session bigint NOT NULL
);
CREATE TABLE taluva.invite (
    session bigint NOT NULL,
    slot bigint NOT NULL,
    code_hash text NOT NULL COLLATE pg_catalog."C",
    since_ms bigint NOT NULL,
    until_ms bigint NOT NULL
);
CREATE TABLE taluva.invited (
    session bigint NOT NULL,
    by_session bigint NOT NULL,
    code_hash text NOT NULL COLLATE pg_catalog."C",
    since_ms bigint NOT NULL
);
CREATE TABLE taluva.judged (
    session bigint NOT NULL,
    id bigint NOT NULL,
    verdict bigint NOT NULL,
    why bigint NOT NULL,
    heeded bigint NOT NULL,
    at_ms bigint NOT NULL,
    until_ms bigint NOT NULL,
    words text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.judgement (
    id bigint NOT NULL,
    about bigint NOT NULL,
    verdict bigint NOT NULL,
    why bigint NOT NULL,
    in_force bigint NOT NULL,
    at_ms bigint NOT NULL,
    until_ms bigint NOT NULL,
    judge bigint NOT NULL,
    words text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.jump (
    part bigint NOT NULL,
    place bigint NOT NULL,
    since_ms bigint NOT NULL,
    until_ms bigint NOT NULL
);
CREATE TABLE taluva.letter (
    addressee bigint NOT NULL,
    id bigint NOT NULL,
    state bigint NOT NULL,
    at_ms bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C"
);
CREATE SEQUENCE taluva.life
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE taluva.meeting (
    slot bigint NOT NULL,
    n bigint NOT NULL,
    at_ms bigint NOT NULL,
    one bigint NOT NULL,
    other bigint NOT NULL,
    new_one bigint NOT NULL,
    new_other bigint NOT NULL
);
CREATE TABLE taluva.moderator (
    session bigint NOT NULL,
    since_ms bigint NOT NULL,
    handle text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.node (
    name text NOT NULL COLLATE pg_catalog."C",
    relay text NOT NULL,
    version text NOT NULL,
    life bigint NOT NULL,
    beat bigint NOT NULL,
    documents text DEFAULT ''::text NOT NULL,
    links text,
    ahead_ms bigint,
    facts bigint[]
)
WITH (fillfactor='20');
CREATE TABLE taluva.offer (
    session bigint NOT NULL,
    until_ms bigint NOT NULL,
    room text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.pass (
    session bigint NOT NULL,
    id bigint NOT NULL,
    kind smallint NOT NULL,
    secret_hash bytea NOT NULL,
    name text NOT NULL,
    since_ms bigint NOT NULL,
    seen_ms bigint NOT NULL,
    CONSTRAINT pass_kind_check CHECK ((kind = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT pass_secret_hash_check CHECK ((length(secret_hash) = 32))
);
CREATE TABLE taluva.passkey (
    session bigint NOT NULL,
    key bigint NOT NULL,
    id_hash text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    cose text NOT NULL COLLATE pg_catalog."C",
    rp text NOT NULL COLLATE pg_catalog."C",
    user_id bytea NOT NULL,
    counter bigint NOT NULL,
    flags bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    since_ms bigint NOT NULL,
    seen_ms bigint NOT NULL,
    CONSTRAINT passkey_user_id_check CHECK ((length(user_id) = 16))
);
CREATE TABLE taluva.place (
    session bigint NOT NULL,
    room text NOT NULL COLLATE pg_catalog."C",
    since_ms bigint NOT NULL
);
CREATE TABLE taluva.profile (
    session bigint NOT NULL,
    hidden bigint NOT NULL
);
CREATE TABLE taluva.push (
    session bigint NOT NULL,
    key bigint NOT NULL,
    pass bigint NOT NULL,
    since_ms bigint NOT NULL,
    point bytea NOT NULL,
    auth bytea NOT NULL,
    endpoint text NOT NULL,
    CONSTRAINT push_auth_check CHECK ((length(auth) = 16)),
    CONSTRAINT push_point_check CHECK ((length(point) = 65))
);
CREATE TABLE taluva.quiet (
    session bigint NOT NULL,
    since_ms bigint NOT NULL
);
CREATE TABLE taluva.rating (
    account bigint NOT NULL,
    class bigint NOT NULL,
    strength bigint NOT NULL,
    deviation bigint NOT NULL,
    matches bigint NOT NULL,
    last_ms bigint NOT NULL,
    n bigint NOT NULL,
    listed bigint NOT NULL,
    handle text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.rating_step (
    account bigint NOT NULL,
    class bigint NOT NULL,
    n bigint NOT NULL,
    at_ms bigint NOT NULL,
    strength_before bigint NOT NULL,
    strength bigint NOT NULL,
    deviation bigint NOT NULL,
    room text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.report (
    id bigint NOT NULL,
    about bigint NOT NULL,
    reporter bigint NOT NULL,
    source bigint NOT NULL,
    why bigint NOT NULL,
    judgement bigint NOT NULL,
    at_ms bigint NOT NULL,
    snapshot text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.room (
    key bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL,
    secret bytea NOT NULL,
    host bigint NOT NULL,
    created_ms bigint NOT NULL,
    archived boolean DEFAULT false NOT NULL,
    slot smallint GENERATED ALWAYS AS ((
CASE
    WHEN ((strpos('0123456789abcdefghjkmnpqrstvwxyz'::text, substr(id, 1, 1)) * strpos('0123456789abcdefghjkmnpqrstvwxyz'::text, substr(id, 2, 1))) = 0) THEN 0
    ELSE (((32 * strpos('0123456789abcdefghjkmnpqrstvwxyz'::text, substr(id, 1, 1))) + strpos('0123456789abcdefghjkmnpqrstvwxyz'::text, substr(id, 2, 1))) - 33)
END)::smallint) STORED NOT NULL,
    CONSTRAINT room_id_check CHECK ((length(id) = 8)),
    CONSTRAINT room_secret_check CHECK ((length(secret) = 32))
);
CREATE TABLE taluva.seek (
    session bigint NOT NULL,
    since_ms bigint NOT NULL,
    said_ms bigint NOT NULL,
    game bigint NOT NULL,
    sizes bigint NOT NULL,
    kind bigint NOT NULL,
    handle text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    apart text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE taluva.server (
    term bigint NOT NULL,
    batch bigint NOT NULL,
    part integer NOT NULL,
    node text DEFAULT ''::text NOT NULL,
    relay text DEFAULT ''::text NOT NULL,
    CONSTRAINT server_part_check CHECK (((part >= 0) AND (part <= 63)))
)
WITH (fillfactor='20');
CREATE TABLE taluva.session (
    id bigint NOT NULL,
    name text NOT NULL,
    created_ms bigint NOT NULL,
    seen_ms bigint NOT NULL
);
CREATE TABLE taluva.site (
    one boolean NOT NULL,
    parts integer NOT NULL,
    term bigint NOT NULL,
    CONSTRAINT site_one_check CHECK (one),
    CONSTRAINT site_parts_check CHECK (((parts >= 1) AND (parts <= 64)))
)
WITH (fillfactor='20');
CREATE TABLE taluva.site_invite (
    site bigint NOT NULL,
    code_hash text NOT NULL COLLATE pg_catalog."C",
    since_ms bigint NOT NULL,
    until_ms bigint NOT NULL
);
CREATE TABLE taluva.tally (
    session bigint NOT NULL,
    game text NOT NULL COLLATE pg_catalog."C",
    against bigint NOT NULL,
    size bigint NOT NULL,
    matches bigint NOT NULL,
    won bigint NOT NULL,
    finished bigint NOT NULL,
    last_ms bigint NOT NULL
);
CREATE TABLE taluva.token (
    session bigint NOT NULL,
    id bigint NOT NULL,
    secret_hash bytea NOT NULL,
    scopes bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    since_ms bigint NOT NULL,
    seen_ms bigint NOT NULL,
    until_ms bigint NOT NULL,
    CONSTRAINT token_secret_hash_check CHECK ((length(secret_hash) = 32))
);
CREATE TABLE taluva.unseen (
    session bigint NOT NULL,
    since_ms bigint NOT NULL
);
CREATE TABLE taluva.version (
    one boolean NOT NULL,
    program text NOT NULL,
    version integer NOT NULL,
    whole boolean NOT NULL,
    needs integer NOT NULL,
    CONSTRAINT version_one_check CHECK (one)
);
CREATE TABLE taluva.wish (
    session bigint NOT NULL,
    beside bigint NOT NULL,
    source bigint NOT NULL,
    clocks bigint NOT NULL
);
CREATE TABLE taluva.yardstick (
    class bigint NOT NULL,
    level text NOT NULL COLLATE pg_catalog."C",
    sides bigint NOT NULL,
    inside bigint NOT NULL,
    strength bigint NOT NULL,
    trials bigint NOT NULL,
    won bigint NOT NULL
);
INSERT INTO taluva.account VALUES (7, 1, 2, 4, 5, '\x06060606060606060606060606060606', '0handle', '0claim');
INSERT INTO taluva.account VALUES (8, 2, 0, 0, 0, '\x00000000000000000000000000000000', '', '');
INSERT INTO taluva.appeal VALUES (7, 1, 3, 4);
INSERT INTO taluva.appeal VALUES (8, 2, 0, 0);
INSERT INTO taluva.archive VALUES (7, '0room', 3, '0game', '0why', 6, 2, 8, 9, 3, '0level', '0handle', '0options');
INSERT INTO taluva.archive VALUES (8, '1room', 0, '', '', 0, 0, 0, 0, 0, '', '', '');
INSERT INTO taluva.block VALUES (7, 1, 3, 4, '0handle');
INSERT INTO taluva.block VALUES (8, 2, 0, 0, '');
INSERT INTO taluva.book VALUES (1, 2, '\x0303030303030303030303030303030303030303030303030303030303030303', '0line');
INSERT INTO taluva.book VALUES (2, 0, '\x0000000000000000000000000000000000000000000000000000000000000000', '');
INSERT INTO taluva.book_end VALUES (1, 2, '\x0303030303030303030303030303030303030303030303030303030303030303', 4);
INSERT INTO taluva.bot VALUES (7, 2, 3);
INSERT INTO taluva.bot VALUES (8, 0, 0);
INSERT INTO taluva.burnt VALUES (1, '0claim', 3);
INSERT INTO taluva.burnt VALUES (2, '1claim', 0);
INSERT INTO taluva.choice VALUES (1, 2, 3, 1);
INSERT INTO taluva.choice VALUES (2, 0, 0, 0);
INSERT INTO taluva.closing VALUES (7, 2);
INSERT INTO taluva.closing VALUES (8, 0);
INSERT INTO taluva.conduct VALUES (7, 2, 3, '0outcomes');
INSERT INTO taluva.conduct VALUES (8, 0, 0, '');
INSERT INTO taluva.contest VALUES ('0event', 1, 3, '\x0404040404040404040404040404040404040404040404040404040404040404');
INSERT INTO taluva.contest VALUES ('1event', 0, 0, '\x0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO taluva.contest_entrant VALUES ('0event', 1, 3, 4, '0handle', '0name');
INSERT INTO taluva.contest_entrant VALUES ('1event', 2, 0, 0, '', '');
INSERT INTO taluva.contest_entry VALUES ('0event', 1, '0text');
INSERT INTO taluva.contest_entry VALUES ('1event', 2, '');
INSERT INTO taluva.contest_room VALUES ('0event', 1, 1, '0room');
INSERT INTO taluva.contest_room VALUES ('1event', 2, 2, '');
INSERT INTO taluva.document VALUES ('bans', 0, '');
INSERT INTO taluva.document VALUES ('0name', 2, '0text');
INSERT INTO taluva.external VALUES (7, '0subject', 3, 4);
INSERT INTO taluva.external VALUES (8, '', 0, 0);
INSERT INTO taluva.follow VALUES (7, 1, 3, '0handle');
INSERT INTO taluva.follow VALUES (8, 2, 0, '');
INSERT INTO taluva.game VALUES (7, 1, '0room000', 4, '0text');
INSERT INTO taluva.game VALUES (8, 2, '1room000', 0, '');
INSERT INTO taluva.invite VALUES (7, 1, '0code_hash', 4, 5);
INSERT INTO taluva.invite VALUES (8, 2, '', 0, 0);
INSERT INTO taluva.invited VALUES (7, 2, '0code_hash', 4);
INSERT INTO taluva.invited VALUES (8, 0, '', 0);
INSERT INTO taluva.judged VALUES (7, 1, 3, 4, 1, 6, 7, '0words');
INSERT INTO taluva.judged VALUES (8, 2, 0, 0, 0, 0, 0, '');
INSERT INTO taluva.judgement VALUES (1, 2, 3, 4, 1, 6, 7, 8, '0words');
INSERT INTO taluva.judgement VALUES (2, 0, 0, 0, 0, 0, 0, 0, '');
INSERT INTO taluva.jump VALUES (1, 1, 3, 4);
INSERT INTO taluva.jump VALUES (2, 2, 0, 0);
INSERT INTO taluva.letter VALUES (1, 1, 3, 4, '0kind', '0text');
INSERT INTO taluva.letter VALUES (2, 2, 0, 0, '', '');
INSERT INTO taluva.meeting VALUES (1, 2, 3, 4, 5, 1, 1);
INSERT INTO taluva.meeting VALUES (2, 0, 0, 0, 0, 0, 0);
INSERT INTO taluva.moderator VALUES (7, 2, '0handle');
INSERT INTO taluva.moderator VALUES (8, 0, '');
INSERT INTO taluva.offer VALUES (1, 2, '0room');
INSERT INTO taluva.offer VALUES (2, 0, '');
INSERT INTO taluva.pass VALUES (7, 1, 2, '\x0404040404040404040404040404040404040404040404040404040404040404', '0name', 6, 7);
INSERT INTO taluva.pass VALUES (8, 2, 0, '\x0000000000000000000000000000000000000000000000000000000000000000', '', 0, 0);
INSERT INTO taluva.passkey VALUES (7, 1, '0id_hash', '0id', '0cose', '0rp', '\x07070707070707070707070707070707', 8, 9, '0name', 11, 12);
INSERT INTO taluva.passkey VALUES (8, 2, '', '', '', '', '\x00000000000000000000000000000000', 0, 0, '', 0, 0);
INSERT INTO taluva.place VALUES (1, '0room', 3);
INSERT INTO taluva.place VALUES (2, '1room', 0);
INSERT INTO taluva.profile VALUES (7, 1);
INSERT INTO taluva.profile VALUES (8, 0);
INSERT INTO taluva.push VALUES (7, 1, 7, 3, '\x0404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404', '\x05050505050505050505050505050505', '0endpoint');
INSERT INTO taluva.push VALUES (8, 2, 0, 0, '\x0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', '\x00000000000000000000000000000000', '');
INSERT INTO taluva.quiet VALUES (7, 2);
INSERT INTO taluva.quiet VALUES (8, 0);
INSERT INTO taluva.rating VALUES (1, 1, 3, 4, 5, 6, 7, 8, '0handle');
INSERT INTO taluva.rating VALUES (2, 2, 0, 0, 0, 0, 0, 0, '');
INSERT INTO taluva.rating_step VALUES (1, 1, 1, 4, 5, 6, 7, '0room');
INSERT INTO taluva.rating_step VALUES (2, 2, 2, 0, 0, 0, 0, '');
INSERT INTO taluva.report VALUES (1, 2, 3, 4, 4, 6, 7, '0snapshot');
INSERT INTO taluva.report VALUES (2, 0, 0, 0, 0, 0, 0, '');
INSERT INTO taluva.seek VALUES (1, 2, 3, 1, 5, 2, '0handle', '0name', '0apart');
INSERT INTO taluva.seek VALUES (2, 0, 0, 0, 0, 0, '', '', '');
INSERT INTO taluva.server VALUES (4, -1, 0, '', '');
INSERT INTO taluva.session VALUES (7, 'Ana', 0, 0);
INSERT INTO taluva.session VALUES (8, 'Ana', 0, 0);
INSERT INTO taluva.site VALUES (true, 1, 4);
INSERT INTO taluva.site_invite VALUES (1, '0code_hash', 3, 4);
INSERT INTO taluva.site_invite VALUES (2, '1code_hash', 0, 0);
INSERT INTO taluva.tally VALUES (7, '0game', 1, 1, 5, 6, 7, 8);
INSERT INTO taluva.tally VALUES (8, '1game', 2, 2, 0, 0, 0, 0);
INSERT INTO taluva.token VALUES (7, 1, '\x0303030303030303030303030303030303030303030303030303030303030303', 4, '0name', 6, 7, 8);
INSERT INTO taluva.token VALUES (8, 2, '\x0000000000000000000000000000000000000000000000000000000000000000', 0, '', 0, 0, 0);
INSERT INTO taluva.unseen VALUES (7, 2);
INSERT INTO taluva.unseen VALUES (8, 0);
INSERT INTO taluva.version VALUES (true, 'taluvad', 6, true, 3);
INSERT INTO taluva.wish VALUES (1, 2, 3, 4);
INSERT INTO taluva.wish VALUES (2, 0, 0, 0);
INSERT INTO taluva.yardstick VALUES (1, '0level', 1, 1, 1, 6, 7);
INSERT INTO taluva.yardstick VALUES (2, '1level', 2, 2, 2, 0, 0);
SELECT pg_catalog.setval('taluva.life', 1, false);
ALTER TABLE ONLY taluva.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (session, number);
ALTER TABLE ONLY taluva.appeal
    ADD CONSTRAINT appeal_pkey PRIMARY KEY (session, id);
ALTER TABLE ONLY taluva.archive
    ADD CONSTRAINT archive_pkey PRIMARY KEY (session, room);
ALTER TABLE ONLY taluva.block
    ADD CONSTRAINT block_pkey PRIMARY KEY (session, other);
ALTER TABLE ONLY taluva.book_end
    ADD CONSTRAINT book_end_pkey PRIMARY KEY (id);
ALTER TABLE ONLY taluva.book
    ADD CONSTRAINT book_pkey PRIMARY KEY (n);
ALTER TABLE ONLY taluva.bot
    ADD CONSTRAINT bot_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.burnt
    ADD CONSTRAINT burnt_pkey PRIMARY KEY (site, claim);
ALTER TABLE ONLY taluva.choice
    ADD CONSTRAINT choice_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.closing
    ADD CONSTRAINT closing_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.conduct
    ADD CONSTRAINT conduct_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.contest_entrant
    ADD CONSTRAINT contest_entrant_pkey PRIMARY KEY (event, number);
ALTER TABLE ONLY taluva.contest_entry
    ADD CONSTRAINT contest_entry_pkey PRIMARY KEY (event, n);
ALTER TABLE ONLY taluva.contest
    ADD CONSTRAINT contest_pkey PRIMARY KEY (event);
ALTER TABLE ONLY taluva.contest_room
    ADD CONSTRAINT contest_room_pkey PRIMARY KEY (event, round, seat_table);
ALTER TABLE ONLY taluva.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (name);
ALTER TABLE ONLY taluva.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (room, seq);
ALTER TABLE ONLY taluva.external
    ADD CONSTRAINT external_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.follow
    ADD CONSTRAINT follow_pkey PRIMARY KEY (session, other);
ALTER TABLE ONLY taluva.game
    ADD CONSTRAINT game_pkey PRIMARY KEY (session, at_ms, room);
ALTER TABLE ONLY taluva.guest
    ADD CONSTRAINT guest_pkey PRIMARY KEY (room, session);
ALTER TABLE ONLY taluva.invite
    ADD CONSTRAINT invite_pkey PRIMARY KEY (session, slot);
ALTER TABLE ONLY taluva.invited
    ADD CONSTRAINT invited_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.judged
    ADD CONSTRAINT judged_pkey PRIMARY KEY (session, id);
ALTER TABLE ONLY taluva.judgement
    ADD CONSTRAINT judgement_pkey PRIMARY KEY (id);
ALTER TABLE ONLY taluva.jump
    ADD CONSTRAINT jump_pkey PRIMARY KEY (part, place);
ALTER TABLE ONLY taluva.letter
    ADD CONSTRAINT letter_pkey PRIMARY KEY (addressee, id);
ALTER TABLE ONLY taluva.meeting
    ADD CONSTRAINT meeting_pkey PRIMARY KEY (slot);
ALTER TABLE ONLY taluva.moderator
    ADD CONSTRAINT moderator_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (name);
ALTER TABLE ONLY taluva.offer
    ADD CONSTRAINT offer_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.pass
    ADD CONSTRAINT pass_pkey PRIMARY KEY (session, id);
ALTER TABLE ONLY taluva.passkey
    ADD CONSTRAINT passkey_pkey PRIMARY KEY (session, key);
ALTER TABLE ONLY taluva.place
    ADD CONSTRAINT place_pkey PRIMARY KEY (session, room);
ALTER TABLE ONLY taluva.profile
    ADD CONSTRAINT profile_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.push
    ADD CONSTRAINT push_pkey PRIMARY KEY (session, key);
ALTER TABLE ONLY taluva.quiet
    ADD CONSTRAINT quiet_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.rating
    ADD CONSTRAINT rating_pkey PRIMARY KEY (account, class);
ALTER TABLE ONLY taluva.rating_step
    ADD CONSTRAINT rating_step_pkey PRIMARY KEY (account, class, n);
ALTER TABLE ONLY taluva.report
    ADD CONSTRAINT report_pkey PRIMARY KEY (id);
ALTER TABLE ONLY taluva.room
    ADD CONSTRAINT room_id_key UNIQUE (id);
ALTER TABLE ONLY taluva.room
    ADD CONSTRAINT room_pkey PRIMARY KEY (key);
ALTER TABLE ONLY taluva.seek
    ADD CONSTRAINT seek_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.server
    ADD CONSTRAINT server_pkey PRIMARY KEY (part);
ALTER TABLE ONLY taluva.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY taluva.site_invite
    ADD CONSTRAINT site_invite_pkey PRIMARY KEY (site, code_hash);
ALTER TABLE ONLY taluva.site
    ADD CONSTRAINT site_pkey PRIMARY KEY (one);
ALTER TABLE ONLY taluva.tally
    ADD CONSTRAINT tally_pkey PRIMARY KEY (session, game, against, size);
ALTER TABLE ONLY taluva.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (session, id);
ALTER TABLE ONLY taluva.unseen
    ADD CONSTRAINT unseen_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (one);
ALTER TABLE ONLY taluva.wish
    ADD CONSTRAINT wish_pkey PRIMARY KEY (session);
ALTER TABLE ONLY taluva.yardstick
    ADD CONSTRAINT yardstick_pkey PRIMARY KEY (class, level, sides, inside, strength);
CREATE INDEX account_by_claim ON taluva.account USING btree (claim, session, number);
CREATE INDEX account_by_session ON taluva.account USING btree (session, number);
CREATE UNIQUE INDEX account_claim ON taluva.account USING btree (claim) WHERE (claim <> ''::text);
CREATE INDEX archive_by_game ON taluva.archive USING btree (game, at_ms, room, session);
CREATE INDEX archive_by_rules ON taluva.archive USING btree (game, rules, at_ms, room, session);
CREATE INDEX archive_by_session ON taluva.archive USING btree (session, at_ms, room);
CREATE INDEX archive_by_why ON taluva.archive USING btree (game, why, at_ms, room, session);
CREATE INDEX block_by_pair ON taluva.block USING btree (pair, session, other);
CREATE INDEX block_by_session ON taluva.block USING btree (session, other);
CREATE INDEX book_by_n ON taluva.book USING btree (n);
CREATE INDEX burnt_by_claim ON taluva.burnt USING btree (claim, site);
CREATE INDEX external_by_subject ON taluva.external USING btree (subject, session);
CREATE UNIQUE INDEX external_subject ON taluva.external USING btree (subject) WHERE (subject <> ''::text);
CREATE INDEX follow_by_session ON taluva.follow USING btree (session, other);
CREATE INDEX invite_by_hash ON taluva.invite USING btree (code_hash, session, slot);
CREATE INDEX invite_by_session ON taluva.invite USING btree (session, slot);
CREATE UNIQUE INDEX invited_code_hash ON taluva.invited USING btree (code_hash) WHERE (code_hash <> ''::text);
CREATE INDEX letter_waiting ON taluva.letter USING btree (state, at_ms, addressee, id);
CREATE INDEX live_room ON taluva.room USING btree (slot) WHERE (NOT archived);
CREATE INDEX moderator_by_since ON taluva.moderator USING btree (since_ms, session);
CREATE INDEX pass_of_secret ON taluva.pass USING btree (secret_hash);
CREATE INDEX passkey_by_id ON taluva.passkey USING btree (id_hash, session, key);
CREATE INDEX passkey_by_session ON taluva.passkey USING btree (session, since_ms, key);
CREATE UNIQUE INDEX passkey_id_hash ON taluva.passkey USING btree (id_hash) WHERE (id_hash <> ''::text);
CREATE INDEX profile_by_session ON taluva.profile USING btree (session);
CREATE INDEX rating_leaders ON taluva.rating USING btree (class, listed, account);
CREATE INDEX rating_of_account ON taluva.rating USING btree (account, class);
CREATE INDEX rating_step_curve ON taluva.rating_step USING btree (account, class, n);
CREATE INDEX site_invite_by_hash ON taluva.site_invite USING btree (code_hash, site);
CREATE INDEX tally_by_session ON taluva.tally USING btree (session, game, against, size);
CREATE INDEX yardstick_of_class ON taluva.yardstick USING btree (class, level, sides, inside, strength);
CREATE RULE document_stays AS
    ON DELETE TO taluva.document DO INSTEAD NOTHING;
ALTER TABLE ONLY taluva.account
    ADD CONSTRAINT account_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.appeal
    ADD CONSTRAINT appeal_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.archive
    ADD CONSTRAINT archive_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.block
    ADD CONSTRAINT block_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.bot
    ADD CONSTRAINT bot_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.closing
    ADD CONSTRAINT closing_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.conduct
    ADD CONSTRAINT conduct_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.external
    ADD CONSTRAINT external_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.follow
    ADD CONSTRAINT follow_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.game
    ADD CONSTRAINT game_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.guest
    ADD CONSTRAINT guest_room_fkey FOREIGN KEY (room) REFERENCES taluva.room(key) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.invite
    ADD CONSTRAINT invite_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.invited
    ADD CONSTRAINT invited_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.judged
    ADD CONSTRAINT judged_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.moderator
    ADD CONSTRAINT moderator_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.pass
    ADD CONSTRAINT pass_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.passkey
    ADD CONSTRAINT passkey_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.profile
    ADD CONSTRAINT profile_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.push
    ADD CONSTRAINT push_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.quiet
    ADD CONSTRAINT quiet_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.tally
    ADD CONSTRAINT tally_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.token
    ADD CONSTRAINT token_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
ALTER TABLE ONLY taluva.unseen
    ADD CONSTRAINT unseen_session_fkey FOREIGN KEY (session) REFERENCES taluva.session(id) ON DELETE CASCADE;
