#include "schema.h"

#include <stdio.h>
#include <string.h>

/*
 *     version     of all this; `whole` is false while another store is copied into it
 *     server      the term of the server that has it, and the number of its last batch
 *     session     a row each; pass, push and game as in the embedded store
 *     room        a row each; archived ones are not handed out at start
 *     event       the logs of all rooms
 *     guest       sessions that have given the code of a live room by invitation
 *
 * Numbers of 64 bits without a sign are stored as if they had one. `event` has no foreign key: to
 * hold one would write the row of the room at each append. Ids of rooms are compared as bytes.
 *
 * fence() is called first in each transaction. The row that it changes is locked until the end, so
 * of two that send the same batch one waits for the other. That row is written all the time: most
 * of its page is left free for it.
 */
static const char tables[] =
    "CREATE TABLE taluva.version ("
    "  one boolean PRIMARY KEY CHECK (one),"
    "  program text NOT NULL,"
    "  version integer NOT NULL,"
    "  whole boolean NOT NULL);"
    "INSERT INTO taluva.version VALUES (true, 'taluvad', 1, true);"
    "CREATE TABLE taluva.server ("
    "  one boolean PRIMARY KEY CHECK (one),"
    "  term bigint NOT NULL,"
    "  batch bigint NOT NULL) WITH (fillfactor = 20);"
    "INSERT INTO taluva.server VALUES (true, 0, 0);"
    "CREATE TABLE taluva.session ("
    "  id bigint PRIMARY KEY,"
    "  name text NOT NULL,"
    "  created_ms bigint NOT NULL,"
    "  seen_ms bigint NOT NULL);"
    "CREATE TABLE taluva.pass ("
    "  session bigint NOT NULL REFERENCES taluva.session (id) ON DELETE CASCADE,"
    "  id bigint NOT NULL,"
    "  kind smallint NOT NULL CHECK (kind IN (0, 1, 2)),"
    "  secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),"
    "  name text NOT NULL,"
    "  since_ms bigint NOT NULL,"
    "  seen_ms bigint NOT NULL,"
    "  PRIMARY KEY (session, id));"
    "CREATE INDEX pass_of_secret ON taluva.pass (secret_hash);"
    "CREATE TABLE taluva.push ("
    "  session bigint NOT NULL REFERENCES taluva.session (id) ON DELETE CASCADE,"
    "  key bigint NOT NULL,"
    "  pass bigint NOT NULL,"
    "  since_ms bigint NOT NULL,"
    "  point bytea NOT NULL CHECK (length(point) = 65),"
    "  auth bytea NOT NULL CHECK (length(auth) = 16),"
    "  endpoint text NOT NULL,"
    "  PRIMARY KEY (session, key));"
    "CREATE TABLE taluva.game ("
    "  session bigint NOT NULL REFERENCES taluva.session (id) ON DELETE CASCADE,"
    "  at_ms bigint NOT NULL,"
    "  room text COLLATE \"C\" NOT NULL CHECK (length(room) = 8),"
    "  seat smallint NOT NULL,"
    "  text text NOT NULL,"
    "  PRIMARY KEY (session, at_ms, room));"
    "CREATE TABLE taluva.room ("
    "  key bigint PRIMARY KEY,"
    "  id text COLLATE \"C\" NOT NULL UNIQUE CHECK (length(id) = 8),"
    "  code text NOT NULL,"
    "  secret bytea NOT NULL CHECK (length(secret) = 32),"
    "  host bigint NOT NULL,"
    "  created_ms bigint NOT NULL,"
    "  archived boolean NOT NULL DEFAULT false);"
    "CREATE INDEX live_room ON taluva.room (key) WHERE NOT archived;"
    "CREATE TABLE taluva.event ("
    "  room bigint NOT NULL,"
    "  seq bigint NOT NULL CHECK (seq > 0),"
    "  at_ms bigint NOT NULL,"
    "  held_ms bigint NOT NULL,"
    "  session bigint NOT NULL,"
    "  request_id bigint NOT NULL,"
    "  digest bigint NOT NULL,"
    "  kind smallint NOT NULL,"
    "  seat smallint NOT NULL,"
    "  text text NOT NULL,"
    "  PRIMARY KEY (room, seq));"
    "CREATE TABLE taluva.guest ("
    "  room bigint NOT NULL REFERENCES taluva.room (key) ON DELETE CASCADE,"
    "  session bigint NOT NULL,"
    "  PRIMARY KEY (room, session));"
    "CREATE FUNCTION taluva.fence(this_term bigint, number bigint) RETURNS void"
    " LANGUAGE plpgsql SET search_path = pg_catalog AS $$"
    " DECLARE found_row taluva.server;"
    " BEGIN"
    "   UPDATE taluva.server SET batch = number WHERE term = this_term AND batch = number - 1;"
    "   IF FOUND THEN RETURN; END IF;"
    "   SELECT * INTO found_row FROM taluva.server;"
    "   IF found_row.term = this_term AND found_row.batch = number THEN"
    "     RAISE EXCEPTION 'the batch was written before' USING ERRCODE = 'TA001';"
    "   ELSIF found_row.term = this_term AND found_row.batch < number THEN"
    "     RAISE EXCEPTION 'the database has lost batches' USING ERRCODE = 'TA003';"
    "   END IF;"
    "   RAISE EXCEPTION 'another server has opened the store' USING ERRCODE = 'TA002';"
    " END $$;";

static enum db_result foreign(struct db *db, const char *why)
{
    db->problem = POSTGRES_FOREIGN;
    snprintf(db->message, sizeof db->message, "%s", why);
    return DB_FAILED;
}

/* What there is of the schema: nothing, an empty one, ours, or somebody else's. */
enum found { FOUND_NOTHING, FOUND_EMPTY, FOUND_OURS, FOUND_OTHER };

static enum db_result look_for(struct db *db, enum found *found)
{
    PGresult *rows;
    enum db_result result =
        db_ask(db,
               "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'taluva'),"
               " EXISTS (SELECT FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace"
               "  WHERE nspname = 'taluva'),"
               " (SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid"
               "  JOIN pg_namespace n ON n.oid = relnamespace"
               "  WHERE nspname = 'taluva' AND relname = 'version'"
               "  AND attname IN ('program', 'version', 'whole')) = 3,"
               " current_setting('server_encoding') = 'UTF8'",
               NULL, &rows);
    if (result != DB_OK)
        return result;
    *found = !cell_flag(rows, 0, 0)   ? FOUND_NOTHING
             : !cell_flag(rows, 0, 1) ? FOUND_EMPTY
             : cell_flag(rows, 0, 2)  ? FOUND_OURS
                                      : FOUND_OTHER;
    if (!cell_flag(rows, 0, 3))
        result = foreign(db, "its encoding is not UTF8");
    PQclear(rows);
    return result;
}

static enum db_result make(struct db *db, enum found found)
{
    enum db_result result = db_run(db, "BEGIN");
    if (result == DB_OK && found == FOUND_NOTHING)
        result = db_run(db, "CREATE SCHEMA taluva");
    if (result == DB_OK)
        result = db_run(db, tables);
    return result == DB_OK ? db_run(db, "COMMIT") : result;
}

static enum db_result check_version(struct db *db)
{
    PGresult *rows;
    enum db_result result = db_ask(
        db, "SELECT program = 'taluvad', version::bigint, whole FROM taluva.version", NULL, &rows);
    if (result != DB_OK)
        return result;
    const bool ours = PQntuples(rows) == 1 && cell_flag(rows, 0, 0);
    const int64_t version = ours ? cell_number(rows, 0, 1) : 0;
    const bool whole = ours && cell_flag(rows, 0, 2);
    PQclear(rows);
    if (!ours || version < 1)
        return foreign(db, "its schema taluva is of another program");
    if (version > POSTGRES_VERSION) {
        db->problem = POSTGRES_NEWER;
        snprintf(db->message, sizeof db->message,
                 "it is of version %lld, and this program knows %d", (long long)version,
                 POSTGRES_VERSION);
        return DB_FAILED;
    }
    return whole ? DB_OK
                 : foreign(db, "copying a store into it was not finished: drop its schema taluva "
                               "and copy again");
}

enum db_result schema_open(struct db *db)
{
    enum found found = FOUND_OTHER;
    enum db_result result = look_for(db, &found);
    if (result != DB_OK)
        return result;
    switch (found) {
    case FOUND_NOTHING:
    case FOUND_EMPTY:
        result = make(db, found);
        break;
    case FOUND_OURS:
        break;
    case FOUND_OTHER:
        return foreign(db, "its schema taluva is of another program");
    }
    return result == DB_OK ? check_version(db) : result;
}
