/*
 * A disk that takes its time: loaded before the C library (LD_PRELOAD), it lets every fsync and
 * fdatasync of a program take SLOW_DISK_MS longer, and wait for as long as there is a file of the
 * name SLOW_DISK_HOLD; that one does is told by a file of that name and ".waits". Nothing else
 * changes.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_while_held(void)
{
    const char *hold = getenv("SLOW_DISK_HOLD");
    const struct timespec pause = {0, 5000000};
    char waits[4096];
    if (!hold || access(hold, F_OK) != 0)
        return;
    (void)snprintf(waits, sizeof waits, "%s.waits", hold);
    close(open(waits, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    while (access(hold, F_OK) == 0)
        nanosleep(&pause, NULL);
}

static void wait(void)
{
    const char *text = getenv("SLOW_DISK_MS");
    long ms = text ? strtol(text, NULL, 10) : 0;
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0)
        ;
    wait_while_held();
}

/* dlsym returns a pointer to data; this converts it to a pointer to a function. */
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
