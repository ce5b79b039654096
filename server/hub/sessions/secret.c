#include <hub/secret.h>

#include <protocol/encoding.h>
#include <sodium.h>
#include <string.h>

static void hash_secret(uint8_t hash[static 32], const void *bytes, size_t len)
{
    crypto_generichash(hash, 32, bytes, len, NULL, 0);
}

bool secret_hash_token(uint8_t hash[static 32], const char *token)
{
    uint8_t bytes[TOKEN_RANDOM_BYTES];
    const size_t len = strlen(token);
    bool is_token = token_decode(bytes, token, len) || access_token_decode(bytes, token, len);
    hash_secret(hash, bytes, is_token ? sizeof bytes : 0);
    sodium_memzero(bytes, sizeof bytes);
    return is_token;
}

void secret_hash_code(uint8_t hash[static 32], const char *code)
{
    hash_secret(hash, code, strlen(code));
}
