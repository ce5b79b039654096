/*
 * Passkeys as they are kept: whose, by which id its authenticator knows it, and its public key.
 * They are not in memory: a session's are asked for when its player has to do with them, and one by
 * the hash of its id when somebody comes with it, whatever part of the site has it.
 */
#ifndef IDENTITY_PASSKEY_TABLE_H
#define IDENTITY_PASSKEY_TABLE_H

#include <hub/kernel_account.h>
#include <hub/store_row.h>
#include <protocol/limits.h>
#include <stdint.h>
#include <webauthn/webauthn.h>

enum {
    PASSKEY_HASH_DIGITS = 64,
    PASSKEY_COSE_TEXT_MAX = (WEBAUTHN_KEY_MAX + 2) / 3 * 4,
    PASSKEY_RP_MAX = 253,
    PASSKEY_COPIED = 1 << 8, /* beside the authenticator's flags: its counter went back once */
};

struct passkey_row {
    uint64_t session;
    uint32_t key;                          /* the session's number for it */
    char id_hash[PASSKEY_HASH_DIGITS + 1]; /* SHA-256 of the id in hex: no other one has it */
    const char *id, *cose;                 /* base64url; the public key */
    const char *rp;                        /* the relying party that it was made for */
    uint8_t user_id[KERNEL_USER_ID_BYTES]; /* of the account: what the authenticator calls it */
    uint32_t counter, flags;
    const char *name;
    int64_t since_ms, seen_ms;
};

extern const struct store_table passkey_table;
enum { PASSKEY_BY_ID, PASSKEY_BY_SESSION }; /* its indexes; the second: the oldest first */

/* `id` in base64url, which is valid. */
void passkey_hash_id(const char *id, char hash[static PASSKEY_HASH_DIGITS + 1]);

#endif
