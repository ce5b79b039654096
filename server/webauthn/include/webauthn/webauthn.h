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

#endif
