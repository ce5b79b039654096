/* Servers that are there and do not answer: stopped, swapped out, or sending a byte now and then.
 */
#include "../../support/scratch_path.h"
#include "ask.h"
#include "suites.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

static const char GREETING[] = "{\"taluva_admin\":1}\n";

enum silence { NEVER_ACCEPTS, SAYS_NOTHING, SENDS_BYTES, ANSWERS_NOTHING, BACKLOG_FULL, SILENCES };

static char folder[SCRATCH_BYTES], path[96];
static pid_t server;
static int listener;

static void dribble(int client)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    while (write(client, " ", 1) == 1)
        nanosleep(&pause, NULL);
}

/* The connections are held until the process is killed. */
static void serve(enum silence how)
{
    const int client =
        how == NEVER_ACCEPTS || how == BACKLOG_FULL ? -1 : accept(listener, NULL, NULL);
    if (how == SENDS_BYTES)
        dribble(client);
    if (how == ANSWERS_NOTHING && write(client, GREETING, sizeof GREETING - 1) < 0)
        _exit(1);
    for (;;)
        pause();
}

static void fill_backlog(const struct sockaddr_un *address)
{
    for (int i = 0; i < 2; i++) {
        const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)connect(fd, (const struct sockaddr *)address, sizeof *address);
    }
}

static void start(enum silence how)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(folder, "taluva-ask", false)));
    snprintf(path, sizeof path, "%s/admin.sock", folder);
    strcpy(address.sun_path, path);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(listener, how == BACKLOG_FULL ? 0 : 8), 0);
    if (how == BACKLOG_FULL)
        fill_backlog(&address);
    server = fork();
    if (server == 0)
        serve(how);
}

static void stop(void)
{
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    close(listener);
    unlink(path);
    rmdir(folder);
}

START_TEST(test_no_answer)
{
    struct asker asker;
    json_t *request = json_pack("{s:s}", "op", "status"), *ok = NULL;
    start((enum silence)_i);
    int status = ask_open(&asker, path, 1);
    if (_i == ANSWERS_NOTHING) {
        ck_assert_int_eq(status, 0);
        status = ask(&asker, request, &ok);
    }
    ck_assert_int_eq(status, EX_UNAVAILABLE);
    ck_assert_ptr_null(ok);
    ask_close(&asker);
    json_decref(request);
    stop();
}
END_TEST

Suite *ask_suite(void)
{
    Suite *suite = suite_create("ask");
    TCase *tests = tcase_create("ask");
    tcase_set_timeout(tests, 30);
    tcase_add_loop_test(tests, test_no_answer, 0, SILENCES);
    suite_add_tcase(suite, tests);
    return suite;
}
