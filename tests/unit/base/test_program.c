/* How programs begin and end, each in a process of its own. */
#include "../../support/scratch_path.h"
#include "suites.h"
#include <base/program.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

enum { KEPT = 9 }; /* what the program itself ends with */

/* A program with this standard output that prints a line; how it ended. */
static int run(int output, void (*before)(void), int more)
{
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (output >= 0)
            dup2(output, STDOUT_FILENO);
        if (before)
            before();
        program_begin();
        if (more)
            program_output_failed(more);
        puts("a line");
        _exit(program_end("test", KEPT));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

static void exits_with(int status, int code)
{
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), code);
}

static void close_some(int mask)
{
    for (int fd = 0; fd < 3; fd++) {
        if (mask >> fd & 1)
            close(fd);
    }
}

/* Every choice of the three. What is opened next is none of them. */
START_TEST(test_closed)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        char byte;
        close_some(_i);
        program_begin();
        const int next = open("/dev/zero", O_RDONLY);
        bool right = next > STDERR_FILENO;
        for (int fd = 0; fd < 3; fd++)
            right &= fcntl(fd, F_GETFD) == 0;
        if (_i & 1)
            right &= read(STDIN_FILENO, &byte, 1) == 0;
        if (_i & 2)
            right &= write(STDOUT_FILENO, "x", 1) < 0 && errno == EBADF;
        _exit(right ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    exits_with(status, 0);
}
END_TEST

static void close_output(void)
{
    close(STDOUT_FILENO);
}

START_TEST(test_output_is_told)
{
    const int null = open("/dev/null", O_WRONLY), full = open("/dev/full", O_WRONLY);
    exits_with(run(null, NULL, 0), KEPT);
    exits_with(run(full, NULL, 0), EX_IOERR);
    exits_with(run(-1, close_output, 0), EX_IOERR);
    exits_with(run(null, NULL, ENOSPC), EX_IOERR);
    close(null);
    close(full);
}
END_TEST

/* Also when it was flushed before the end: of a second flush there is nothing to learn. */
START_TEST(test_why_is_told)
{
    int status, said[2];
    char line[128] = "";
    ck_assert_int_eq(pipe(said), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
        dup2(said[1], STDERR_FILENO);
        program_begin();
        puts("a line");
        program_flush_output();
        _exit(program_end("test", KEPT));
    }
    close(said[1]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    exits_with(status, EX_IOERR);
    ck_assert_int_gt(read(said[0], line, sizeof line - 1), 0);
    close(said[0]);
    ck_assert_str_eq(line, "test: the output could not be written: No space left on device\n");
}
END_TEST

static void ignore_pipes(void)
{
    signal(SIGPIPE, SIG_IGN);
}

/* As a loop that must not be ended by a socket does later. */
START_TEST(test_reader_is_gone)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    int status = run(ends[1], NULL, 0);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    const int null = open("/dev/null", O_WRONLY);
    status = run(null, NULL, EPIPE);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    exits_with(run(ends[1], ignore_pipes, 0), EX_IOERR);
    exits_with(run(null, ignore_pipes, EPIPE), EX_IOERR);
    close(null);
    close(ends[1]);
}
END_TEST

static void allow_two_bytes(void)
{
    const struct rlimit limit = {2, 2};
    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &limit);
}

START_TEST(test_file_is_limited)
{
    char path[SCRATCH_BYTES];
    const int file = mkstemp(scratch_path(path, "taluva-program", false));
    ck_assert_int_ge(file, 0);
    unlink(path);
    exits_with(run(file, allow_two_bytes, 0), EX_IOERR);
    close(file);
}
END_TEST

Suite *program_suite(void)
{
    Suite *suite = suite_create("program");
    TCase *tests = tcase_create("program");
    tcase_add_loop_test(tests, test_closed, 0, 8);
    tcase_add_test(tests, test_output_is_told);
    tcase_add_test(tests, test_why_is_told);
    tcase_add_test(tests, test_reader_is_gone);
    tcase_add_test(tests, test_file_is_limited);
    suite_add_tcase(suite, tests);
    return suite;
}
