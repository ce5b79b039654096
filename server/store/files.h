/* Folders and files around the database, and errors of the system as the store's. */
#ifndef STORE_FILES_H
#define STORE_FILES_H

#include <base/new_file.h>
#include <hub/store.h>
#include <stdbool.h>

#define STORE_FILE "taluva.db"

enum { FILES_PATH_SIZE = 4096 };

/* By errno. The message names the path as far as it fits. */
enum store_result files_fail(const char *what, const char *path, char message[STORE_MESSAGE_MAX]);
bool files_out_of_space(int system_errno);

/* directory/name; false and errno set if that is too long. */
bool files_join(char path[FILES_PATH_SIZE], const char *directory, const char *name);

/*
 * The path without symbolic links in its folders: systemd's StateDirectory of a dynamic user is a
 * link. SQLite is set to refuse links, because the file itself must not be one, and would refuse
 * this one too. False and errno set on failure.
 */
bool files_resolve(char resolved[FILES_PATH_SIZE], const char *path);

/* With the folders above it, each with mode 0700 if it is made. */
enum store_result files_make_directory(const char *directory, char message[STORE_MESSAGE_MAX]);

/* Whatever it is; also a link that leads nowhere. */
bool files_exists(const char *path);

/*
 * STORE_CORRUPT if the store's file is empty; or missing, with something in the write-ahead log
 * beside it, which a new store would make useless; or if that log is not its own.
 */
enum store_result files_check_whole(const char *path, char message[STORE_MESSAGE_MAX]);

/* Is there a write-ahead log with something in it? */
bool files_has_log(const char *path);

/*
 * If `path` is a store's file with a lock beside it: keeps servers out for as long as *fd is open,
 * or STORE_FENCED and who has it. Else *fd stays as it is. Writes nothing.
 */
enum store_result files_keep_out(const char *path, int *fd, char message[STORE_MESSAGE_MAX]);

/* Takes the lock for as long as *fd is open, or says who has it (STORE_FENCED). */
enum store_result files_lock(const char *directory, int *fd, char message[STORE_MESSAGE_MAX]);

/* As in base/new_file.h, with mode 0600, and errors as the store's. */
enum store_result files_begin(struct new_file *file, const char *path,
                              char message[STORE_MESSAGE_MAX]);
enum store_result files_keep(struct new_file *file, enum new_file_over over,
                             char message[STORE_MESSAGE_MAX]);
enum store_result files_write(const char *path, const void *bytes, size_t len,
                              enum new_file_over over, char message[STORE_MESSAGE_MAX]);

#endif
