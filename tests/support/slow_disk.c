/*
 * A disk that takes its time: loaded before the C library (LD_PRELOAD), it lets every fsync and
 * fdatasync of a program take SLOW_DISK_MS longer. Nothing else changes.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait(void)
{
    const char *text = getenv("SLOW_DISK_MS");
    long ms = text ? strtol(text, NULL, 10) : 0;
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0)
        ;
}

/* A pointer to a function that was found as one to data. */
static int call_real(const char *name, int fd)
{
    union {
        void *data;
        int (*function)(int);
    } real = {dlsym(RTLD_NEXT, name)};
    return real.data ? real.function(fd) : -1;
}

int fsync(int fd)
{
    wait();
    return call_real("fsync", fd);
}

int fdatasync(int fd)
{
    wait();
    return call_real("fdatasync", fd);
}
