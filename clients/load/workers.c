#include "workers.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool start_one(struct worker *workers, unsigned number, const struct options *options)
{
    int down[2];
    int up[2];
    if (pipe(down) != 0)
        return false;
    if (pipe(up) != 0) {
        (void)close(down[0]);
        (void)close(down[1]);
        return false;
    }
    (void)fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        (void)close(down[1]);
        (void)close(up[0]);
        for (unsigned i = 0; i < number; i++) {
            (void)close(workers[i].from);
            (void)close(workers[i].to);
        }
        const int status = work(options, number, down[0], up[1]);
        (void)fflush(NULL);
        _exit(status);
    }
    (void)close(down[0]);
    (void)close(up[1]);
    workers[number] = (struct worker){.pid = pid, .from = up[0], .to = down[1]};
    return pid > 0;
}

bool workers_start(struct worker *workers, const struct options *options)
{
    for (unsigned i = 0; i < options->processes; i++) {
        if (!start_one(workers, i, options)) {
            fprintf(stderr, "taluva-load: cannot start a process: %s\n", strerror(errno));
            return false;
        }
    }
    return true;
}

static bool read_all(int fd, void *out, size_t len)
{
    char *at = out;
    while (len > 0) {
        const ssize_t got = read(fd, at, len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        len -= (size_t)got;
    }
    return true;
}

bool workers_read(struct worker *workers, unsigned n, int timeout_ms)
{
    struct pollfd fds[64];
    for (unsigned i = 0; i < n; i++)
        fds[i] = (struct pollfd){.fd = workers[i].from, .events = POLLIN};
    if (poll(fds, n, timeout_ms) <= 0) {
        return true; /* nothing new, or a signal */
    }
    for (unsigned i = 0; i < n; i++) {
        if (fds[i].revents != 0 &&
            !read_all(workers[i].from, &workers[i].last, sizeof workers[i].last))
            return false;
    }
    return true;
}

void workers_signal(struct worker *workers, unsigned n, char word)
{
    for (unsigned i = 0; i < n; i++) {
        ssize_t wrote;
        do {
            wrote = write(workers[i].to, &word, 1);
        } while (wrote < 0 && errno == EINTR);
    }
}

/* Progress that was already written comes first; WORKERS_STATS_FOLLOW announces the stats. */
static bool collect_one(struct worker *worker, struct stats *into)
{
    struct worker_progress progress;
    struct stats *stats = malloc(sizeof *stats);
    bool whole = stats != NULL;
    do {
        whole = whole && read_all(worker->from, &progress, sizeof progress);
    } while (whole && progress.connections != WORKERS_STATS_FOLLOW);
    whole = whole && read_all(worker->from, stats, sizeof *stats);
    if (whole)
        stats_add(into, stats);
    free(stats);
    return whole;
}

bool workers_collect(struct worker *workers, unsigned n, struct stats *total)
{
    bool whole = true;
    for (unsigned i = 0; i < n; i++) {
        int status = 0;
        whole = collect_one(&workers[i], total) && whole;
        (void)close(workers[i].from);
        (void)close(workers[i].to);
        (void)waitpid(workers[i].pid, &status, 0);
        whole = whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return whole;
}
