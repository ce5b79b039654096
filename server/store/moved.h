/*
 * Is the file that SQLite has open still the one that the next start would find? A store that was
 * moved away, replaced or deleted can still be written to while it is open, but the next start does
 * not find what was written.
 */
#ifndef STORE_MOVED_H
#define STORE_MOVED_H

#include "files.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct file_identity {
    dev_t device;
    ino_t inode; /* 0: not known yet */
};

struct store_files {
    char path[FILES_PATH_SIZE], log_path[FILES_PATH_SIZE]; /* "": nothing is watched */
    struct file_identity file, log;
};

/* Both are open now, and nobody has moved them yet. False: the name is too long. */
bool store_files_init(struct store_files *files, const char *path);

/*
 * STORE_FAILED with a message if one of the two is not in its place, or the log is shorter than
 * `log_bytes`, which it had. Two calls of statx.
 */
enum store_result store_files_check(struct store_files *files, int64_t log_bytes,
                                    char message[STORE_MESSAGE_MAX]);

#endif
