/* Folders and files around the database, and errors of the system as the store's. */
#ifndef STORE_FILES_H
#define STORE_FILES_H

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
 * The same file by a way without links: a folder may be one (systemd's StateDirectory of a dynamic
 * user is), the file itself not, and SQLite refuses both if it is to refuse one. False and errno.
 */
bool files_resolve(char resolved[FILES_PATH_SIZE], const char *path);

/* With the folders above it, each with mode 0700 if it is made. */
enum store_result files_make_directory(const char *directory, char message[STORE_MESSAGE_MAX]);

/* An empty file of mode 0600, whatever the umask, if it is not there; or in any case a new one. */
enum store_result files_make(const char *path, bool must_be_new, char message[STORE_MESSAGE_MAX]);

/*
 * STORE_CORRUPT if the database is missing or empty and a write-ahead log with something in it lies
 * beside it: it has been moved away or cut, and a new one would make that log worthless.
 */
enum store_result files_check_whole(const char *path, char message[STORE_MESSAGE_MAX]);

/* Takes the lock for as long as *fd is open, or says who has it (STORE_FENCED). */
enum store_result files_lock(const char *directory, int *fd, char message[STORE_MESSAGE_MAX]);

/* Gives `part` the name `path`, for good and without replacing what is there. */
enum store_result files_publish(const char *part, const char *path,
                                char message[STORE_MESSAGE_MAX]);

#endif
