/*
 * The file in which servers of earlier versions kept the operator's bans, beside the store:
 * DIR/bans. Its text is that of the document of this name (hub/store_document.h), which a server
 * that has none takes over from it.
 */
#ifndef STORE_BANS_H
#define STORE_BANS_H

#include <hub/store.h>
#include <stddef.h>

#define BANS_FILE "bans"
enum { BANS_BYTES_MAX = 1048576 };

/* *text, for free(); NULL if there is no file. STORE_CORRUPT: it is too long to be one. */
enum store_result bans_load(const char *directory, char **text, size_t *len,
                            char message[static STORE_MESSAGE_MAX]);
#endif
