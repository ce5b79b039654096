#include "fill_passes.h"

#include "database.h"
#include "rows.h"

static const char sessions_sql[] =
    "SELECT id, name, created_ms, seen_ms, token_hash, hash FROM session ORDER BY id";
static const char pass_sql[] =
    "INSERT INTO pass (session, id, kind, secret_hash, name, since_ms, seen_ms, hash)"
    " VALUES (?1, 0, 0, ?2, '', ?3, ?4, ?5)";
static const char hash_sql[] = "UPDATE session SET hash = ?2 WHERE id = ?1";

struct passing {
    sqlite3_stmt *sessions, *put_pass, *put_hash;
};

static int put_pass(sqlite3_stmt *stmt, const struct store_credential *pass)
{
    struct row_hash hash = hash_row(&store_credential_table, pass);
    bind_int(stmt, 1, (int64_t)pass->session);
    bind_blob(stmt, 2, pass->secret_hash, sizeof pass->secret_hash);
    bind_int(stmt, 3, pass->since_ms);
    bind_int(stmt, 4, pass->seen_ms);
    bind_blob(stmt, 5, hash.bytes, sizeof hash.bytes);
    return statement_run(stmt);
}

static int pass_of_session(const struct passing *passing)
{
    struct store_session session;
    struct store_credential pass = {.kind = STORE_CREDENTIAL_DEVICE, .name = ""};
    if (!session_of_row(passing->sessions, 0, &session) ||
        !column_bytes(passing->sessions, 4, pass.secret_hash, sizeof pass.secret_hash))
        return SQLITE_OK;
    struct row_hash before = hash_session_and_token(&session, pass.secret_hash);
    if (!hash_is(passing->sessions, 5, &before))
        return SQLITE_OK;
    pass.session = session.id;
    pass.since_ms = session.created_ms;
    pass.seen_ms = session.seen_ms;
    int code = put_pass(passing->put_pass, &pass);
    if (code != SQLITE_OK)
        return code;
    struct row_hash hash = hash_session(&session);
    bind_int(passing->put_hash, 1, (int64_t)session.id);
    bind_blob(passing->put_hash, 2, hash.bytes, sizeof hash.bytes);
    return statement_run(passing->put_hash);
}

static int pass_all(sqlite3 *db, struct passing *passing)
{
    int code = sqlite3_prepare_v2(db, sessions_sql, -1, &passing->sessions, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, pass_sql, -1, &passing->put_pass, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, hash_sql, -1, &passing->put_hash, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(passing->sessions)) == SQLITE_ROW)
        code = pass_of_session(passing);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int fill_passes(sqlite3 *db)
{
    struct passing passing = {NULL, NULL, NULL};
    int code = pass_all(db, &passing);
    sqlite3_finalize(passing.sessions);
    sqlite3_finalize(passing.put_pass);
    sqlite3_finalize(passing.put_hash);
    return code == SQLITE_OK ? database_run(db, "ALTER TABLE session DROP COLUMN token_hash")
                             : code;
}
