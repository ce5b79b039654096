/* Opening: the folder, the lock, the file, its version, and a new epoch. */
#include "database.h"
#include "files.h"
#include "fill_hashes.h"
#include "fill_passes.h"
#include "queries.sql.h"
#include "restore.h"
#include "schema.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The migrations are of one transaction each, so a crash leaves one version or the other. */
int database_migrate(sqlite3 *db, int64_t version)
{
    int code = SQLITE_OK;
    while (code == SQLITE_OK && version < STORE_VERSION) {
        char mark[96];
        snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                 STORE_APPLICATION_ID, (int)version + 1);
        code = database_run(db, "BEGIN EXCLUSIVE");
        if (code == SQLITE_OK)
            code = database_run(db, schema_migration((int)version));
        if (code == SQLITE_OK && version == 2)
            code = fill_hashes(db);
        if (code == SQLITE_OK && version == 5)
            code = fill_passes(db);
        if (code == SQLITE_OK)
            code = database_run(db, mark);
        if (code == SQLITE_OK)
            code = database_run(db, "COMMIT");
        version++;
    }
    return code == SQLITE_OK ? row_tables_make(db) : code;
}

/*
 * Writing into a file whose structure is damaged damages more of it, so that is found out before
 * the first write: what is wrong with single rows is left to loading. SQLite needs about half a
 * second for STORE_CHECKED_BYTES. A larger file is checked while it is used.
 */
static enum store_result check_small(sqlite3 *db, int64_t bytes_max, bool *small,
                                     char message[STORE_MESSAGE_MAX])
{
    int64_t pages = 0, page_bytes = 0;
    int code = database_read_int(db, "PRAGMA page_count", &pages);
    if (code == SQLITE_OK)
        code = database_read_int(db, "PRAGMA page_size", &page_bytes);
    if (code != SQLITE_OK)
        return database_fail_schema(db, code, "checking the file", message);
    *small = pages <= bytes_max / page_bytes;
    return *small ? structure_check(db, message) : STORE_OK;
}

static int remember_log_frames(void *ctx, sqlite3 *db, const char *name, int frames)
{
    (void)db, (void)name;
    ((struct sqlite_store *)ctx)->log_frames = frames;
    return SQLITE_OK;
}

/*
 * If the disk is full the server starts nevertheless and serves what can be read. Then the first
 * commit that succeeds takes the epoch, unless another server has opened the store meanwhile.
 */
static int take_epoch(struct sqlite_store *store)
{
    int64_t before = 0, after = 0;
    int code = database_read_int(store->db, SQL_EPOCH, &before);
    if (code != SQLITE_OK)
        return code;
    store->epoch = before + 1;
    code = database_read_int(store->db, SQL_NEXT_EPOCH, &after);
    if (code == SQLITE_OK)
        store->epoch = after;
    store->epoch_taken = code == SQLITE_OK;
    enum store_result result = database_result(store->db, code);
    return result == STORE_FULL || result == STORE_FAILED ? SQLITE_OK : code;
}

enum { WAL_FRAME_HEADER = 24 };

static int prepare_database(struct sqlite_store *store)
{
    int64_t wal = 0;
    int code = database_run(store->db, "PRAGMA journal_mode = WAL");
    if (code == SQLITE_OK)
        code = database_read_int(store->db, SQL_HAS_LOG, &wal);
    if (code == SQLITE_OK && !wal)
        code = SQLITE_CANTOPEN; /* a file system without shared memory maps */
    if (code == SQLITE_OK)
        code = database_run(store->db, SQL_WRITER_SETTINGS);
    if (code == SQLITE_OK)
        code = take_epoch(store);
    if (code == SQLITE_OK)
        code = statements_prepare(store);
    if (code == SQLITE_OK)
        code = database_read_int(store->db, "PRAGMA page_size", &store->frame_bytes);
    store->frame_bytes += WAL_FRAME_HEADER;
    sqlite3_wal_hook(store->db, remember_log_frames, store);
    return code;
}

static enum store_result open_database(struct sqlite_store *store, const char *path,
                                       int64_t checked_bytes, char message[STORE_MESSAGE_MAX])
{
    int64_t version = 0;
    bool checked = false;
    int code = database_open(path, SQLITE_OPEN_READWRITE, &store->db);
    if (code != SQLITE_OK)
        return database_fail(store->db, code, "opening the store", message);
    enum store_result result = database_identify(store->db, &version, message);
    if (result == STORE_OK)
        result = check_small(store->db, checked_bytes, &checked, message);
    if (result != STORE_OK) {
        /* The file stays untouched: closing does not even move its write-ahead log into it. */
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        return result;
    }
    code = database_migrate(store->db, version);
    if (code != SQLITE_OK)
        return database_fail(store->db, code, "migrating the store", message);
    code = prepare_database(store);
    if (code == SQLITE_OK && !store_files_init(&store->files, path))
        code = SQLITE_CANTOPEN;
    if ((code & 0xff) == SQLITE_ERROR && row_tables_differ(store->db, message))
        return STORE_CORRUPT;
    if (code != SQLITE_OK)
        return database_fail_schema(store->db, code, "preparing the store", message);
    return checked ? STORE_OK : structure_check_init(&store->check_later, path, message);
}

/* A new store is there whole: an empty file is never one. */
static enum store_result make_store(const char *path, char message[STORE_MESSAGE_MAX])
{
    struct new_file file;
    sqlite3 *db = NULL;
    enum store_result result = files_begin(&file, path, message);
    if (result != STORE_OK)
        return result;
    int code = database_open(file.part, SQLITE_OPEN_READWRITE, &db);
    if (code == SQLITE_OK)
        code = database_migrate(db, 0);
    if (code != SQLITE_OK)
        result = database_fail(db, code, "making the store", message);
    sqlite3_close(db);
    if (result == STORE_OK)
        return files_keep(&file, NEW_FILE_REFUSE, message);
    new_file_drop(&file);
    return result;
}

static enum store_result open_parts(struct sqlite_store *store, const char *directory,
                                    int64_t checked_bytes, char message[STORE_MESSAGE_MAX])
{
    char path[FILES_PATH_SIZE];
    enum store_result result = files_make_directory(directory, message);
    if (result == STORE_OK)
        result = files_lock(directory, &store->lock_fd, message);
    if (result != STORE_OK)
        return result;
    if (!files_join(path, directory, STORE_FILE))
        return files_fail("opening", directory, message);
    result = restore_finish(directory, message);
    if (result == STORE_OK)
        result = files_check_whole(path, message);
    if (result == STORE_OK && !files_exists(path))
        result = make_store(path, message);
    return result == STORE_OK ? open_database(store, path, checked_bytes, message) : result;
}

enum store_result sqlite_store_open_checking(const char *directory, int64_t checked_bytes,
                                             struct sqlite_store **out,
                                             char message[static STORE_MESSAGE_MAX])
{
    *out = NULL;
    struct sqlite_store *store = calloc(1, sizeof *store);
    if (!store) {
        snprintf(message, STORE_MESSAGE_MAX, "out of memory");
        return STORE_FAILED;
    }
    store->lock_fd = -1;
    store->tidy_frames = STORE_TIDY_FRAMES;
    log_ends_init(&store->log_ends);
    enum store_result result = open_parts(store, directory, checked_bytes, message);
    if (result == STORE_OK)
        *out = store;
    else
        sqlite_store_close(store);
    return result;
}

enum store_result sqlite_store_open(const char *directory, struct sqlite_store **out,
                                    char message[static STORE_MESSAGE_MAX])
{
    return sqlite_store_open_checking(directory, STORE_CHECKED_BYTES, out, message);
}

enum store_result sqlite_store_check_later(struct sqlite_store *store,
                                           char message[static STORE_MESSAGE_MAX])
{
    return store->check_later.db ? structure_check_run(&store->check_later, message) : STORE_OK;
}

void sqlite_store_stop_check(struct sqlite_store *store)
{
    if (store->check_later.db)
        structure_check_stop(&store->check_later);
}

void sqlite_store_close(struct sqlite_store *store)
{
    if (!store)
        return;
    structure_check_release(&store->check_later);
    if (store->loaded && store->epoch_taken)
        (void)commit_ends(store); /* without them less would be noticed, and nothing is lost */
    statements_finalize(store);
    /* SQLite would move the log into the file that it has open, and delete whatever now has the
     * name of the log. */
    if (store->db && store_files_check(&store->files, 0, store->message) != STORE_OK)
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    int code = sqlite3_close(store->db);
    assert(code == SQLITE_OK);
    (void)code;
    if (store->lock_fd >= 0)
        close(store->lock_fd);
    log_ends_release(&store->log_ends);
    free(store->changes);
    free(store);
}

const char *sqlite_store_message(const struct sqlite_store *store)
{
    return store->message;
}

uint64_t sqlite_store_epoch(const struct sqlite_store *store)
{
    return (uint64_t)store->epoch;
}

size_t sqlite_store_left_out(const struct sqlite_store *store)
{
    return store->left_out;
}
