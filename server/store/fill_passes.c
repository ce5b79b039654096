#include "fill_passes.h"

#include "database.h"
#include "migrations.sql.h"
#include "rows.h"

struct passing {
    sqlite3_stmt *sessions, *put_pass, *put_hash;
};

enum { TOKEN_HASH_BYTES = 32 };

/* The first device of the session. */
static int put_pass(sqlite3_stmt *stmt, const struct store_session *session,
                    const uint8_t token_hash[static TOKEN_HASH_BYTES])
{
    struct row_hash hash = hash_first_pass(session, token_hash);
    bind_int(stmt, 1, (int64_t)session->id);
    bind_blob(stmt, 2, token_hash, TOKEN_HASH_BYTES);
    bind_int(stmt, 3, session->created_ms);
    bind_int(stmt, 4, session->seen_ms);
    bind_blob(stmt, 5, hash.bytes, sizeof hash.bytes);
    return statement_run(stmt);
}

static int pass_of_session(const struct passing *passing)
{
    struct store_session session;
    uint8_t token_hash[TOKEN_HASH_BYTES];
    if (!session_of_row(passing->sessions, 0, &session) ||
        !column_bytes(passing->sessions, 4, token_hash, sizeof token_hash))
        return SQLITE_OK;
    struct row_hash before = hash_session_and_token(&session, token_hash);
    if (!hash_is(passing->sessions, 5, &before))
        return SQLITE_OK;
    int code = put_pass(passing->put_pass, &session, token_hash);
    if (code != SQLITE_OK)
        return code;
    struct row_hash hash = hash_session(&session);
    bind_int(passing->put_hash, 1, (int64_t)session.id);
    bind_blob(passing->put_hash, 2, hash.bytes, sizeof hash.bytes);
    return statement_run(passing->put_hash);
}

static int pass_all(sqlite3 *db, struct passing *passing)
{
    int code = sqlite3_prepare_v2(db, SQL_SESSIONS_WITH_TOKENS, -1, &passing->sessions, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, SQL_PUT_FIRST_PASS, -1, &passing->put_pass, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, SQL_PUT_SESSION_HASH_OF, -1, &passing->put_hash, NULL);
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
    return code == SQLITE_OK ? database_run(db, SQL_DROP_TOKENS) : code;
}
