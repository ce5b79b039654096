/*
 * The file of what nobody is to be called (--name-patterns, protocol/name_patterns.h), read at the
 * start and again at SIGHUP.
 */
#ifndef SERVER_NAME_PATTERNS_FILE_H
#define SERVER_NAME_PATTERNS_FILE_H

#include "options.h"
#include <stdbool.h>

struct name_patterns;

enum { NAME_PATTERNS_FILE_MAX = 65536 };

/* In place of what there is, which stays if it cannot be read: then `message` says why. */
bool name_patterns_file_read(struct name_patterns *patterns, const char *path,
                             char message[static OPTIONS_MESSAGE_MAX]);

#endif
