#include "lots.h"

#include <sodium.h>
#include <stdio.h>

static void hash_standings(uint8_t hash[static crypto_hash_sha256_BYTES], const uint16_t numbers[],
                           const uint32_t points[], unsigned count)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    for (unsigned i = 0; i < count; i++) {
        char line[32];
        const int len = snprintf(line, sizeof line, "%u %u\n", (unsigned)numbers[i],
                                 points ? (unsigned)points[i] : 0);
        crypto_hash_sha256_update(&state, (const unsigned char *)line, (unsigned long long)len);
    }
    crypto_hash_sha256_final(&state, hash);
}

void event_begin_lots(struct deal_stream *stream, const struct event *event, unsigned round,
                      const uint8_t secret[static DEAL_SECRET_BYTES], const uint16_t numbers[],
                      const uint32_t points[], unsigned count)
{
    crypto_auth_hmacsha256_state state;
    uint8_t hash[crypto_hash_sha256_BYTES], key[DEAL_KEY_BYTES];
    char head[64];
    const int len =
        snprintf(head, sizeof head, "taluva pairing 1\n%s\n%u\n", event->rules.id, round);
    hash_standings(hash, numbers, points, count);
    crypto_auth_hmacsha256_init(&state, secret, DEAL_SECRET_BYTES);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)head, (unsigned long long)len);
    crypto_auth_hmacsha256_update(&state, hash, sizeof hash);
    crypto_auth_hmacsha256_final(&state, key);
    deal_stream_init(stream, key);
    sodium_memzero(key, sizeof key);
}

uint32_t event_draw_lot(void *stream, uint32_t n)
{
    return deal_stream_below(stream, n);
}

void event_shuffle(uint16_t numbers[], unsigned count, struct deal_stream *stream)
{
    for (unsigned i = count; i > 1; i--) {
        const unsigned other = deal_stream_below(stream, i);
        const uint16_t moved = numbers[i - 1];
        numbers[i - 1] = numbers[other];
        numbers[other] = moved;
    }
}

unsigned event_draw_field(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                          uint16_t numbers[], struct deal_stream *stream)
{
    unsigned count = 0;
    for (unsigned i = 0; i < event->entrants; i++) {
        if (event->entrant[i].field)
            numbers[count++] = (uint16_t)(i + 1);
    }
    event_begin_lots(stream, event, 0, secret, numbers, NULL, count);
    event_shuffle(numbers, count, stream);
    return count;
}

unsigned event_draw_seeds(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                          uint16_t numbers[], struct deal_stream *stream)
{
    const unsigned count = event_draw_field(event, secret, numbers, stream);
    for (unsigned i = 1; i < count; i++) {
        const uint16_t moved = numbers[i];
        unsigned j = i;
        for (;
             j > 0 && event->entrant[numbers[j - 1] - 1].rating < event->entrant[moved - 1].rating;
             j--)
            numbers[j] = numbers[j - 1];
        numbers[j] = moved;
    }
    return count;
}
