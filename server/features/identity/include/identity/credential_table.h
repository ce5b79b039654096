/*
 * Credentials as they are kept: a secret that opens a session, of which only the hash is there. Its
 * id is the session's own: a second one with the same id takes the place of the first. The device
 * that a session was begun with has id 0. It goes with its session.
 */
#ifndef IDENTITY_CREDENTIAL_TABLE_H
#define IDENTITY_CREDENTIAL_TABLE_H

#include <hub/store_row.h>
#include <stdint.h>

enum credential_kind {
    CREDENTIAL_DEVICE, /* the token of a device */
    CREDENTIAL_LINK,   /* makes one device of the session, once and soon */
    CREDENTIAL_PHRASE, /* makes a device of it, at any time: for recovery */
};
enum { CREDENTIAL_KINDS = CREDENTIAL_PHRASE + 1, CREDENTIAL_NAME_MAX = 160 };

struct credential_row {
    uint64_t session;
    uint32_t id;
    enum credential_kind kind;
    uint8_t secret_hash[32];
    int64_t since_ms;
    int64_t seen_ms;  /* of a device: last hello, to within some hours */
    const char *name; /* of a device: borrowed, UTF-8, 0-terminated */
};

extern const struct store_table credential_table;

#endif
