/* VAPID, RFC 8292: a JSON Web Token (RFC 7519) signed with ES256 (RFC 7518, section 3.4). */
#include "curve.h"
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONTACT_MAX = 256,
    CLAIMS_MAX = 640,
    HALF_BYTES = 32,
    VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING
};

struct push_signer {
    EVP_PKEY *key;
    char public_key[PUSH_POINT_TEXT + 1];
    char contact[CONTACT_MAX];
};

struct push_signer *push_signer_create(const uint8_t secret[static PUSH_SECRET_BYTES],
                                       const char *contact)
{
    uint8_t point[PUSH_POINT_BYTES];
    struct push_signer *signer = calloc(1, sizeof *signer);
    if (!signer)
        return NULL;
    const int len = snprintf(signer->contact, sizeof signer->contact, "%s", contact);
    if (len > 0 && len < CONTACT_MAX && curve_public(secret, point))
        signer->key = curve_key(point, secret);
    if (!signer->key) {
        push_signer_destroy(signer);
        return NULL;
    }
    sodium_bin2base64(signer->public_key, sizeof signer->public_key, point, sizeof point, VARIANT);
    return signer;
}

void push_signer_destroy(struct push_signer *signer)
{
    if (signer)
        EVP_PKEY_free(signer->key);
    free(signer);
}

const char *push_signer_key(const struct push_signer *signer)
{
    return signer->public_key;
}

/* r and s of the signature that OpenSSL gives as DER. */
static bool signature_halves(const uint8_t *der, size_t len, uint8_t out[static 2 * HALF_BYTES])
{
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)len);
    const bool done =
        sig && BN_bn2binpad(ECDSA_SIG_get0_r(sig), out, HALF_BYTES) == HALF_BYTES &&
        BN_bn2binpad(ECDSA_SIG_get0_s(sig), out + HALF_BYTES, HALF_BYTES) == HALF_BYTES;
    ECDSA_SIG_free(sig);
    return done;
}

static bool sign_token(EVP_PKEY *key, const char *text, uint8_t out[static 2 * HALF_BYTES])
{
    enum { DER_MAX = 80 };
    uint8_t der[DER_MAX];
    size_t len = sizeof der;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    const bool done = ctx && EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
                      EVP_DigestSign(ctx, der, &len, (const uint8_t *)text, strlen(text)) == 1 &&
                      signature_halves(der, len, out);
    EVP_MD_CTX_free(ctx);
    return done;
}

/* What is claimed, as JSON in base64url. */
static bool write_claims(const struct push_signer *signer, const char *origin, int64_t until_s,
                         char *out, size_t size)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, CLAIMS_MAX);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_string(&writer, "aud", origin);
    writer_key_int(&writer, "exp", until_s);
    writer_key_string(&writer, "sub", signer->contact);
    writer_end(&writer);
    const bool fits = !buffer.failed && sodium_base64_ENCODED_LEN(buffer.len, VARIANT) <= size;
    if (fits)
        sodium_bin2base64(out, size, (const uint8_t *)buffer_payload(&buffer), buffer.len, VARIANT);
    buffer_release(&buffer);
    return fits;
}

bool push_sign(const struct push_signer *signer, const char *origin, int64_t until_s,
               char header[static PUSH_TOKEN_MAX])
{
    /* {"typ":"JWT","alg":"ES256"} */
    static const char HEAD[] = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.";
    char token[sizeof HEAD + sodium_base64_ENCODED_LEN(CLAIMS_MAX, VARIANT)];
    char signature[sodium_base64_ENCODED_LEN(2 * HALF_BYTES, VARIANT)];
    uint8_t signed_bytes[2 * HALF_BYTES];
    memcpy(token, HEAD, sizeof HEAD);
    if (!write_claims(signer, origin, until_s, token + sizeof HEAD - 1,
                      sizeof token - sizeof HEAD) ||
        !sign_token(signer->key, token, signed_bytes))
        return false;
    sodium_bin2base64(signature, sizeof signature, signed_bytes, sizeof signed_bytes, VARIANT);
    const int len = snprintf(header, PUSH_TOKEN_MAX, "vapid t=%s.%s, k=%s", token, signature,
                             signer->public_key);
    return len > 0 && len < PUSH_TOKEN_MAX;
}
