/*
 * The fair stack, section 8: a commitment, a key out of a secret and everybody's nonces, and a
 * stream of numbers out of the key. What is drawn from the stream in which order is the game's.
 *
 * Nothing here makes randomness: the secret is an argument.
 */
#ifndef PROTOCOL_DEAL_H
#define PROTOCOL_DEAL_H

#include <sodium.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DEAL_SECRET_BYTES = 32,
    DEAL_COMMITMENT_BYTES = 32,
    DEAL_KEY_BYTES = 32,
};

/* commitment = SHA-256(secret) */
void deal_commit(uint8_t commitment[DEAL_COMMITMENT_BYTES],
                 const uint8_t secret[DEAL_SECRET_BYTES]);

/*
 * The key out of the secret and the nonces of the `seats` seats in order, each lower-case hex as it
 * was given; NULL or "" is an empty nonce.
 */
void deal_key(uint8_t key[DEAL_KEY_BYTES], const uint8_t secret[DEAL_SECRET_BYTES],
              const char *const nonces[], size_t seats);

/* A plain value. */
struct deal_stream {
    uint8_t key[DEAL_KEY_BYTES];
    crypto_auth_hmacsha256_state keyed; /* what each block begins with: the key, absorbed once */
    uint8_t block[32];
    uint64_t counter; /* of the next block */
    uint8_t used;     /* bytes of `block` */
};

void deal_stream_init(struct deal_stream *stream, const uint8_t key[DEAL_KEY_BYTES]);

/* The stream that begins with this block of the first one: for what is drawn later in a game. */
void deal_stream_init_at(struct deal_stream *stream, const uint8_t key[DEAL_KEY_BYTES],
                         uint64_t counter);

/* The next number from 0 to n - 1, all equally likely; n >= 1. */
uint32_t deal_stream_below(struct deal_stream *stream, uint32_t n);

#endif
