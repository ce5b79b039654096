#include <protocol/encoding.h>

#include <assert.h>
#include <sodium.h>
#include <string.h>

static const char BASE32[] = "0123456789abcdefghjkmnpqrstvwxyz";

void hex_encode(char *out, const uint8_t *bytes, size_t len)
{
    sodium_bin2hex(out, 2 * len + 1, bytes, len);
}

bool hex_decode(uint8_t *out, size_t len, const char *digits, size_t digits_len)
{
    size_t got;
    return digits_len == 2 * len &&
           sodium_hex2bin(out, len, digits, digits_len, NULL, &got, NULL) == 0 && got == len;
}

static void base32_encode(char *out, const uint8_t *bytes, size_t len)
{
    assert(len % 5 == 0);
    for (; len; len -= 5, bytes += 5) {
        uint64_t five = 0;
        for (size_t i = 0; i < 5; i++)
            five = five << 8 | bytes[i];
        for (int shift = 35; shift >= 0; shift -= 5)
            *out++ = BASE32[five >> shift & 31];
    }
    *out = '\0';
}

void room_id_encode(char out[PROTOCOL_ROOM_BYTES + 1], const uint8_t bytes[ROOM_ID_RANDOM_BYTES])
{
    base32_encode(out, bytes, ROOM_ID_RANDOM_BYTES);
}

void code_encode(char out[PROTOCOL_CODE_BYTES + 1], const uint8_t bytes[CODE_RANDOM_BYTES])
{
    base32_encode(out, bytes, CODE_RANDOM_BYTES);
}

/* Of digits and small letters all but i, l, o and u, as in BASE32. */
static bool base32_valid(const char *text, size_t len)
{
    const uint32_t others =
        1U << ('i' - 'a') | 1U << ('l' - 'a') | 1U << ('o' - 'a') | 1U << ('u' - 'a');
    for (size_t i = 0; i < len; i++) {
        const char byte = text[i];
        bool letter = byte >= 'a' && byte <= 'z' && !(others >> (byte - 'a') & 1);
        if (!letter && (byte < '0' || byte > '9'))
            return false;
    }
    return true;
}

bool room_id_valid(const char *text, size_t len)
{
    return len == PROTOCOL_ROOM_BYTES && base32_valid(text, len);
}

bool code_valid(const char *text, size_t len)
{
    return len == PROTOCOL_CODE_BYTES && base32_valid(text, len);
}

/* ---- secrets to be written down */

/* A prime below 1024: a wrong digit, or two neighbours the other way round, change the rest. */
enum { CHECK_MODULUS = 1021, CHECK_DIGITS = 2 };

/* The digits before the check as one number, modulo the prime. */
static unsigned check_of(const char *text)
{
    unsigned rest = 0;
    for (size_t i = 0; i < PROTOCOL_PASS_BYTES - CHECK_DIGITS; i++)
        rest = (rest * 32 + (unsigned)(strchr(BASE32, text[i]) - BASE32)) % CHECK_MODULUS;
    return rest;
}

void pass_encode(char out[PROTOCOL_PASS_BYTES + 1], const uint8_t bytes[PASS_RANDOM_BYTES])
{
    char digits[8 * PASS_RANDOM_BYTES / 5 + 1];
    base32_encode(digits, bytes, PASS_RANDOM_BYTES);
    memcpy(out, digits, PROTOCOL_PASS_BYTES);
    sodium_memzero(digits, sizeof digits);
    const unsigned check = check_of(out);
    out[PROTOCOL_PASS_BYTES - 2] = BASE32[check / 32];
    out[PROTOCOL_PASS_BYTES - 1] = BASE32[check % 32];
    out[PROTOCOL_PASS_BYTES] = '\0';
}

bool pass_valid(const char *text, size_t len)
{
    if (len != PROTOCOL_PASS_BYTES || !base32_valid(text, len))
        return false;
    const unsigned check = check_of(text);
    return text[len - 2] == BASE32[check / 32] && text[len - 1] == BASE32[check % 32];
}

/* ---- devices */

bool device_valid(const char *text, size_t len)
{
    return len == PROTOCOL_DEVICE_BYTES && strspn(text, "0123456789abcdef") >= len;
}

/* The last digit has no bits beyond the last byte. */
bool base64url_valid(const char *text, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    static const unsigned spare[] = {0, 0, 15, 3}; /* bits of the last digit, by digits over */
    if (len == 0 || len % 4 == 1 || strspn(text, digits) < len)
        return false;
    return ((size_t)(strchr(digits, text[len - 1]) - digits) & spare[len % 4]) == 0;
}

void device_encode(char out[PROTOCOL_DEVICE_BYTES + 1], uint32_t device)
{
    const uint8_t bytes[] = {(uint8_t)(device >> 24), (uint8_t)(device >> 16),
                             (uint8_t)(device >> 8), (uint8_t)device};
    hex_encode(out, bytes, sizeof bytes);
}

uint32_t device_decode(const char *text)
{
    uint8_t bytes[4];
    const bool valid = hex_decode(bytes, sizeof bytes, text, PROTOCOL_DEVICE_BYTES);
    assert(valid);
    (void)valid;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* ---- tokens */

enum { BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

void token_encode(char out[PROTOCOL_TOKEN_BYTES + 1], const uint8_t bytes[TOKEN_RANDOM_BYTES])
{
    sodium_bin2base64(out, PROTOCOL_TOKEN_BYTES + 1, bytes, TOKEN_RANDOM_BYTES, BASE64);
}

bool token_decode(uint8_t out[TOKEN_RANDOM_BYTES], const char *text, size_t len)
{
    size_t got;
    return len == PROTOCOL_TOKEN_BYTES &&
           sodium_base642bin(out, TOKEN_RANDOM_BYTES, text, len, NULL, &got, NULL, BASE64) == 0 &&
           got == TOKEN_RANDOM_BYTES;
}

/* ---- tokens of programs */

enum {
    ACCESS_WORD = sizeof "taluva_" - 1,
    ACCESS_CHECK_DIGITS = 7, /* 32 bits in base 32 */
};
static_assert((int)PROTOCOL_ACCESS_BYTES ==
                  (int)ACCESS_WORD + PROTOCOL_TOKEN_BYTES + ACCESS_CHECK_DIGITS,
              "a word, a token and its check");

/* CRC-32 as of ISO-HDLC, which is that of gzip. */
static uint32_t crc_of(const char *text, size_t len)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < len; i++) {
        crc ^= (unsigned char)text[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (UINT32_C(0xedb88320) & (0U - (crc & 1)));
    }
    return ~crc;
}

/* Of all that is before it. */
static void write_check(char out[ACCESS_CHECK_DIGITS + 1], const char *text)
{
    const uint32_t crc = crc_of(text, ACCESS_WORD + PROTOCOL_TOKEN_BYTES);
    for (int i = 0; i < ACCESS_CHECK_DIGITS; i++)
        out[i] = BASE32[crc >> 5 * (ACCESS_CHECK_DIGITS - 1 - i) & 31];
    out[ACCESS_CHECK_DIGITS] = '\0';
}

void access_token_encode(char out[PROTOCOL_ACCESS_BYTES + 1],
                         const uint8_t bytes[TOKEN_RANDOM_BYTES])
{
    memcpy(out, "taluva_", ACCESS_WORD);
    token_encode(out + ACCESS_WORD, bytes);
    write_check(out + ACCESS_WORD + PROTOCOL_TOKEN_BYTES, out);
}

bool access_token_decode(uint8_t out[TOKEN_RANDOM_BYTES], const char *text, size_t len)
{
    char check[ACCESS_CHECK_DIGITS + 1];
    if (len != PROTOCOL_ACCESS_BYTES || memcmp(text, "taluva_", ACCESS_WORD) != 0 ||
        !token_decode(out, text + ACCESS_WORD, PROTOCOL_TOKEN_BYTES))
        return false;
    write_check(check, text);
    return memcmp(text + len - ACCESS_CHECK_DIGITS, check, ACCESS_CHECK_DIGITS) == 0;
}
