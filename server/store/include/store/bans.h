/*
 * The file of the operator's bans, beside the store: DIR/bans, mode 0600. Its text is the hub's
 * (hub/admin.h). It is never changed in place: the old or the new one is there whole.
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
/* Durably in place of what is there. On failure that is still there. */
enum store_result bans_save(const char *directory, const char *text, size_t len,
                            char message[static STORE_MESSAGE_MAX]);

#endif
