#include "every_table.h"

#include <assert.h>
#include <semaphore.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

/* ---- the rows */

enum { TEXT_BYTES = 32, FIRST_SESSION = 7 };

struct made {
    alignas(max_align_t) unsigned char row[STORE_ROW_SIZE_MAX];
    char texts[STORE_COLUMNS_MAX][TEXT_BYTES];
};

static uint64_t session_of(enum every_which which)
{
    return FIRST_SESSION + (uint64_t)which;
}

static bool has_revision(const struct store_table *table)
{
    for (size_t at = 0; at < table->count; at++) {
        if (table->columns[at].flags & STORE_REVISION)
            return true;
    }
    return false;
}

static void set_number(const struct store_table *table, size_t at, enum every_which which,
                       void *row)
{
    const struct store_column *column = &table->columns[at];
    int64_t value = at < table->keys ? (int64_t)which + 1 : (int64_t)at + 1;
    if (column->max && value > column->max)
        value = column->max;
    if (table->owner == STORE_OF_SESSION && at == table->owner_at)
        value = (int64_t)session_of(which);
    const bool is_set = store_set_number(column, row, value);
    assert(is_set);
    (void)is_set;
}

/* Of the table of finished matches the engines have always looked how long that is. */
static bool is_whole_room(const struct store_table *table, size_t at)
{
    return table->bounded && table->room_at == at;
}

static void set_text(const struct store_table *table, size_t at, char text[static TEXT_BYTES],
                     enum every_which which, void *row)
{
    const struct store_column *column = &table->columns[at];
    const bool borrowed = column->type == STORE_LENT || column->type == STORE_TEXT;
    const size_t most = borrowed ? column->max : column->size - 1U;
    (void)snprintf(text, TEXT_BYTES, is_whole_room(table, at) ? "%d%s000" : "%d%s", (int)which,
                   column->name);
    if (strlen(text) > most)
        text[most] = '\0';
    const bool is_set = store_set_bytes(column, row, text, strlen(text));
    assert(is_set);
    (void)is_set;
}

static void set_column(const struct store_table *table, size_t at, enum every_which which,
                       struct made *made)
{
    const struct store_column *column = &table->columns[at];
    if (column->type == STORE_NUMBER)
        set_number(table, at, which, made->row);
    else if (column->type == STORE_BYTES)
        memset(made->row + column->at, (int)at + 1, column->size);
    else
        set_text(table, at, made->texts[at], which, made->row);
}

static void make_row(const struct store_table *table, enum every_which which, struct made *made)
{
    memset(made, 0, sizeof *made);
    for (size_t at = 0; at < table->count; at++) {
        const struct store_column *column = &table->columns[at];
        const bool is_owner = table->owner == STORE_OF_SESSION && at == table->owner_at;
        if (which == EVERY_FULL || at < table->keys || is_owner)
            set_column(table, at, which, made);
        else if (column->type == STORE_LENT || column->type == STORE_TEXT)
            (void)store_set_bytes(column, made->row, "", 0);
    }
}

/* Of a table that has one row alone there is none beside it. */
bool every_table_makes(const struct store_table *table, enum every_which which)
{
    struct made full, bare;
    make_row(table, EVERY_FULL, &full);
    make_row(table, EVERY_BARE, &bare);
    return which == EVERY_FULL ||
           (!has_revision(table) && !store_same_key(table, full.row, bare.row));
}

static bool is_made_row(const struct store_table *table, enum every_which which, const void *row)
{
    struct made made;
    make_row(table, which, &made);
    for (size_t at = 0; at < table->count; at++) {
        if (!store_same_value(&table->columns[at], made.row, row))
            return false;
    }
    return true;
}

/* ---- what is handed out */

static int note_row(void *ctx, const struct store_table *table, const void *row)
{
    struct every_table *every = ctx;
    size_t at = 0;
    while (store_tables[at] != table)
        at++;
    for (int which = 0; which < EVERY_ROWS; which++) {
        if (is_made_row(table, (enum every_which)which, row))
            every->loaded[at][which] = 1;
    }
    return 0;
}

static int ignore_epoch(void *ctx, uint64_t epoch)
{
    (void)ctx, (void)epoch;
    return 0;
}

static int ignore_session(void *ctx, const struct store_session *session)
{
    (void)ctx, (void)session;
    return 0;
}

struct store_sink every_table_sink(struct every_table *every)
{
    memset(every, 0, sizeof *every);
    return (struct store_sink){
        .opened = ignore_epoch, .session = ignore_session, .row = note_row, .ctx = every};
}

/* ---- what is asked for */

static void is_found(struct store_query *query)
{
    sem_post(query->ctx);
}

static bool is_asked_for(struct store *store, const struct store_table *table,
                         enum every_which which)
{
    struct made made;
    sem_t done;
    bool found = false;
    struct store_query query = {.table = table,
                                .index = &table->indexes[0],
                                .limit = STORE_QUERY_ROWS_MAX,
                                .done = is_found,
                                .ctx = &done};
    assert(table->indexes[0].name && "else nobody could ask for its rows");
    make_row(table, which, &made);
    memcpy(query.from, made.row, table->size);
    sem_init(&done, 0, 0);
    store->engine->query(store, &query);
    sem_wait(&done);
    sem_destroy(&done);
    for (size_t at = 0; query.result == STORE_OK && at < query.count; at++)
        found = found || is_made_row(table, which, store_query_row(&query, at));
    query.release(&query);
    return found;
}

bool every_table_has(const struct every_table *every, struct store *store, size_t table,
                     enum every_which which)
{
    return store_tables[table]->unloaded ? is_asked_for(store, store_tables[table], which)
                                         : every->loaded[table][which];
}

/* ---- putting */

static void is_committed(struct store_commit *commit)
{
    sem_post(commit->ctx);
}

enum store_result every_table_put(struct store *store, const struct store_table *table,
                                  enum every_which which)
{
    struct made made;
    sem_t done;
    enum store_result results[2] = {STORE_OK, STORE_OK};
    make_row(table, which, &made);
    const struct store_op ops[2] = {
        {.kind = STORE_PUT_SESSION, .u.session = {.id = session_of(which), .name = "Ana"}},
        {.kind = STORE_PUT_ROW, .u.row = {.table = table, .row = made.row}}};
    const struct store_batch batch = {2, ops, results};
    struct store_commit commit = {.batch = &batch, .done = is_committed, .ctx = &done};
    sem_init(&done, 0, 0);
    store->engine->commit(store, &commit);
    sem_wait(&done);
    sem_destroy(&done);
    return commit.result == STORE_OK ? results[1] : commit.result;
}
