/*
 * Space for the write-ahead log before it is needed.
 *
 * A commit that makes the file longer waits for the file system's own journal as well as for its
 * data: measured with ext4, three writes and two flushes of the disk, where two and one do for a
 * part of the file that has been written before. A log that is used again from its front has such
 * a part. One that grows gets it here: zeros behind its end, which no reader of a log takes for a
 * frame, as their salt is not the log's.
 */
#include "database.h"

enum { RESERVE_BYTES = 512 << 10, RESERVE_AHEAD_BYTES = 64 << 10, ZEROS_BYTES = 16 << 10 };

/* SQLite's own file, so that what stands between it and the disk (a test) sees this as well. */
static sqlite3_file *log_file(sqlite3 *db)
{
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, (void *)&file);
    return code == SQLITE_OK && file && file->pMethods ? file : NULL;
}

/* What is there already stays as it is. */
static int write_zeros(sqlite3_file *file, int64_t until)
{
    static const char zeros[ZEROS_BYTES];
    sqlite3_int64 at = 0;
    int code = file->pMethods->xFileSize(file, &at);
    while (code == SQLITE_OK && at < until) {
        const int64_t len = until - at < ZEROS_BYTES ? until - at : ZEROS_BYTES;
        code = file->pMethods->xWrite(file, zeros, (int)len, at);
        at += len;
    }
    return code == SQLITE_OK ? file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) : code;
}

/* What fails here is tried again when the log has grown by as much; until then it grows by itself,
 * and it is for the commits to say that they fail. */
void sqlite_store_reserve(struct sqlite_store *store)
{
    const int64_t used = database_log_bytes(store);
    if (used == 0 || used + RESERVE_AHEAD_BYTES <= store->reserved_bytes)
        return;
    sqlite3_file *file = log_file(store->db);
    store->reserved_bytes = used + RESERVE_AHEAD_BYTES + RESERVE_BYTES;
    if (file)
        (void)write_zeros(file, store->reserved_bytes);
}
