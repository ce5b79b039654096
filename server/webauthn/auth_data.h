/*
 * What an authenticator says and signs: for which relying party, whether somebody was there, how
 * often it has signed; and of a new credential its id and key.
 */
#ifndef WEBAUTHN_AUTH_DATA_H
#define WEBAUTHN_AUTH_DATA_H

#include <webauthn/webauthn.h>

struct auth_data {
    const uint8_t *rp_hash; /* 32 bytes */
    uint8_t flags;
    uint32_t counter;
    struct webauthn_bytes credential; /* how that of a new one begins, with its id; else empty */
};

/* False: it is none. */
bool auth_data_read(struct webauthn_bytes bytes, bool of_new, struct auth_data *data);
/* The id and the key of a new one; what stands behind them is what is allowed there. */
enum webauthn_fault auth_data_credential(const struct auth_data *data, struct webauthn_made *made);

/* Whom it is for, that somebody was there, and that it can be what it says it is. */
enum webauthn_fault auth_data_check(const struct auth_data *data, const char *rp_id);

#endif
