/*
 * A file that is there whole or not at all: it is written beside its place under a name of its own,
 * NAME.part-PROCESS, and then put there in one step, on the disk. What a process that was killed
 * has left under such a name is removed when the next one writes the same file.
 *
 * One process writes a file once at a time. Another machine's process that writes the same file at
 * the same time can lose its part, and is told so by new_file_keep.
 */
#ifndef BASE_NEW_FILE_H
#define BASE_NEW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { NEW_FILE_PATH_SIZE = 4096 };

struct new_file {
    int fd;
    char part[NEW_FILE_PATH_SIZE]; /* where it is while it is written */
    char path[NEW_FILE_PATH_SIZE];
};

/* What to do with a file that is at the place already. */
enum new_file_over { NEW_FILE_REFUSE, NEW_FILE_REPLACE };

/* All of these: false and errno set if it failed. Then nothing is left of the part. */
bool new_file_begin(struct new_file *file, const char *path, mode_t mode);
bool new_file_write(struct new_file *file, const void *bytes, size_t len);
/* With NEW_FILE_REFUSE: EEXIST if there is a file, but for an empty one where the file system knows
 * no links, and nobody holds it: a killed process had claimed the place. On failure the folder may
 * not be synced, but what is at the place is the old file or the new one. */
bool new_file_keep(struct new_file *file, enum new_file_over over);
void new_file_drop(struct new_file *file); /* errno stays as it is */

/* The file as a whole. */
bool new_file_make(const char *path, const void *bytes, size_t len, mode_t mode,
                   enum new_file_over over);

/* The folder that `path` is in, on the disk. */
bool new_file_sync_folder(const char *path);

/*
 * For a program of one thread that leaves signals alone: INT, TERM and HUP end it as they did, and
 * what it was writing goes first.
 */
void new_file_drop_on_signals(void);

#endif
