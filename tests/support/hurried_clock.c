/*
 * Half an hour in some seconds: loaded before the C library (LD_PRELOAD), it lets the monotonic
 * clock of a program, and its waiting for events, go HURRY times as fast as long as there is a file
 * of the name HURRY_FILE. What has passed meanwhile stays. Nothing else changes.
 */
#define _GNU_SOURCE /* RTLD_NEXT, epoll_pwait */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t seen_ns, ahead_ns;

/* 1: time goes as it does. */
static int64_t speed_now(void)
{
    const char *file = getenv("HURRY_FILE"), *speed = getenv("HURRY");
    return file && speed && access(file, F_OK) == 0 ? strtol(speed, NULL, 10) : 1;
}

static int64_t hurried_ns(int64_t now_ns)
{
    const int64_t speed = speed_now();
    pthread_mutex_lock(&lock);
    if (now_ns > seen_ns) {
        ahead_ns += seen_ns > 0 ? (now_ns - seen_ns) * (speed - 1) : 0;
        seen_ns = now_ns;
    }
    const int64_t ns = now_ns + ahead_ns;
    pthread_mutex_unlock(&lock);
    return ns;
}

int clock_gettime(clockid_t id, struct timespec *time)
{
    const long result = syscall(SYS_clock_gettime, id, time);
    if (result != 0 || (id != CLOCK_MONOTONIC && id != CLOCK_MONOTONIC_COARSE))
        return (int)result;
    const int64_t ns = hurried_ns(time->tv_sec * SECOND_NS + time->tv_nsec);
    time->tv_sec = ns / SECOND_NS;
    time->tv_nsec = ns % SECOND_NS;
    return 0;
}

static int hurried_ms(int timeout_ms)
{
    return timeout_ms > 0 ? (int)((timeout_ms + speed_now() - 1) / speed_now()) : timeout_ms;
}

/* dlsym returns a pointer to data; this converts it to a pointer to a function. */
int epoll_pwait(int fd, struct epoll_event *events, int most, int timeout_ms, const sigset_t *mask)
{
    union {
        void *data;
        int (*function)(int, struct epoll_event *, int, int, const sigset_t *);
    } real = {dlsym(RTLD_NEXT, "epoll_pwait")};
    return real.data ? real.function(fd, events, most, hurried_ms(timeout_ms), mask) : -1;
}

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout_ms)
{
    return epoll_pwait(fd, events, most, timeout_ms, NULL);
}
