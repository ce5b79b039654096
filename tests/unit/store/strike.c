#include "strike.h"

#include "../../support/failing_alloc.h"
#include "faulty_vfs.h"
#include <assert.h>
#include <dirent.h>
#include <malloc.h>
#include <sqlite3.h>
#include <stdlib.h>

static struct {
    enum strike kind;
    bool armed, struck;
    int places, nth; /* of statements */
    bool in_transaction;
} state;

static void *sqlite_malloc(int size)
{
    return malloc((size_t)size);
}

static void *sqlite_realloc(void *old, int size)
{
    return realloc(old, (size_t)size);
}

static int sqlite_size(void *bytes)
{
    return (int)malloc_usable_size(bytes);
}

static int sqlite_round_up(int size)
{
    return (size + 7) & ~7;
}

static int sqlite_memory_init(void *ctx)
{
    (void)ctx;
    return SQLITE_OK;
}

static void sqlite_memory_shutdown(void *ctx)
{
    (void)ctx;
}

/*
 * Called now and then while a statement runs, and when it ends. The end of a COMMIT is no place for
 * an error: it has been carried out, and no error that SQLite makes by itself comes after that.
 */
static int strike_statement(void *db)
{
    bool was_in_transaction = state.in_transaction;
    state.in_transaction = !sqlite3_get_autocommit(db);
    if (was_in_transaction && !state.in_transaction)
        return 0;
    if (!state.armed || state.kind != STRIKE_STATEMENT || ++state.places != state.nth)
        return 0;
    state.struck = true;
    return 1;
}

static int watch_connection(sqlite3 *db, const char **message,
                            const struct sqlite3_api_routines *api)
{
    (void)message, (void)api;
    sqlite3_progress_handler(db, 1, strike_statement, db);
    return SQLITE_OK;
}

void strike_init(void)
{
    static const sqlite3_mem_methods memory = {sqlite_malloc,          free,
                                               sqlite_realloc,         sqlite_size,
                                               sqlite_round_up,        sqlite_memory_init,
                                               sqlite_memory_shutdown, NULL};
    int code = sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
    /* Else small allocations come out of a large one. */
    if (code == SQLITE_OK)
        code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    if (code == SQLITE_OK)
        code = sqlite3_auto_extension((void (*)(void))watch_connection);
    assert(code == SQLITE_OK);
    failing_alloc_init();
    faulty_install();
    faulty_clear();
}

void strike_arm(enum strike kind, int nth)
{
    state.kind = kind;
    state.armed = true;
    state.struck = false;
    state.places = 0;
    state.nth = nth;
    switch (kind) {
    case STRIKE_MEMORY:
        failing_alloc_arm((uint64_t)nth, false);
        failing_alloc_enter();
        break;
    case STRIKE_STATEMENT:
        break;
    case STRIKE_FULL:
        faulty_plan(nth - 1, 1, SQLITE_FULL, false);
        break;
    case STRIKE_WRITE:
        faulty_plan(nth - 1, 1, SQLITE_IOERR_WRITE, false);
        break;
    case STRIKE_READ:
        faulty_plan_read(nth - 1);
        break;
    }
}

bool strike_disarm(void)
{
    state.armed = false;
    switch (state.kind) {
    case STRIKE_MEMORY:
        failing_alloc_leave();
        failing_alloc_disarm(&state.struck);
        break;
    case STRIKE_STATEMENT:
        break;
    case STRIKE_FULL:
    case STRIKE_WRITE:
    case STRIKE_READ:
        state.struck = faulty_struck();
        faulty_clear();
        break;
    }
    return state.struck;
}

struct held held_now(void)
{
    struct held held = {sqlite3_memory_used(), 0};
    DIR *dir = opendir("/proc/self/fd");
    while (dir && readdir(dir))
        held.descriptors++;
    if (dir)
        closedir(dir);
    return held;
}
