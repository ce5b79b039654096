/*
 * RFC 8291: a key agreed with the browser (ECDH of a fresh key with the browser's), drawn out with
 * the browser's `auth` and a salt (HKDF), encrypts one record of RFC 8188 (AES-128-GCM).
 */
#include "curve.h"
#include <assert.h>
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <sodium.h>
#include <string.h>

enum { AGREED_BYTES = 32, KEY_BYTES = 16, NONCE_BYTES = 12, TAG_BYTES = 16, RECORD_BYTES = 4096 };

static_assert(PUSH_TEXT_MAX + 1 + TAG_BYTES <= RECORD_BYTES, "one record takes it");

struct keys {
    uint8_t key[KEY_BYTES], nonce[NONCE_BYTES];
};

static bool agree_secret(EVP_PKEY *mine, EVP_PKEY *theirs, uint8_t agreed[static AGREED_BYTES])
{
    size_t len = AGREED_BYTES;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(mine, NULL);
    const bool done = ctx && EVP_PKEY_derive_init(ctx) == 1 &&
                      EVP_PKEY_derive_set_peer(ctx, theirs) == 1 &&
                      EVP_PKEY_derive(ctx, agreed, &len) == 1 && len == AGREED_BYTES;
    EVP_PKEY_CTX_free(ctx);
    return done;
}

struct bytes {
    const void *at;
    size_t len;
};

static OSSL_PARAM octets(const char *name, struct bytes bytes)
{
    union { /* OpenSSL only reads them */
        const void *in;
        void *out;
    } pointer = {bytes.at};
    return OSSL_PARAM_construct_octet_string(name, pointer.out, bytes.len);
}

static bool draw_out(struct bytes salt, struct bytes secret, struct bytes info, uint8_t *out,
                     size_t len)
{
    char digest[] = "SHA256";
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *ctx = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        octets(OSSL_KDF_PARAM_SALT, salt),
        octets(OSSL_KDF_PARAM_KEY, secret),
        octets(OSSL_KDF_PARAM_INFO, info),
        OSSL_PARAM_construct_end(),
    };
    const bool done = ctx && EVP_KDF_derive(ctx, out, len, params) == 1;
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_free(kdf);
    return done;
}

/* RFC 8291, section 3.4. */
static bool make_keys(const struct push_receiver *to, const uint8_t point[static PUSH_POINT_BYTES],
                      const uint8_t salt[static PUSH_SALT_BYTES],
                      const uint8_t agreed[static AGREED_BYTES], struct keys *keys)
{
    static const char PUSH_INFO[] = "WebPush: info", KEY_INFO[] = "Content-Encoding: aes128gcm",
                      NONCE_INFO[] = "Content-Encoding: nonce"; /* each with its 0 */
    uint8_t info[sizeof PUSH_INFO + 2 * (size_t)PUSH_POINT_BYTES], secret[AGREED_BYTES];
    memcpy(info, PUSH_INFO, sizeof PUSH_INFO);
    memcpy(info + sizeof PUSH_INFO, to->point, PUSH_POINT_BYTES);
    memcpy(info + sizeof PUSH_INFO + PUSH_POINT_BYTES, point, PUSH_POINT_BYTES);
    const struct bytes auth = {to->auth, PUSH_AUTH_BYTES}, salted = {salt, PUSH_SALT_BYTES};
    const struct bytes drawn = {secret, sizeof secret};
    const bool made =
        draw_out(auth, (struct bytes){agreed, AGREED_BYTES}, (struct bytes){info, sizeof info},
                 secret, sizeof secret) &&
        draw_out(salted, drawn, (struct bytes){KEY_INFO, sizeof KEY_INFO}, keys->key, KEY_BYTES) &&
        draw_out(salted, drawn, (struct bytes){NONCE_INFO, sizeof NONCE_INFO}, keys->nonce,
                 NONCE_BYTES);
    sodium_memzero(secret, sizeof secret);
    return made;
}

/* The text and its delimiter (2: the last record), and the tag. */
static bool seal_record(const struct keys *keys, const char *text, size_t len, uint8_t *out)
{
    static const uint8_t LAST[] = {2};
    int text_len = 0, more = 0, rest = 0;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    const bool done =
        ctx && EVP_EncryptInit_ex(ctx, EVP_aes_128_gcm(), NULL, keys->key, keys->nonce) == 1 &&
        EVP_EncryptUpdate(ctx, out, &text_len, (const uint8_t *)text, (int)len) == 1 &&
        EVP_EncryptUpdate(ctx, out + text_len, &more, LAST, sizeof LAST) == 1 &&
        EVP_EncryptFinal_ex(ctx, out + text_len + more, &rest) == 1 &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, TAG_BYTES, out + len + 1) == 1;
    EVP_CIPHER_CTX_free(ctx);
    return done;
}

static void write_head(const uint8_t salt[static PUSH_SALT_BYTES],
                       const uint8_t point[static PUSH_POINT_BYTES], uint8_t *body)
{
    const uint8_t sizes[] = {0, 0, RECORD_BYTES >> 8, RECORD_BYTES & 0xff, PUSH_POINT_BYTES};
    memcpy(body, salt, PUSH_SALT_BYTES);
    memcpy(body + PUSH_SALT_BYTES, sizes, sizeof sizes);
    memcpy(body + PUSH_SALT_BYTES + sizeof sizes, point, PUSH_POINT_BYTES);
}

bool push_encrypt_with(const struct push_receiver *to, const uint8_t secret[static 32],
                       const uint8_t salt[static PUSH_SALT_BYTES], const char *text, size_t len,
                       uint8_t body[static PUSH_BODY_MAX], size_t *body_len)
{
    uint8_t point[PUSH_POINT_BYTES], agreed[AGREED_BYTES];
    struct keys keys;
    if (len > PUSH_TEXT_MAX || !curve_public(secret, point))
        return false;
    EVP_PKEY *mine = curve_key(point, secret), *theirs = curve_key(to->point, NULL);
    const bool done = mine && theirs && agree_secret(mine, theirs, agreed) &&
                      make_keys(to, point, salt, agreed, &keys) &&
                      seal_record(&keys, text, len, body + PUSH_HEAD_BYTES);
    write_head(salt, point, body);
    *body_len = PUSH_HEAD_BYTES + len + 1 + TAG_BYTES;
    sodium_memzero(agreed, sizeof agreed);
    sodium_memzero(&keys, sizeof keys);
    EVP_PKEY_free(mine);
    EVP_PKEY_free(theirs);
    return done;
}

bool push_secret_make(uint8_t secret[static PUSH_SECRET_BYTES])
{
    uint8_t point[PUSH_POINT_BYTES];
    enum { TRIES = 8 }; /* nearly every number is a private key */
    for (int i = 0; i < TRIES; i++) {
        randombytes_buf(secret, PUSH_SECRET_BYTES);
        if (curve_public(secret, point))
            return true;
    }
    return false;
}

bool push_encrypt(const struct push_receiver *to, const char *text, size_t len,
                  uint8_t body[static PUSH_BODY_MAX], size_t *body_len)
{
    uint8_t secret[PUSH_SECRET_BYTES], salt[PUSH_SALT_BYTES];
    randombytes_buf(salt, sizeof salt);
    const bool done =
        push_secret_make(secret) && push_encrypt_with(to, secret, salt, text, len, body, body_len);
    sodium_memzero(secret, sizeof secret);
    return done;
}

bool push_point_is_valid(const uint8_t point[static PUSH_POINT_BYTES])
{
    EVP_PKEY *key = curve_key(point, NULL);
    EVP_PKEY_free(key);
    return key != NULL;
}
