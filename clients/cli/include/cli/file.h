/*
 * Whole files as bytes, in bounded memory; "-" is the standard input.
 */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { FILE_BYTES_MAX = 256 * 1024 * 1024 };

struct file {
    char *bytes; /* NUL-terminated */
    size_t len;
};

/* False with a message on stderr if it cannot be read or is longer than FILE_BYTES_MAX. */
bool file_read(struct file *file, const char *path);
void file_release(struct file *file);
/* If every line ends with CR LF, as some editors and mail programs leave it, takes the CRs away. */
void file_unix_lines(struct file *file);

/*
 * Replaces the file at once, so that a reader sees the old or the new one whole; only the owner may
 * read it if `is_private`. False with errno set; the old file is then untouched.
 */
bool file_replace(const char *path, const void *bytes, size_t len, bool is_private);

/* A new file. False with errno set, EEXIST if there is one; nothing is left of it then. */
bool file_create(const char *path, const void *bytes, size_t len);
/* The same without leaving a file: whether it could be made now. */
bool file_may_create(const char *path);

#endif
