/*
 * WebAuthn (W3C, Level 3) as a relying party needs it: is what a browser has sent a new passkey, or
 * a proof that somebody has one? Attestation is not asked for, and not looked at.
 *
 * Values in, values out: it keeps nothing, reads no clock and knows no account. What a challenge
 * was for, and that it is used once and soon, is the caller's.
 *
 * Everything that is taken in is made by strangers. CBOR is read strictly (cbor.h), keys are of the
 * three kinds that are asked for, and each check that fails has a reason of its own. Secrets and
 * what is told apart by them are compared in a time that does not depend on where they differ.
 */
#ifndef WEBAUTHN_WEBAUTHN_H
#define WEBAUTHN_WEBAUTHN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <webauthn/bytes.h>

enum {
    WEBAUTHN_CHALLENGE_MAX = 128, /* bytes of a challenge */
    WEBAUTHN_CLIENT_DATA_MAX = 4096,
    WEBAUTHN_ID_MAX = 1023, /* bytes of a credential's id */
    WEBAUTHN_KEY_MAX = 600, /* bytes of its COSE key: RSA with 4096 bits has 528 */
    WEBAUTHN_USER_BYTES = 16,
};

/* COSE's numbers of what is asked for, to be offered in this order. */
enum webauthn_algorithm {
    WEBAUTHN_ES256 = -7,
    WEBAUTHN_EDDSA = -8,
    WEBAUTHN_RS256 = -257,
};

/* In the order in which they are looked for. */
enum webauthn_fault {
    WEBAUTHN_OK,
    WEBAUTHN_NO_MEMORY,       /* or OpenSSL has failed: nothing is known of it */
    WEBAUTHN_OTHER_USER,      /* the credential is not of whom the authenticator names */
    WEBAUTHN_BAD_CLIENT_DATA, /* it is not one JSON object, or lacks something */
    WEBAUTHN_OTHER_TYPE,      /* made for a registration, or for an assertion: the other one */
    WEBAUTHN_OTHER_CHALLENGE,
    WEBAUTHN_OTHER_ORIGIN,
    WEBAUTHN_CROSS_ORIGIN,      /* in a frame of another site */
    WEBAUTHN_BAD_ATTESTATION,   /* the object around the authenticator's data */
    WEBAUTHN_BAD_AUTHENTICATOR, /* the authenticator's data */
    WEBAUTHN_OTHER_RP,          /* for another relying party */
    WEBAUTHN_NOBODY_PRESENT,
    WEBAUTHN_BAD_BACKUP,     /* is backed up, but cannot be */
    WEBAUTHN_BACKUP_CHANGED, /* can be backed up, and could not be when it was made; or not now */
    WEBAUTHN_BAD_KEY,
    WEBAUTHN_OTHER_ALGORITHM, /* a key of a kind that was not asked for */
    WEBAUTHN_BAD_SIGNATURE,
    WEBAUTHN_FAULTS
};

/* a-z and underscores, for logs; static. */
const char *webauthn_fault_name(enum webauthn_fault fault);

/* What the relying party goes by. */
struct webauthn_party {
    const char *rp_id;          /* a host */
    const char *const *origins; /* of its pages, NULL at the end; each byte counts */
    struct webauthn_bytes challenge;
};

/* Flags of an authenticator. */
enum webauthn_flag {
    WEBAUTHN_PRESENT = 1 << 0,
    WEBAUTHN_VERIFIED = 1 << 2,
    WEBAUTHN_CAN_BACK_UP = 1 << 3,
    WEBAUTHN_BACKED_UP = 1 << 4,
};

/* ---- a new credential */

/* Points into the attestation object. */
struct webauthn_made {
    struct webauthn_bytes id;
    struct webauthn_bytes key; /* COSE, of WEBAUTHN_KEY_MAX bytes at most */
    enum webauthn_algorithm algorithm;
    uint32_t counter;
    uint8_t flags;
};

/* `*made` is filled in with WEBAUTHN_OK alone. */
enum webauthn_fault webauthn_register(const struct webauthn_party *party,
                                      struct webauthn_bytes client_data,
                                      struct webauthn_bytes attestation,
                                      struct webauthn_made *made);

/* ---- a proof that somebody has one */

/* A credential as it was kept. */
struct webauthn_known {
    uint8_t user[WEBAUTHN_USER_BYTES];
    struct webauthn_bytes key;
    uint32_t counter;
    uint8_t flags;
};

/* What the browser has sent. */
struct webauthn_assertion {
    struct webauthn_bytes user; /* whom the authenticator names; `at` NULL: nobody */
    struct webauthn_bytes client_data, authenticator, signature;
};

struct webauthn_seen {
    uint32_t counter;
    uint8_t flags;
    /* It did not go up: two have the key, perhaps. Keys that are synchronised do not count, and
     * always say 0. */
    bool counter_back;
};

/* `*seen` is filled in with WEBAUTHN_OK alone. */
enum webauthn_fault webauthn_verify(const struct webauthn_party *party,
                                    const struct webauthn_known *known,
                                    const struct webauthn_assertion *assertion,
                                    struct webauthn_seen *seen);

#endif
