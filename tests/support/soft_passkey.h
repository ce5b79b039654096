/*
 * A passkey in software, with a key of Ed25519, and the browser around it: what a test sends as
 * somebody's who has one, or thinks so. Each of its parts may be changed before.
 */
#ifndef SUPPORT_SOFT_PASSKEY_H
#define SUPPORT_SOFT_PASSKEY_H

#include <stddef.h>
#include <stdint.h>

enum { SOFT_ID_MAX = 1023, SOFT_BYTES_MAX = 2048, SOFT_SIGNATURE_BYTES = 64, SOFT_KEY_BYTES = 42 };

struct soft_passkey {
    uint8_t secret[64], public[32];
    uint8_t id[SOFT_ID_MAX];
    size_t id_len;
    uint8_t user[16];
    uint8_t flags; /* without what tells a registration */
    uint32_t counter;
    const char *rp_id, *origin;
    const char *more; /* members of the client data: ",\"crossOrigin\":false" */
};

/* Another one for each seed; somebody is there, the counter is 0. */
void soft_passkey_init(struct soft_passkey *passkey, uint8_t seed, const char *rp_id,
                       const char *origin);

/* All of these: bytes into a buffer of SOFT_BYTES_MAX, and how many. */
size_t soft_client_data(const struct soft_passkey *passkey, const char *type,
                        const uint8_t *challenge, size_t challenge_len, uint8_t *out);
size_t soft_key(const struct soft_passkey *passkey, uint8_t *out); /* COSE */
size_t soft_attestation(const struct soft_passkey *passkey, uint8_t *out);
size_t soft_authenticator(const struct soft_passkey *passkey, uint8_t *out);
/* Of what the authenticator says about what the browser says. */
void soft_sign(const struct soft_passkey *passkey, const uint8_t *authenticator, size_t len,
               const uint8_t *client_data, size_t client_len,
               uint8_t signature[static SOFT_SIGNATURE_BYTES]);

#endif
