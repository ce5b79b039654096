#include "append.h"

#include "database.h"
#include <assert.h>

enum { COLUMNS = 12 };

/* How many rows a statement stores, the most first. */
static const struct {
    enum statement which;
    size_t rows;
} sizes[] = {{APPEND_8, 8}, {APPEND_4, 4}, {APPEND_2, 2}, {APPEND_1, 1}};

bool appends_hold(const struct appends *appends, const struct log_end *log_end)
{
    if (appends->count == APPENDS_MAX)
        return true;
    for (size_t at = 0; at < appends->count; at++) {
        if (appends->rows[at].log_end == log_end)
            return true;
    }
    return false;
}

void appends_add(struct appends *appends, struct log_end *log_end, const struct room_event *event)
{
    assert(!appends_hold(appends, log_end) && event->seq == log_end->seq + 1);
    log_end->hash = hash_event(&log_end->hash, event);
    log_end->seq = event->seq;
    appends->rows[appends->count].log_end = log_end;
    appends->rows[appends->count++].event = event;
}

static void bind_row(sqlite3_stmt *stmt, int before, const struct log_end *log_end,
                     const struct room_event *event)
{
    bind_int(stmt, before + 1, log_end->last_n);
    bind_int(stmt, before + 2, log_end->key);
    bind_int(stmt, before + 3, (int64_t)event->seq);
    bind_int(stmt, before + 4, event->at_ms);
    bind_int(stmt, before + 5, event->held_ms);
    bind_int(stmt, before + 6, (int64_t)event->origin.session);
    bind_int(stmt, before + 7, event->origin.request_id);
    bind_int(stmt, before + 8, (int64_t)event->origin.digest);
    bind_int(stmt, before + 9, (int64_t)event->kind);
    bind_int(stmt, before + 10, event->seat);
    bind_text(stmt, before + 11, event->text, event->text_len);
    bind_blob(stmt, before + COLUMNS, log_end->hash.bytes, sizeof log_end->hash.bytes);
}

/* Each row's n is one more than the one's before it, as SQLite chooses the largest and one. */
static enum store_result store_some(struct sqlite_store *store, size_t first, size_t rows,
                                    enum statement which)
{
    sqlite3_stmt *stmt = statement(store, which);
    for (size_t at = 0; at < rows; at++)
        bind_row(stmt, (int)at * COLUMNS, store->appends.rows[first + at].log_end,
                 store->appends.rows[first + at].event);
    int code = statement_run(stmt);
    if (code != SQLITE_OK)
        return database_fail(store->db, code, "storing an event", store->message);
    int64_t n = sqlite3_last_insert_rowid(store->db);
    for (size_t at = rows; at-- > 0; n--)
        store->appends.rows[first + at].log_end->last_n = n;
    return STORE_OK;
}

enum store_result appends_store(struct sqlite_store *store)
{
    enum store_result result = STORE_OK;
    size_t done = 0;
    for (size_t size = 0; result == STORE_OK && done < store->appends.count;) {
        if (sizes[size].rows > store->appends.count - done) {
            size++;
            continue;
        }
        result = store_some(store, done, sizes[size].rows, sizes[size].which);
        done += sizes[size].rows;
    }
    store->appends.count = 0;
    return result;
}
