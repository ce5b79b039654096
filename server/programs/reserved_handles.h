/*
 * The file of handles that are nobody's to claim (--reserved-handles): words between blanks and
 * line ends.
 */
#ifndef SERVER_RESERVED_HANDLES_H
#define SERVER_RESERVED_HANDLES_H

#include "options.h"

enum { RESERVED_HANDLES_BYTES_MAX = 65536 };

/* Its text, to be freed. NULL: `message` says why there is none. */
char *reserved_handles_read(const char *path, char message[static OPTIONS_MESSAGE_MAX]);

#endif
