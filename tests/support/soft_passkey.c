#include "soft_passkey.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { ID_BYTES = 16, PRESENT = 1, HAS_CREDENTIAL = 1 << 6, HASH_BYTES = 32 };

void soft_passkey_init(struct soft_passkey *passkey, uint8_t seed, const char *rp_id,
                       const char *origin)
{
    uint8_t seeds[crypto_sign_SEEDBYTES];
    *passkey = (struct soft_passkey){
        .id_len = ID_BYTES, .flags = PRESENT, .rp_id = rp_id, .origin = origin, .more = ""};
    memset(seeds, seed, sizeof seeds);
    crypto_sign_seed_keypair(passkey->public, passkey->secret, seeds);
    memset(passkey->id, seed, sizeof passkey->id);
    memset(passkey->user, seed, sizeof passkey->user);
}

size_t soft_client_data(const struct soft_passkey *passkey, const char *type,
                        const uint8_t *challenge, size_t challenge_len, uint8_t *out)
{
    char text[SOFT_BYTES_MAX];
    sodium_bin2base64(text, sizeof text, challenge, challenge_len,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    const int len = snprintf((char *)out, SOFT_BYTES_MAX,
                             "{\"type\":\"%s\",\"challenge\":\"%s\",\"origin\":\"%s\"%s}", type,
                             text, passkey->origin, passkey->more);
    return (size_t)len;
}

size_t soft_key(const struct soft_passkey *passkey, uint8_t *out)
{
    static const uint8_t head[] = {0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20};
    memcpy(out, head, sizeof head);
    memcpy(out + sizeof head, passkey->public, sizeof passkey->public);
    return sizeof head + sizeof passkey->public;
}

static size_t write_head(const struct soft_passkey *passkey, uint8_t more_flags, uint8_t *out)
{
    crypto_hash_sha256(out, (const uint8_t *)passkey->rp_id, strlen(passkey->rp_id));
    out[HASH_BYTES] = passkey->flags | more_flags;
    for (int i = 0; i < 4; i++)
        out[HASH_BYTES + 1 + i] = (uint8_t)(passkey->counter >> (24 - 8 * i));
    return HASH_BYTES + 5;
}

size_t soft_authenticator(const struct soft_passkey *passkey, uint8_t *out)
{
    return write_head(passkey, 0, out);
}

static size_t write_credential(const struct soft_passkey *passkey, uint8_t *out)
{
    enum { AAGUID_BYTES = 16 };
    uint8_t *at = out;
    memset(at, 0, AAGUID_BYTES);
    at += AAGUID_BYTES;
    *at++ = (uint8_t)(passkey->id_len >> 8);
    *at++ = (uint8_t)passkey->id_len;
    memcpy(at, passkey->id, passkey->id_len);
    at += passkey->id_len;
    return (size_t)(at - out) + soft_key(passkey, at);
}

size_t soft_attestation(const struct soft_passkey *passkey, uint8_t *out)
{
    static const uint8_t none[] = "\xa3\x63"
                                  "fmt\x64none\x67"
                                  "attStmt\xa0\x68"
                                  "authData\x59";
    uint8_t data[SOFT_BYTES_MAX];
    size_t len = write_head(passkey, HAS_CREDENTIAL, data);
    len += write_credential(passkey, data + len);
    memcpy(out, none, sizeof none - 1);
    uint8_t *at = out + sizeof none - 1;
    if (len < 256)
        at[-1] = 0x58; /* a length is as short as can be */
    else
        *at++ = (uint8_t)(len >> 8);
    *at++ = (uint8_t)len;
    memcpy(at, data, len);
    return (size_t)(at - out) + len;
}

void soft_sign(const struct soft_passkey *passkey, const uint8_t *authenticator, size_t len,
               const uint8_t *client_data, size_t client_len,
               uint8_t signature[static SOFT_SIGNATURE_BYTES])
{
    uint8_t text[SOFT_BYTES_MAX + HASH_BYTES];
    memcpy(text, authenticator, len);
    crypto_hash_sha256(text + len, client_data, client_len);
    crypto_sign_detached(signature, NULL, text, len + HASH_BYTES, passkey->secret);
}
