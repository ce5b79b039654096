#include "checker.h"

#include <base/signals.h>
#include <net/log.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

struct checker {
    struct store *store;
    uv_thread_t thread; /* if the store has a check */
    atomic_bool stopping;
    atomic_int finding;
};

/* One line says what was found and what the operator has to do. */
static void log_result(enum store_result result, const char *why)
{
    const char *advice = result == STORE_CORRUPT
                             ? "stop the server, run taluvad check and restore the backup"
                             : "stop the server and run taluvad check";
    char line[STORE_MESSAGE_MAX + 80];
    snprintf(line, sizeof line, "%s: %s", why, advice);
    log_text(LOG_ERROR, result == STORE_CORRUPT ? "store_structure_damaged" : "store_check_failed",
             "why", line);
}

static void run_checker(void *arg)
{
    struct checker *checker = arg;
    char message[STORE_MESSAGE_MAX] = "";
    signals_block();
    enum store_result result = checker->store->engine->check(checker->store, message);
    if (atomic_load(&checker->stopping))
        return;
    if (result != STORE_OK)
        log_result(result, message);
    atomic_store(&checker->finding, result == STORE_OK        ? CHECKER_SOUND
                                    : result == STORE_CORRUPT ? CHECKER_DAMAGED
                                                              : CHECKER_FAILED);
}

struct checker *checker_create(struct store *store)
{
    struct checker *checker = calloc(1, sizeof *checker);
    if (!checker)
        return NULL;
    checker->store = store;
    atomic_init(&checker->stopping, false);
    atomic_init(&checker->finding, store->engine->check ? CHECKER_CHECKING : CHECKER_SOUND);
    if (store->engine->check && uv_thread_create(&checker->thread, run_checker, checker) != 0) {
        free(checker);
        return NULL;
    }
    return checker;
}

void checker_destroy(struct checker *checker)
{
    if (!checker)
        return;
    if (checker->store->engine->check) {
        atomic_store(&checker->stopping, true);
        checker->store->engine->stop_check(checker->store);
        uv_thread_join(&checker->thread);
    }
    free(checker);
}

enum checker_finding checker_finding(const struct checker *checker)
{
    return (enum checker_finding)atomic_load(&checker->finding);
}
