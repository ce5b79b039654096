#include <protocol/deal.h>

#include <assert.h>
#include <sodium.h>
#include <string.h>

static_assert(DEAL_SECRET_BYTES == crypto_auth_hmacsha256_KEYBYTES, "the secret is the HMAC's key");
static_assert(DEAL_KEY_BYTES == crypto_auth_hmacsha256_BYTES, "the HMAC is the key");
static_assert(DEAL_COMMITMENT_BYTES == crypto_hash_sha256_BYTES, "the hash is the commitment");

void deal_commit(uint8_t commitment[DEAL_COMMITMENT_BYTES], const uint8_t secret[DEAL_SECRET_BYTES])
{
    crypto_hash_sha256(commitment, secret, DEAL_SECRET_BYTES);
}

static void absorb(crypto_auth_hmacsha256_state *state, const char *text)
{
    crypto_auth_hmacsha256_update(state, (const unsigned char *)text, strlen(text));
}

void deal_key(uint8_t key[DEAL_KEY_BYTES], const uint8_t secret[DEAL_SECRET_BYTES],
              const char *const nonces[], size_t seats)
{
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, secret, DEAL_SECRET_BYTES);
    absorb(&state, "taluva deal 1\n");
    for (size_t seat = 0; seat < seats; seat++) {
        assert(seat < 100);
        char number[4] = {0};
        if (seat >= 10)
            number[0] = (char)('0' + seat / 10);
        number[strlen(number)] = (char)('0' + seat % 10);
        absorb(&state, number);
        absorb(&state, " ");
        absorb(&state, nonces[seat] ? nonces[seat] : "");
        absorb(&state, "\n");
    }
    crypto_auth_hmacsha256_final(&state, key);
    sodium_memzero(&state, sizeof state);
}

void deal_stream_init_at(struct deal_stream *stream, const uint8_t key[DEAL_KEY_BYTES],
                         uint64_t counter)
{
    *stream = (struct deal_stream){.counter = counter, .used = sizeof stream->block};
    memcpy(stream->key, key, DEAL_KEY_BYTES);
    crypto_auth_hmacsha256_init(&stream->keyed, key, DEAL_KEY_BYTES);
}

void deal_stream_init(struct deal_stream *stream, const uint8_t key[DEAL_KEY_BYTES])
{
    deal_stream_init_at(stream, key, 0);
}

static void next_block(struct deal_stream *stream)
{
    uint8_t counter[8];
    for (size_t i = 0; i < sizeof counter; i++)
        counter[i] = (uint8_t)(stream->counter >> (56 - 8 * i));
    crypto_auth_hmacsha256_state state = stream->keyed;
    crypto_auth_hmacsha256_update(&state, counter, sizeof counter);
    crypto_auth_hmacsha256_final(&state, stream->block);
    stream->counter++;
    stream->used = 0;
}

static uint32_t next_word(struct deal_stream *stream)
{
    if (stream->used == sizeof stream->block)
        next_block(stream);
    const uint8_t *at = stream->block + stream->used;
    stream->used += 4;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

uint32_t deal_stream_below(struct deal_stream *stream, uint32_t n)
{
    assert(n > 0);
    uint64_t all = UINT64_C(1) << 32;
    uint64_t fair = all - all % n; /* a multiple of n: below it every remainder is as likely */
    uint32_t word = next_word(stream);
    while (word >= fair)
        word = next_word(stream);
    return word % n;
}
