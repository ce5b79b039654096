/* Finished matches of sessions: the rows of one that has ended, and a page of them to be shown. */
#include "database.h"
#include "rows.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum store_result put_game(struct sqlite_store *store, const struct store_game *game)
{
    sqlite3_stmt *stmt = statement(store, PUT_GAME);
    struct row_hash hash = hash_game(game);
    bind_int(stmt, 1, (int64_t)game->session);
    bind_int(stmt, 2, game->at_ms);
    bind_text(stmt, 3, game->room_id, strlen(game->room_id));
    bind_int(stmt, 4, game->seat);
    bind_text(stmt, 5, game->text, game->text_len);
    bind_blob(stmt, 6, hash.bytes, sizeof hash.bytes);
    int code = statement_run(stmt);
    if (code == SQLITE_CONSTRAINT_FOREIGNKEY) {
        snprintf(store->message, sizeof store->message,
                 "a finished match of a session that is not there");
        return STORE_REFUSED;
    }
    return code == SQLITE_OK
               ? STORE_OK
               : database_fail(store->db, code, "storing a finished match", store->message);
}

/* A text is copied, and there may be no memory for that. */
static int bind_trim(sqlite3_stmt *trim, uint64_t session, sqlite3_stmt *newest)
{
    bind_int(trim, 1, (int64_t)session);
    int code = sqlite3_bind_value(trim, 2, sqlite3_column_value(newest, 0));
    return code == SQLITE_OK ? sqlite3_bind_value(trim, 3, sqlite3_column_value(newest, 1)) : code;
}

/*
 * The newest of those that are too many is looked for first, as most have fewer: to delete what a
 * query finds, SQLite makes a table of its own each time, which costs more than storing the match.
 */
static enum store_result trim_games(struct sqlite_store *store, uint64_t session, uint32_t keep)
{
    sqlite3_stmt *newest = statement(store, NEWEST_TO_TRIM), *trim = statement(store, TRIM_GAMES);
    bind_int(newest, 1, (int64_t)session);
    bind_int(newest, 2, keep);
    int code = sqlite3_step(newest);
    const bool found = code == SQLITE_ROW;
    if (found)
        code = bind_trim(trim, session, newest);
    sqlite3_reset(newest);
    if (found && code == SQLITE_OK)
        code = statement_run(trim);
    return code == SQLITE_OK || code == SQLITE_DONE
               ? STORE_OK
               : database_fail(store->db, code, "dropping old matches", store->message);
}

enum store_result game_put(struct sqlite_store *store, const struct store_put_game *put)
{
    const enum store_result result = put_game(store, &put->game);
    return result == STORE_OK ? trim_games(store, put->game.session, put->keep) : result;
}

/* ---- a page */

struct page {
    struct store_game rows[STORE_GAMES_PAGE];
    char texts[STORE_GAMES_PAGE][STORE_GAME_TEXT_MAX];
};

static void release_list(struct store_list *list)
{
    free(list->owner);
    list->owner = NULL;
    list->rows = NULL;
    list->count = 0;
}

static void add_row(struct page *page, size_t at, const struct store_game *game)
{
    page->rows[at] = *game;
    page->rows[at].text = page->texts[at];
    memcpy(page->texts[at], game->text, game->text_len);
}

static enum store_result read_page(struct sqlite_store *store, sqlite3_stmt *stmt,
                                   struct store_list *list, struct page *page)
{
    int code;
    for (size_t rows = 0; (code = sqlite3_step(stmt)) == SQLITE_ROW; rows++) {
        struct store_game game;
        if (rows == STORE_GAMES_PAGE)
            list->more = true;
        else if (game_of_row(stmt, &game))
            add_row(page, list->count++, &game);
        else
            (void)left_out_game(store);
    }
    return code == SQLITE_DONE
               ? STORE_OK
               : database_fail(store->db, code, "listing finished matches", store->message);
}

enum store_result sqlite_store_list(struct sqlite_store *store, struct store_list *list)
{
    struct page *page = malloc(sizeof *page);
    list->rows = page ? page->rows : NULL;
    list->count = 0;
    list->more = false;
    list->release = release_list;
    list->owner = page;
    if (!page) {
        snprintf(store->message, sizeof store->message, "out of memory");
        return STORE_FAILED;
    }
    sqlite3_stmt *stmt = statement(store, LIST_GAMES);
    bind_int(stmt, 1, (int64_t)list->session);
    bind_text(stmt, 2, list->after, strlen(list->after));
    bind_int(stmt, 3, STORE_GAMES_PAGE + 1);
    enum store_result result = read_page(store, stmt, list, page);
    sqlite3_reset(stmt);
    if (result != STORE_OK)
        release_list(list);
    return result;
}
