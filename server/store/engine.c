/* The interface of hub/store.h in front of the blocking calls. */
#include "sqlite_store.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct engine {
    struct store store;
    struct sqlite_store *sqlite; /* NULL: not open */
    int failed_commits;          /* since the last one that succeeded */
    int64_t checked_bytes;
    char directory[];
};

static struct engine *engine_of(struct store *store)
{
    return (struct engine *)store;
}

static void warn_of(const struct engine *engine, const char *event, enum store_result result)
{
    if (engine->store.warn)
        engine->store.warn(event, sqlite_store_message(engine->sqlite), result);
}

static enum store_result engine_open(struct store *store, const struct store_sink *sink,
                                     char message[STORE_MESSAGE_MAX])
{
    struct engine *engine = engine_of(store);
    enum store_result result = sqlite_store_open_checking(engine->directory, engine->checked_bytes,
                                                          &engine->sqlite, message);
    if (result != STORE_OK)
        return result;
    result = sqlite_store_load(engine->sqlite, sink);
    if (result != STORE_OK)
        snprintf(message, STORE_MESSAGE_MAX, "%s", sqlite_store_message(engine->sqlite));
    else if (sqlite_store_left_out(engine->sqlite) > 0)
        warn_of(engine, "store_damaged", STORE_CORRUPT);
    return result;
}

static bool refuses_some(const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        /* What is taken is nobody's fault. */
        if (batch->results[i] == STORE_REFUSED || batch->results[i] == STORE_CROWDED)
            return true;
    }
    return false;
}

/* Each failure is told, and the first success after them. */
static void tell_result(struct engine *engine, enum store_result result)
{
    char after[64];
    if (result != STORE_OK) {
        warn_of(engine, "store_commit_failed", result);
        engine->failed_commits++;
        return;
    }
    if (engine->failed_commits == 0)
        return;
    snprintf(after, sizeof after, "%d %s failed before", engine->failed_commits,
             engine->failed_commits == 1 ? "commit had" : "commits had");
    engine->failed_commits = 0;
    if (engine->store.warn)
        engine->store.warn("store_recovered", after, STORE_OK);
}

static void engine_commit(struct store *store, struct store_commit *commit)
{
    struct engine *engine = engine_of(store);
    commit->result = sqlite_store_commit(engine->sqlite, commit->batch);
    tell_result(engine, commit->result);
    if (commit->result == STORE_OK && refuses_some(commit->batch))
        warn_of(engine, store_batch_is_crowded(commit->batch) ? "letters_crowded" : "store_refused",
                STORE_REFUSED);
    commit->done(commit);
    enum store_result tidied = sqlite_store_tidy(engine->sqlite); /* nobody waits for it */
    if (tidied != STORE_OK)
        warn_of(engine, "store_tidy_failed", tidied);
    sqlite_store_reserve(engine->sqlite);
}

static void warn_of_room(const struct engine *engine, const struct store_read *read)
{
    char what[STORE_MESSAGE_MAX + 16];
    snprintf(what, sizeof what, "%s: %s", read->room_id, sqlite_store_message(engine->sqlite));
    if (engine->store.warn)
        engine->store.warn("store_read_failed", what, read->result);
}

static void release_read(struct store_read *read)
{
    sqlite_reading_destroy(read->owner);
    read->owner = NULL;
}

static void engine_read(struct store *store, struct store_read *read)
{
    struct engine *engine = engine_of(store);
    struct sqlite_reading *reading;
    read->result = sqlite_store_read(engine->sqlite, read->room_id, &reading);
    read->rows = reading ? reading->rows : (struct store_room_read){0};
    read->owner = reading;
    read->release = release_read;
    if (read->result != STORE_OK)
        warn_of_room(engine, read);
    read->done(read);
}

static void engine_query(struct store *store, struct store_query *query)
{
    struct engine *engine = engine_of(store);
    const size_t left_out = sqlite_store_left_out(engine->sqlite);
    query->result = sqlite_store_query(engine->sqlite, query);
    if (query->result != STORE_OK)
        warn_of(engine, "store_query_failed", query->result);
    else if (sqlite_store_left_out(engine->sqlite) > left_out)
        warn_of(engine, "store_damaged", STORE_CORRUPT);
    query->done(query);
}

static void engine_trim(struct store *store, struct store_trim *trim)
{
    struct engine *engine = engine_of(store);
    trim->result = sqlite_store_trim(engine->sqlite, trim);
    if (trim->result != STORE_OK)
        warn_of(engine, "store_trim_failed", trim->result);
    trim->done(trim);
    (void)sqlite_store_tidy(engine->sqlite); /* a commit tells if it fails */
}

static enum store_result engine_check(struct store *store, char message[STORE_MESSAGE_MAX])
{
    return sqlite_store_check_later(engine_of(store)->sqlite, message);
}

static void engine_stop_check(struct store *store)
{
    sqlite_store_stop_check(engine_of(store)->sqlite);
}

static void engine_close(struct store *store)
{
    struct engine *engine = engine_of(store);
    sqlite_store_close(engine->sqlite);
    free(engine);
}

static const struct store_engine sqlite_engine = {
    .open = engine_open,
    .commit = engine_commit,
    .read = engine_read,
    .query = engine_query,
    .trim = engine_trim,
    .check = engine_check,
    .stop_check = engine_stop_check,
    .close = engine_close,
};

void sqlite_store_prepare(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* or it goes on counting */
    /* Pages one by one: a piece for the first twenty of each database could not be given back. */
    (void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
}

struct store *sqlite_store_create_checking(const char *directory, int64_t checked_bytes)
{
    size_t size = strlen(directory) + 1;
    struct engine *engine = calloc(1, sizeof *engine + size);
    if (!engine)
        return NULL;
    engine->store.engine = &sqlite_engine;
    engine->checked_bytes = checked_bytes;
    memcpy(engine->directory, directory, size);
    return &engine->store;
}

struct store *sqlite_store_create(const char *directory)
{
    return sqlite_store_create_checking(directory, STORE_CHECKED_BYTES);
}
