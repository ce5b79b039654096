/*
 * How random bytes look on the wire: hex for hashes and nonces, base 32 for what people may have to
 * type (room ids, invitation codes), base64url for tokens.
 *
 * Base 32 here is Crockford's alphabet in lower case, 0-9 a-z without i l o u, five bits a digit
 * from the top, no padding; sizes are multiples of five bytes. The secrets of links and recovery
 * phrases, which people write down, end with two digits more that tell slips of the pen.
 */
#ifndef PROTOCOL_ENCODING_H
#define PROTOCOL_ENCODING_H

#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ROOM_ID_RANDOM_BYTES = 5,
    CODE_RANDOM_BYTES = 10,
    TOKEN_RANDOM_BYTES = 32,
    PASS_RANDOM_BYTES = 20, /* of which the first 130 bits are used */
};

/* Writes 2 * len digits, lower case, and a NUL. */
void hex_encode(char *out, const uint8_t *bytes, size_t len);

/* Reads exactly 2 * len hex digits, either case. False if there are fewer, more, or others. */
bool hex_decode(uint8_t *out, size_t len, const char *digits, size_t digits_len);

/* Random bytes in, text with a NUL out. */
void room_id_encode(char out[PROTOCOL_ROOM_BYTES + 1], const uint8_t bytes[ROOM_ID_RANDOM_BYTES]);
void code_encode(char out[PROTOCOL_CODE_BYTES + 1], const uint8_t bytes[CODE_RANDOM_BYTES]);
void pass_encode(char out[PROTOCOL_PASS_BYTES + 1], const uint8_t bytes[PASS_RANDOM_BYTES]);
void token_encode(char out[PROTOCOL_TOKEN_BYTES + 1], const uint8_t bytes[TOKEN_RANDOM_BYTES]);

/* Is it well-formed? (Not: does it exist?) */
bool room_id_valid(const char *text, size_t len);
bool code_valid(const char *text, size_t len);
bool pass_valid(const char *text, size_t len); /* no digit is wrong, no neighbours changed places */
bool device_valid(const char *text, size_t len);
bool base64url_valid(const char *text, size_t len); /* without padding, one or more whole bytes */

/* The number of a device as hex digits. */
void device_encode(char out[PROTOCOL_DEVICE_BYTES + 1], uint32_t device);
uint32_t device_decode(const char *text); /* which is valid */

/* False if the text is no token. */
bool token_decode(uint8_t out[TOKEN_RANDOM_BYTES], const char *text, size_t len);

/*
 * A program's token begins with a word, by which those who look for secrets in published text know
 * it, and ends with a check of all before it (CRC-32), by which a typing error is one without
 * asking anybody.
 */
void access_token_encode(char out[PROTOCOL_ACCESS_BYTES + 1],
                         const uint8_t bytes[TOKEN_RANDOM_BYTES]);
bool access_token_decode(uint8_t out[TOKEN_RANDOM_BYTES], const char *text, size_t len);

#endif
