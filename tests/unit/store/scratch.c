#include "scratch.h"

#include "row_ops.h"
#include <check.h>
#include <dirent.h>
#include <identity/credential_table.h>
#include <inttypes.h>
#include <notify/browser_table.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void scratch_init(struct scratch *scratch)
{
    /* In memory where there is such a folder: thousands of small stores are made and removed. */
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(scratch->root, "taluva-store", true)));
    snprintf(scratch->folder, sizeof scratch->folder, "%s/data", scratch->root);
    snprintf(scratch->file, sizeof scratch->file, "%s/taluva.db", scratch->folder);
}

static void remove_all(const char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%.255s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlink(path) != 0)
            remove_all(path);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
}

void scratch_release(struct scratch *scratch)
{
    remove_all(scratch->root);
}

struct sqlite_store *scratch_open(const struct scratch *scratch)
{
    char message[STORE_MESSAGE_MAX] = "";
    struct sqlite_store *store;
    enum store_result result = sqlite_store_open(scratch->folder, &store, message);
    ck_assert_msg(result == STORE_OK, "%d: %s", result, message);
    return store;
}

enum store_result commit_batch(struct sqlite_store *store, const struct store_batch *batch)
{
    struct store_op *ops = calloc(batch->count + 1, sizeof *ops);
    enum store_result *results = calloc(batch->count + 1, sizeof *results);
    ck_assert(ops && results);
    for (size_t i = 0; i < batch->count; i++) {
        ops[i] = batch->ops[i];
        ops[i].epoch = sqlite_store_epoch(store);
    }
    enum store_result result =
        sqlite_store_commit(store, &(struct store_batch){batch->count, ops, results});
    for (size_t i = 0; i < batch->count && result == STORE_OK; i++)
        result = results[i];
    free(ops);
    free(results);
    return result;
}

static int dump_epoch(void *ctx, uint64_t epoch)
{
    (void)ctx;
    return epoch > 0 ? 0 : STORE_CORRUPT;
}

static void hex(FILE *out, const uint8_t *bytes, size_t len)
{
    for (size_t at = 0; at < len; at++)
        fprintf(out, "%02x", bytes[at]);
}

static int dump_session(void *ctx, const struct store_session *session)
{
    fprintf(ctx, "session %" PRIu64 " %s %" PRId64 " %" PRId64 "\n", session->id, session->name,
            session->created_ms, session->seen_ms);
    return 0;
}

static int dump_pass(FILE *ctx, const struct credential_row *pass)
{
    fprintf(ctx, "pass %" PRIu64 " %" PRIu32 " of kind %d ", pass->session, pass->id,
            (int)pass->kind);
    hex(ctx, pass->secret_hash, sizeof pass->secret_hash);
    fprintf(ctx, " '%s' since %" PRId64 " seen %" PRId64 "\n", pass->name, pass->since_ms,
            pass->seen_ms);
    return 0;
}

static int dump_room(void *ctx, const struct store_room *room)
{
    fprintf(ctx, "room %s code '%s' ", room->seed.id, room->seed.code);
    hex(ctx, room->seed.secret, sizeof room->seed.secret);
    fprintf(ctx, " host %" PRIu64 " at %" PRId64 "\n", room->seed.host, room->created_ms);
    return 0;
}

static int dump_event(void *ctx, const char *room_id, const struct room_event *event)
{
    fprintf(ctx,
            "event %s %" PRIu64 " at %" PRId64 "+%" PRId64 " by %" PRIu64 "/%" PRId64 "/%" PRIu64
            " %d %d %.*s\n",
            room_id, event->seq, event->at_ms, event->held_ms, event->origin.session,
            event->origin.request_id, event->origin.digest, (int)event->kind, event->seat,
            (int)event->text_len, event->text);
    return 0;
}

static int dump_push(FILE *ctx, const struct browser_row *push)
{
    fprintf(ctx,
            "push %" PRIu64 " %" PRIu64 " on %" PRIu32 " since %" PRId64
            " %02x..%02x %02x..%02x %s\n",
            push->session, push->key, push->pass, push->since_ms, push->point[0],
            push->point[HUB_PUSH_POINT_BYTES - 1], push->auth[0],
            push->auth[HUB_PUSH_AUTH_BYTES - 1], push->endpoint);
    return 0;
}

/* Without what a check alone hands over. */
static int dump_described(void *ctx, const struct store_table *table, const void *row)
{
    if (table->unloaded)
        return 0;
    if (table == &credential_table)
        return dump_pass(ctx, row);
    if (table == &browser_table)
        return dump_push(ctx, row);
    dump_row(ctx, table, row);
    return 0;
}

static int dump_guest(void *ctx, const char *room_id, uint64_t session)
{
    fprintf(ctx, "guest %s %" PRIu64 "\n", room_id, session);
    return 0;
}

static int dump_damaged(void *ctx, const char *room_id, const char *why)
{
    fprintf(ctx, "damaged %s: %s\n", room_id, why);
    return 0;
}

void dump_rows(FILE *out, const struct store_room_read *rows)
{
    dump_room(out, rows->room);
    for (size_t at = 0; at < rows->count; at++)
        dump_event(out, rows->room->seed.id, &rows->events[at]);
    for (size_t at = 0; at < rows->guest_count; at++)
        dump_guest(out, rows->room->seed.id, rows->guests[at]);
}

struct store_sink dump_sink(FILE *out)
{
    return (struct store_sink){dump_epoch, dump_session, dump_described, dump_room,
                               dump_event, dump_guest,   dump_damaged,   out};
}

enum store_result dump_into(struct sqlite_store *store, FILE *out)
{
    struct store_sink sink = dump_sink(out);
    return sqlite_store_load(store, &sink);
}

void dump_games_page(FILE *out, const struct store_query *page)
{
    for (size_t at = 0; at < page->count; at++) {
        const struct game_row *game = store_query_row(page, at);
        fprintf(out, "game %" PRIu64 " %s seat %d at %" PRId64 " %.*s\n", game->session, game->room,
                game->seat, game->at_ms, (int)game->text_len, game->text);
    }
}

void dump_games(struct sqlite_store *store, uint64_t session, FILE *out)
{
    struct store_query page = games_page(session, "");
    bool more = true;
    while (more) {
        ck_assert_int_eq(sqlite_store_query(store, &page), STORE_OK);
        dump_games_page(out, &page);
        more = page.more;
        const struct game_row *last = more ? store_query_row(&page, page.count - 1) : NULL;
        const struct store_query next = games_page(session, last ? last->room : "");
        page.release(&page);
        page = next;
    }
}

char *dump(struct sqlite_store *store)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    enum store_result result = dump_into(store, out);
    fclose(out);
    ck_assert_msg(result == STORE_OK, "%d: %s", result, sqlite_store_message(store));
    return text;
}

struct sqlite_store *scratch_open_loaded(const struct scratch *scratch)
{
    struct sqlite_store *store = scratch_open(scratch);
    free(dump(store));
    return store;
}

char *dump_folder(const struct scratch *scratch)
{
    struct sqlite_store *store = scratch_open(scratch);
    char *text = dump(store);
    sqlite_store_close(store);
    return text;
}

char *dump_folder_and_games(const struct scratch *scratch)
{
    char *text = NULL, *rows;
    size_t len = 0;
    struct sqlite_store *store = scratch_open(scratch);
    FILE *out = open_memstream(&text, &len);
    rows = dump(store);
    fputs(rows, out);
    dump_games(store, 7, out); /* the sessions of the scenario */
    dump_games(store, UINT64_MAX, out);
    fclose(out);
    free(rows);
    sqlite_store_close(store);
    return text;
}

static sqlite3 *open_behind(const struct scratch *scratch)
{
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(scratch->file, &db), SQLITE_OK);
    return db;
}

void scratch_sql(const struct scratch *scratch, const char *sql)
{
    sqlite3 *db = open_behind(scratch);
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    ck_assert_msg(code == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

void scratch_sql_and_die(const struct scratch *scratch, const char *sql)
{
    sqlite3 *db = open_behind(scratch);
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    _exit(code == SQLITE_OK ? 0 : 1);
}

long long scratch_number(const struct scratch *scratch, const char *sql)
{
    sqlite3 *db = open_behind(scratch);
    sqlite3_stmt *stmt;
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
    long long number = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return number;
}

void scratch_text(const struct scratch *scratch, const char *sql, char *text, size_t size)
{
    sqlite3 *db = open_behind(scratch);
    sqlite3_stmt *stmt;
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
    snprintf(text, size, "%s", (const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

unsigned char *slurp(const char *path, size_t *len)
{
    FILE *in = fopen(path, "rb");
    ck_assert_ptr_nonnull(in);
    fseek(in, 0, SEEK_END);
    *len = (size_t)ftell(in);
    rewind(in);
    unsigned char *bytes = malloc(*len + 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *len, in), *len);
    bytes[*len] = 0;
    fclose(in);
    return bytes;
}

void spit(const char *path, const void *bytes, size_t len)
{
    FILE *out = fopen(path, "wb");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(bytes, 1, len, out), len);
    ck_assert_int_eq(fclose(out), 0);
}
