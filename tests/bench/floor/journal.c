#include "journal.h"

#include <fcntl.h>
#include <hub/pacing.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    EVENT_BYTES = 128,
    GROUP_MAX = 32768,
    FILE_BYTES = 6 << 20,
    INTERVAL_MAX_US = 2000,
};

struct group {
    void *items[GROUP_MAX];
    size_t count;
};

struct journal {
    uv_loop_t *loop;
    void (*kept)(void *item);
    int fd;
    off_t end;
    struct group groups[2], *filling, *writing;
    struct pacing pacing;
    uv_work_t work;
    uv_timer_t timer;
    char zeros[GROUP_MAX * EVENT_BYTES];
};

/* An unwritten part of a file costs more when it is written for the first time. */
static int fill(struct journal *journal)
{
    for (off_t at = 0; at < FILE_BYTES; at += 1 << 20) {
        if (pwrite(journal->fd, journal->zeros, 1 << 20, at) != 1 << 20)
            return -1;
    }
    return fsync(journal->fd);
}

struct journal *journal_open(uv_loop_t *loop, const char *path, void (*kept)(void *item))
{
    struct journal *journal = calloc(1, sizeof *journal);
    if (!journal)
        return NULL;
    journal->loop = loop;
    journal->kept = kept;
    journal->filling = &journal->groups[0];
    journal->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (journal->fd < 0 || fill(journal) < 0) {
        perror(path);
        free(journal);
        return NULL;
    }
    pacing_init(&journal->pacing, INTERVAL_MAX_US);
    uv_timer_init(loop, &journal->timer);
    return journal;
}

static void write_group(uv_work_t *work)
{
    struct journal *journal = work->data;
    const size_t len = journal->writing->count * EVENT_BYTES;
    if (journal->end + (off_t)len > FILE_BYTES)
        journal->end = 0;
    if (pwrite(journal->fd, journal->zeros, len, journal->end) != (ssize_t)len ||
        fdatasync(journal->fd) != 0) {
        perror("journal");
        abort();
    }
    journal->end += (off_t)len;
}

static void begin(struct journal *journal);

static void on_written(uv_work_t *work, int status)
{
    struct journal *journal = work->data;
    struct group *group = journal->writing;
    (void)status;
    journal->writing = NULL;
    for (size_t i = 0; i < group->count; i++) {
        if (group->items[i])
            journal->kept(group->items[i]);
    }
    group->count = 0;
    begin(journal);
}

static void on_timer(uv_timer_t *timer)
{
    begin(timer->data);
}

static void begin(struct journal *journal)
{
    const size_t count = journal->filling->count;
    if (journal->writing || count == 0)
        return;
    const int64_t now_us = (int64_t)(uv_hrtime() / 1000);
    const int64_t wait_us = pacing_due_us(&journal->pacing, count) - now_us;
    if (wait_us > 0) {
        journal->timer.data = journal;
        uv_timer_start(&journal->timer, on_timer, (uint64_t)(wait_us + 999) / 1000, 0);
        return;
    }
    pacing_begin(&journal->pacing, now_us, count);
    journal->writing = journal->filling;
    journal->filling = &journal->groups[journal->filling == &journal->groups[0]];
    journal->work.data = journal;
    uv_queue_work(journal->loop, &journal->work, write_group, on_written);
}

void journal_keep(struct journal *journal, void *item)
{
    if (journal->filling->count == GROUP_MAX) {
        abort(); /* more peers than there are */
    }
    journal->filling->items[journal->filling->count++] = item;
    begin(journal);
}

static void forget(struct group *group, const void *item)
{
    for (size_t i = 0; i < group->count; i++) {
        if (group->items[i] == item)
            group->items[i] = NULL;
    }
}

void journal_forget(struct journal *journal, const void *item)
{
    forget(&journal->groups[0], item);
    forget(&journal->groups[1], item);
}
