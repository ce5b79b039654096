#include "statements.h"

const char *const statements[STATEMENTS] = {
    [BEGIN] = "BEGIN",
    [FENCE] = "SELECT taluva.fence($1::bigint, $2::bigint, $3::bigint)",
    [COMMIT] = "COMMIT",
    [PUT_SESSION] = "INSERT INTO taluva.session (id, name, created_ms, seen_ms)"
                    " VALUES ($1::bigint, $2::text, $3::bigint, $4::bigint)"
                    " ON CONFLICT (id) DO UPDATE SET name = $2, created_ms = $3, seen_ms = $4",
    [DROP_SESSION] = "DELETE FROM taluva.session WHERE id = $1::bigint",
    [PUT_ROOM] = "INSERT INTO taluva.room (key, id, code, secret, host, created_ms)"
                 " VALUES ($1::bigint, $2::text, $3::text, $4::bytea, $5::bigint, $6::bigint)",
    [APPEND] = "INSERT INTO taluva.event (room, seq, at_ms, held_ms, session, request_id, digest,"
               " kind, seat, text) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[],"
               " $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::smallint[],"
               " $9::smallint[], $10::text[])",
    [ARCHIVE_ROOM] = "WITH gone AS (DELETE FROM taluva.guest WHERE room = $1::bigint)"
                     " UPDATE taluva.room SET archived = true WHERE key = $1::bigint",
    [DROP_ROOM] = "WITH gone AS (DELETE FROM taluva.room WHERE id = $1::text RETURNING key)"
                  " DELETE FROM taluva.event WHERE room IN (SELECT key FROM gone)",
    [LET_IN] = "INSERT INTO taluva.guest (room, session) VALUES ($1::bigint, $2::bigint)"
               " ON CONFLICT DO NOTHING",
    [LET_OUT] = "DELETE FROM taluva.guest WHERE room = $1::bigint AND session = $2::bigint",
    [PUT_PUSH] = "INSERT INTO taluva.push (session, key, pass, since_ms, point, auth, endpoint)"
                 " VALUES ($1::bigint, $2::bigint, $3::bigint, $4::bigint, $5::bytea, $6::bytea,"
                 " $7::text) ON CONFLICT (session, key) DO UPDATE SET pass = $3, since_ms = $4,"
                 " point = $5, auth = $6, endpoint = $7",
    [DROP_PUSH] = "DELETE FROM taluva.push WHERE session = $1::bigint AND key = $2::bigint",
    [PUT_PASS] = "INSERT INTO taluva.pass (session, id, kind, secret_hash, name, since_ms, seen_ms)"
                 " VALUES ($1::bigint, $2::bigint, ($3::bigint)::smallint, $4::bytea, $5::text,"
                 " $6::bigint, $7::bigint) ON CONFLICT (session, id) DO UPDATE SET"
                 " kind = ($3::bigint)::smallint, secret_hash = $4, name = $5, since_ms = $6,"
                 " seen_ms = $7",
    [DROP_PASS] = "DELETE FROM taluva.pass WHERE session = $1::bigint AND id = $2::bigint",
    /* The session may be another part's, which drops it at this moment. */
    [PUT_GAME] = "INSERT INTO taluva.game (session, at_ms, room, seat, text)"
                 " SELECT id, $2::bigint, $3::text, ($4::bigint)::smallint, $5::text"
                 " FROM taluva.session WHERE id = $1::bigint FOR KEY SHARE"
                 " ON CONFLICT (session, at_ms, room) DO UPDATE SET seat = ($4::bigint)::smallint,"
                 " text = $5",
    [TRIM_GAMES] = "DELETE FROM taluva.game WHERE session = $1::bigint AND (at_ms, room) <="
                   " (SELECT at_ms, room FROM taluva.game WHERE session = $1::bigint"
                   " ORDER BY at_ms DESC, room DESC LIMIT 1 OFFSET $2::bigint)",
};
