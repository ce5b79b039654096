/*
 * Group commit, as cheaply as we know: what came while one write was under way goes into the next,
 * one write and one fdatasync each, on a thread of libuv's. Writes are paced as the server's
 * commits are by default (hub/pacing.h), and go round in a file that has its full size from the
 * start, as a log that is reused does.
 */
#ifndef FLOOR_JOURNAL_H
#define FLOOR_JOURNAL_H

#include <uv.h>

struct journal;

/* `kept` is told of each item when it is on the disk. NULL if the file cannot be made. */
struct journal *journal_open(uv_loop_t *loop, const char *path, void (*kept)(void *item));

void journal_keep(struct journal *journal, void *item);

/* The item has gone: nothing is told of it any more. */
void journal_forget(struct journal *journal, const void *item);

#endif
