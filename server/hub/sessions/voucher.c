#include <hub/voucher.h>

#include <assert.h>
#include <protocol/encoding.h>
#include <sodium.h>
#include <string.h>

enum { VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };
enum {
    UNTIL_BYTES = 8,
    TEXT_BYTES = UNTIL_BYTES + VOUCHER_SUBJECT_BYTES + VOUCHER_BOUND_BYTES,
    SIGNED_BYTES = TEXT_BYTES + crypto_auth_BYTES,
};

static_assert((SIGNED_BYTES * 8 + 5) / 6 == VOUCHER_SIGNED_TEXT, "as the protocol has it");
static_assert(VOUCHER_KEY_BYTES == crypto_auth_KEYBYTES, "a key is a key");
static_assert(VOUCHER_SUBJECT_BYTES == crypto_hash_sha256_BYTES, "a hash");

void voucher_subject(uint8_t subject[static VOUCHER_SUBJECT_BYTES], const char *where,
                     const char *who)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const uint8_t *)where, strlen(where) + 1);
    crypto_hash_sha256_update(&state, (const uint8_t *)who, strlen(who));
    crypto_hash_sha256_final(&state, subject);
}

static void write_until(uint8_t bytes[static UNTIL_BYTES], int64_t until_ms)
{
    for (int at = 0; at < UNTIL_BYTES; at++)
        bytes[at] = (uint8_t)((uint64_t)until_ms >> (8 * (UNTIL_BYTES - 1 - at)));
}

static int64_t read_until(const uint8_t bytes[static UNTIL_BYTES])
{
    uint64_t until_ms = 0;
    for (int at = 0; at < UNTIL_BYTES; at++)
        until_ms = until_ms << 8 | bytes[at];
    return (int64_t)until_ms;
}

void voucher_write(char text[static VOUCHER_SIGNED_TEXT + 1], const struct voucher *voucher,
                   const uint8_t key[static VOUCHER_KEY_BYTES])
{
    uint8_t bytes[SIGNED_BYTES];
    write_until(bytes, voucher->until_ms);
    memcpy(bytes + UNTIL_BYTES, voucher->subject, VOUCHER_SUBJECT_BYTES);
    memcpy(bytes + UNTIL_BYTES + VOUCHER_SUBJECT_BYTES, voucher->bound, VOUCHER_BOUND_BYTES);
    (void)crypto_auth(bytes + TEXT_BYTES, bytes, TEXT_BYTES, key);
    sodium_bin2base64(text, VOUCHER_SIGNED_TEXT + 1, bytes, sizeof bytes, VARIANT);
}

static bool read_signed(uint8_t bytes[static SIGNED_BYTES], const char *text)
{
    size_t len = 0;
    return sodium_base642bin(bytes, SIGNED_BYTES, text, VOUCHER_SIGNED_TEXT, NULL, &len, NULL,
                             VARIANT) == 0 &&
           len == SIGNED_BYTES;
}

/* Is it what the text ends with? */
static bool is_bound_to(const struct voucher *voucher, const char *secret)
{
    uint8_t bytes[TOKEN_RANDOM_BYTES], hash[crypto_hash_sha256_BYTES];
    if (!token_decode(bytes, secret, PROTOCOL_TOKEN_BYTES))
        return false;
    crypto_hash_sha256(hash, bytes, sizeof bytes);
    sodium_memzero(bytes, sizeof bytes);
    return sodium_memcmp(hash, voucher->bound, sizeof voucher->bound) == 0;
}

bool voucher_read(struct voucher *voucher, const char *text,
                  const uint8_t key[static VOUCHER_KEY_BYTES], int64_t now_ms)
{
    uint8_t bytes[SIGNED_BYTES];
    if (!read_signed(bytes, text) ||
        crypto_auth_verify(bytes + TEXT_BYTES, bytes, TEXT_BYTES, key) != 0)
        return false;
    voucher->until_ms = read_until(bytes);
    memcpy(voucher->subject, bytes + UNTIL_BYTES, VOUCHER_SUBJECT_BYTES);
    memcpy(voucher->bound, bytes + UNTIL_BYTES + VOUCHER_SUBJECT_BYTES, VOUCHER_BOUND_BYTES);
    return now_ms < voucher->until_ms && is_bound_to(voucher, text + VOUCHER_SIGNED_TEXT + 1);
}
