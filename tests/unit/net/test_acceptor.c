/* Accepting connections while the system has none to give: the loop must not spin, and goes on by
 * itself. The errors come from a made-up accept4. */
#define _GNU_SOURCE /* accept4 */
#include "sockets/acceptor.h"
#include "suites.h"
#include <errno.h>
#include <fcntl.h>
#include <net/log.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int __real_accept4(int fd, struct sockaddr *from, socklen_t *len, int flags);
int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *len, int flags);

static int errors_left, error_given;

int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *len, int flags)
{
    if (errors_left == 0)
        return __real_accept4(fd, from, len, flags);
    errors_left--;
    errno = error_given;
    return -1;
}

static void fail_next(int count, int error)
{
    errors_left = count;
    error_given = error;
}

/* ---- somebody who listens, and people who come */

static uv_loop_t loop;
static struct acceptor acceptor;
static uint64_t failures;
static int taken, log_pipe[2], stderr_before;
static int comers[64];
static size_t comers_count;

static void take(struct acceptor *from, int fd, const union socket_address *address)
{
    ck_assert_ptr_eq(from->data, &taken);
    ck_assert_int_eq(address->any.sa_family, AF_INET);
    ck_assert_int_eq(fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
    ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
    taken++;
    close(fd);
}

static void connect_one(void)
{
    union socket_address bound;
    socklen_t len = sizeof bound;
    ck_assert_int_eq(getsockname(acceptor.fd, &bound.any, &len), 0);
    ck_assert_uint_lt(comers_count, sizeof comers / sizeof comers[0]);
    const int fd = comers[comers_count++] = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(connect(fd, &bound.any, len), 0);
}

static void setup(void)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    const struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001)};
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&any, sizeof any), 0);
    ck_assert_int_eq(listen(fd, 16), 0);
    ck_assert_int_eq(uv_loop_init(&loop), 0);
    taken = 0;
    failures = 0;
    acceptor =
        (struct acceptor){.whose = "tests", .failures = &failures, .take = take, .data = &taken};
    acceptor_start(&acceptor, &loop, fd);
    ck_assert_int_eq(pipe2(log_pipe, O_NONBLOCK), 0);
    stderr_before = dup(STDERR_FILENO);
    dup2(log_pipe[1], STDERR_FILENO);
    connect_one();
}

static void teardown(void)
{
    dup2(stderr_before, STDERR_FILENO);
    close(stderr_before);
    close(log_pipe[0]);
    close(log_pipe[1]);
    while (comers_count > 0)
        close(comers[--comers_count]);
    acceptor_close(&acceptor);
    uv_run(&loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&loop), 0);
    ck_assert_int_eq(fcntl(acceptor.fd, F_GETFD), -1); /* it is closed */
}

/* How often `word` stands in what was logged. */
static int count_logged(const char *word)
{
    static char text[65536];
    const ssize_t len = read(log_pipe[0], text, sizeof text - 1);
    int count = 0;
    text[len > 0 ? len : 0] = '\0';
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

static const int lasting[] = {EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM, EINVAL};
enum { LASTING = sizeof lasting / sizeof lasting[0] };

/* The connection waits in the kernel all the time, and nobody looks until the timer says so. */
START_TEST(test_pauses)
{
    fail_next(1000, lasting[_i]);
    while (failures == 0)
        uv_run(&loop, UV_RUN_NOWAIT);
    ck_assert_uint_eq(failures, 1);
    ck_assert_int_eq(errors_left, 999);
    ck_assert(!uv_is_active((uv_handle_t *)&acceptor.poll));
    ck_assert(uv_is_active((uv_handle_t *)&acceptor.retry));
    fail_next(0, 0);
    while (taken == 0)
        uv_run(&loop, UV_RUN_NOWAIT);
    ck_assert_int_eq(taken, 1);
    ck_assert_int_eq(acceptor.wait_ms, 0);
    ck_assert(uv_is_active((uv_handle_t *)&acceptor.poll));
}
END_TEST

START_TEST(test_waits_longer)
{
    static const int64_t waits_ms[] = {10, 20, 40};
    fail_next(1000, EMFILE);
    for (uint64_t at = 0; at < 3; at++) {
        while (failures == at)
            uv_run(&loop, UV_RUN_NOWAIT);
        ck_assert_int_eq(acceptor.wait_ms, waits_ms[at]);
        ck_assert_uint_eq(uv_timer_get_due_in(&acceptor.retry) > 0, 1);
    }
    acceptor.wait_ms = 600;
    while (failures == 3)
        uv_run(&loop, UV_RUN_NOWAIT);
    ck_assert_int_eq(acceptor.wait_ms, ACCEPTOR_WAIT_MOST_MS);
    ck_assert_int_eq(count_logged("event=accept_failed of=tests why=\"Too many open files\"\n"), 1);
}
END_TEST

static const int passing[] = {ECONNABORTED, EINTR, EPROTO, ENETDOWN, EHOSTUNREACH};
enum { PASSING = sizeof passing / sizeof passing[0] };

/* What was wrong with one connection does not keep the next one waiting. */
START_TEST(test_goes_on)
{
    fail_next(3, passing[_i]);
    while (errors_left > 0)
        uv_run(&loop, UV_RUN_NOWAIT);
    ck_assert_int_eq(taken, 1);
    ck_assert_uint_eq(failures, 0);
    ck_assert_int_eq(count_logged("accept_failed"), 0);
}
END_TEST

/* What came while it paused comes afterwards, in one turn but for what is more than a turn's. */
START_TEST(test_all_come)
{
    fail_next(1, ENFILE);
    while (failures == 0)
        uv_run(&loop, UV_RUN_NOWAIT);
    for (int count = 0; count < 8; count++)
        connect_one();
    while (taken < 9)
        uv_run(&loop, UV_RUN_NOWAIT);
    ck_assert_uint_eq(failures, 1);
}
END_TEST

Suite *acceptor_suite(void)
{
    Suite *suite = suite_create("acceptor");
    TCase *tcase = tcase_create("acceptor");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, test_pauses, 0, LASTING);
    tcase_add_test(tcase, test_waits_longer);
    tcase_add_loop_test(tcase, test_goes_on, 0, PASSING);
    tcase_add_test(tcase, test_all_come);
    suite_add_tcase(suite, tcase);
    return suite;
}
