/*
 * The thread that checks a large store: what it says, and that it ends when the server does. Under
 * the sanitizer of threads where there is one.
 */
#include "threads/checker.h"
#include <assert.h>
#include <fcntl.h>
#include <net/log.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- a store whose check ends when it is told */

struct fake {
    struct store store;
    sem_t begun, go;
    enum store_result result;
    const char *message;
    int stopped;
};

static enum store_result check(struct store *store, char message[STORE_MESSAGE_MAX])
{
    struct fake *fake = (struct fake *)store;
    sem_post(&fake->begun);
    sem_wait(&fake->go);
    snprintf(message, STORE_MESSAGE_MAX, "%s", fake->message);
    return fake->result;
}

static void stop_check(struct store *store)
{
    struct fake *fake = (struct fake *)store;
    fake->stopped++;
    sem_post(&fake->go);
}

static const struct store_engine fake_engine = {.check = check, .stop_check = stop_check};

static void fake_init(struct fake *fake, enum store_result result, const char *message)
{
    *fake = (struct fake){.store = {.engine = &fake_engine}, .result = result, .message = message};
    sem_init(&fake->begun, 0, 0);
    sem_init(&fake->go, 0, 0);
}

static void fake_release(struct fake *fake)
{
    sem_destroy(&fake->begun);
    sem_destroy(&fake->go);
}

/* ---- what is logged */

static int pipes[2];

static void check_logged(const char *line)
{
    char said[LOG_LINE_MAX + 1];
    ssize_t len = read(pipes[0], said, LOG_LINE_MAX);
    said[len > 0 ? len : 0] = '\0';
    const char *after_time = strstr(said, "level=");
    const char *found = after_time ? after_time : said;
    if (strcmp(found, line) == 0)
        return;
    printf("\"%s\" is not \"%s\"\n", found, line);
    fflush(stdout);
    abort();
}

/* ---- tests */

/* It is asked for again and again as /metrics does; an end that never comes is the time-out's. */
static void wait_for(const struct checker *checker, enum checker_finding finding)
{
    while (checker_finding(checker) != finding) {
        assert(checker_finding(checker) == CHECKER_CHECKING || checker_finding(checker) == finding);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void test_finding(enum store_result result, const char *message,
                         enum checker_finding finding, const char *line)
{
    struct fake fake;
    fake_init(&fake, result, message);
    struct checker *checker = checker_create(&fake.store);
    assert(checker);
    sem_wait(&fake.begun);
    assert(checker_finding(checker) == CHECKER_CHECKING);
    sem_post(&fake.go);
    wait_for(checker, finding);
    check_logged(line);
    checker_destroy(checker);
    check_logged("");
    assert(fake.stopped == 1);
    fake_release(&fake);
}

/* While it is under way: nothing is said of what a stopped check answers. */
static void test_stopped(enum store_result result)
{
    struct fake fake;
    fake_init(&fake, result, "stopped");
    struct checker *checker = checker_create(&fake.store);
    assert(checker);
    sem_wait(&fake.begun);
    checker_destroy(checker);
    assert(fake.stopped == 1);
    check_logged("");
    fake_release(&fake);
}

static void test_nothing_to_check(void)
{
    static const struct store_engine engine = {.check = NULL};
    struct store store = {.engine = &engine};
    struct checker *checker = checker_create(&store);
    assert(checker);
    assert(checker_finding(checker) == CHECKER_SOUND);
    checker_destroy(checker);
    checker_destroy(NULL);
    check_logged("");
}

int main(void)
{
    int code = pipe(pipes);
    assert(code == 0);
    fcntl(pipes[0], F_SETFL, O_NONBLOCK);
    int stderr_before = dup(STDERR_FILENO);
    dup2(pipes[1], STDERR_FILENO);
    test_finding(STORE_OK, "", CHECKER_SOUND, "");
    test_finding(STORE_CORRUPT, "page 7", CHECKER_DAMAGED,
                 "level=error event=store_structure_damaged why=\"page 7: stop the server, run "
                 "taluvad check and restore the backup\"\n");
    test_finding(STORE_FAILED, "no page", CHECKER_FAILED,
                 "level=error event=store_check_failed why=\"no page: stop the server and run "
                 "taluvad check\"\n");
    test_stopped(STORE_FAILED);
    test_stopped(STORE_CORRUPT);
    test_nothing_to_check();
    dup2(stderr_before, STDERR_FILENO);
    return 0;
}
