/*
 * What the files of the store share: the open database, its prepared statements, and how SQLite's
 * result codes become the store's.
 */
#ifndef STORE_DATABASE_H
#define STORE_DATABASE_H

#include "append.h"
#include "log_ends.h"
#include "moved.h"
#include "row_table.h"
#include "sqlite_store.h"
#include "structure.h"
#include <sqlite3.h>
#include <stdbool.h>

enum statement {
    BEGIN,
    COMMIT,
    ROLLBACK,
    READ_EPOCH,
    TAKE_EPOCH,
    PROBE,
    PUT_SESSION,
    DROP_SESSION,
    PUT_ROOM,
    APPEND_1,
    APPEND_2,
    APPEND_4,
    APPEND_8,
    PUT_END,
    READ_ROOM_HASH,
    ARCHIVE_ROOM,
    ARCHIVE_LOG,
    DROP_LOG,
    DROP_ROOM,
    LET_IN,
    LET_OUT,
    READ_GUESTS,
    COUNT_LETTERS,
    COUNT_LETTERS_TO,
    LOOK_AT_ROOMS,
    END_OF_LOG,
    DROP_ARCHIVED,
    REWRITE_EVENT,
    REWRITE_ROOM,
    HANDED_ROOM,
    SESSION_IS_THERE,
    HANDED_LOG,
    HAND_EVENT,
    HAND_ARCHIVED_EVENT,
    HAND_ROW,
    FIND_ROOM,
    READ_LOG,
};
enum { STATEMENTS = READ_LOG + 1 };

enum { STORE_TIDY_FRAMES = 1500 }; /* 6 MiB of log: about a second of a busy server */

/* What a log end was before the commit that is under way; seq of an absent one is not looked at. */
struct head_change {
    struct log_end before;
    bool existed;
};

/* A page that was asked for, prepared: the same is asked for again after many a batch. */
struct page_statement {
    const struct store_index *index; /* NULL: there is none */
    uint32_t limit;
    bool behind;
    uint8_t behind_by;
    sqlite3_stmt *stmt;
};
enum { PAGE_STATEMENTS = 8 };

struct sqlite_store {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENTS];
    struct row_statements rows[STORE_TABLES_MAX]; /* in the order of store_tables */
    struct page_statement pages[PAGE_STATEMENTS];
    size_t next_page; /* whose place the next one takes */
    int lock_fd;
    int64_t epoch;
    bool epoch_taken; /* else the next commit takes it */
    bool loaded;
    size_t left_out;                 /* rows that loading could not read */
    const struct store_check *check; /* gets those rows; NULL when serving */

    struct log_ends log_ends;
    struct head_change *changes;
    size_t changes_count, changes_size;
    struct appends appends;

    struct structure_check check_later; /* with a connection if the opening did not check */

    struct store_files files;
    int64_t frame_bytes;    /* of a frame in the write-ahead log */
    int log_frames;         /* in the write-ahead log, as of the last commit */
    int tidy_frames;        /* tidy when there are so many */
    int64_t reserved_bytes; /* the log's file is to be so long, see reserve.c */

    char message[STORE_MESSAGE_MAX];
};

/*
 * A fresh connection with nothing read yet; a name that is not there is only made if `flags` say
 * so, and a file that is a link is refused. With SQLITE_OPEN_READONLY nobody may be writing: then
 * no log is looked for, and nothing is made beside the file. Answers SQLite's code. *db must be
 * closed even after a failure.
 */
int database_open(const char *path, int flags, sqlite3 **db);
int database_run(sqlite3 *db, const char *sql);
int database_read_int(sqlite3 *db, const char *sql, int64_t *value);
int database_copy(sqlite3 *target, sqlite3 *source); /* as of one moment */
int database_migrate(sqlite3 *db, int64_t version);  /* to STORE_VERSION, and its rows' tables */
/* Copies a store into the empty file `path`: checked by SQLite, and with no log beside it. */
enum store_result database_copy_into(const char *path, sqlite3 *source,
                                     char message[STORE_MESSAGE_MAX]);

/* A store's file that is not changed, with the log that a crash has left. *db as above. */
enum store_result database_open_unchanged(const char *path, sqlite3 **db,
                                          char message[STORE_MESSAGE_MAX]);

/* Is it a store, and of a version that this program knows? *version is 0 for an empty file. */
enum store_result database_identify(sqlite3 *db, int64_t *version, char message[STORE_MESSAGE_MAX]);

/* The store's result for a failed call on `db`, to be called right after it; and its message. */
enum store_result database_result(sqlite3 *db, int code);
enum store_result database_fail(sqlite3 *db, int code, const char *what,
                                char message[STORE_MESSAGE_MAX]);
/* The same where our SQL was not understood because of what the file says its tables are. */
enum store_result database_fail_schema(sqlite3 *db, int code, const char *what,
                                       char message[STORE_MESSAGE_MAX]);

/* Statements; binding starts at 1. `run` is for those without rows. */
int statements_prepare(struct sqlite_store *store);
void statements_finalize(struct sqlite_store *store);
sqlite3_stmt *statement(struct sqlite_store *store, enum statement which);
int statement_run(sqlite3_stmt *stmt);
void bind_int(sqlite3_stmt *stmt, int at, int64_t value);
void bind_text(sqlite3_stmt *stmt, int at, const char *text, size_t len);
void bind_blob(sqlite3_stmt *stmt, int at, const void *bytes, size_t len);

/* Copies a column of exactly `len` bytes; or text that fits with its terminating 0. False if not.
 */
bool column_bytes(sqlite3_stmt *stmt, int at, void *bytes, size_t len);
bool column_string(sqlite3_stmt *stmt, int at, char *string, size_t size);

/* How much of the write-ahead log the last commit has used; 0: nothing is known of it. */
int64_t database_log_bytes(const struct sqlite_store *store);

/* A transaction of its own (commit.c), which adds or takes away no live log. */
enum store_result commit_alone(struct sqlite_store *store,
                               enum store_result (*change)(struct sqlite_store *store, void *ctx),
                               void *ctx);

/* A row is damaged: it is left out, and the rest is served (read.c). */
enum store_result left_out_row(struct sqlite_store *store, const char *what);

/* Writes into the rooms where their logs end, in a transaction of its own (commit.c). */
enum store_result commit_ends(struct sqlite_store *store);

#endif
